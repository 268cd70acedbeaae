import { mostDates } from '../contract/catalog-file.ts';
import { isRefusal, type Refusal } from '../contract/errors.ts';
import { refuseStaff } from '../contract/operator/errors.ts';
import { auditedChange } from '../platform/audit/audited-change.ts';
import type { Database } from '../platform/postgres/database.ts';
import { overlayDates, type RatesOverDates } from '../pricing/index.ts';
import { changedMembers } from './import/difference.ts';
import { findSlugs } from './import/lines-of-homes.ts';
import { noListing } from './listing-for.ts';
import { readHomes } from './store/listings.ts';
import { writeHomes } from './store/write-homes.ts';
import { addUnusual, nothingUnusual, unusualRefusal } from './unusual-prices.ts';
import { lockCatalog, markCatalogs, raiseRevision } from './store/revision.ts';

/** What to set over dates, and at which homes: slugs or IDs. */
export interface NewRates extends RatesOverDates {
  listings: readonly string[];
  /** Set them also where they are unusual. */
  allowUnusual?: boolean | undefined;
}

/** Sets prices and minimum nights over dates, in the `dates` of homes. Returns how many homes have changed. */
export async function setRates(
  database: Database,
  actor: string,
  { listings, allowUnusual = false, ...change }: NewRates,
): Promise<{ changed: number } | Refusal<'not_found' | 'conflict'>> {
  const done = await auditedChange(
    database,
    async (executor) => {
      const now = await lockCatalog(executor);
      const slugs = await findSlugs(executor, listings);
      const unknown = listings.find((name) => !slugs.has(name));
      if (unknown !== undefined) return noListing(unknown);
      const names = [...new Set([...slugs.values()].map(({ slug }) => slug))];
      const stored = await readHomes(executor, names);
      const overlaid = stored.map(({ home }) => ({
        home,
        dates: overlayDates(home.rates.dates, change),
      }));
      const full = overlaid.find(({ dates }) => dates.length > mostDates);
      if (full) {
        return refuseStaff(
          'conflict',
          `${full.home.slug} would have more than ${mostDates} dates.`,
        );
      }
      const homes = overlaid.flatMap(({ home, dates }) => {
        const isSame = changedMembers(home.rates.dates, dates).length === 0;
        return isSame
          ? []
          : [{ before: home.rates.dates, ...home, rates: { ...home.rates, dates } }];
      });
      if (homes.length === 0) return { changed: 0, homes: [] };
      const unusual = nothingUnusual();
      const known = new Map(stored.map(({ home }) => [home.slug, home]));
      for (const home of homes) addUnusual(unusual, known.get(home.slug)!, home, now);
      const refusal = unusualRefusal(unusual, allowUnusual);
      if (refusal) return refusal;
      const revision = await raiseRevision(executor);
      await writeHomes(executor, homes, known, revision);
      await markCatalogs(executor, revision, []);
      const inRange = ({ from, to }: { from: string; to: string }) =>
        from <= change.to && to >= change.from;
      return {
        changed: homes.length,
        homes: homes.map(({ slug, before }) => ({ listing: slug, before: before.filter(inRange) })),
      };
    },
    ({ changed: count, homes }) =>
      count === 0
        ? []
        : {
            actor,
            action: 'rate.set',
            applicationId: null,
            details: { ...change, homes: homes.slice(0, 50), homesInAll: count },
          },
  );
  return isRefusal(done) ? done : { changed: done.changed };
}
