import type { IncomingMessage } from 'node:http';
import { setImmediate as nextLoopIteration, setTimeout as sleep } from 'node:timers/promises';
import { refuse, RefusalError, type InvalidField } from '../contract/errors.ts';
import { limits } from '../contract/limits.ts';
import { countMembers, repeatedMembers } from '../platform/json-members.ts';
import type { JsonBounds } from './json-bounds.ts';
import { longJson, type ByteRange } from './long-json.ts';

// A body that is too long is read to its end, up to this size, so that the connection stays usable.
const drainedBytes = 1_048_576;

const utf8 = new TextDecoder('utf-8', { fatal: true });
const notUtf8 = 'must be UTF-8';

/** An `invalid_input` for one field. */
export const invalid = (path: string, message: string): RefusalError =>
  new RefusalError(refuse('invalid_input', { fields: [{ path, message }] as InvalidField[] }));

/** A body too long to drain: the connection closes after the response. */
export class BodyTooLongToDrainError extends RefusalError {}

/**
 * Reads a body to its end. Throws `invalid_input` where it is over the limit, or over the `bounds` of JSON; it is then
 * read to its end without being kept. Spec: CALL-4.
 */
export function readBody(
  stream: NodeJS.ReadableStream,
  mostBytes: number = limits.bodyBytes,
  bounds?: JsonBounds,
): Promise<Buffer> {
  const tooLong = () => invalid('', `must be at most ${mostBytes} bytes`);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    let isWhole = false;
    stream.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= mostBytes) bounds?.add(chunk);
      if (length <= mostBytes && !bounds?.problem) chunks.push(chunk);
      else chunks.length = 0;
      if (length > Math.max(mostBytes, drainedBytes)) {
        stream.removeAllListeners('data');
        reject(new BodyTooLongToDrainError(tooLong().refusal));
      }
    });
    stream.on('end', () => {
      isWhole = true;
      if (length > mostBytes) reject(tooLong());
      else if (bounds?.problem) reject(invalid('', bounds.problem));
      else resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks));
    });
    const abort = () => reject(invalid('', 'did not arrive whole'));
    stream.on('error', abort);
    // `close` also follows `end`, and an error costs more than reading a body.
    stream.on('close', () => {
      if (!isWhole) abort();
    });
    // The connection may have closed before the listeners were added.
    if (!stream.readable) abort();
  });
}

/** Checks that the body has this content type, is UTF-8 and is not compressed. Throws `invalid_input`. */
export function checkContentType(request: IncomingMessage, type: string): void {
  const contentType = request.headers['content-type'] ?? '';
  if (contentType !== type) checkMediaType(contentType, type);
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') {
    throw invalid('header/content-encoding', 'must not be compressed');
  }
}

function checkMediaType(contentType: string, type: string): void {
  const [named = '', ...parameters] = contentType.split(';');
  if (named.trim().toLowerCase() !== type) {
    throw invalid('header/content-type', `must be ${type}`);
  }
  const charset = parameters.map((text) => text.trim().toLowerCase()).find(isCharset);
  if (charset !== undefined && !/^charset="?utf-?8"?$/.test(charset)) {
    throw invalid('header/content-type', 'must name no other charset than utf-8');
  }
}

const isCharset = (parameter: string): boolean => parameter.startsWith('charset');

/** Decodes UTF-8 strictly. */
export function textOf(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw invalid('', notUtf8);
  }
}

let lastTurn: Promise<void> = Promise.resolve();

// A call of others takes several turns of the event loop: they need some milliseconds.
const gapMs = 10;

/**
 * Waits for a turn of the event loop of its own: between two that wait here, other calls are served. To check a large
 * body takes tens of milliseconds, and several may have arrived together.
 */
export function ownTurn(): Promise<void> {
  const before = lastTurn;
  const turn = async () => {
    await before;
    await nextLoopIteration();
    await sleep(gapMs);
  };
  lastTurn = turn();
  return lastTurn;
}

const sliceBytes = 1_048_576;

/** Decodes a large body strictly, in slices, so that other calls are served meanwhile. */
export async function longTextOf(bytes: Buffer): Promise<string> {
  if (bytes.length <= sliceBytes) return textOf(bytes);
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const parts: string[] = [];
  try {
    for (let at = 0; at < bytes.length; at += sliceBytes) {
      const isLast = at + sliceBytes >= bytes.length;
      parts.push(decoder.decode(bytes.subarray(at, at + sliceBytes), { stream: !isLast }));
      await nextLoopIteration();
    }
  } catch {
    throw invalid('', notUtf8);
  }
  return parts.join('');
}

// PostgreSQL cannot store these characters.
const isStorable = (text: string): boolean => !text.includes('\u0000') && text.isWellFormed();

// No valid body is deeper: anything deeper is in an unknown member, which is refused.
const deepestText = 16;

const escaped = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');

/** Whether a value contains a string with U+0000 or an unpaired surrogate. */
function hasUnstorableText(value: unknown, depth = 0): boolean {
  if (typeof value === 'string') return !isStorable(value);
  if (typeof value !== 'object' || value === null || depth === deepestText) return false;
  for (const inner of Object.values(value)) {
    if (hasUnstorableText(inner, depth + 1)) return true;
  }
  return false;
}

function pointersTo(value: unknown, path: string, depth: number): InvalidField[] {
  if (!hasUnstorableText(value, depth)) return [];
  const message = 'must not hold U+0000 or unpaired surrogates';
  if (typeof value !== 'object' || value === null) return [{ path, message }];
  return Object.entries(value).flatMap(([name, inner]) =>
    pointersTo(inner, `${path}/${escaped(name)}`, depth + 1),
  );
}

/** The strings in a value that contain U+0000 or an unpaired surrogate. Spec: CALL-10. */
export const unstorableTexts = (value: unknown, path: string): InvalidField[] =>
  pointersTo(value, path, 0);

const mostRepeated = 100;
const notJson = 'must be JSON';

/** Parses JSON. Throws `invalid_input` if it is not JSON, or has a member twice: parsers differ in which they take. */
export function jsonOf(text: string, members: number): unknown {
  const value = parsed(text);
  if (countMembers(value) === members) return value;
  const fields = repeatedMembers(text, mostRepeated).map(({ pointer }) => ({
    path: pointer,
    message: 'is given more than once',
  }));
  throw new RefusalError(refuse('invalid_input', { fields }));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw invalid('', notJson);
  }
}

/** Parses a large body of JSON: its long strings in slices, so that other calls are served meanwhile. */
export async function longJsonOf(
  bytes: Buffer,
  long: readonly ByteRange[],
  members: number,
): Promise<unknown> {
  await ownTurn();
  try {
    return await longJson(bytes, long, (rest) => jsonOf(textOf(rest), members));
  } catch (error) {
    if (error instanceof RefusalError) throw error;
    throw invalid('', error instanceof SyntaxError ? notJson : notUtf8);
  }
}
