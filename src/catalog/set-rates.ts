/** Prices and rules over nights of many homes: set or changed as one, with what they were. */
import { randomUUID } from 'node:crypto';
import type { Seen } from '../api/seen.ts';
import { mostDates } from '../contract/catalog-file.ts';
import { isRefusal, refuse, type InvalidField, type Refusal } from '../contract/errors.ts';
import { refuseStaff } from '../contract/operator/errors.ts';
import { operatorLimits } from '../contract/operator/limits.ts';
import { seenRefusal, shownVersion } from '../access/index.ts';
import { insertAuditEntry } from '../platform/audit/audit-entries.ts';
import type { Database, Executor } from '../platform/postgres/database.ts';
import { longTransaction } from '../platform/postgres/long-transaction.ts';
import type { DatedDay } from '../pricing/index.ts';
import { findSlugs } from './import/lines-of-homes.ts';
import { noListing } from './listing-for.ts';
import {
  type ChangedHome,
  type ChangedNights,
  changeRates,
  nightsOfChange,
  type RateChange,
} from './rate-change.ts';
import { readHomes, type StoredHome } from './store/listings.ts';
import { keepRatesBefore } from './store/rate-undos.ts';
import { lockCatalog, markCatalogs, raiseRevision } from './store/revision.ts';
import { writeHomes } from './store/write-homes.ts';
import {
  addUnusual,
  nothingUnusual,
  unusualRefusal,
  type UnusualPrices,
} from './unusual-prices.ts';

/** What to set or change, and at which homes: slugs or IDs. */
export interface NewRates extends RateChange {
  listings: readonly string[];
  /** The version that a preview has shown. */
  seen: Seen;
  /** Set prices also where they are unusual. */
  allowUnusual?: boolean | undefined;
  /** Only shows what would change. */
  dryRun: boolean;
}

/** The prices of nights in one currency, in its minor units. */
interface SumOfPrices {
  currency: string;
  nights: number;
  before: number;
  after: number;
}

/** What was changed, or would be. */
export interface RatesSet {
  dryRun: boolean;
  /** Undoes it; null: nothing was written. */
  changeId: string | null;
  /** Of the rates of all these homes as they were. */
  version: number;
  /** How many homes have changed. */
  changed: number;
  /** How many of their nights. */
  nights: number;
  /** Nights without a price, which no percentage or amount can change. */
  notPriced: number;
  sums: SumOfPrices[];
  /** The first changes. */
  changes: (ChangedNights & { listing: string; name: string; currency: string })[];
  unusual: UnusualPrices;
}

type SetRefusal = Refusal<'invalid_input' | 'not_found' | 'conflict' | 'precondition_failed'>;

const perBatch = 100;
const auditedHomes = 50;
const mostFaults = 20;
const describedChanges = 200;

const invalid = (fields: readonly InvalidField[]): Refusal<'invalid_input'> =>
  refuse('invalid_input', { fields: fields.slice(0, mostFaults) });

/** Amounts in minor units mean something else in each currency. */
function currencyFault(homes: readonly StoredHome[], change: RateChange): InvalidField[] {
  const amounts = ['nightly', 'changeAmount', 'roundTo'] as const;
  const given = amounts.find((name) => change[name] != null);
  const currencies = [...new Set(homes.map(({ home }) => home.currency))];
  if (given === undefined || currencies.length < 2) return [];
  return [
    { path: `/${given}`, message: `the homes have several currencies: ${currencies.join(', ')}` },
  ];
}

/** What one call has found and done so far. */
interface Work {
  unusual: UnusualPrices;
  faults: InvalidField[];
  changed: { before: StoredHome; after: ChangedHome }[];
  notPriced: number;
}

const versionOf = (homes: readonly StoredHome[]): number =>
  shownVersion(homes.map(({ home: { slug, currency, rates } }) => ({ slug, currency, rates })));

function changeAll(
  homes: readonly StoredHome[],
  change: RateChange,
  nights: readonly DatedDay[],
  now: number,
): Work {
  const work: Work = {
    unusual: nothingUnusual(),
    faults: currencyFault(homes, change),
    changed: [],
    notPriced: 0,
  };
  for (const before of homes) {
    if (work.faults.length >= mostFaults) return work;
    const after = changeRates(before.home, change, nights);
    work.faults.push(...after.faults);
    work.notPriced += after.notPriced;
    if (after.changed === 0) continue;
    addUnusual(work.unusual, before.home, after.home, now);
    work.changed.push({ before, after });
  }
  return work;
}

