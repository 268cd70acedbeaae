import type { CatalogView } from '../../catalog/index.ts';
import { isRefusal, refuse, type Refusal } from '../../contract/errors.ts';
import type { Reservation as ReservationOnWire } from '../../contract/partner/schemas/reservation.ts';
import { refuseSandbox } from '../../contract/sandbox/errors.ts';
import type { EpochMs } from '../../contract/time.ts';
import type { Executor } from '../../platform/postgres/database.ts';
import { stayInputRefusal, stayOf, todayAt } from '../../pricing/index.ts';
import { reservationView } from '../operations/reservation-view.ts';
import type { Reservation } from '../rules/booking.ts';
import {
  changedStay,
  decideChange,
  type StayChange,
  stayRefusal,
} from '../rules/change-reservation.ts';
import { cancelled, type ReservationUpdate } from '../rules/reservation.ts';
import { findReservation, updateReservation } from '../store/reservations.ts';

/** What staff do with a reservation in the sandbox. */
export interface SandboxAct {
  act: 'cancel' | 'change';
  changes?: StayChange & { total?: number | undefined };
}

/** Whether somebody has nights of a stay of this application. */
export type FindTaken = (reservation: Reservation, stay: StayChange) => Promise<boolean>;

/** The reservation after the act, before it is written. */
function decideAct(
  reservation: Reservation,
  { act, changes = {} }: SandboxAct,
  view: CatalogView,
  adjustmentPercent: number,
  now: EpochMs,
): ReservationUpdate | Refusal {
  if (reservation.state !== 'confirmed') {
    return refuseSandbox('invalid_state', 'reservation_not_confirmed');
  }
  if (act === 'cancel') {
    return cancelled(reservation, { refundMinor: null, collectedMinor: null }, now);
  }
  const { total, ...change } = changes;
  const after = changedStay(reservation, change);
  const listing = view.find(after.listingId)?.listing;
  if (!listing) return { ...refuse('not_found'), message: 'There is no home with this listingId.' };
  const fields = stayInputRefusal(stayOf(after), todayAt(now, listing.timeZone));
  const isOther = after.checkIn !== reservation.checkIn || after.checkOut !== reservation.checkOut;
  if (isOther && fields.length > 0) {
    const path = (given: string) => `/changes${given}`;
    return refuse('invalid_input', {
      fields: fields.map((field) => ({ ...field, path: path(field.path) })),
    });
  }
  const impossible = stayRefusal(after);
  if (impossible) return impossible;
  const facts = {
    reservation,
    listing,
    adjustmentPercent,
    promotion: null,
    quotedAt: reservation.confirmedAt,
    now,
  };
  const decided = decideChange(facts, after, total === undefined ? 'keep' : { total });
  if (isRefusal(decided)) {
    return decided.refused === 'conflict' ? refuseSandbox('conflict', 'no_effect') : decided;
  }
  return decided.update;
}

/** Cancels or changes a reservation as staff would, with its events. Undefined: there is none. Spec: SANDBOX-3. */
export async function actOnReservation(
  executor: Executor,
  { applicationId, adjustPercent }: { applicationId: string; adjustPercent: number },
  reference: string,
  act: SandboxAct,
  view: CatalogView,
  isTaken: FindTaken,
): Promise<ReservationOnWire | Refusal | undefined> {
  for (;;) {
    const found = await findReservation(executor, applicationId, reference);
    if (!found) return undefined;
    const { reservation, now } = found;
    const update = decideAct(reservation, act, view, adjustPercent, now);
    if (isRefusal(update)) return update;
    const { next } = update;
    if (next.state === 'confirmed' && (await isTaken(reservation, next))) {
      return refuseSandbox('conflict', 'nights_taken');
    }
    if (!(await updateReservation(executor, update))) continue;
    const home = view.find(next.listingId)?.listing;
    return reservationView({ ...found, reservation: next }, home);
  }
}
