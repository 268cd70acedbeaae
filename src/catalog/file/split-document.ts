/**
 * Splits the bytes of a catalog file into parts: the values of its members, and the items of its lists.
 * It knows only brackets and strings; `JSON.parse` reads the parts. So a file of any size needs the memory
 * of one part.
 */

import { jsonByte } from '../../platform/json-bytes.ts';
import type { FileProblem } from './problems.ts';

/** The bytes of a value of the document: an item of a list, or a member that is not a list. */
export interface Part {
  /** The member of the document that it belongs to. */
  member: string;
  /** Its index in the list; null: it is the value of the member. */
  at: number | null;
  /** The line of its first byte, from 1. */
  line: number;
  /** Empty if the part has a problem. */
  bytes: Buffer;
  /** How many members its objects have, as written. */
  members: number;
  /** Why it cannot be read. */
  problem: 'nesting' | 'size' | 'values' | null;
}

/** A list of the document begins or ends. */
interface ListBoundary {
  member: string;
  at: 'begin' | 'end';
  line: number;
}

export type Piece = Part | ListBoundary;

/** The document is broken in a way that hides what follows. */
export class BrokenDocument extends Error {
  readonly problem: FileProblem;
  constructor(problem: FileProblem) {
    super(problem.message);
    this.problem = problem;
  }
}

/** What is larger could keep other calls waiting while it is read. */
export const partLimits = { bytes: 4 * 1024 * 1024, values: 100_000, nesting: 64 } as const;

const isBlank = (code: number): boolean =>
  code === 0x20 || code === jsonByte.newline || code === 0x0d || code === 0x09;

/** What may come next, outside of parts. */
type State =
  | 'document'
  | 'first name'
  | 'name'
  | 'colon'
  | 'value'
  | 'first item'
  | 'item'
  | 'after item'
  | 'after value'
  | 'end';

const expected: Readonly<Record<State, string>> = {
  document: 'an object',
  'first name': 'the name of a member, or }',
  name: 'the name of a member',
  colon: ':',
  value: 'a value',
  'first item': 'a value, or ]',
  item: 'a value',
  'after item': ', or ]',
  'after value': ', or }',
  end: 'nothing after the end of the document',
};

/** The bytes that lead from one state to the next; everything else begins a value or is wrong. */
const steps: Partial<Record<State, Readonly<Record<number, State>>>> = {
  document: { [jsonByte.openBrace]: 'first name' },
  'first name': { [jsonByte.closeBrace]: 'end' },
  colon: { [jsonByte.colon]: 'value' },
  value: { [jsonByte.openBracket]: 'first item' },
  'first item': { [jsonByte.closeBracket]: 'after value' },
  'after item': { [jsonByte.comma]: 'item', [jsonByte.closeBracket]: 'after value' },
  'after value': { [jsonByte.comma]: 'name', [jsonByte.closeBrace]: 'end' },
};

const beginsName: ReadonlySet<State> = new Set(['first name', 'name']);
const beginsValue: ReadonlySet<State> = new Set(['value', 'first item', 'item']);
const byteOrderMark = [0xef, 0xbb, 0xbf];

/** Splits a document; chunks may end anywhere. Throws `BrokenDocument`. */
export interface DocumentSplitter {
  push(chunk: Buffer): Piece[];
  end(): void;
}

const closes = (open: number, close: number): boolean => close === open + 2;

