import type Type from 'typebox';
import type { Reservation as ReservationOnWire } from '../../src/contract/partner/schemas/reservation.ts';
import type { CallReply } from '../harness/partner.ts';
import { plusDays } from '../harness/catalog.ts';
import type { SessionClients } from './session-clients.ts';
import { refused, shown, type ReplySummary } from './reply-summary.ts';
import { shownCharges } from './homes.ts';
import { bookingOf, nobodys } from './bookings.ts';
import { decideChange, decideDue, openChangeOf } from './changes.ts';
import type { Kind } from './kind.ts';
import type { Account, AccountName, BookingName, Reservation, World } from './world.ts';

/** Reads a reservation of the account's own or another booking. */
export interface ReservationCall {
  does: 'readReservation';
  by: AccountName;
  of: AccountName;
  booking: BookingName;
  /** Whether its reference is known to the partners. */
  isKnown: boolean;
}

/** The read of a reservation decides what is due for it, and applies a due announcement, once. */
export function applyAnnounced(
  account: Account,
  name: BookingName,
  reservation: Reservation | null,
): void {
  decideDue(account, name);
  if (!reservation?.announced || !reservation.isDue) return;
  const change = reservation.announced;
  reservation.announced = null;
  if (change === 'cancelled') reservation.state = 'cancelled';
  else reservation.movedOneDay = true;
  const changes = change === 'changed' ? ' dates' : '';
  account.unread[name].push(`reservation.${change} ${name} ${reservation.state}${changes}`);
  declineOpenChange(account, name);
}

/** A change of a reservation by others declines what its partner has asked for. */
export function declineOpenChange(account: Account, name: BookingName): void {
  const [change, open] = openChangeOf(account, name) ?? [];
  if (change && open) decideChange(account, change, open, 'declined');
}

function predict(world: World, { by, of, booking: name, isKnown }: ReservationCall): ReplySummary {
  const account = world.accounts[by];
  const booking = bookingOf(account, name);
  if (!isKnown || of !== by || !booking?.reservation) return refused('404 not_found');
  applyAnnounced(account, name, booking.reservation);
  const { state, stay, charges, movedOneDay } = booking.reservation;
  return shown(200, {
    booking: name,
    state,
    stay,
    price: charges && shownCharges(charges),
    movedOneDay,
    isCancelled: state === 'cancelled',
  });
}

function shows(sessionClients: SessionClients, { by }: ReservationCall, reply: CallReply): object {
  const body = reply.body as Type.Static<typeof ReservationOnWire>;
  const { reference, state, cancelledAt, updatedAt } = body;
  // A worker materializes it at any time.
  const { materialization: _, ...kept } = body;
  sessionClients.mustStay(`reservation ${reference} of ${updatedAt}`, kept);
  const stays = [0, 1].map((later) =>
    sessionClients.stays.nameOf({
      ...body,
      checkIn: plusDays(body.checkIn, -later),
      checkOut: plusDays(body.checkOut, -later),
    }),
  );
  const days = stays.findIndex((stay) => stay !== undefined);
  return {
    booking: sessionClients.bookingOf(by, reference),
    state,
    stay: stays[days],
    price: sessionClients.shownPrice(body.charges),
    movedOneDay: days === 1,
    isCancelled: cancelledAt !== null,
  };
}

export const reservationKind: Kind<ReservationCall> = {
  operation: 'reservation.reservation.get',
  tier: 'read',
  predict,
  input(sessionClients, { of, booking, isKnown }) {
    const known = isKnown ? sessionClients.reference(of, booking) : undefined;
    return { params: { reference: known ?? nobodys } };
  },
  shows,
};
