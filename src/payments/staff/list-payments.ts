import { namedGuest, readGuests } from '../../bookings/index.ts';
import { instant } from '../../contract/time.ts';
import { isRefusal, type Refusal } from '../../contract/errors.ts';
import { pageForStaff, type PageOfStaff, type PageRequest } from '../../access/index.ts';
import type { Executor } from '../../platform/postgres/database.ts';
import {
  type AccountFilter,
  type AccountOfReservation,
  listAccounts,
} from '../store/accounts-in-full.ts';

const accountView = (
  { openedAt, dueAt, attentionSince, stoppedAt, owed: _owed, ...account }: AccountOfReservation,
  guest: NamedGuest,
) => ({
  ...account,
  ...guest,
  attentionSince: instant(attentionSince),
  stoppedAt: instant(stoppedAt),
  nextAt: instant(dueAt),
  confirmedAt: instant(openedAt),
});

type NamedGuest = ReturnType<typeof namedGuest>;

type AccountView = ReturnType<typeof accountView>;

/** Accounts of reservations with their guests, without rows. Amounts in minor units; instants in ISO 8601. */
async function accountViews(
  executor: Executor,
  accounts: readonly AccountOfReservation[],
): Promise<AccountView[]> {
  const guests = await readGuests(executor, accounts);
  return accounts.map((account) =>
    accountView(account, namedGuest(guests.get(account.checkoutId))),
  );
}

/** The account of one reservation, as `accountViews` shows it. */
export async function oneAccountView(
  executor: Executor,
  account: AccountOfReservation,
): Promise<AccountView> {
  const [view] = await accountViews(executor, [account]);
  return view!;
}

/** Lists the money of reservations, earliest confirmation first. */
export async function listPayments(
  executor: Executor,
  filter: AccountFilter,
  page: PageRequest,
): Promise<PageOfStaff<AccountView> | Refusal<'invalid_input'>> {
  const found = await pageForStaff(
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
      positionOf: ({ openedAt, reference }) => [openedAt, reference],
    },
    page,
  );
  if (isRefusal(found)) return found;
  return { ...found, items: await accountViews(executor, found.items) };
}
