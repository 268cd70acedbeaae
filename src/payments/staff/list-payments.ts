import { instant } from '../../contract/time.ts';
import { pageForStaff, type PageOfStaff, type PageRequest } from '../../access/index.ts';
import type { Executor } from '../../platform/postgres/database.ts';
import {
  type AccountFilter,
  type AccountOfReservation,
  listAccounts,
} from '../store/account-files.ts';

/** The account of a reservation, without its rows. Amounts in minor units; instants in ISO 8601. */
export const accountView = ({
  openedAt,
  dueAt,
  attentionSince,
  stoppedAt,
  owed: _owed,
  ...account
}: AccountOfReservation) => ({
  ...account,
  attentionSince: instant(attentionSince),
  stoppedAt: instant(stoppedAt),
  nextAt: instant(dueAt),
  confirmedAt: instant(openedAt),
});

/** Lists the money of reservations, earliest confirmation first. Throws `OperatorRefusal`. */
export async function listPayments(
  executor: Executor,
  filter: AccountFilter,
  page: PageRequest,
): Promise<PageOfStaff<ReturnType<typeof accountView>>> {
  const { items, nextCursor } = await pageForStaff(
    executor.vault,
    {
      operation: 'staff.payment.list',
      filters: { ...filter },
      read: (after: [openedAt: number, reference: string] | null, atMost) =>
        listAccounts(
          executor,
          filter,
          after && { openedAt: after[0], reference: after[1] },
          atMost,
        ),
      placeOf: ({ openedAt, reference }) => [openedAt, reference],
    },
    page,
  );
  return { items: items.map(accountView), nextCursor };
}
