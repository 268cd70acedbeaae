import { dateText } from '../../pricing/index.ts';
import type { Charges } from '../../contract/partner/schemas/quote.ts';
import type { EpochMs } from '../../contract/time.ts';
import type { IntentPurpose, IntentState } from './intent.ts';
import type { Refusal } from './refusal.ts';

/** The balances of a reservation, in minor units: always due = collected + open − refunded. */
export interface Balances {
  /** What the reservation costs; after a cancellation, what the operator keeps. */
  due: number;
  collected: number;
  /** What is still to be collected, less what is still to be given back. */
  open: number;
  refunded: number;
}

/** The balances with what staff have decided to give back and the guest has not yet got. */
export interface BalancesWithOwed extends Balances {
  owed: number;
}

/** A payment of a reservation, in the order in which they were requested. */
export interface AccountPayment {
  paymentId: string;
  purpose: IntentPurpose;
  /** `YYYY-MM-DD` at the property. */
  dueOn: string;
  amountMinor: number;
  state: IntentState;
  /** Null: it was not refused, or the refusal binds no more. */
  refusal: Refusal | null;
  /** Whether the provider may have refunds of it that our rows do not have. */
  refundsChanged: boolean;
  /** When to ask what has become of an open payment link; null: it is none. */
  lookAt: EpochMs | null;
}

/** What the allocation looks at. */
export interface AllocationFacts {
  schedule: Charges['schedule'];
  balances: BalancesWithOwed;
  payments: readonly AccountPayment[];
}

/** A day of the schedule, and what of it no money covers. */
export interface ScheduledPart {
  dueOn: string;
  amount: number;
  missing: number;
  /** A payment for this day has taken effect, or may do so. */
  isCharged: boolean;
}

/** Whether a payment has taken effect or may still do so. */
export const isLive = ({ state }: AccountPayment): boolean =>
  state !== 'refused' && state !== 'voided';

/** The sum of amounts. */
export const sumOf = (amounts: readonly { amountMinor: number }[]): number =>
  amounts.reduce((sum, { amountMinor }) => sum + amountMinor, 0);

/** The day that names a new payment for this: today, or the next one that names no other. */
export function freeDay(
  purpose: IntentPurpose,
  payments: readonly AccountPayment[],
  today: number,
): string {
  const taken = new Set(
    payments
      .filter((one) => one.purpose === purpose && (isLive(one) || one.refusal !== null))
      .map(({ dueOn }) => dueOn),
  );
  let day = today;
  while (taken.has(dateText(day))) day += 1;
  return dateText(day);
}

const isOfDay = ({ purpose }: AccountPayment): boolean =>
  purpose === 'booking' || purpose === 'instalment';

/** What a payment for a due day does not need for it. */
function coverDay(parts: ScheduledPart[], { dueOn, amountMinor }: AccountPayment): number {
  let left = amountMinor;
  for (const part of parts) {
    if (part.dueOn !== dueOn) continue;
    const taken = Math.min(left, part.missing);
    part.missing -= taken;
    part.isCharged = true;
    left -= taken;
  }
  return left;
}

/**
 * What of each day of the schedule is covered. A payment covers its own day first; everything else covers the
 * oldest days: what a payment has left, differences, money that came another way, and what was taken off the price.
 * What was given back beyond that is missing again, on the latest days first.
 */
export function allocate({ schedule, balances, payments }: AllocationFacts): ScheduledPart[] {
  const parts = schedule.map(({ dueOn, amount }) => ({
    dueOn,
    amount,
    missing: amount,
    isCharged: false,
  }));
  const live = payments.filter(isLive);
  const ofDays = live.filter(isOfDay).reduce((left, one) => left + coverDay(parts, one), 0);
  const others = sumOf(live.filter((one) => !isOfDay(one)));
  const byCard = sumOf(payments.filter(({ state }) => state === 'captured'));
  const total = schedule.reduce((sum, { amount }) => sum + amount, 0);
  const { due, collected, refunded, owed } = balances;
  let pool = ofDays + others + (collected - byCard) - refunded - owed + (total - due);
  for (const part of pool > 0 ? parts : parts.toReversed()) {
    const change =
      pool > 0 ? Math.min(pool, part.missing) : Math.max(pool, part.missing - part.amount);
    part.missing -= change;
    pool -= change;
  }
  return parts;
}
