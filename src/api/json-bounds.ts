/** What a body in JSON may have at most, found in its bytes before anything parses or walks it. */

import { limits } from '../contract/limits.ts';
import { jsonByte } from '../platform/json-bytes.ts';

/** Reads the bytes of a body as they arrive. */
export interface JsonBounds {
  add(chunk: Buffer): void;
  /** What is wrong; null: nothing yet. */
  readonly problem: string | null;
  /** How many members the objects have, as written. */
  readonly members: number;
}

const tooDeep = `must not be nested more than ${limits.bodyDepth} deep`;

/**
 * Makes the bounds of one body. It knows only brackets and strings: `JSON.parse` finds what is malformed.
 * Spec: CALL-20.
 */
export function jsonBounds(mostValues: number = limits.bodyValues): JsonBounds {
  const tooMany = `must not have more than ${mostValues} values`;
  let depth = 0;
  let values = 0;
  let members = 0;
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
    },
    get problem() {
      return problem;
    },
    get members() {
      return members;
    },
  };
}
