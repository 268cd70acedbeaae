import type { EpochMs } from '../../contract/time.ts';
import type { Executor, Statement } from '../../platform/postgres/database.ts';

/** A row of the ledger. Without accounts it notes an attempt without effect. */
export interface Entry {
  entryId: number;
  at: EpochMs;
  kind: string;
  paymentId: string | null;
  refundId: string | null;
  debit: string | null;
  credit: string | null;
  amountMinor: number | null;
  currency: string | null;
  details: Record<string, unknown> | null;
}

const listStatement: Statement = {
  name: 'list-payment-entries',
  text: `SELECT entry_id AS "entryId", at, kind, payment_id AS "paymentId", refund_id AS "refundId",
      debit, credit, amount_minor AS "amountMinor", currency, details
    FROM payment_entries WHERE application_id = $1 AND checkout_id = $2 ORDER BY entry_id`,
};

/** Lists the ledger of a checkout, oldest row first. */
export const listEntries = (
  executor: Executor,
  applicationId: string,
  checkoutId: string,
): Promise<Entry[]> => executor.query<Entry>(listStatement, [applicationId, checkoutId]);
