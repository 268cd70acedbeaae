import { instant } from '../../contract/time.ts';
import { pageForStaff, type PageOfStaff, type PageRequest } from '../../access/index.ts';
import type { Executor } from '../../platform/postgres/database.ts';
import { listUncertainBookings, type UncertainBooking } from '../store/uncertain-bookings.ts';

const listedView = ({ bookingId, submittedAt, since, dueAt, ...listed }: UncertainBooking) => ({
  checkoutId: bookingId,
  ...listed,
  submittedAt: instant(submittedAt),
  since: instant(since),
  nextLookUpAt: instant(dueAt),
});

/** Lists checkouts and requests whose outcome is not known, oldest first. Throws `OperatorRefusal`. */
export async function listUncertain(
  executor: Executor,
  page: PageRequest,
): Promise<PageOfStaff<ReturnType<typeof listedView>>> {
  const { items, nextCursor } = await pageForStaff(
    executor.vault,
    {
      operation: 'staff.checkout.list',
      filters: {},
      read: (after: [submittedAt: number, bookingId: string] | null, atMost) =>
        listUncertainBookings(
          executor,
          after && { submittedAt: after[0], bookingId: after[1] },
          atMost,
        ),
      placeOf: ({ submittedAt, bookingId }) => [submittedAt, bookingId],
    },
    page,
  );
  return { items: items.map(listedView), nextCursor };
}
