/** Changes of many homes: compared and set aside slice by slice while others change catalogs, written in one short step. */
import type { Executor } from '../platform/postgres/database.ts';
import { inSlices } from '../platform/slices.ts';
import type { Home } from './store/listing-rows.ts';
import { readHomes, type StoredHome } from './store/listings.ts';
import { markCatalogs, raiseRevision } from './store/revision.ts';
import { createStagedHomes, stageHomes, writeStagedHomes } from './store/staged-homes.ts';

// A home can have 10,000 dates.
const homesOfSlice = 10;

/** Whether a change of so many homes is one slice. */
export const isOneSlice = (homes: number): boolean => homes <= homesOfSlice;

/** Reads homes slice by slice, and sets aside what `changeSlice` makes of them. */
export async function stageChanges(
  executor: Executor,
  slugs: readonly string[],
  changeSlice: (stored: readonly StoredHome[]) => Promise<readonly Home[]>,
): Promise<void> {
  await createStagedHomes(executor);
  for await (const slice of inSlices(slugs, homesOfSlice)) {
    const stored = await readHomes(executor, slice);
    const changed = await changeSlice(stored);
    if (changed.length === 0) continue;
    const before = new Map(stored.map(({ home }) => [home.slug, home]));
    await stageHomes(executor, changed, before);
  }
}

/** Writes what was set aside. Use it while the catalog is locked, and nothing has changed since it was compared. */
export async function writeStagedChanges(executor: Executor): Promise<void> {
  const revision = await raiseRevision(executor);
  await writeStagedHomes(executor, revision);
  await markCatalogs(executor, revision, []);
}
