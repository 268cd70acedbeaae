/** What comes back when a stay is cancelled in time, and the terms that a guest accepts. */

import { instantAt } from './calendar-date.ts';
import type { Charges } from './charges.ts';
import type { CancellationRule, Listing, Policy, Stay } from './listing.ts';
import { cappedShare } from './money.ts';

/** Cancelled before this instant (ISO 8601, UTC), this much comes back. Spec: decisions, Quote. */
export interface CancellationInstant {
  before: string;
  refundAmount: number;
}

/** What the version of a quote's terms is a digest of. Spec: decisions, Quote (`terms.version`). */
export interface TermsSource {
  policies: Policy[];
  cancellation: CancellationRule[];
}

const CUT_OFF_TIME = '00:00';

/**
 * The cancellation rules of a listing as instants and amounts for one stay, the earliest first.
 *
 * A cut-off is the start of the day, at the property, that lies `daysBefore` days before arrival; the
 * amount is a share of the total, rounded once. The first instant that has not passed tells what
 * comes back; an empty list means that nothing does. Throws a RangeError for an unknown time zone.
 *
 * Spec: decisions, Quote (`cancellation`).
 */
export function cancellationInstants(
  { timeZone, cancellation }: Pick<Listing, 'timeZone' | 'cancellation'>,
  stay: Stay,
  charges: Pick<Charges, 'total'>,
): CancellationInstant[] {
  return effectiveRules(cancellation)
    .map(({ daysBefore, refund }) => ({
      before: instantAt(stay.checkIn - daysBefore, CUT_OFF_TIME, timeZone),
      refundAmount: cappedShare(charges.total, refund),
    }))
    .filter(({ refundAmount }) => refundAmount > 0);
}

/**
 * The policies and cancellation rules of a listing in canonical form: equal terms, equal JSON.
 *
 * Members stand in a fixed order and nothing else is carried along; policies keep the order in which
 * a guest reads them, rules are the effective ones, the earliest cut-off first.
 *
 * Spec: decisions, Quote (`terms.version`).
 */
export function termsSource({
  policies,
  cancellation,
}: Pick<Listing, 'policies' | 'cancellation'>): TermsSource {
  return {
    policies: policies.map(({ label, body }) => ({ label, body })),
    cancellation: effectiveRules(cancellation).map(({ daysBefore, refund }) => ({
      daysBefore,
      refund,
    })),
  };
}

/**
 * The rules that make a difference, the earliest cut-off first: one that gives back no more than a
 * later one does is left out, because whoever keeps the earlier cut-off keeps the later one too.
 */
function effectiveRules(rules: CancellationRule[]): CancellationRule[] {
  const latestFirst = rules.toSorted((a, b) => a.daysBefore - b.daysBefore || b.refund - a.refund);
  const effective: CancellationRule[] = [];
  for (const rule of latestFirst) {
    if (rule.refund > (effective[0]?.refund ?? 0)) effective.unshift(rule);
  }
  return effective;
}
