import type { EpochMs } from '../../contract/time.ts';
import type { Booking, BookingChange } from './booking.ts';
import { decideResolution, type Outcome } from './resolution.ts';
import type { Refusal } from '../../contract/errors.ts';
import { refuseStaff } from '../../contract/operator/errors.ts';

/** What staff found out about a booking whose outcome was not known. */
export type FoundOutcome = 'confirmed' | 'failed';

const outcomes: Readonly<Record<FoundOutcome, Outcome>> = {
  confirmed: { result: 'made', announced: null },
  failed: { result: 'refused', reason: 'refused' },
};

/** Whether the outcome of a booking is not known. */
export const isUncertain = ({ state }: Pick<Booking, 'state'>): boolean =>
  state === 'uncertain' || state === 'unresolved';

/**
 * Applies what staff found out, exactly as if a worker had: state, reservation, events.
 * Spec: States and transitions, reconciliation.
 *
 * @param reference the reference of the reservation, if it was made
 */
export function decideByStaff(
  booking: Booking,
  found: FoundOutcome,
  reference: string,
  now: EpochMs,
): BookingChange | Refusal {
  const change = isUncertain(booking)
    ? decideResolution(booking, outcomes[found], {
        reference,
        now,
        reconcileInSeconds: 0,
        keepsNights: false,
      })
    : null;
  if (change) return change;
  return refuseStaff(
    'conflict',
    `${booking.bookingId} is ${booking.state}: staff resolve only what is uncertain or unresolved.`,
  );
}
