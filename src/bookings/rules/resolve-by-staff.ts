import type { EpochMs } from '../../contract/time.ts';
import { type Booking, type BookingChange, isPaidByCard } from './booking.ts';
import { decideResolution, type Outcome } from './resolution.ts';
import { isUncertain } from './uncertainty.ts';
import type { Refusal } from '../../contract/errors.ts';
import { refuseConflict } from '../../contract/operator/errors.ts';

/** What staff found out about a booking whose outcome was not known. */
export type FoundOutcome = 'confirmed' | 'failed';

const outcomes: Readonly<Record<FoundOutcome, Outcome>> = {
  confirmed: { result: 'made', announced: null },
  failed: { result: 'refused', reason: 'refused' },
};

/** The payment of an attempt, as the ledger knows it. */
export interface PaymentOfAttempt {
  state: string;
  /** In minor units. */
  refunded: number;
}

/** What follows with the money of an attempt by itself, once its outcome is stored. */
export type MoneyFollows = 'nothing' | 'capture' | 'collect' | 'void' | 'refund' | 'find_out';

/** By the state of the payment; a state that is not listed is not certain. */
const moneyFollows: Readonly<Record<FoundOutcome, Readonly<Record<string, MoneyFollows>>>> = {
  confirmed: { none: 'collect', authorized: 'capture', captured: 'nothing' },
  failed: {
    none: 'nothing',
    authorized: 'void',
    action_needed: 'void',
    captured: 'refund',
    voided: 'nothing',
    refused: 'nothing',
  },
};

const noMoney = (booking: Booking): Refusal<'conflict'> =>
  refuseConflict(
    `There is no money for ${booking.bookingId}: the payment was declined, voided or refunded. It can only be resolved as failed.`,
  );

/**
 * Decides what follows with the money of an attempt after a decision of staff. Refuses a reservation whose money is
 * known to be gone.
 *
 * @param payment null: no payment was asked for
 */
export function decideMoneyAfter(
  booking: Booking,
  found: FoundOutcome,
  payment: PaymentOfAttempt | null,
): MoneyFollows | Refusal<'conflict'> {
  if (!isPaidByCard(booking) || booking.charges.dueNow === 0) return 'nothing';
  const state = payment?.state ?? 'none';
  const isGiven = state === 'captured' && payment!.refunded > 0;
  const isGone = state === 'voided' || state === 'refused' || isGiven;
  if (isGone && found === 'confirmed') return noMoney(booking);
  return isGiven ? 'nothing' : (moneyFollows[found][state] ?? 'find_out');
}

/**
 * Applies what staff found out, exactly as if a worker had: state, reservation, events.
 * Spec: UNCERTAIN-7.
 *
 * @param reference the reference of the reservation, if it was made
 */
export function decideByStaff(
  booking: Booking,
  found: FoundOutcome,
  reference: string,
  now: EpochMs,
): BookingChange | Refusal<'conflict'> {
  const change = isUncertain(booking)
    ? decideResolution(booking, outcomes[found], {
        reference,
        now,
        reconcileInSeconds: 0,
        keepsNights: false,
      })
    : null;
  if (change) return change;
  return refuseConflict(
    `${booking.bookingId} is ${booking.state}: staff resolve only what is uncertain or unresolved.`,
  );
}
