import { pageForStaff, type PageOfStaff, type PageRequest } from '../../access/index.ts';
import { listingFor } from '../../catalog/index.ts';
import type { Executor } from '../../platform/postgres/database.ts';
import { listReservations, type ReservationFilter } from '../store/staff-reservations.ts';
import { listedView } from './views.ts';

/** The reservations that staff want to list. */
export interface ReservationsWanted extends Omit<ReservationFilter, 'listingId'> {
  /** A listing, by slug or ID. */
  listing?: string | undefined;
}

/** Lists reservations by day of arrival, earliest first. Throws `OperatorRefusal`. */
export async function listReservationsForStaff(
  executor: Executor,
  { listing, ...wanted }: ReservationsWanted,
  page: PageRequest,
): Promise<PageOfStaff<ReturnType<typeof listedView>>> {
  const filter: ReservationFilter = {
    ...wanted,
    listingId: listing === undefined ? undefined : (await listingFor(executor, listing)).id,
  };
  const { items, nextCursor } = await pageForStaff(
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
      placeOf: ({ checkIn, reference }) => [checkIn, reference],
    },
    page,
  );
  return { items: items.map(listedView), nextCursor };
}
