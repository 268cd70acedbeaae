import { invalidInput } from '../access/index.ts';
import { type Entries, readEntry } from './file/entries.ts';

/**
 * Checks an item of a list as an import checks it, and fills in its defaults. Throws `RefusalError` with every
 * problem below `path`.
 */
export function checkedEntry<List extends keyof Entries>(
  list: List,
  value: unknown,
  path: string,
): Entries[List] {
  const { entry, problems } = readEntry(list, value);
  if (entry && problems.length === 0) return entry;
  throw invalidInput(
    ...problems.map(({ pointer, message }) => ({ path: `${path}${pointer}`, message })),
  );
}
