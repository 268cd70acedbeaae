import { instant } from '../../contract/time.ts';
import { isRefusal, type Refusal } from '../../contract/errors.ts';
import { pageForStaff, type PageOfStaff, type PageRequest } from '../../access/index.ts';
import type { Executor } from '../../platform/postgres/database.ts';
import { decidedBy } from '../rules/uncertainty.ts';
import { listUncertainBookings, type UncertainBooking } from '../store/uncertain-bookings.ts';

const listedView = (
  { bookingId, guest, submittedAt, since, dueAt, ...listed }: UncertainBooking,
  uncertainHours: number | null,
) => ({
  checkoutId: bookingId,
  ...listed,
  guest: guest && `${guest.firstName} ${guest.lastName}`.trim(),
  phone: guest && guest.phone,
  submittedAt: instant(submittedAt),
  since: instant(since),
  decidedBy: instant(decidedBy({ submittedAt }, uncertainHours)),
  nextLookUpAt: instant(dueAt),
});

/** Lists checkouts and requests whose outcome is not known, oldest first. */
export async function listUncertain(
  executor: Executor,
  uncertainHours: number | null,
  page: PageRequest,
): Promise<PageOfStaff<ReturnType<typeof listedView>> | Refusal<'invalid_input'>> {
  const found = await pageForStaff(
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
      positionOf: ({ submittedAt, bookingId }) => [submittedAt, bookingId],
    },
    page,
  );
  if (isRefusal(found)) return found;
  return { ...found, items: found.items.map((item) => listedView(item, uncertainHours)) };
}
