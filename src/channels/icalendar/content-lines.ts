/** The lines of a calendar: its encoding, line ends and folds. Spec: CHANNEL-1. */

/** A line after unfolding. */
export interface ContentLine {
  /** The number of its first line in the file, from 1. */
  number: number;
  /** Without blanks at both ends. */
  text: string;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });
// Most calendars that are not UTF-8 come from a Windows program.
const windows = new TextDecoder('windows-1252');

function decoded(line: Buffer): string {
  try {
    return utf8.decode(line);
  } catch {
    return windows.decode(line);
  }
}

/** UTF-16 has a byte order mark, or a NUL beside each letter of its first word. */
function isUtf16(bytes: Buffer): boolean {
  const [first, second] = bytes;
  if ((first === 0xfe && second === 0xff) || (first === 0xff && second === 0xfe)) return true;
  return bytes.subarray(0, 8).filter((byte) => byte === 0).length >= 3;
}

const lineEnd = /\r*\n|\r/g;

/** Splits by byte, because a line can be folded within a character. */
function physicalLines(bytes: Buffer): string[] {
  const byByte = bytes.toString('latin1').replace(/^\xEF\xBB\xBF/, '');
  return byByte.split(lineEnd);
}

const isFolded = (line: string): boolean => line.startsWith(' ') || line.startsWith('\t');

const contentLine = (number: number, parts: readonly string[]): ContentLine => {
  const text = decoded(Buffer.from(parts.join(''), 'latin1'));
  return { number, text: text.replaceAll('\0', '\uFFFD').trim() };
};

/** The lines of a calendar without its blank ones, one after the other, because there can be a million. */
function* unfolded(bytes: Buffer): Generator<ContentLine> {
  let number = 0;
  let parts: string[] = [];
  for (const [at, line] of physicalLines(bytes).entries()) {
    if (parts.length > 0 && isFolded(line)) {
      parts.push(line.slice(1));
      continue;
    }
    if (line.trim() === '') continue;
    if (parts.length > 0) yield contentLine(number, parts);
    number = at + 1;
    parts = [line];
  }
  if (parts.length > 0) yield contentLine(number, parts);
}

/** The lines of a calendar. Null: it is UTF-16. */
export function contentLines(bytes: Uint8Array): Iterable<ContentLine> | null {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return isUtf16(buffer) ? null : unfolded(buffer);
}
