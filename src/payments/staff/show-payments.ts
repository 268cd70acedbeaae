import { instant } from '../../contract/time.ts';
import { isRefusal, type Refusal } from '../../contract/errors.ts';
import { refuseStaff } from '../../contract/operator/errors.ts';
import type { Executor } from '../../platform/postgres/database.ts';
import {
  type AccountOfReservation,
  findAccount,
  listPaymentsOfAccount,
  listRefundsOfAccount,
} from '../store/accounts-in-full.ts';
import { type EntryWithCode, listEntries } from '../store/entries.ts';
import { oneAccountView } from './list-payments.ts';

const entryView = ({ at, amountMinor, code: _, ...entry }: EntryWithCode) => ({
  ...entry,
  amount: amountMinor,
  at: instant(at),
});

/** Finds the account of a reservation. */
export const accountNamed = async (
  executor: Executor,
  reference: string,
): Promise<AccountOfReservation | Refusal<'not_found'>> =>
  (await findAccount(executor, reference)) ??
  refuseStaff(
    'not_found',
    `There are no payments of ${reference}: it does not exist, or its partner collects the money.`,
  );

/**
 * Shows the money of a reservation: its balances, payments, refunds and every row of its ledger, oldest
 * first. Amounts are in minor units.
 */
export async function showPayments(executor: Executor, reference: string) {
  const account = await accountNamed(executor, reference);
  if (isRefusal(account)) return account;
  const { applicationId, checkoutId } = account;
  const [view, payments, refunds, entries] = await Promise.all([
    oneAccountView(executor, account),
    listPaymentsOfAccount(executor, applicationId, checkoutId),
    listRefundsOfAccount(executor, applicationId, checkoutId),
    listEntries(executor, applicationId, checkoutId),
  ]);
  return {
    ...view,
    payments,
    refunds: refunds.map(({ requestedAt, ...refund }) => ({
      ...refund,
      requestedAt: instant(requestedAt),
    })),
    entries: entries.map(entryView),
  };
}
