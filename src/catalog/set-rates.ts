/** Prices and rules over nights of many homes: set or changed as one, with what they were. */
import type { OperatorReplyOf } from '../contract/operator/operations.ts';
import { randomUUID } from 'node:crypto';
import type { Seen } from '../api/seen.ts';
import { mostDates } from '../contract/catalog-file.ts';
import { isRefusal, refuse, type InvalidField, type Refusal } from '../contract/errors.ts';
import { refuseConflict } from '../contract/operator/errors.ts';
import { operatorLimits } from '../contract/operator/limits.ts';
import type { EpochMs } from '../contract/time.ts';
import { seenRefusal, shownVersion } from '../access/index.ts';
import { insertAuditEntry } from '../platform/audit/audit-entries.ts';
import type { Database, Executor } from '../platform/postgres/database.ts';
import type { DatedDay } from '../pricing/index.ts';
import {
  compareThenWrite,
  type ComparedChange,
  type Comparison,
} from './import/compare-then-write.ts';
import { findSlugs } from './import/lines-of-homes.ts';
import { noListing } from './listing-for.ts';
import { type ChangedHome, changeRates, nightsOfChange, type RateChange } from './rate-change.ts';
import { isOneSlice, stageChanges, writeStagedChanges } from './staged-change.ts';
import type { Home } from './store/listing-rows.ts';
import { rateUndos } from './store/undos.ts';
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
type SumOfPrices = RatesSet['sums'][number];

/** What was changed, or would be. */
export type RatesSet = OperatorReplyOf<'operator.rate.set'>['body'];

type SetRefusal = Refusal<'invalid_input' | 'not_found' | 'conflict' | 'precondition_failed'>;

const auditedHomes = 50;
const mostFaults = 20;
const describedChanges = 200;

const invalid = (fields: readonly InvalidField[]): Refusal<'invalid_input'> =>
  refuse('invalid_input', { fields: fields.slice(0, mostFaults) });

/** What is kept of the homes that were compared so far: of each little, because a home can be large. */
interface Compared {
  changeId: string;
  /** Of the rates of each home as they were. */
  versions: number[];
  currencies: Set<string>;
  faults: InvalidField[];
  notPriced: number;
  /** The changed homes. */
  slugs: string[];
  nights: number;
  unusual: UnusualPrices;
  sums: Map<string, SumOfPrices>;
  changes: RatesSet['changes'];
  /** The first changed homes, with their dates in the period as they were. */
  audited: { listing: string; before: Home['rates']['dates'] }[];
  /** A home that would have too many dates. */
  full: string | null;
}

const nothingCompared = (): Compared => ({
  changeId: randomUUID(),
  versions: [],
  currencies: new Set(),
  faults: [],
  notPriced: 0,
  slugs: [],
  nights: 0,
  unusual: nothingUnusual(),
  sums: new Map(),
  changes: [],
  audited: [],
  full: null,
});

/** Amounts in minor units mean something else in each currency. */
function currencyFault({ currencies }: Compared, change: RateChange): InvalidField[] {
  const amounts = ['nightly', 'changeAmount', 'roundTo'] as const;
  const given = amounts.find((name) => change[name] != null);
  if (given === undefined || currencies.size < 2) return [];
  const names = [...currencies].join(', ');
  return [{ path: `/${given}`, message: `the homes have several currencies: ${names}` }];
}

function addSums({ sums }: Compared, currency: string, added: ChangedHome['sums']): void {
  const sum = sums.get(currency) ?? { currency, nights: 0, before: 0, after: 0 };
  sum.nights += added.nights;
  sum.before += added.before;
  sum.after += added.after;
  sums.set(currency, sum);
}

/** Notes what has changed at a home. */
function note(compared: Compared, change: RateChange, before: Home, after: ChangedHome): void {
  const { slug: listing, name, currency } = before;
  compared.slugs.push(listing);
  compared.nights += after.changed;
  addSums(compared, currency, after.sums);
  for (const nights of after.nights) {
    if (compared.changes.length === describedChanges) break;
    compared.changes.push({ listing, name, currency, ...nights });
  }
  if (after.home.rates.dates.length > mostDates) compared.full ??= listing;
  if (compared.audited.length === auditedHomes) return;
  const inRange = ({ from, to }: { from: string; to: string }) =>
    from <= change.to && to >= change.from;
  compared.audited.push({ listing, before: before.rates.dates.filter(inRange) });
}

/** How rates are compared: with what, and when. */
interface Comparing {
  change: RateChange;
  nights: readonly DatedDay[];
  now: EpochMs;
}

/** Compares a home. Undefined: it does not change, or enough is wrong. */
function compareHome(
  compared: Compared,
  { change, nights, now }: Comparing,
  before: Home,
): ChangedHome | undefined {
  const { slug, currency, rates } = before;
  compared.versions.push(shownVersion({ slug, currency, rates }));
  compared.currencies.add(currency);
  if (compared.faults.length >= mostFaults) return undefined;
  const after = changeRates(before, change, nights);
  compared.faults.push(...after.faults);
  compared.notPriced += after.notPriced;
  if (after.changed === 0) return undefined;
  addUnusual(compared.unusual, before, after.home, now);
  note(compared, change, before, after);
  return after;
}

