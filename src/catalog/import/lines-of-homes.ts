/** The homes that staff and files name. */

import { soundLines, type CsvProblem } from '../../platform/csv.ts';
import type { Executor } from '../../platform/postgres/database.ts';
import { isUuid } from '../../platform/uuid.ts';
import { type ListingIdentity, readIdentities } from '../store/listings.ts';

/** Finds listings by slug or ID. The result has them by the name that was given. */
export async function findSlugs(
  executor: Executor,
  names: readonly string[],
): Promise<Map<string, ListingIdentity>> {
  const ids = names.map((name) => name.toLowerCase()).filter(isUuid);
  const found = await readIdentities(executor, names, ids);
  const bySlug = new Map(found.map((listing) => [listing.slug, listing]));
  const byId = new Map(found.map((listing) => [listing.id, listing]));
  return new Map(
    names.flatMap((name) => {
      const listing = bySlug.get(name) ?? byId.get(name.toLowerCase());
      return listing ? [[name, listing] as const] : [];
    }),
  );
}

/** The lines of a CSV file, and what is wrong with them. */
export interface ReadLines<Line> {
  lines: Line[];
  problems: CsvProblem[];
}

/**
 * Finds the home of each line. A line whose home does not exist is one more problem; lines with problems are left
 * out.
 */
export async function linesOfHomes<Line extends { line: number; listing: string }>(
  executor: Executor,
  { lines, problems: found }: ReadLines<Line>,
): Promise<ReadLines<Line & { home: ListingIdentity }>> {
  const homes = await findSlugs(executor, [...new Set(lines.map(({ listing }) => listing))]);
  const unknown = lines
    .filter(({ listing }) => !homes.has(listing))
    .map(({ line, listing }): CsvProblem => {
      return { line, column: 'listing', message: `there is no listing ${listing}` };
    });
  const sound = soundLines(lines, found).flatMap((line) => {
    const home = homes.get(line.listing);
    return home ? [{ ...line, home }] : [];
  });
  return { lines: sound, problems: [...found, ...unknown] };
}
