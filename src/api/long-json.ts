/**
 * Parses a large body of JSON in slices: its long strings, such as the text of a file, apart from the rest, which is
 * small. `JSON.parse` of the whole would keep other calls waiting.
 */

import { randomUUID } from 'node:crypto';
import { setImmediate as nextLoopIteration } from 'node:timers/promises';
import { jsonByte } from '../platform/json-bytes.ts';

/** Where the bytes of a string are, without its quotation marks. */
export interface ByteRange {
  from: number;
  to: number;
}

const usualSliceBytes = 1024 * 1024;
/** Of the longest escape, `\uXXXX`. */
const longestEscape = 6;
const lowerU = 0x75;

const isContinuation = (byte: number): boolean => (byte & 0xc0) === 0x80;

/** Whether an escape begins here: the backslashes before it are pairs. */
function beginsEscape(bytes: Buffer, at: number, from: number): boolean {
  if (bytes[at] !== jsonByte.backslash) return false;
  let before = at;
  while (before > from && bytes[before - 1] === jsonByte.backslash) before -= 1;
  return (at - before) % 2 === 0;
}

/** The end of a slice of a string: at most here, and neither within a character nor within an escape. */
function endOfSlice(bytes: Buffer, from: number, atMost: number): number {
  for (let at = Math.max(from, atMost - longestEscape + 1); at < atMost; at += 1) {
    if (!beginsEscape(bytes, at, from)) continue;
    const length = bytes[at + 1] === lowerU ? longestEscape : 2;
    if (at + length > atMost) return at;
    at += length - 1;
  }
  let end = atMost;
  while (end > atMost - 4 && isContinuation(bytes[end]!)) end -= 1;
  return end;
}

/** Parses the content of a string in slices. Throws where it is no string of JSON, or no UTF-8. */
async function longString(
  bytes: Buffer,
  { from, to }: ByteRange,
  sliceBytes: number,
): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const parts: string[] = [];
  let end: number;
  for (let at = from; at < to; at = end) {
    end = at + sliceBytes >= to ? to : endOfSlice(bytes, at, at + sliceBytes);
    parts.push(JSON.parse(`"${decoder.decode(bytes.subarray(at, end))}"`) as string);
    await nextLoopIteration();
  }
  return parts.join('');
}

/** The bytes with a short string in place of each long one. */
function withoutLong(bytes: Buffer, long: readonly ByteRange[], nameOf: (nth: number) => string) {
  const pieces: Buffer[] = [];
  let at = 0;
  for (const [nth, { from, to }] of long.entries()) {
    pieces.push(bytes.subarray(at, from), Buffer.from(nameOf(nth)));
    at = to;
  }
  pieces.push(bytes.subarray(at));
  return Buffer.concat(pieces);
}

/** Puts the long strings in their places. */
function withLong(value: unknown, texts: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return texts.get(value) ?? value;
  if (typeof value !== 'object' || value === null) return value;
  const parent = value as Record<string, unknown>;
  for (const name in parent) parent[name] = withLong(parent[name], texts);
  return parent;
}

/** Parses a body whose long strings are known. `parse`: of the text that is left. */
export async function longJson(
  bytes: Buffer,
  long: readonly ByteRange[],
  parse: (rest: Buffer) => unknown,
  sliceBytes = usualSliceBytes,
): Promise<unknown> {
  // Nobody can send a string of this name, because nobody knows it.
  const mark = randomUUID();
  const nameOf = (nth: number) => `${mark} ${nth}`;
  const value = parse(withoutLong(bytes, long, nameOf));
  const texts = new Map<string, string>();
  for (const [nth, range] of long.entries()) {
    texts.set(nameOf(nth), await longString(bytes, range, sliceBytes));
  }
  return withLong(value, texts);
}