/** Creates a splitter. A byte order mark at the beginning is ignored. */
export function createDocumentSplitter(): DocumentSplitter {
  let state: State = 'document';
  let line = 1;
  let offset = 0;
  let member = '';
  let at = 0;
  // The value that is being read; null: none.
  let part: Part | null = null;
  let slices: Buffer[] = [];
  let bytes = 0;
  // Its members and items, as far as brackets and commas show them.
  let values = 0;
  const open: number[] = [];
  let depth = 0;
  let inString = false;
  let isEscaped = false;
  let isScalar = false;

  const pointer = (): string => {
    const inList = state === 'first item' || state === 'item' || state === 'after item';
    if (state === 'document' || state === 'end' || beginsName.has(state)) return '';
    return inList ? `/${member}/${at}` : `/${member}`;
  };

  function broken(message: string, where = line): BrokenDocument {
    return new BrokenDocument({ pointer: pointer(), line: where, message });
  }

  function unexpected(code: number): BrokenDocument {
    const isForeign = offset < 4 && (code === 0xfe || code === 0xff || code === 0);
    if (isForeign) return broken('is not UTF-8');
    const shown = code > 0x20 && code < 0x7f ? String.fromCharCode(code) : `byte ${code}`;
    if (state === 'end') return broken(`has text after its end: ${shown}`);
    return broken(`is not JSON: expected ${expected[state]}, found ${shown}`);
  }

  function begin(code: number): void {
    part = { member, at: null, line, bytes: Buffer.alloc(0), members: 0, problem: null };
    slices = [];
    bytes = 0;
    values = 0;
    depth = 0;
    open.length = 0;
    inString = false;
    isScalar =
      code !== jsonByte.quote && code !== jsonByte.openBrace && code !== jsonByte.openBracket;
  }

  function opened(code: number): void {
    depth += 1;
    values += 1;
    if (depth <= partLimits.nesting) open.push(code);
    else part!.problem ??= 'nesting';
  }

  function closed(code: number): void {
    if (depth <= partLimits.nesting && !closes(open.pop()!, code)) {
      throw broken(`is not JSON: ${String.fromCharCode(code)} closes nothing`);
    }
    depth -= 1;
  }

  /** Reads on in the value. Returns the place after it, or -1: it continues in the next chunk. */
  function within(chunk: Buffer, from: number): number {
    const { length } = chunk;
    for (let index = from; index < length; index += 1) {
      const code = chunk[index]!;
      if (inString) {
        if (isEscaped) isEscaped = false;
        else if (code === jsonByte.backslash) isEscaped = true;
        else if (code === jsonByte.quote) {
          inString = false;
          if (depth === 0) return index + 1;
        } else if (code === jsonByte.newline) line += 1;
        continue;
      }
      if (
        isScalar &&
        (isBlank(code) || code === jsonByte.comma || (code | 0x20) === jsonByte.closeBrace)
      ) {
        return index;
      }
      switch (code) {
        case jsonByte.quote:
          inString = true;
          break;
        case jsonByte.newline:
          line += 1;
          break;
        case jsonByte.colon:
          part!.members += 1;
          break;
        case jsonByte.comma:
          values += 1;
          break;
        case jsonByte.openBrace:
        case jsonByte.openBracket:
          opened(code);
          break;
        case jsonByte.closeBrace:
        case jsonByte.closeBracket:
          closed(code);
          if (depth === 0) return index + 1;
          break;
        default:
      }
    }
    return -1;
  }

  function keep(slice: Buffer): void {
    bytes += slice.length;
    if (bytes > partLimits.bytes) part!.problem ??= 'size';
    if (values > partLimits.values) part!.problem ??= 'values';
    if (part!.problem) slices = [];
    else slices.push(slice);
  }

  /** Ends a value: it was a name, or it is a part. */
  function finish(pieces: Piece[]): void {
    const done = part!;
    part = null;
    if (!done.problem) done.bytes = slices.length === 1 ? slices[0]! : Buffer.concat(slices);
    slices = [];
    if (beginsName.has(state)) {
      member = nameOf(done);
      state = 'colon';
      return;
    }
    const isItem = state !== 'value';
    pieces.push(isItem ? { ...done, at } : done);
    if (isItem) at += 1;
    state = isItem ? 'after item' : 'after value';
  }

  function nameOf(done: Part): string {
    try {
      return JSON.parse(done.bytes.toString()) as string;
    } catch {
      throw broken('is not JSON: a member has no valid name', done.line);
    }
  }

  /** Reads one byte between values. Returns whether it was used. */
  function between(code: number, pieces: Piece[]): boolean {
    if (isBlank(code)) {
      if (code === jsonByte.newline) line += 1;
      return true;
    }
    if (offset < byteOrderMark.length && code === byteOrderMark[offset]) return true;
    const next = steps[state]?.[code];
    if (next !== undefined) {
      if (next === 'first item') {
        at = 0;
        pieces.push({ member, at: 'begin', line });
      }
      if (code === jsonByte.closeBracket) pieces.push({ member, at: 'end', line });
      state = next;
      return true;
    }
    const isName = beginsName.has(state) && code === jsonByte.quote;
    const isClosing = (code | 0x20) === jsonByte.closeBrace || code === jsonByte.comma;
    if (!isName && (!beginsValue.has(state) || isClosing || code === jsonByte.colon)) {
      throw unexpected(code);
    }
    begin(code);
    return false;
  }

  return {
    push(chunk) {
      const pieces: Piece[] = [];
      let index = 0;
      while (index < chunk.length) {
        if (part === null) {
          if (between(chunk[index]!, pieces)) {
            index += 1;
            offset += 1;
            continue;
          }
        }
        const until = within(chunk, index);
        const end = until === -1 ? chunk.length : until;
        keep(chunk.subarray(index, end));
        offset += end - index;
        index = end;
        if (until !== -1) finish(pieces);
      }
      return pieces;
    },
    end() {
      if (part === null && state === 'end') return;
      if (offset === 0) throw broken('is empty');
      throw broken('ends before the document is complete');
    },
  };
}
