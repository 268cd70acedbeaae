import type { Announcement, EventDraft, Reservation } from './booking.ts';
import { type EpochMs, instant } from '../../contract/time.ts';
import type { reservationChanges } from '../../contract/events.ts';
import { dateText, dayNumber } from '../../pricing/index.ts';

/** What changed, as `reservation.changed` lists it. Spec: RESERVATION-4. */
export type ReservationChange = (typeof reservationChanges)[number];

/** The reservation after a change, and the events of the change. */
export interface ReservationUpdate {
  /** With its version increased by one. */
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

/** The reservations team cancels. Spec: RESERVATION-3. */
export function cancelled(
  reservation: Reservation,
  money: Pick<Reservation, 'refundMinor' | 'collectedMinor'>,
  now: EpochMs,
): ReservationUpdate {
  const next: Reservation = {
    ...reservation,
    ...money,
    version: reservation.version + 1,
    state: 'cancelled',
    cancelledAt: now,
    updatedAt: now,
    announced: null,
  };
  const cancelledAt = instant(now);
  return { next, events: [event('reservation.cancelled', next, { cancelledAt })] };
}

/** The reservations team changes the stay. Spec: RESERVATION-3. */
export function changed(
  reservation: Reservation,
  patch: Partial<Reservation>,
  changes: readonly ReservationChange[],
  now: EpochMs,
): ReservationUpdate {
  const next: Reservation = {
    ...reservation,
    ...patch,
    version: reservation.version + 1,
    updatedAt: now,
  };
  const changedAt = instant(now);
  return { next, events: [event('reservation.changed', next, { changes, changedAt })] };
}

/** The reservations team moves the stay one day later; the price stays the same. */
function movedOneDay(reservation: Reservation, now: EpochMs): ReservationUpdate {
  const { charges } = reservation;
  const patch = {
    checkIn: nextDay(reservation.checkIn),
    checkOut: nextDay(reservation.checkOut),
    charges: {
      ...charges,
      nights: charges.nights.map((night) => ({ ...night, date: nextDay(night.date) })),
    },
    announced: null,
  };
  return changed(reservation, patch, ['dates'], now);
}

const announcedChanges: Readonly<
  Record<Announcement['change'], (reservation: Reservation, now: EpochMs) => ReservationUpdate>
> = {
  cancelled: (reservation, now) =>
    cancelled(reservation, { refundMinor: null, collectedMinor: null }, now),
  moved_one_day: movedOneDay,
};

/** Applies an announced change once it is due. Null: nothing is due. */
export function decideAnnounced(reservation: Reservation, now: EpochMs): ReservationUpdate | null {
  const { announced } = reservation;
  if (!announced || now < announced.at) return null;
  return announcedChanges[announced.change](reservation, now);
}