/** Compares all homes, and sets aside those that change, with what they were. */
async function compareAll(
  executor: Executor,
  slugs: readonly string[],
  comparing: Comparing,
): Promise<Compared> {
  const compared = nothingCompared();
  await stageChanges(executor, slugs, async (stored) => {
    const changed = stored.flatMap(({ home: before }) => {
      const after = compareHome(compared, comparing, before);
      return after ? [{ before, after: after.home }] : [];
    });
    if (compared.faults.length > 0 || changed.length === 0) return [];
    const kept = changed.map(({ before, after }) => ({
      listingId: before.listingId,
      before: before.rates.dates,
      after: after.rates.dates,
    }));
    await rateUndos.keep(executor, compared.changeId, kept);
    return changed.map(({ after }) => after);
  });
  return compared;
}

async function enter(
  executor: Executor,
  actor: string,
  change: RateChange,
  { changeId, changes, audited, slugs }: Compared,
): Promise<void> {
  await insertAuditEntry(executor, {
    actor,
    action: 'rate.set',
    details: {
      ...change,
      // Amounts are in it; homes of several currencies take only percentages.
      currency: changes[0]?.currency,
      changeId,
      homes: audited,
      homesInAll: slugs.length,
    },
    homes: slugs,
  });
}

/** The slugs of homes, each once. */
async function namedSlugs(
  executor: Executor,
  names: readonly string[],
): Promise<string[] | Refusal<'not_found'>> {
  const slugs = await findSlugs(executor, names);
  const unknown = names.find((name) => !slugs.has(name));
  if (unknown !== undefined) return noListing(unknown);
  return [...new Set([...slugs.values()].map(({ slug }) => slug))].toSorted();
}

/** Why compared rates are not set; null: they can be. */
function refusalOf(
  compared: Compared,
  version: number,
  { seen, allowUnusual = false, dryRun, listings: _, ...change }: NewRates,
): SetRefusal | null {
  const outdated = seenRefusal(seen, version, 'the rates of these homes');
  if (outdated) return outdated;
  const faults = [...currencyFault(compared, change), ...compared.faults];
  if (faults.length > 0) return invalid(faults);
  if (compared.full !== null) {
    return refuseConflict(`${compared.full} would have more than ${mostDates} dates.`);
  }
  return dryRun ? null : unusualRefusal(compared.unusual, allowUnusual);
}

/** Sets rates within a comparison. */
async function setWithin(
  executor: Executor,
  comparison: Comparison,
  actor: string,
  rates: NewRates,
): Promise<ComparedChange<RatesSet | SetRefusal>> {
  const { listings, seen: _seen, allowUnusual: _allowed, dryRun, ...change } = rates;
  const refused = (result: SetRefusal) => ({ commit: false, result });
  const slugs = await namedSlugs(executor, listings);
  if (isRefusal(slugs)) return refused(slugs);
  const nights = nightsOfChange(change);
  if (nights.length === 0) {
    return refused(invalid([{ path: '/weekdays', message: 'names no night of these dates' }]));
  }
  const most = operatorLimits.nightsOfRates;
  if (nights.length * slugs.length > most) {
    const message = `more than ${most} nights of all homes together`;
    return refused(invalid([{ path: '/to', message }]));
  }
  const compared = await compareAll(executor, slugs, { change, nights, now: comparison.now });
  const version = shownVersion(compared.versions);
  const refusal = refusalOf(compared, version, rates);
  if (refusal) return refused(refusal);
  const writes = !dryRun && compared.slugs.length > 0;
  if (writes) {
    await enter(executor, actor, change, compared);
    if (!(await comparison.lock())) return 'overtaken';
    await writeStagedChanges(executor);
  }
  return {
    commit: writes,
    result: {
      dryRun,
      changeId: writes ? compared.changeId : null,
      version,
      changed: compared.slugs.length,
      nights: compared.nights,
      notPriced: compared.notPriced,
      sums: [...compared.sums.values()].filter(({ nights: count }) => count > 0),
      changes: compared.changes,
      unusual: compared.unusual,
    },
  };
}

/**
 * Sets or changes prices and rules over nights, in the `dates` of homes, all or nothing. What the dates said before is
 * kept for a day, so that it can be undone as one. Until all homes are compared, nobody waits for it.
 *
 * Spec: FILE-13, OPERATOR-19.
 */
export const setRates = (
  database: Database,
  actor: string,
  rates: NewRates,
): Promise<RatesSet | SetRefusal> =>
  compareThenWrite<RatesSet | SetRefusal>(
    database,
    (executor, comparison) => setWithin(executor, comparison, actor, rates),
    isOneSlice(rates.listings.length),
  );
