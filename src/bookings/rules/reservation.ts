import type { EventDraft, Reservation } from './booking.ts';
import type { EpochMs } from '../../contract/time.ts';
import { dateText, dayNumber } from '../../pricing/index.ts';

/** Everything that a change of a reservation writes. */
export interface ReservationUpdate {
  next: Reservation;
  events: EventDraft[];
}

const nextDay = (date: string): string => dateText(dayNumber(date) + 1);

const event = (type: EventDraft['type'], reservation: Reservation, rest: object): EventDraft => ({
  type,
  data: {
    reference: reservation.reference,
    checkoutId: reservation.bookingId,
    state: reservation.state,
    ...rest,
  },
});

/** The reservations team cancels. Spec: Reservation states. */
function cancelled(reservation: Reservation, present: EpochMs): ReservationUpdate {
  const next: Reservation = {
    ...reservation,
    state: 'cancelled',
    cancelledAt: present,
    updatedAt: present,
    announced: null,
  };
  const cancelledAt = new Date(present).toISOString();
  return { next, events: [event('reservation.cancelled', next, { cancelledAt })] };
}

/** The reservations team moves the stay one day later: its dates and those of its nights, not the price. */
function movedOneDay(reservation: Reservation, present: EpochMs): ReservationUpdate {
  const { charges } = reservation;
  const next: Reservation = {
    ...reservation,
    checkIn: nextDay(reservation.checkIn),
    checkOut: nextDay(reservation.checkOut),
    charges: {
      ...charges,
      nights: charges.nights.map((night) => ({ ...night, date: nextDay(night.date) })),
    },
    updatedAt: present,
    announced: null,
  };
  const changedAt = new Date(present).toISOString();
  return { next, events: [event('reservation.changed', next, { changes: ['dates'], changedAt })] };
}

const announcedChanges = { cancelled, moved_one_day: movedOneDay } as const;

/** Applies what the supplier announced, once its time has come. Null: nothing is due. */
export function decideAnnounced(
  reservation: Reservation,
  present: EpochMs,
): ReservationUpdate | null {
  const { announced } = reservation;
  if (!announced || present < announced.at) return null;
  return announcedChanges[announced.change](reservation, present);
}
