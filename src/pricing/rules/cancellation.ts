/** Refunds of a cancelled stay, and the terms that a guest accepts. */

import type { Terms } from '../../contract/partner/schemas/quote.ts';
import { type EpochMs, instant } from '../../contract/time.ts';
import { dateText, dayNumber, epochMsAt, todayAt } from './calendar-date.ts';
import { acceptedPolicies, type StatedCancellation } from './cancellation-text.ts';
import type { Charges, DuePayment } from './charges.ts';
import type { CancellationRule, KeepRule, Listing, Minor, Policy, Stay } from './listing.ts';
import { percentOf, stepOf, sumOf } from './money.ts';
import { isCollected } from './payment-schedule.ts';

/** The refund if cancelled before an instant (ISO 8601, UTC). Spec: TERMS-2. */
export interface CancellationInstant {
  before: string;
  refundAmount: number;
}

/** The rules of a listing about cancellations. */
export type CancellationTerms = Pick<
  Listing,
  | 'timeZone'
  | 'checkInFrom'
  | 'cancellation'
  | 'cancellationGrace'
  | 'cancellationAlwaysRefunds'
  | 'fees'
  | 'taxes'
>;

/** The input of the digest that is the version of a quote's terms. Spec: TERMS-1. */
export interface TermsSource {
  policies: Policy[];
  cancellation: Listing['cancellation'];
}

/** The part of the charges that refunds depend on. */
export type CollectedCharges = Pick<
  Charges,
  'currency' | 'accommodation' | 'schedule' | 'lines' | 'nights' | 'total'
>;

/** The moments that a refund depends on. */
export interface CancellationMoments {
  /** Only instants after this one are listed. */
  from: EpochMs;
  /** When the quote was created. */
  quotedAt: EpochMs;
}

interface Window {
  /** Exclusive end. */
  ends: EpochMs;
  refundAmount: Minor;
}

/** What is kept until an instant, of what has been collected by then. */
interface Keeping {
  ends: EpochMs;
  kept: (collected: Minor) => Minor;
}

const START_OF_DAY = '00:00';
const DEFAULT_CHECK_IN = '15:00';
const hourMs = 3_600_000;

/** Whether an entry has the short form: a percentage that is refunded. */
export const isShortForm = (rule: CancellationRule | KeepRule): rule is CancellationRule =>
  'refundPercent' in rule;

type Line = Charges['lines'][number];

/** The labels of the lines that `cancellationAlwaysRefunds` names by an `id`. */
function namedLabels({ fees, taxes }: CancellationTerms, names: readonly string[]): Set<string> {
  const named = [...fees, ...taxes].filter(({ id }) => id !== undefined && names.includes(id));
  return new Set(named.map(({ label }) => label));
}

/** Nothing of these lines is ever kept. Spec: TERMS-6. */
function alwaysRefunded(terms: CancellationTerms, lines: readonly Line[]): Line[] {
  const names = terms.cancellationAlwaysRefunds ?? [];
  const labels = namedLabels(terms, names);
  const kinds: Readonly<Record<Line['kind'], string | null>> = {
    accommodation: null,
    discount: null,
    promotion: null,
    cleaning: 'cleaning',
    fee: 'fees',
    tax: 'taxes',
  };
  return lines.filter(({ kind, label }) => {
    const name = kinds[kind];
    return name !== null && (names.includes(name) || labels.has(label));
  });
}

/** The lines of fees and taxes that are paid at the property, by label. */
const atProperty = ({ fees, taxes }: CancellationTerms): Set<string> =>
  new Set([...fees, ...taxes].flatMap(({ payAt, label }) => (payAt === 'property' ? [label] : [])));

/** The most that can be kept: the total without what is always refunded and what is paid at the property. */
function keepable(terms: CancellationTerms, charges: CollectedCharges): Minor {
  const collected = sumOf(charges.schedule.filter(isCollected));
  const elsewhere = atProperty(terms);
  const always = alwaysRefunded(terms, charges.lines).filter(({ label }) => !elsewhere.has(label));
  return Math.max(0, collected - sumOf(always));
}

const checkInAt = ({ timeZone, checkInFrom }: CancellationTerms, { checkIn }: Stay): EpochMs =>
  epochMsAt(checkIn, checkInFrom ?? DEFAULT_CHECK_IN, timeZone);

/** When an entry ends. Spec: TERMS-4. */
function endOf(rule: CancellationRule | KeepRule, terms: CancellationTerms, stay: Stay): EpochMs {
  const endOfDay = (daysBefore: number) =>
    epochMsAt(stay.checkIn - daysBefore + 1, START_OF_DAY, terms.timeZone);
  if (isShortForm(rule)) return endOfDay(rule.daysBefore);
  const { daysBefore, hoursBefore = 0 } = rule.until ?? {};
  if (daysBefore !== undefined) return endOfDay(daysBefore);
  return checkInAt(terms, stay) - hoursBefore * hourMs;
}

function keptBy(
  rule: CancellationRule | KeepRule,
  most: Minor,
  { currency, accommodation, nights }: CollectedCharges,
): Keeping['kept'] {
  const step = stepOf(currency);
  if (isShortForm(rule)) {
    return (collected) => collected - percentOf(collected, rule.refundPercent, step);
  }
  const { percent = 0, of = 'total', nights: count } = rule.keep;
  if (count !== undefined) return () => Math.min(most, sumOf(nights.slice(0, count)));
  if (of === 'collected') return (collected) => percentOf(collected, percent, step);
  const whole = of === 'total' ? most : accommodation;
  return () => Math.min(most, percentOf(whole, percent, step));
}

