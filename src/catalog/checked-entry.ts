import { refuse, type Refusal } from '../contract/errors.ts';
import { type Entries, readEntry } from './file/entries.ts';

const mostFields = 100;

/**
 * Checks an item of a list as an import checks it, and fills in its defaults. Refuses it with the first hundred
 * problems below `path`.
 */
export function checkedEntry<List extends keyof Entries>(
  list: List,
  value: unknown,
  path: string,
): Entries[List] | Refusal<'invalid_input'> {
  const { entry, problems } = readEntry(list, value);
  if (entry && problems.length === 0) return entry;
  const fields = problems
    .slice(0, mostFields)
    .map(({ pointer, message }) => ({ path: `${path}${pointer}`, message }));
  return refuse('invalid_input', { fields });
}
