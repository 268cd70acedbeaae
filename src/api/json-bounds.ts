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

const tooLarge = `must not have more than ${limits.parsedBytes} bytes beside its long texts`;

class Bounds implements JsonBounds {
  problem: string | null = null;
  members = 0;
  readonly long: ByteRange[] = [];
  readonly #mostValues: number;
  #depth = 0;
  #values = 0;
  #read = 0;
  #longBytes = 0;
  #inString = false;
  #isEscaped = false;
  #stringFrom = 0;

  constructor(mostValues: number) {
    this.#mostValues = mostValues;
  }

  add(chunk: Buffer): void {
    for (let at = 0; at < chunk.length && this.problem === null; at += 1) {
      if (this.#inString) at = this.#withinString(chunk, at);
      else this.#readStructure(chunk[at]!, at);
    }
    this.#read += chunk.length;
    const open = this.#inString ? this.#read - this.#stringFrom : 0;
    const pending = open >= longString ? open : 0;
    if (this.#read - this.#longBytes - pending > limits.parsedBytes) this.problem ??= tooLarge;
  }

  /** Skips a string. Returns the place of its last byte, or the end of the chunk. */
  #withinString(chunk: Buffer, from: number): number {
    for (let at = from; at < chunk.length; at += 1) {
      const byte = chunk[at];
      if (this.#isEscaped) this.#isEscaped = false;
      else if (byte === jsonByte.backslash) this.#isEscaped = true;
      else if (byte === jsonByte.quote) {
        this.#endString(this.#read + at);
        return at;
      }
    }
    return chunk.length;
  }

  #endString(to: number): void {
    this.#inString = false;
    const from = this.#stringFrom;
    if (to - from < longString) return;
    this.long.push({ from, to });
    this.#longBytes += to - from;
  }

  #readStructure(byte: number, at: number): void {
    switch (byte) {
      case jsonByte.quote:
        this.#inString = true;
        this.#stringFrom = this.#read + at + 1;
        break;
      case jsonByte.colon:
        this.members += 1;
        break;
      case jsonByte.comma:
        this.#countValue();
        break;
      case jsonByte.openBrace:
      case jsonByte.openBracket:
        this.#depth += 1;
        if (this.#depth > limits.bodyDepth) this.problem = tooDeep;
        this.#countValue();
        break;
      case jsonByte.closeBrace:
      case jsonByte.closeBracket:
        this.#depth -= 1;
        break;
      default:
    }
  }

  #countValue(): void {
    this.#values += 1;
    if (this.#values <= this.#mostValues) return;
    this.problem ??= `must not have more than ${this.#mostValues} values`;
  }
}

/**
 * Makes the bounds of one body. It knows only brackets and strings: `JSON.parse` finds what is malformed.
 * Spec: CALL-20.
 */
export const jsonBounds = (mostValues: number = limits.bodyValues): JsonBounds =>
  new Bounds(mostValues);
