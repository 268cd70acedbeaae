/** Refunds of what a payment has left, for an attempt to book that ends without a reservation. */
import pg from 'pg';
import type { Executor, Statement } from '../../platform/postgres/database.ts';
import { rowOrNull } from '../../platform/postgres/statement-functions.ts';
import { nextNumber, refundColumns, type Refund } from './refunds.ts';

/**
 * Finds a refund of a payment that the provider has neither refused nor sent back: one without an outcome first.
 */
export const findStandingRefund = rowOrNull<[paymentId: string], Refund>({
  name: 'find-standing-refund',
  text: `SELECT ${refundColumns} FROM payment_refunds
    WHERE payment_id = $1 AND state NOT IN ('refused', 'failed')
    ORDER BY state = 'done', refund_id DESC LIMIT 1`,
});

/** What of a payment went back or is on its way, by card and elsewhere. */
export const goneOf = (payment: string): string => `((SELECT coalesce(sum(f.amount_minor), 0)
        FROM payment_refunds f WHERE f.payment_id = ${payment}.payment_id AND f.state NOT IN ('refused', 'failed'))
      + (SELECT coalesce(sum(e.amount_minor), 0) FROM payment_entries e
        WHERE e.payment_id = ${payment}.payment_id AND e.kind = 'refunded_elsewhere'))::bigint`;

// A booking that has ended without a reservation never becomes one. The lock of the payment makes a second worker
// wait; then a trigger refuses its refund.
const insertStatement: Statement = {
  name: 'insert-refund-of-rest',
  text: `WITH ended AS (
      SELECT b.booking_id FROM bookings b
      WHERE (b.application_id, b.booking_id, b.kind) = (
          SELECT application_id, checkout_id, 'checkout' FROM payment_intents WHERE payment_id = $1)
        AND b.resolved_at IS NOT NULL AND b.reference IS NULL
    ), payment AS (
      SELECT i.payment_id, i.amount_minor FROM ended CROSS JOIN payment_intents i
      WHERE i.payment_id = $1 AND i.state = 'captured' FOR NO KEY UPDATE OF i
    )
    INSERT INTO payment_refunds (payment_id, amount_minor, reason, number)
    SELECT payment_id, amount_minor - ${goneOf('payment')}, $2, ${nextNumber('payment.payment_id')} FROM payment
    WHERE amount_minor > ${goneOf('payment')}
    RETURNING ${refundColumns}`,
};

const notLeft = '23000';

/** Whether PostgreSQL refuses a refund, because it is more than is left of the payment. */
const isTooMuch = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === notLeft;

/**
 * Writes the refund of what a payment has left before the provider is asked; if another worker was faster, finds that
 * one. Null: nothing is left, or its booking has not ended without a reservation.
 */
export async function insertRefundOfRest(
  executor: Executor,
  paymentId: string,
  reason: string,
): Promise<Refund | null> {
  try {
    const [row] = await executor.query<Refund>(insertStatement, [paymentId, reason]);
    return row ?? null;
  } catch (error) {
    if (isTooMuch(error)) return findStandingRefund(executor, paymentId);
    throw error;
  }
}