/** What is kept when, by end. After the last one everything is kept that can be. Spec: TERMS-7. */
function keepings(
  terms: CancellationTerms,
  stay: Stay,
  charges: CollectedCharges,
  quotedAt: EpochMs,
): Keeping[] {
  const { cancellation, cancellationGrace, timeZone } = terms;
  const most = keepable(terms, charges);
  const rules = cancellation
    .map((rule) => ({ ends: endOf(rule, terms, stay), kept: keptBy(rule, most, charges) }))
    .toSorted((a, b) => a.ends - b.ends);
  const hasAlways = (terms.cancellationAlwaysRefunds ?? []).length > 0;
  const last: Keeping[] = hasAlways
    ? [{ ends: epochMsAt(stay.checkOut + 1, START_OF_DAY, timeZone), kept: () => most }]
    : [];
  const all = [...rules, ...last];
  if (!cancellationGrace) return all;
  const { hours, ifDaysAhead = 0 } = cancellationGrace;
  if (stay.checkIn - todayAt(quotedAt, timeZone) < ifDaysAhead) return all;
  const grace = { ends: quotedAt + hours * hourMs, kept: () => 0 };
  return [grace, ...all.filter(({ ends }) => ends > grace.ends)];
}

/** When each payment counts as collected: from the start of its due day at the property. */
const collections = (schedule: readonly DuePayment[], timeZone: string | null) =>
  schedule.filter(isCollected).map(({ dueOn, amount }) => ({
    collectedAt: epochMsAt(dayNumber(dueOn), START_OF_DAY, timeZone),
    amount,
  }));

/**
 * The cancellation rules of a listing as instants and amounts for one stay, earliest first.
 *
 * What a rule keeps or refunds depends on the amount collected by then: a payment counts from the start of its due
 * day at the property, and splits the window that contains it. The first instant in the future gives the refund;
 * an empty list means no refund. Throws a RangeError for an unknown time zone.
 *
 * Spec: TERMS-2, TERMS-3.
 */
export function cancellationInstants(
  terms: CancellationTerms,
  stay: Stay,
  charges: CollectedCharges,
  { from, quotedAt }: CancellationMoments,
): CancellationInstant[] {
  const rules = keepings(terms, stay, charges, quotedAt);
  const payments = collections(charges.schedule, terms.timeZone);
  const lastEnd = rules.at(-1)?.ends ?? from;
  const edges = [...rules.map(({ ends }) => ends), ...payments.map((one) => one.collectedAt)]
    .filter((edge) => edge > from && edge <= lastEnd)
    .toSorted((a, b) => a - b);
  const windows = edges.map((ends): Window => {
    const collected = sumOf(payments.filter(({ collectedAt }) => collectedAt < ends));
    const kept = rules.find((one) => one.ends >= ends)?.kept(collected) ?? collected;
    return { ends, refundAmount: Math.min(collected, Math.max(0, collected - kept)) };
  });
  return withoutTrailingZeros(windows.filter(differsFromNext)).map(({ ends, refundAmount }) => ({
    before: instant(ends),
    refundAmount,
  }));
}

const differsFromNext = (window: Window, at: number, all: Window[]): boolean =>
  window.refundAmount !== all[at + 1]?.refundAmount;

function withoutTrailingZeros(windows: Window[]): Window[] {
  return windows.slice(0, windows.findLastIndex(({ refundAmount }) => refundAmount > 0) + 1);
}

/** A value with the members of its objects in a fixed order. */
function canonical<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(canonical) as T;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(
    members
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => [name, canonical(member)]),
  ) as T;
}

/** The part of a listing that is its terms. */
type ListedTerms = StatedCancellation & Pick<Listing, 'securityDeposit'>;

/** The members of the terms that were added later: absent where they say nothing, so that versions stay. */
const furtherTerms = (listing: ListedTerms): object => {
  const { cancellationGrace, cancellationAlwaysRefunds, securityDeposit } = listing;
  return canonical({
    ...(cancellationGrace && { cancellationGrace }),
    ...(cancellationAlwaysRefunds?.length && { cancellationAlwaysRefunds }),
    ...(securityDeposit && { securityDeposit }),
  });
};

/** What the terms say of the deposit that the operator takes; null: none. Spec: SCHEDULE-5. */
export function depositOf(
  { securityDeposit, currency }: Pick<Listing, 'securityDeposit' | 'currency'>,
  { checkIn, checkOut }: Stay,
): NonNullable<Terms['securityDeposit']> | null {
  if (!securityDeposit) return null;
  const { amount, dueDaysBefore = 0, returnedDaysAfter = 0 } = securityDeposit;
  return {
    amount,
    currency,
    dueOn: dateText(checkIn - dueDaysBefore),
    returnedBy: dateText(checkOut + returnedDaysAfter),
  };
}

/** Entries in the order of their days, most first; entries of hours and of check-in keep their order at the end. */
const byDays = (rules: Listing['cancellation']): Listing['cancellation'] => {
  const daysOf = (rule: CancellationRule | KeepRule): number =>
    (isShortForm(rule) ? rule.daysBefore : rule.until?.daysBefore) ?? -1;
  return rules.toSorted((a, b) => daysOf(b) - daysOf(a));
};

/**
 * The policies and cancellation rules of a listing in canonical form: equal terms give equal JSON.
 *
 * Members have a fixed order and no other members are included. Policies keep the order that a guest
 * reads; rules are sorted by days, most first.
 *
 * Spec: TERMS-1.
 */
export function termsSource(listing: ListedTerms): TermsSource {
  return {
    policies: acceptedPolicies(listing).map(({ label, body }) => ({ label, body })),
    cancellation: byDays(listing.cancellation).map((rule) =>
      isShortForm(rule)
        ? { daysBefore: rule.daysBefore, refundPercent: rule.refundPercent }
        : canonical(rule),
    ),
    ...furtherTerms(listing),
  };
}
