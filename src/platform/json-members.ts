/** Members that an object of a JSON text has more than once: `JSON.parse` silently takes the last. */

import { visit } from 'jsonc-parser';
import { escaped } from './schema-check.ts';

const strict = { disallowComments: true, allowTrailingComma: false };

/** How many members the objects of a value have. */
export function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) {
    for (const item of value) count += countMembers(item);
    return count;
  }
  for (const name in value) count += 1 + countMembers((value as Record<string, unknown>)[name]);
  return count;
}

/** A member that its object already has. */
export interface RepeatedMember {
  pointer: string;
  /** Where its name is in the text. */
  offset: number;
}

const pointerOf = (path: readonly (string | number)[]): string =>
  path.map((segment) => `/${escaped(String(segment))}`).join('');

/** The first repeated members of a text that is JSON. */
export function repeatedMembers(text: string, most: number): RepeatedMember[] {
  const found: RepeatedMember[] = [];
  const objects: Set<string>[] = [];
  visit(
    text,
    {
      onObjectBegin: () => void objects.push(new Set()),
      onObjectEnd: () => void objects.pop(),
      onObjectProperty(name, offset, _length, _line, _character, path) {
        const names = objects.at(-1)!;
        if (names.has(name) && found.length < most) {
          found.push({ pointer: pointerOf([...path(), name]), offset });
        }
        names.add(name);
      },
    },
    strict,
  );
  return found;
}
