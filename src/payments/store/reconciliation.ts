/** Payments in batches, to compare them with the provider's. */
import { instant } from '../../contract/time.ts';
import { nilUuid } from '../../platform/uuid.ts';
import type { Executor, Statement } from '../../platform/postgres/database.ts';
import { manyRows, valuesByKey } from '../../platform/postgres/statement-functions.ts';
import type { PaymentRange } from '../ports/card-provider.ts';
import type { PaymentHere } from '../rules/reconciliation.ts';

/** A payment with what names it for staff and for the provider. */
export interface PaymentToCompare extends PaymentHere {
  /** Null: its checkout has become no reservation. */
  reference: string | null;
  checkoutId: string;
  customerReference: string;
  /** As PostgreSQL writes it, to the microsecond. */
  createdAt: string;
}

const columns = `i.payment_id AS "paymentId", i.provider_reference AS "providerReference", i.state, i.purpose,
      i.amount_minor AS "amountMinor", i.currency, i.checkout_id AS "checkoutId",
      (SELECT b.reference FROM bookings b WHERE b.booking_id = i.checkout_id
        AND b.application_id = i.application_id AND b.kind = 'checkout') AS reference,
      coalesce((SELECT c.customer_reference FROM payment_cards c WHERE c.checkout_id = i.checkout_id
        AND c.application_id = i.application_id), '') AS "customerReference", i.created_at::text AS "createdAt",
      coalesce((SELECT sum(f.amount_minor) FROM payment_refunds f
        WHERE f.payment_id = i.payment_id AND f.state = 'done'), 0)::bigint AS "refundedMinor",
      entered."enteredCollectedMinor", entered."enteredRefundedMinor", entered."isDisputeEntered",
      NOT EXISTS (SELECT FROM bookings b WHERE b.booking_id = i.checkout_id
        AND b.application_id = i.application_id AND b.kind = 'checkout'
        AND (b.resolved_at IS NULL OR b.reference IS NOT NULL)) AS "isWithoutReservation",
      entered."returnedElsewhereMinor"`;

const table = `payment_intents i CROSS JOIN LATERAL (
      SELECT coalesce(sum(amount_minor) FILTER (WHERE kind = 'captured'), 0)::bigint AS "enteredCollectedMinor",
        coalesce(sum(CASE kind WHEN 'refunded' THEN amount_minor WHEN 'refund_failed' THEN -amount_minor END),
          0)::bigint AS "enteredRefundedMinor",
        coalesce(sum(amount_minor) FILTER (WHERE kind = 'refunded_elsewhere'), 0)::bigint
          AS "returnedElsewhereMinor",
        coalesce(bool_or(kind = 'disputed'), false) AS "isDisputeEntered"
      FROM payment_entries e WHERE e.payment_id = i.payment_id) entered`;

/** Finds these payments. */
export const findPaymentsToCompare = manyRows<[paymentIds: readonly string[]], PaymentToCompare>({
  name: 'find-payments-to-compare',
  text: `SELECT ${columns} FROM ${table} WHERE i.payment_id = ANY ($1::uuid[])`,
});

/** Finds the payments that the provider has under these references. */
export const findPaymentsReferenced = manyRows<[references: readonly string[]], PaymentToCompare>({
  name: 'find-payments-to-compare',
  variant: 'by-reference',
  text: `SELECT ${columns} FROM ${table} WHERE i.provider_reference = ANY ($1::text[])`,
});

/** Finds the reservations of payments, by the provider's references. */
export const findReservationsOf = valuesByKey<[references: readonly string[]], string, string>({
  name: 'find-reservations-of-payments',
  text: `SELECT i.provider_reference AS "providerReference", b.reference FROM payment_intents i
    JOIN bookings b ON b.booking_id = i.checkout_id AND b.application_id = i.application_id AND b.kind = 'checkout'
    WHERE i.provider_reference = ANY ($1::text[]) AND b.reference IS NOT NULL`,
});

interface MovedAmount {
  /** Null: no payment has moved it. */
  paymentId: string | null;
  /** As PostgreSQL writes it, to the microsecond. */
  at: string;
  entryId: number;
}

const affectedStatement: Statement = {
  name: 'find-payments-affected',
  text: `SELECT payment_id AS "paymentId", at::text, entry_id AS "entryId" FROM payment_entries
    WHERE (at, entry_id) > ($1::timestamptz, $2::bigint) AND at < coalesce($3::timestamptz, 'infinity')
      AND debit IS NOT NULL
    ORDER BY at, entry_id LIMIT $4`,
};

/**
 * Finds the payments with a row of the ledger in this time that moves an amount, such as a refund. It looks at `atMost` rows
 * at a time, of which several can be of one payment.
 */
export async function* batchesAffected(
  executor: Executor,
  { since, until }: PaymentRange,
  atMost: number,
): AsyncIterable<string[]> {
  let after: Pick<MovedAmount, 'at' | 'entryId'> | undefined = { at: instant(since), entryId: 0 };
  while (after) {
    const values = [after.at, after.entryId, instant(until), atMost];
    const batch: MovedAmount[] = await executor.query(affectedStatement, values);
    yield batch.flatMap(({ paymentId }) => paymentId ?? []);
    after = batch.length === atMost ? batch.at(-1) : undefined;
  }
}

/** Finds which of these customers of the provider are guests of ours, with the reservation of each (null: none). */
export const findOurCustomers = manyRows<
  [customers: readonly string[]],
  { customerReference: string; reference: string | null }
>({
  name: 'find-customers-of-ours',
  text: `SELECT c.customer_reference AS "customerReference", b.reference FROM payment_cards c
    JOIN bookings b ON b.booking_id = c.checkout_id AND b.application_id = c.application_id AND b.kind = 'checkout'
    WHERE c.customer_reference = ANY ($1::text[])`,
});

const listStatement: Statement = {
  name: 'list-payments-to-compare',
  text: `SELECT ${columns} FROM ${table}
    WHERE (i.created_at, i.payment_id) > ($1::timestamptz, $2::uuid)
      AND i.created_at < coalesce($4::timestamptz, 'infinity')
    ORDER BY i.created_at, i.payment_id LIMIT $3`,
};

/** Reads all payments that were created in this time, in batches, oldest first. */
export async function* batchesToCompare(
  executor: Executor,
  { since, until }: PaymentRange,
  atMost: number,
): AsyncIterable<PaymentToCompare[]> {
  let after: Pick<PaymentToCompare, 'createdAt' | 'paymentId'> | undefined = {
    createdAt: instant(since),
    paymentId: nilUuid,
  };
  while (after) {
    const values = [after.createdAt, after.paymentId, atMost, instant(until)];
    const batch: PaymentToCompare[] = await executor.query(listStatement, values);
    yield batch;
    after = batch.length === atMost ? batch.at(-1) : undefined;
  }
}
