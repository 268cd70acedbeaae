import type { EpochMs } from '../../contract/time.ts';
import type { Reservation } from './booking.ts';
import { cancelled, type ReservationUpdate } from './reservation.ts';
import type { Refusal } from '../../contract/errors.ts';
import { refuseConflict } from '../../contract/operator/errors.ts';

/** The refund of a cancellation: by the terms, nothing, or an amount in minor units. */
export type RefundChoice = 'policy' | 'none' | number;

/** The amounts that a cancellation depends on, in minor units of the charges' currency. */
export interface RefundAmounts {
  /** What has been collected until now, by the schedule. */
  collected: number;
  /** What the terms refund now. */
  byTerms: number;
}

const amountOf = (choice: RefundChoice, { byTerms }: RefundAmounts): number => {
  if (choice === 'none') return 0;
  return choice === 'policy' ? byTerms : choice;
};

/** Cancels a reservation with a refund. Spec: RESERVATION-5. */
export function decideCancellation(
  reservation: Reservation,
  choice: RefundChoice,
  amounts: RefundAmounts,
  now: EpochMs,
): ReservationUpdate | Refusal<'conflict'> {
  if (reservation.state !== 'confirmed') {
    return refuseConflict(
      `${reservation.reference} is ${reservation.state} already, which is final.`,
    );
  }
  const { collected } = amounts;
  const refund = amountOf(choice, amounts);
  if (refund > collected) {
    return refuseConflict(
      `A refund of ${refund} is more than the ${collected} that have been collected.`,
    );
  }
  return cancelled(reservation, { refundMinor: refund, collectedMinor: collected }, now);
}
