/** Prices and rules of many homes, date by date, as pricing tools set them: all or nothing. */
import { mostDates } from '../contract/catalog-file.ts';
import { type InvalidField, refuse, type Refusal } from '../contract/errors.ts';
import { operatorLimits } from '../contract/operator/limits.ts';
import { insertAuditEntry } from '../platform/audit/audit-entries.ts';
import type { Database, Executor } from '../platform/postgres/database.ts';
import { longTransaction } from '../platform/postgres/long-transaction.ts';
import { dayNumber, type RatesOfDate, setOnDates } from '../pricing/index.ts';
import { findSlugs } from './import/lines-of-homes.ts';
import { noLengthOn } from './stay-lengths.ts';
import type { Home } from './store/listing-rows.ts';
import { type ListingIdentity, readHomes } from './store/listings.ts';
import { lockCatalog, markCatalogs, raiseRevision } from './store/revision.ts';
import { insertUnusualRates } from './store/unusual-rates.ts';
import { writeHomes } from './store/write-homes.ts';
import { addUnusual, nothingUnusual, unusualLines, type UnusualPrices } from './unusual-prices.ts';

/** What a pricing tool sets at a home. */
export interface BulkHome {
  /** Slug or ID. */
  listing: string;
  dates: readonly RatesOfDate[];
}

/** What has really changed. */
export interface BulkRatesSet {
  listings: number;
  dates: number;
}

const mostFaults = 100;
const perBatch = 100;
const auditedHomes = 50;

/** The members that are named again, each at its second place. */
function repeats<Item>(
  items: readonly Item[],
  nameOf: (item: Item) => string | undefined,
  pathAt: (at: number) => string,
): InvalidField[] {
  const first = new Map<string, number>();
  return items.flatMap((item, at) => {
    const name = nameOf(item);
    if (name === undefined) return [];
    const before = first.get(name);
    if (before === undefined) first.set(name, at);
    return before === undefined
      ? []
      : [{ path: pathAt(at), message: `is named before, at ${pathAt(before)}` }];
  });
}

/** The faults of a call that do not depend on what is stored about each home. Spec: OUTSIDE-3. */
function faultsOfCall(
  rates: readonly BulkHome[],
  homes: ReadonlyMap<string, ListingIdentity>,
): InvalidField[] {
  const most = operatorLimits.bulkRates.dates;
  const count = rates.reduce((sum, { dates }) => sum + dates.length, 0);
  if (count > most) return [{ path: '/rates', message: `must not have more than ${most} dates` }];
  const unknown = rates.flatMap(({ listing }, at) =>
    homes.has(listing)
      ? []
      : [{ path: `/rates/${at}/listing`, message: `there is no listing ${listing}` }],
  );
  const twice = repeats(
    rates,
    ({ listing }) => homes.get(listing)?.id,
    (at) => `/rates/${at}/listing`,
  );
  const sameDates = rates.flatMap(({ dates }, home) =>
    repeats(
      dates,
      ({ date }) => date,
      (at) => `/rates/${home}/dates/${at}/date`,
    ),
  );
  return [...unknown, ...twice, ...sameDates];
}

/** The dates whose rules, together with those of the home and its seasons, allow no stay. */
function faultsOfRules(home: Home, dates: readonly RatesOfDate[], path: string): InvalidField[] {
  return dates.flatMap((change, at) => {
    const message = noLengthOn(home, dayNumber(change.date));
    if (message === null) return [];
    const member = change.minNights == null && change.maxNights != null ? 'maxNights' : 'minNights';
    return [{ path: `${path}/dates/${at}/${member}`, message }];
  });
}

/** A home before and after a call. */
interface SetHome {
  before: Home;
  after: Home;
  changed: string[];
  faults: InvalidField[];
}

function setHome(before: Home, { dates: changes }: BulkHome, path: string): SetHome {
  const { dates, changed } = setOnDates(before.rates.dates, changes);
  const after = { ...before, rates: { ...before.rates, dates } };
  const isTooMany = dates.length > mostDates;
  const tooMany = { path: `${path}/dates`, message: `would make more than ${mostDates} entries` };
  // Of dates that stay as they were, the rules are not the fault of this call.
  const named = new Set(changed);
  const faults = faultsOfRules(after, changes, path).filter(({ path: at }) =>
    named.has(changes[Number(at.split('/')[4])]!.date),
  );
  return { before, after, changed, faults: [...(isTooMany ? [tooMany] : []), ...faults] };
}

