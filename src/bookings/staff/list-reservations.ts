import { pageForStaff, type PageOfStaff, type PageRequest } from '../../access/index.ts';
import { isRefusal, type Refusal } from '../../contract/errors.ts';
import { listingFor } from '../../catalog/index.ts';
import type { Executor } from '../../platform/postgres/database.ts';
import { listReservations, type ReservationFilter } from '../store/staff-reservations.ts';
import { listedView } from './views.ts';

/** The reservations that staff want to list. */
export interface ReservationsWanted extends Omit<ReservationFilter, 'listingId'> {
  /** A listing, by slug or ID. */
  listing?: string | undefined;
}

/** Lists reservations by day of arrival, earliest first. */
export async function listReservationsForStaff(
  executor: Executor,
  { listing, ...wanted }: ReservationsWanted,
  page: PageRequest,
): Promise<PageOfStaff<ReturnType<typeof listedView>> | Refusal<'invalid_input' | 'not_found'>> {
  const home = listing === undefined ? undefined : await listingFor(executor, listing);
  if (isRefusal(home)) return home;
  const filter: ReservationFilter = {
    ...wanted,
    listingId: home?.id,
  };
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
      placeOf: ({ checkIn, reference }) => [checkIn, reference],
    },
    page,
  );
  return isRefusal(found) ? found : { ...found, items: found.items.map(listedView) };
}
