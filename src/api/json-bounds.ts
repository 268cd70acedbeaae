/** What a body in JSON may have at most, found in its bytes before anything parses or walks it. */

import { limits } from '../contract/limits.ts';
import { jsonByte } from '../platform/json-bytes.ts';
import type { ByteRange } from './long-json.ts';

/** Reads the bytes of a body as they arrive. */
export interface JsonBounds {
  add(chunk: Buffer): void;
  /** What is wrong; null: nothing yet. */
  readonly problem: string | null;
  /** How many members the objects have, as written. */
  readonly members: number;
  /** The long strings. */
  readonly long: readonly ByteRange[];
}

// Shorter ones are parsed with everything else.
const longString = 64 * 1024;

const tooDeep = `must not be nested more than ${limits.bodyDepth} deep`;

/**
 * Makes the bounds of one body. It knows only brackets and strings: `JSON.parse` finds what is malformed.
 * Spec: CALL-20.
 */
export function jsonBounds(mostValues: number = limits.bodyValues): JsonBounds {
  const tooLarge = `must not have more than ${limits.parsedBytes} bytes beside its long texts`;
  const tooMany = `must not have more than ${mostValues} values`;
  let depth = 0;
  let values = 0;
  let members = 0;
  let read = 0;
  let stringFrom = 0;
  let longBytes = 0;
  const long: ByteRange[] = [];
  let inString = false;
  let isEscaped = false;
  let problem: string | null = null;

  /** Skips a string. Returns the place of its last byte, or the end of the chunk. */
  function withinString(chunk: Buffer, from: number): number {
    for (let at = from; at < chunk.length; at += 1) {
      const byte = chunk[at];
      if (isEscaped) isEscaped = false;
      else if (byte === jsonByte.backslash) isEscaped = true;
      else if (byte === jsonByte.quote) {
        inString = false;
        const to = read + at;
        if (to - stringFrom < longString) return at;
        long.push({ from: stringFrom, to });
        longBytes += to - stringFrom;
        return at;
      }
    }
    return chunk.length;
  }

  return {
    add(chunk) {
      for (let at = 0; at < chunk.length && problem === null; at += 1) {
        if (inString) {
          at = withinString(chunk, at);
          continue;
        }
        switch (chunk[at]) {
          case jsonByte.quote:
            inString = true;
            stringFrom = read + at + 1;
            break;
          case jsonByte.colon:
            members += 1;
            break;
          case jsonByte.comma:
            values += 1;
            if (values > mostValues) problem = tooMany;
            break;
          case jsonByte.openBrace:
          case jsonByte.openBracket:
            depth += 1;
            values += 1;
            if (depth > limits.bodyDepth) problem = tooDeep;
            else if (values > mostValues) problem = tooMany;
            break;
          case jsonByte.closeBrace:
          case jsonByte.closeBracket:
            depth -= 1;
            break;
          default:
        }
      }
      read += chunk.length;
      const pending = inString && read - stringFrom >= longString ? read - stringFrom : 0;
      if (read - longBytes - pending > limits.parsedBytes) problem ??= tooLarge;
    },
    get long() {
      return long;
    },
    get problem() {
      return problem;
    },
    get members() {
      return members;
    },
  };
}
