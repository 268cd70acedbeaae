import { pageForStaff, type PageOfStaff, type PageRequest } from '../../access/index.ts';
import { isRefusal, type Refusal } from '../../contract/errors.ts';
import { listingFor } from '../../catalog/index.ts';
import type { Executor } from '../../platform/postgres/database.ts';
import {
  findReservationInFull,
  listReservations,
  type ReservationFilter,
} from '../store/staff-reservations.ts';
import { unknownReservation } from './context.ts';
import { listedView } from './views.ts';

/** The reservations that staff want to list. */
export interface ReservationsWanted extends Omit<ReservationFilter, 'listingId' | 'guestEmail'> {
  /** The reference of a reservation of the guest. */
  guestOf?: string | undefined;
  /** A listing, by slug or ID. */
  listing?: string | undefined;
}

/** The email address of the guest of a reservation; null: there is none any more. */
async function emailOf(
  executor: Executor,
  reference: string,
): Promise<string | null | Refusal<'not_found'>> {
  const inFull = await findReservationInFull(executor, reference);
  if (!inFull) return unknownReservation(reference);
  return inFull.booking.guest?.email ?? null;
}

/** Lists reservations by day of arrival, earliest first. */
export async function listReservationsForStaff(
  executor: Executor,
  { listing, guestOf, ...wanted }: ReservationsWanted,
  page: PageRequest,
): Promise<PageOfStaff<ReturnType<typeof listedView>> | Refusal<'invalid_input' | 'not_found'>> {
  const home = listing === undefined ? undefined : await listingFor(executor, listing);
  if (isRefusal(home)) return home;
  const guestEmail = guestOf === undefined ? undefined : await emailOf(executor, guestOf);
  if (isRefusal(guestEmail)) return guestEmail;
  // The guest was erased.
  if (guestEmail === null) return { items: [], nextCursor: null };
  const filter: ReservationFilter = { ...wanted, listingId: home?.id, guestEmail };
  const found = await pageForStaff(
    executor.vault,
    {
      operation: 'staff.reservation.list',
      filters: { ...filter },
      read: (after: [checkIn: string, reference: string] | null, atMost) =>
        listReservations(
          executor,
          filter,
          after && { checkIn: after[0], reference: after[1] },
          atMost,
        ),
      positionOf: ({ checkIn, reference }) => [checkIn, reference],
    },
    page,
  );
  return isRefusal(found) ? found : { ...found, items: found.items.map(listedView) };
}
