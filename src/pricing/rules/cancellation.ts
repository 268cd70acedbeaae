/** What is refunded when a stay is cancelled in time, and the terms that a guest accepts. */

import type { EpochMs } from '../../contract/time.ts';
import { dayNumber, epochMsAt } from './calendar-date.ts';
import type { DuePayment } from './charges.ts';
import type { CancellationRule, Listing, Minor, Policy, Stay } from './listing.ts';
import { percentOf, sumOf } from './money.ts';

/** Cancelled before this instant (ISO 8601, UTC), this much is refunded. Spec: decisions, Quote. */
export interface CancellationInstant {
  before: string;
  refundAmount: number;
}

/** What the version of a quote's terms is a digest of. Spec: decisions, Quote (`terms.version`). */
export interface TermsSource {
  policies: Policy[];
  cancellation: CancellationRule[];
}

/** What of a quote the amounts of a refund depend on. */
export interface CollectedCharges {
  schedule: DuePayment[];
}

interface RefundWindow {
  /** Its first instant no longer belonging to it. */
  ends: EpochMs;
  refundAmount: Minor;
}

const START_OF_DAY = '00:00';

/**
 * The cancellation rules of a listing as instants and amounts for one stay, the earliest first.
 *
 * A rule lasts until the end of the day, at the property, that lies `daysBefore` days before arrival.
 * Its percentage applies to what has been collected by then: a payment counts from the start of its
 * due day at the property, and splits the window that it falls in. Only instants after `from` are
 * listed. The first instant that has not passed gives the refund; an empty list means none. Throws a
 * RangeError for an unknown time zone.
 *
 * Spec: decisions, Quote (`cancellation`); the catalog file, Cancellation.
 */
export function cancellationInstants(
  { timeZone, cancellation }: Pick<Listing, 'timeZone' | 'cancellation'>,
  stay: Stay,
  { schedule }: CollectedCharges,
  from: EpochMs,
): CancellationInstant[] {
  const startOf = (day: number) => epochMsAt(day, START_OF_DAY, timeZone);
  const rules = mostDaysFirst(cancellation).map(({ daysBefore, refundPercent }) => ({
    ends: startOf(stay.checkIn - daysBefore + 1),
    refundPercent,
  }));
  const payments = schedule.map(({ dueOn, amount }) => ({
    collectedAt: startOf(dayNumber(dueOn)),
    amount,
  }));
  const lastEnd = rules.at(-1)?.ends ?? from;
  const edges = [...rules.map(({ ends }) => ends), ...payments.map((one) => one.collectedAt)]
    .filter((edge) => edge > from && edge <= lastEnd)
    .toSorted((a, b) => a - b);
  const windows = edges.map((ends): RefundWindow => {
    const rule = rules.find((one) => one.ends >= ends);
    const collected = sumOf(payments.filter(({ collectedAt }) => collectedAt < ends));
    return { ends, refundAmount: percentOf(collected, rule?.refundPercent ?? 0) };
  });
  return withoutEmptyEnd(windows.filter(differsFromNext)).map(({ ends, refundAmount }) => ({
    before: new Date(ends).toISOString(),
    refundAmount,
  }));
}

const differsFromNext = (window: RefundWindow, at: number, all: RefundWindow[]): boolean =>
  window.refundAmount !== all[at + 1]?.refundAmount;

function withoutEmptyEnd(windows: RefundWindow[]): RefundWindow[] {
  return windows.slice(0, windows.findLastIndex(({ refundAmount }) => refundAmount > 0) + 1);
}

/**
 * The policies that a guest accepts: the operator's, and the cancellation rules in words.
 *
 * Spec: the catalog file, Cancellation ("The text that the guest accepts says the same").
 */
export const acceptedPolicies = ({
  policies,
  cancellation,
}: Pick<Listing, 'policies' | 'cancellation'>): Policy[] => [
  ...policies,
  { label: CANCELLATION_LABEL, body: cancellationText(cancellation) },
];

/** The label of the policy that is made from the cancellation rules. */
export const CANCELLATION_LABEL = 'Cancellation';

function cancellationText(rules: CancellationRule[]): string {
  const sentences = mostDaysFirst(rules).map(
    ({ daysBefore, refundPercent }) =>
      `Cancel ${latestDay(daysBefore)}, and ${refundPercent} % of what has been collected by then is refunded.`,
  );
  if (sentences.length === 0) return 'Nothing is refunded after a cancellation.';
  const days = 'Days end at midnight at the property.';
  const first = sentences.length > 1 ? ' The first of these that applies counts.' : '';
  return `${sentences.join(' ')}${first} Later, nothing is refunded. ${days}`;
}

function latestDay(daysBefore: number): string {
  if (daysBefore === 0) return 'by the day of arrival';
  return `at least ${daysBefore} ${daysBefore === 1 ? 'day' : 'days'} before arrival`;
}

/**
 * The policies and cancellation rules of a listing in canonical form: equal terms, equal JSON.
 *
 * Members stand in a fixed order and nothing else is carried along; policies keep the order in which
 * a guest reads them, rules have the most days first.
 *
 * Spec: decisions, Quote (`terms.version`).
 */
export function termsSource(listing: Pick<Listing, 'policies' | 'cancellation'>): TermsSource {
  return {
    policies: acceptedPolicies(listing).map(({ label, body }) => ({ label, body })),
    cancellation: mostDaysFirst(listing.cancellation).map(({ daysBefore, refundPercent }) => ({
      daysBefore,
      refundPercent,
    })),
  };
}

function mostDaysFirst(rules: CancellationRule[]): CancellationRule[] {
  return rules.toSorted((a, b) => b.daysBefore - a.daysBefore);
}
