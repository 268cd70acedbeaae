/** The ledger of all reservations by period, for accountants. */
import type { EpochMs } from '../../contract/time.ts';
import { dayMs } from '../../contract/time.ts';
import { manyRows } from '../../platform/postgres/statement-functions.ts';

/** A row of the ledger that moves an amount. */
export interface MovedEntry {
  entryId: number;
  at: EpochMs;
  /** Null: its checkout has become no reservation. */
  reference: string | null;
  kind: string;
  debit: string;
  credit: string;
  amount: number;
  currency: string;
  /** The provider's name of the payment, refund or dispute. */
  providerId: string | null;
  reason: string | null;
}

const startOf = (day: string, add = 0): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + add).toISOString();

/** Reads the rows that move an amount, of these days in UTC, both included, up to `atMost`. */
export const exportEntries = manyRows<
  [of: { from: string; to: string }, atMost: number],
  MovedEntry
>({
  name: 'export-payment-entries',
  text: `SELECT e.entry_id AS "entryId", e.at, a.reference, e.kind, e.debit, e.credit, e.amount_minor AS amount,
      e.currency, coalesce(f.refund_reference, e.details ->> 'disputeReference', i.provider_reference) AS "providerId",
      e.details ->> 'reason' AS reason
    FROM payment_entries e
    LEFT JOIN payment_accounts a ON a.checkout_id = e.checkout_id AND a.application_id = e.application_id
    LEFT JOIN payment_intents i ON i.payment_id = e.payment_id
    LEFT JOIN payment_refunds f ON f.refund_id = e.refund_id
    WHERE e.debit IS NOT NULL AND e.at >= $1::timestamptz AND e.at < $2::timestamptz
    ORDER BY e.at, e.entry_id LIMIT $3`,
  values: ({ from, to }, atMost) => [startOf(from), startOf(to, dayMs), atMost],
});