interface Work {
  executor: Executor;
  faults: InvalidField[];
  unusual: UnusualPrices;
  /** The first home with unusual prices. */
  firstUnusual: Home | null;
  set: { listing: string; dates: number }[];
  revision: number | null;
}

/** Reads, changes and writes some homes. Writes nothing once there are faults. */
async function setBatch(
  work: Work,
  batch: ReadonlyMap<string, { home: BulkHome; path: string }>,
  now: number,
): Promise<void> {
  const stored = await readHomes(work.executor, [...batch.keys()]);
  const all = stored.map(({ home: before }) => {
    const { home, path } = batch.get(before.slug)!;
    return setHome(before, home, path);
  });
  work.faults.push(...all.flatMap(({ faults }) => faults));
  const changed = all.filter((home) => home.changed.length > 0);
  if (work.faults.length > 0 || changed.length === 0) return;
  for (const { before, after } of changed) {
    addUnusual(work.unusual, before, after, now);
    if (work.unusual.nights > 0) work.firstUnusual ??= before;
  }
  work.revision ??= await raiseRevision(work.executor);
  await writeHomes(
    work.executor,
    changed.map(({ after }) => after),
    new Map(changed.map(({ before }) => [before.slug, before])),
    work.revision,
  );
  for (const { before, changed: dates } of changed) {
    work.set.push({ listing: before.slug, dates: dates.length });
  }
}

async function keepUnusual({ executor, unusual, firstUnusual }: Work, actor: string) {
  const [first] = unusual.first;
  if (!first || !firstUnusual) return;
  await insertUnusualRates(executor, {
    listingId: firstUnusual.listingId!,
    price: first.after,
    currency: first.currency,
    about: [`Set by ${actor}.`, ...unusualLines(unusual)].join('\n'),
  });
}

const refused = (faults: readonly InvalidField[]): Refusal<'invalid_input'> =>
  refuse('invalid_input', { fields: faults.slice(0, mostFaults) });

async function setAll(work: Work, actor: string, rates: readonly BulkHome[]): Promise<void> {
  const { executor } = work;
  const now = await lockCatalog(executor);
  const homes = await findSlugs(executor, [...new Set(rates.map(({ listing }) => listing))]);
  work.faults.push(...faultsOfCall(rates, homes));
  const known = rates.flatMap((home, at) => {
    const slug = homes.get(home.listing)?.slug;
    return slug === undefined ? [] : [[slug, { home, path: `/rates/${at}` }] as const];
  });
  for (let at = 0; at < known.length && work.faults.length < mostFaults; at += perBatch) {
    await setBatch(work, new Map(known.slice(at, at + perBatch)), now);
  }
  if (work.faults.length > 0 || work.revision === null) return;
  await markCatalogs(executor, work.revision, []);
  await keepUnusual(work, actor);
  await insertAuditEntry(executor, {
    actor,
    action: 'rate.set-bulk',
    applicationId: null,
    details: {
      listings: work.set.length,
      dates: datesOf(work.set),
      first: work.set.slice(0, auditedHomes),
      unusualNights: work.unusual.nights,
    },
    homes: work.set.map(({ listing }) => listing),
  });
}

const datesOf = (set: Work['set']): number => set.reduce((sum, { dates }) => sum + dates, 0);

/**
 * Sets prices and rules of homes, date by date, in one transaction. Unusual prices are set, and wait for staff. Refuses
 * with the first hundred faults; what earlier batches have written is undone. Spec: OUTSIDE-3.
 */
export function setBulkRates(
  database: Database,
  actor: string,
  rates: readonly BulkHome[],
): Promise<BulkRatesSet | Refusal<'invalid_input'>> {
  return longTransaction<BulkRatesSet | Refusal<'invalid_input'>>(
    database,
    'read write',
    async (executor) => {
      const work: Work = {
        executor,
        faults: [],
        unusual: nothingUnusual(),
        firstUnusual: null,
        set: [],
        revision: null,
      };
      await setAll(work, actor, rates);
      const { faults, set } = work;
      if (faults.length > 0) return { commit: false, result: refused(faults) };
      return { commit: true, result: { listings: set.length, dates: datesOf(set) } };
    },
  );
}
