import type { EpochMs } from '../../contract/time.ts';
import { manyRows } from '../../platform/postgres/statement-functions.ts';

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

/** The provider's code of a refusal that an entry notes; null: it notes none. */
export interface EntryWithCode extends Entry {
  code: string | null;
}

/** Lists the ledger of a checkout, oldest row first. */
export const listEntries = manyRows<[applicationId: string, checkoutId: string], EntryWithCode>({
  name: 'list-payment-entries',
  text: `SELECT entry_id AS "entryId", at, kind, payment_id AS "paymentId", refund_id AS "refundId",
      debit, credit, amount_minor AS "amountMinor", currency, details,
      CASE kind WHEN 'refused' THEN (SELECT decline_code FROM payment_intents i WHERE i.payment_id = e.payment_id)
        WHEN 'refund_refused' THEN (SELECT decline_code FROM payment_refunds f WHERE f.refund_id = e.refund_id)
      END AS code
    FROM payment_entries e WHERE application_id = $1 AND checkout_id = $2 ORDER BY entry_id`,
});
