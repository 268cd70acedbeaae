import { isRefusal } from '../../contract/errors.ts';
import type { ReservationMoney } from '../../bookings/index.ts';
import { wordsOfCode } from '../stripe/code-words.ts';
import { listEntries } from '../store/entries.ts';
import {
  holdAccount,
  listPaymentsOfAccount,
  readBalances,
  readOpen,
} from '../store/accounts-in-full.ts';

/** The money of reservations, by the ledger. */
export const ledgerMoney: ReservationMoney = {
  balances: (executor, { applicationId, bookingId }) =>
    readBalances(executor, applicationId, bookingId),
  openOf: readOpen,
  async hold(executor, { applicationId, bookingId }) {
    // A separate statement: the next one sees what was committed while this one waited.
    const held = await holdAccount(executor, applicationId, bookingId);
    if (isRefusal(held)) return held;
    if (!held) return null;
    return readBalances(executor, applicationId, bookingId);
  },
  payments: (executor, { applicationId, bookingId }) =>
    listPaymentsOfAccount(executor, applicationId, bookingId),
  async entries(executor, { applicationId, bookingId }) {
    const entries = await listEntries(executor, applicationId, bookingId);
    return entries.map(({ code, amountMinor, at, ...entry }) => ({
      at,
      kind: entry.kind,
      paymentId: entry.paymentId,
      refundId: entry.refundId,
      amount: amountMinor,
      currency: entry.currency,
      details: entry.details,
      ...(code !== null && { declined: wordsOfCode(code) ?? code }),
    }));
  },
};
