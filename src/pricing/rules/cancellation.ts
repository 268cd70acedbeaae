/** Refunds of a cancelled stay, and the terms that a guest accepts. */

import { type EpochMs, instant } from '../../contract/time.ts';
import { dayNumber, epochMsAt } from './calendar-date.ts';
import type { DuePayment } from './charges.ts';
import type { CancellationRule, Listing, Minor, Policy, Stay } from './listing.ts';
import { percentOf, sumOf } from './money.ts';

/** The refund if cancelled before an instant (ISO 8601, UTC). Spec: decisions, Quote. */
export interface CancellationInstant {
  before: string;
  refundAmount: number;
}

/** The input of the digest that is the version of a quote's terms. Spec: decisions, Quote (`terms.version`). */
export interface TermsSource {
  policies: Policy[];
  cancellation: CancellationRule[];
}

/** The part of the charges that refunds depend on. */
export interface CollectedCharges {
  schedule: DuePayment[];
}

interface RefundWindow {
  /** Exclusive end. */
  ends: EpochMs;
  refundAmount: Minor;
}

const START_OF_DAY = '00:00';

/**
 * The cancellation rules of a listing as instants and amounts for one stay, earliest first.
 *
 * A rule ends with the day, at the property, that is `daysBefore` days before arrival. Its percentage
 * applies to the amount collected by then: a payment counts from the start of its due day at the
 * property, and splits the window that contains it. Only instants after `from` are listed. The first
 * instant in the future gives the refund; an empty list means no refund. Throws a RangeError for an
 * unknown time zone.
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
  return withoutTrailingZeros(windows.filter(differsFromNext)).map(({ ends, refundAmount }) => ({
    before: instant(ends),
    refundAmount,
  }));
}

const differsFromNext = (window: RefundWindow, at: number, all: RefundWindow[]): boolean =>
  window.refundAmount !== all[at + 1]?.refundAmount;

function withoutTrailingZeros(windows: RefundWindow[]): RefundWindow[] {
  return windows.slice(0, windows.findLastIndex(({ refundAmount }) => refundAmount > 0) + 1);
}

/**
 * The policies that a guest accepts: the operator's, and the cancellation rules as text.
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

/** The label of the policy that states the cancellation rules. */
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
 * The policies and cancellation rules of a listing in canonical form: equal terms give equal JSON.
 *
 * Members have a fixed order and no other members are included. Policies keep the order that a guest
 * reads; rules are sorted by days, most first.
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
