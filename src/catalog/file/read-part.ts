/** Reads the value of a part of a catalog file, and finds the lines of its values. */

import { isUtf8 } from 'node:buffer';
import { findNodeAtLocation, parseTree, visit } from 'jsonc-parser';
import { countMembers, repeatedMembers } from '../../platform/json-members.ts';
import { escaped, type Problem } from '../../platform/schema-check.ts';
import { keptProblems } from './problems.ts';
import { partLimits, type Part } from './split-document.ts';

/** The value of a part, or why it has none. Pointers are relative to the part. */
export type PartValue =
  | { value: unknown; problems: LocatedProblem[] }
  | { problems: LocatedProblem[] };

/** A problem whose line is known. */
export interface LocatedProblem extends Problem {
  line: number;
}

const strict = { disallowComments: true, allowTrailingComma: false };

/** Makes the function that returns the line of an offset of a text, whose first line has this number. */
function linesOf(text: string, line: number): (offset: number) => number {
  const ends: number[] = [];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) ends.push(at);
  return (offset) => {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (ends[middle]! < offset) low = middle + 1;
      else high = middle;
    }
    return line + low;
  };
}

/**
 * Makes the function that returns the line of a value of a part, or of the nearest value around it that exists. The
 * part is parsed once, for the first.
 */
export function linesWithin({ bytes, line }: Part): (pointer: string) => number {
  const parsed = () => {
    const text = bytes.toString();
    return { tree: parseTree(text, [], strict), lineAt: linesOf(text, line) };
  };
  let known: ReturnType<typeof parsed> | undefined;
  return (pointer) => {
    const { tree, lineAt } = (known ??= parsed());
    const path = pointer.split('/').slice(1).map(unescaped);
    while (tree && path.length > 0) {
      const node = findNodeAtLocation(tree, path);
      if (node) return lineAt(node.offset);
      path.pop();
    }
    return line;
  };
}

function unescaped(segment: string): string | number {
  return /^\d+$/.test(segment)
    ? Number(segment)
    : segment.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** The line where a text stops being JSON. */
function brokenLine(text: string, line: number): number {
  let first: number | null = null;
  visit(text, { onError: (_error, offset) => void (first ??= offset) }, strict);
  return linesOf(text, line)(first ?? 0);
}

/** The first line that is not UTF-8. */
function foreignLine({ bytes, line }: Part): number {
  let from = 0;
  for (let at = line; ; at += 1) {
    const end = bytes.indexOf('\n', from);
    if (end === -1 || !isUtf8(bytes.subarray(from, end))) return at;
    from = end + 1;
  }
}

/** Members that an object has more than once. */
function repeated(text: string, line: number): LocatedProblem[] {
  const lineAt = linesOf(text, line);
  return repeatedMembers(text, keptProblems).map(({ pointer, offset }) => ({
    pointer,
    line: lineAt(offset),
    message: 'is given more than once',
  }));
}

const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

/** Adds the first strings that PostgreSQL cannot store. */
function addUnstorable(value: unknown, pointer: string, found: Problem[]): void {
  if (found.length >= keptProblems) return;
  if (typeof value === 'string') {
    const message = 'contains a character that cannot be stored';
    if (!isStorable(value)) found.push({ pointer, message });
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    addUnstorable(inner, `${pointer}/${escaped(name)}`, found);
  }
}

/** The first strings that cannot be stored. Only escapes write such characters. */
function unstorable(part: Part, text: string, value: unknown): LocatedProblem[] {
  if (!text.includes('\\u')) return [];
  const found: Problem[] = [];
  addUnstorable(value, '', found);
  const lineOf = linesWithin(part);
  return found.map((one) => ({ ...one, line: lineOf(one.pointer) }));
}

const unreadable = {
  nesting: `is nested more than ${partLimits.nesting} deep`,
  size: `is larger than ${partLimits.bytes / 1024 / 1024} MB`,
  values: `has more than ${partLimits.values} values`,
} as const;

/** Reads a part. */
export function readPart(part: Part): PartValue {
  const { bytes, line, members, problem } = part;
  const failed = (message: string, at = line): PartValue => ({
    problems: [{ pointer: '', line: at, message }],
  });
  if (problem) return failed(unreadable[problem]);
  if (!isUtf8(bytes)) return failed('is not UTF-8', foreignLine(part));
  const text = bytes.toString();
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return failed('is not JSON', brokenLine(text, line));
  }
  const problems = countMembers(value) === members ? [] : repeated(text, line);
  return { value, problems: [...problems, ...unstorable(part, text, value)] };
}
