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

/** The reservations team moves the stay one day later: its dates and those of its nights, not the price. */
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

/** Applies what the supplier announced, once its time has come. Null: nothing is due. */
export function decideAnnounced(reservation: Reservation, now: EpochMs): ReservationUpdate | null {
  const { announced } = reservation;
  if (!announced || now < announced.at) return null;
  return announcedChanges[announced.change](reservation, now);
}
