import {
  importCatalog,
  type ImportOptions,
  type ImportResult,
} from '../../src/catalog/import/import-catalog.ts';
import type { Difference } from '../../src/catalog/import/difference.ts';
import type { Database } from '../../src/platform/postgres/database.ts';
import { sourceOf } from './catalog-files.ts';

/** Imports a catalog file of a test. */
export const importFile = (
  database: Database,
  file: object | string,
  options: Partial<ImportOptions> = {},
): Promise<ImportResult> =>
  importCatalog(database, sourceOf(file), {
    mode: 'merge',
    dryRun: false,
    actor: 'test',
    blocks: null,
    ...options,
  });

/** What an import changed, by kind: the signs and names of its entries. */
export function changesOf(result: ImportResult): Record<string, string[]> {
  if ('problems' in result) throw new Error(JSON.stringify(result.problems));
  const signs = { added: '+', changed: '~', withdrawn: '-' } as const;
  const { moved, ...kinds } = result.difference;
  const changes = Object.entries(kinds).flatMap(([kind, { entries }]) =>
    entries.length === 0
      ? []
      : [[kind, entries.map(({ change, name }) => `${signs[change]}${name}`)] as const],
  );
  return {
    ...Object.fromEntries(changes),
    ...(moved > 0 ? { moved: [String(moved)] } : {}),
  };
}

/** The members that an entry changes, as `path: from → to`. */
export const membersOf = (
  result: ImportResult,
  kind: Exclude<keyof Difference, 'moved'>,
  name: string,
): string[] => {
  if ('problems' in result) throw new Error(JSON.stringify(result.problems));
  const entry = result.difference[kind].entries.find((each) => each.name === name);
  return (entry?.members ?? []).map(
    ({ path, from, to }) => `${path}: ${JSON.stringify(from)} → ${JSON.stringify(to)}`,
  );
};

/** The problems of an import, as `line pointer: message`. */
export const problemsOf = (result: ImportResult): string[] =>
  'problems' in result
    ? result.problems.first.map(({ line, pointer, message }) => `${line} ${pointer}: ${message}`)
    : [];
