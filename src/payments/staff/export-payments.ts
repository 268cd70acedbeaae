import { refuseConflict } from '../../contract/operator/errors.ts';
import { operatorLimits } from '../../contract/operator/limits.ts';
import { instant } from '../../contract/time.ts';
import type { Executor } from '../../platform/postgres/database.ts';
import { mapInSlices } from '../../platform/slices.ts';
import { exportEntries, type MovedEntry } from '../store/ledger-export.ts';

/** A row of the ledger as a pair: the amount leaves one account, and arrives at the other. */
const pairOf = ({ entryId: _, debit, credit, at, amount, ...entry }: MovedEntry) =>
  [
    { account: debit, amount },
    { account: credit, amount: -amount },
  ].map((half) => ({ at: instant(at), ...entry, ...half }));

const pairsAtOnce = 1_000;

/** Exports the ledger of some days: each row as a pair, so that the amounts of all accounts add up to 0. Spec: MONEY-16. */
export async function exportPayments(executor: Executor, period: { from: string; to: string }) {
  const { exportedEntries } = operatorLimits;
  const entries = await exportEntries(executor, period, exportedEntries + 1);
  if (entries.length > exportedEntries) {
    return refuseConflict(
      `These days have more than ${exportedEntries} rows: export a shorter period.`,
    );
  }
  return { items: (await mapInSlices(entries, pairsAtOnce, pairOf)).flat() };
}