function sumsOf(changed: Work['changed']): SumOfPrices[] {
  const sums = new Map<string, SumOfPrices>();
  for (const { before, after } of changed) {
    const { currency } = before.home;
    const sum = sums.get(currency) ?? { currency, nights: 0, before: 0, after: 0 };
    sum.nights += after.sums.nights;
    sum.before += after.sums.before;
    sum.after += after.sums.after;
    sums.set(currency, sum);
  }
  return [...sums.values()].filter(({ nights }) => nights > 0);
}

function changesOf(changed: Work['changed']): RatesSet['changes'] {
  const all: RatesSet['changes'] = [];
  for (const { after } of changed) {
    const { slug: listing, name, currency } = after.home;
    for (const nights of after.nights) {
      if (all.length === describedChanges) return all;
      all.push({ listing, name, currency, ...nights });
    }
  }
  return all;
}

async function write(
  executor: Executor,
  actor: string,
  change: RateChange,
  changed: Work['changed'],
): Promise<string> {
  const changeId = randomUUID();
  const revision = await raiseRevision(executor);
  for (let at = 0; at < changed.length; at += perBatch) {
    const batch = changed.slice(at, at + perBatch);
    const known = new Map(batch.map(({ before: { home } }) => [home.slug, home]));
    const homes = batch.map(({ after }) => after.home);
    await writeHomes(executor, homes, known, revision);
    await keepRatesBefore(
      executor,
      changeId,
      batch.map(({ before: { home }, after }) => ({
        listingId: home.listingId,
        before: home.rates.dates,
        after: after.home.rates.dates,
      })),
    );
  }
  await markCatalogs(executor, revision, []);
  const inRange = ({ from, to }: { from: string; to: string }) =>
    from <= change.to && to >= change.from;
  await insertAuditEntry(executor, {
    actor,
    action: 'rate.set',
    applicationId: null,
    details: {
      ...change,
      // Amounts are in it; homes of several currencies take only percentages.
      currency: changed[0]?.before.home.currency,
      changeId,
      homes: changed.slice(0, auditedHomes).map(({ before: { home } }) => ({
        listing: home.slug,
        before: home.rates.dates.filter(inRange),
      })),
      homesInAll: changed.length,
    },
    homes: changed.map(({ before: { home } }) => home.slug),
  });
  return changeId;
}

/** The homes, each once, by slug. */
async function namedHomes(
  executor: Executor,
  names: readonly string[],
): Promise<StoredHome[] | Refusal<'not_found'>> {
  const slugs = await findSlugs(executor, names);
  const unknown = names.find((name) => !slugs.has(name));
  if (unknown !== undefined) return noListing(unknown);
  return readHomes(executor, [...new Set([...slugs.values()].map(({ slug }) => slug))]);
}

async function setWithin(
  executor: Executor,
  actor: string,
  { listings, seen, allowUnusual = false, dryRun, ...change }: NewRates,
): Promise<RatesSet | SetRefusal> {
  const now = await lockCatalog(executor);
  const homes = await namedHomes(executor, listings);
  if (isRefusal(homes)) return homes;
  const nights = nightsOfChange(change);
  if (nights.length === 0) {
    return invalid([{ path: '/weekdays', message: 'names no night of these dates' }]);
  }
  const most = operatorLimits.nightsOfRates;
  if (nights.length * homes.length > most) {
    return invalid([{ path: '/to', message: `more than ${most} nights of all homes together` }]);
  }
  const version = versionOf(homes);
  const outdated = seenRefusal(seen, version, 'The rates of these homes');
  if (outdated) return outdated;
  const work = changeAll(homes, change, nights, now);
  if (work.faults.length > 0) return invalid(work.faults);
  const { changed, unusual, notPriced } = work;
  const full = changed.find(({ after }) => after.home.rates.dates.length > mostDates);
  if (full) {
    const { slug } = full.after.home;
    return refuseStaff('conflict', `${slug} would have more than ${mostDates} dates.`);
  }
  const refusal = dryRun ? null : unusualRefusal(unusual, allowUnusual);
  if (refusal) return refusal;
  const writes = !dryRun && changed.length > 0;
  return {
    dryRun,
    changeId: writes ? await write(executor, actor, change, changed) : null,
    version,
    changed: changed.length,
    nights: changed.reduce((sum, { after }) => sum + after.changed, 0),
    notPriced,
    sums: sumsOf(changed),
    changes: changesOf(changed),
    unusual,
  };
}

/**
 * Sets or changes prices and rules over nights, in the `dates` of homes, all or nothing. What the dates said before is
 * kept for a day, so that it can be undone as one. Spec: FILE-13, OPERATOR-19.
 */
export const setRates = (
  database: Database,
  actor: string,
  rates: NewRates,
): Promise<RatesSet | SetRefusal> =>
  longTransaction<RatesSet | SetRefusal>(database, 'read write', async (executor) => ({
    commit: !rates.dryRun,
    result: await setWithin(executor, actor, rates),
  }));
