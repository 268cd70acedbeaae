import type { EventDraft, Reservation } from './booking.ts';
import type { EpochMs } from '../../contract/time.ts';
import { dateText, dayNumber } from '../../pricing/index.ts';

/** The reservation after a change, and the events of the change. */
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
function cancelled(reservation: Reservation, now: EpochMs): ReservationUpdate {
  const next: Reservation = {
    ...reservation,
    state: 'cancelled',
    cancelledAt: now,
    updatedAt: now,
    announced: null,
  };
  const cancelledAt = new Date(now).toISOString();
  return { next, events: [event('reservation.cancelled', next, { cancelledAt })] };
}

/** The reservations team moves the stay one day later; the price stays the same. */
function movedOneDay(reservation: Reservation, now: EpochMs): ReservationUpdate {
  const { charges } = reservation;
  const next: Reservation = {
    ...reservation,
    checkIn: nextDay(reservation.checkIn),
    checkOut: nextDay(reservation.checkOut),
    charges: {
      ...charges,
      nights: charges.nights.map((night) => ({ ...night, date: nextDay(night.date) })),
    },
    updatedAt: now,
    announced: null,
  };
  const changedAt = new Date(now).toISOString();
  return { next, events: [event('reservation.changed', next, { changes: ['dates'], changedAt })] };
}

const announcedChanges = { cancelled, moved_one_day: movedOneDay } as const;

/** Applies an announced change once it is due. Null: nothing is due. */
export function decideAnnounced(reservation: Reservation, now: EpochMs): ReservationUpdate | null {
  const { announced } = reservation;
  if (!announced || now < announced.at) return null;
  return announcedChanges[announced.change](reservation, now);
}
