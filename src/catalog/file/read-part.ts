/** Reads the value of a part of a catalog file, and finds the lines of its values. */

import { isUtf8 } from 'node:buffer';
import { findNodeAtLocation, parseTree, visit } from 'jsonc-parser';
import { escaped, type Problem } from '../../platform/schema-check.ts';
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

const linesBefore = (text: string, offset: number): number =>
  text.slice(0, offset).split('\n').length - 1;

/** The line of a value of a part, or of the nearest value around it that exists. */
export function lineWithin({ bytes, line }: Part, pointer: string): number {
  const text = bytes.toString();
  const tree = parseTree(text, [], strict);
  const path = pointer.split('/').slice(1).map(unescaped);
  while (tree && path.length > 0) {
    const node = findNodeAtLocation(tree, path);
    if (node) return line + linesBefore(text, node.offset);
    path.pop();
  }
  return line;
}

function unescaped(segment: string): string | number {
  return /^\d+$/.test(segment)
    ? Number(segment)
    : segment.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** The line where a text stops being JSON. */
function brokenLine(text: string, line: number): number {
  const lines: number[] = [];
  visit(text, { onError: (_error, offset) => lines.push(linesBefore(text, offset)) }, strict);
  return line + (lines[0] ?? 0);
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

/** How many members the objects of a value have. */
function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const inner: unknown[] = Array.isArray(value) ? value : Object.values(value);
  let count = Array.isArray(value) ? 0 : inner.length;
  for (const one of inner) count += countMembers(one);
  return count;
}

const pointerOf = (path: readonly (string | number)[]): string =>
  path.map((segment) => `/${escaped(String(segment))}`).join('');

/** Members that an object has more than once: JSON.parse would silently take the last. */
function repeatedMembers(text: string, line: number): LocatedProblem[] {
  const found: LocatedProblem[] = [];
  const objects: Set<string>[] = [];
  visit(
    text,
    {
      onObjectBegin: () => void objects.push(new Set()),
      onObjectEnd: () => void objects.pop(),
      onObjectProperty(name, offset, _length, _line, _character, path) {
        const names = objects.at(-1)!;
        if (names.has(name)) {
          found.push({
            pointer: pointerOf([...path(), name]),
            line: line + linesBefore(text, offset),
            message: 'is given more than once',
          });
        }
        names.add(name);
      },
    },
    strict,
  );
  return found;
}

const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

/** Strings that PostgreSQL cannot store. */
function unstorable(value: unknown, pointer = ''): Problem[] {
  if (typeof value === 'string') {
    const message = 'contains a character that cannot be stored';
    return isStorable(value) ? [] : [{ pointer, message }];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    unstorable(inner, `${pointer}/${escaped(name)}`),
  );
}

const unreadable = {
  nesting: `is nested more than ${partLimits.nesting} deep`,
  size: `is larger than ${partLimits.bytes / 1024 / 1024} MB`,
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
  const problems = countMembers(value) === members ? [] : repeatedMembers(text, line);
  // Only escapes write such characters.
  const unfit = text.includes('\\u') ? unstorable(value) : [];
  const located = unfit.map((one) => ({ ...one, line: lineWithin(part, one.pointer) }));
  return { value, problems: [...problems, ...located] };
}
