/** Prices and rules of many homes, date by date, as pricing tools set them: all or nothing. */
import { mostDates } from '../contract/catalog-file.ts';
import { type InvalidField, refuse, type Refusal } from '../contract/errors.ts';
import { operatorLimits } from '../contract/operator/limits.ts';
import type { EpochMs } from '../contract/time.ts';
import { insertAuditEntry } from '../platform/audit/audit-entries.ts';
import type { Database, Executor } from '../platform/postgres/database.ts';
import { dayNumber, type RatesOfDate, setOnDates } from '../pricing/index.ts';
import {
  compareThenWrite,
  type ComparedChange,
  type Comparison,
} from './import/compare-then-write.ts';
import { findSlugs } from './import/lines-of-homes.ts';
import { noLengthOn } from './stay-lengths.ts';
import { isOneSlice, stageChanges, writeStagedChanges } from './staged-change.ts';
import type { Home } from './store/listing-rows.ts';
import type { ListingIdentity, StoredHome } from './store/listings.ts';
import { insertUnusualRates } from './store/unusual-rates.ts';
import {
  addUnusual,
  nothingUnusual,
  setUnusualLines,
  type UnusualPrices,
} from './unusual-prices.ts';

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

/** What was found and changed so far. */
interface Work {
  faults: InvalidField[];
  unusual: UnusualPrices;
  /** The first home with unusual prices. */
  firstUnusual: Home | null;
  set: { listing: string; dates: number }[];
}

type Named = ReadonlyMap<string, { home: BulkHome; path: string }>;

/** Compares some homes, and returns those that change. None once there are faults. */
function compareSlice(
  work: Work,
  named: Named,
  stored: readonly StoredHome[],
  now: EpochMs,
): Home[] {
  if (work.faults.length >= mostFaults) return [];
  const all = stored.map(({ home: before }) => {
    const { home, path } = named.get(before.slug)!;
    return setHome(before, home, path);
  });
  work.faults.push(...all.flatMap(({ faults }) => faults));
  if (work.faults.length > 0) return [];
  const changed = all.filter((home) => home.changed.length > 0);
  for (const { before, after, changed: dates } of changed) {
    addUnusual(work.unusual, before, after, now);
    if (work.unusual.nights > 0) work.firstUnusual ??= before;
    work.set.push({ listing: before.slug, dates: dates.length });
  }
  return changed.map(({ after }) => after);
}

async function keepUnusual(
  executor: Executor,
  { unusual, firstUnusual }: Work,
  actor: string,
): Promise<void> {
  const [first] = unusual.first;
  if (!first || !firstUnusual) return;
  await insertUnusualRates(executor, {
    listingId: firstUnusual.listingId!,
    price: first.after,
    currency: first.currency,
    about: [`Set by ${actor}.`, ...setUnusualLines(unusual)].join('\n'),
  });
}

const datesOf = (set: Work['set']): number => set.reduce((sum, { dates }) => sum + dates, 0);

async function enter(executor: Executor, actor: string, { set, unusual }: Work): Promise<void> {
  await insertAuditEntry(executor, {
    actor,
    action: 'rate.set-bulk',
    details: {
      listings: set.length,
      dates: datesOf(set),
      first: set.slice(0, auditedHomes),
      unusualNights: unusual.nights,
    },
    homes: set.map(({ listing }) => listing),
  });
}

/** Compares all homes, and sets aside those that change. */
async function compareAll(
  executor: Executor,
  now: EpochMs,
  rates: readonly BulkHome[],
): Promise<Work> {
  const homes = await findSlugs(executor, [...new Set(rates.map(({ listing }) => listing))]);
  const work: Work = {
    faults: faultsOfCall(rates, homes),
    unusual: nothingUnusual(),
    firstUnusual: null,
    set: [],
  };
  const named: Named = new Map(
    rates.flatMap((home, at) => {
      const slug = homes.get(home.listing)?.slug;
      return slug === undefined ? [] : [[slug, { home, path: `/rates/${at}` }] as const];
    }),
  );
  await stageChanges(executor, [...named.keys()], (stored) =>
    Promise.resolve(compareSlice(work, named, stored, now)),
  );
  return work;
}

const refused = (faults: readonly InvalidField[]): Refusal<'invalid_input'> =>
  refuse('invalid_input', { fields: faults.slice(0, mostFaults) });

/** Sets rates within a comparison. */
async function setWithin(
  executor: Executor,
  comparison: Comparison,
  actor: string,
  rates: readonly BulkHome[],
): Promise<ComparedChange<BulkRatesSet | Refusal<'invalid_input'>>> {
  const work = await compareAll(executor, comparison.now, rates);
  const { faults, set } = work;
  if (faults.length > 0) return { commit: false, result: refused(faults) };
  if (set.length > 0) {
    await keepUnusual(executor, work, actor);
    await enter(executor, actor, work);
    if (!(await comparison.lock())) return 'overtaken';
    await writeStagedChanges(executor);
  }
  return { commit: true, result: { listings: set.length, dates: datesOf(set) } };
}

/**
 * Sets prices and rules of homes, date by date, in one transaction. Unusual prices are set, and wait for staff. Refuses
 * with the first hundred faults. Until all homes are compared, nobody waits for it. Spec: OUTSIDE-3.
 */
export const setBulkRates = (
  database: Database,
  actor: string,
  rates: readonly BulkHome[],
): Promise<BulkRatesSet | Refusal<'invalid_input'>> =>
  compareThenWrite<BulkRatesSet | Refusal<'invalid_input'>>(
    database,
    (executor, comparison) => setWithin(executor, comparison, actor, rates),
    isOneSlice(rates.length),
  );
