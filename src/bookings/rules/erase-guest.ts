import type { Refusal } from '../../contract/errors.ts';
import { refuseConflict } from '../../contract/operator/errors.ts';
import type { ReservationState } from '../../contract/states.ts';
import type { Booking } from './booking.ts';

/** What an erasure needs to know of a booking. */
export interface ErasedBooking {
  booking: Pick<Booking, 'bookingId' | 'kind' | 'reference' | 'state'>;
  reservation: ReservationState | null;
  checkOut: string;
  /** Today at the property. */
  today: string;
  /** Money is still to be collected or paid back, or its state is not certain. */
  isMoneyOpen: boolean;
}

const undecided: ReadonlySet<Booking['state']> = new Set([
  'pending',
  'requires_action',
  'uncertain',
  'unresolved',
]);

function problemOf({ booking, ...about }: ErasedBooking): string | null {
  const name = booking.reference ?? `${booking.kind} ${booking.bookingId}`;
  if (undecided.has(booking.state)) return `The outcome of ${name} is not known yet.`;
  if (about.reservation === 'confirmed' && about.checkOut > about.today)
    return `The stay ${name} lasts until ${about.checkOut}.`;
  return about.isMoneyOpen ? `Money of ${name} is open.` : null;
}

/**
 * Refuses to erase a person who is still needed: all these bookings are erased, or none. Spec: GUEST-4.
 *
 * @param end what was erased nevertheless, for staff
 */
export function decideErasure(
  bookings: readonly ErasedBooking[],
  end: string,
): Refusal<'conflict'> | null {
  const problems = bookings.map(problemOf).filter((problem) => problem !== null);
  if (problems.length === 0) return null;
  const shown = problems.slice(0, 5).join(' ');
  const more = problems.length > 5 ? ` There are ${problems.length - 5} more.` : '';
  return refuseConflict(`${shown}${more} ${end}`);
}
