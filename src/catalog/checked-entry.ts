import { invalidInput } from '../access/index.ts';
import { type Entries, readEntry } from './file/entries.ts';

const mostFields = 100;

/**
 * Checks an item of a list as an import checks it, and fills in its defaults. Throws `RefusalError` with
 * the first hundred problems below `path`.
 */
export function checkedEntry<List extends keyof Entries>(
  list: List,
  value: unknown,
  path: string,
): Entries[List] {
  const { entry, problems } = readEntry(list, value);
  if (entry && problems.length === 0) return entry;
  throw invalidInput(
    ...problems
      .slice(0, mostFields)
      .map(({ pointer, message }) => ({ path: `${path}${pointer}`, message })),
  );
}
