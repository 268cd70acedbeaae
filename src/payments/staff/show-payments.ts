import { instant } from '../../contract/time.ts';
import { noSuch } from '../../access/index.ts';
import type { Executor } from '../../platform/postgres/database.ts';
import {
  type AccountOfReservation,
  findAccount,
  listPaymentsOfAccount,
  listRefundsOfAccount,
} from '../store/account-files.ts';
import { type Entry, listEntries } from '../store/entries.ts';
import { oneAccountView } from './list-payments.ts';

const entryView = ({ at, amountMinor, ...entry }: Entry) => ({
  ...entry,
  amount: amountMinor,
  at: instant(at),
});

/** Finds the account of a reservation. Throws `OperatorRefusal`. */
export async function accountNamed(
  executor: Executor,
  reference: string,
): Promise<AccountOfReservation> {
  const account = await findAccount(executor, reference);
  if (account) return account;
  throw noSuch(
    `There are no payments of ${reference}: it does not exist, or its partner collects the money.`,
  );
}

/**
 * Shows the money of a reservation: its balances, payments, refunds and every row of its ledger, oldest
 * first. Amounts are in minor units. Throws `OperatorRefusal`.
 */
export async function showPayments(executor: Executor, reference: string) {
  const account = await accountNamed(executor, reference);
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
