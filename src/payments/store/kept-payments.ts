/** Payments that were captured for a checkout without a reservation, as staff record what went back elsewhere. */
import { manyRows, noRows } from '../../platform/postgres/statement-functions.ts';
import { goneOf } from './refunds-of-returns.ts';

/** A captured payment without a reservation. */
export interface KeptPayment {
  paymentId: string;
  applicationId: string;
  currency: string;
  /** What has not gone back and is not on its way, in minor units. */
  leftMinor: number;
}

const text = (
  lock: string,
) => `SELECT i.payment_id AS "paymentId", i.application_id AS "applicationId", i.currency,
      i.amount_minor - ${goneOf('i')} AS "leftMinor"
    FROM payment_intents i
    JOIN bookings b ON b.booking_id = i.checkout_id AND b.application_id = i.application_id
      AND b.kind = 'checkout' AND b.resolved_at IS NOT NULL AND b.reference IS NULL
    WHERE i.checkout_id = $1 AND ($2::uuid IS NULL OR i.application_id = $2) AND i.state = 'captured'
    ORDER BY i.payment_id ${lock}`;

/** Locks the captured payments of a checkout until the transaction ends. */
export const lockKeptPayments = noRows<[checkoutId: string, applicationId: string | null]>({
  name: 'list-kept-payments',
  variant: 'locked',
  text: text('FOR NO KEY UPDATE OF i'),
});

/** Lists the captured payments of a checkout that has ended without a reservation, oldest first. */
export const listKeptPayments = manyRows<
  [checkoutId: string, applicationId: string | null],
  KeptPayment
>({
  name: 'list-kept-payments',
  text: text(''),
});

/** Enters what of a payment went back elsewhere; when nothing is left, its refusals bind no more. */
export const recordReturned = noRows<
  [payment: KeptPayment, amountMinor: number, details: Record<string, unknown>]
>({
  name: 'record-return-elsewhere',
  text: `WITH entered AS (
      INSERT INTO payment_entries (application_id, checkout_id, payment_id, kind, debit, credit, amount_minor,
        currency, details)
      SELECT application_id, checkout_id, payment_id, 'refunded_elsewhere', 'open', 'refunded', $2, currency, $3
      FROM payment_intents WHERE payment_id = $1
      RETURNING entry_id
    ), resolved AS (
      UPDATE payment_refunds SET settled_at = now()
      WHERE payment_id = $1 AND $4 AND state IN ('refused', 'failed') AND settled_at IS NULL
    )
    UPDATE payment_returns SET due_at = now(), fence = fence + 1
    WHERE payment_id = $1 AND EXISTS (SELECT FROM entered)`,
  values: ({ paymentId, leftMinor }, amountMinor, details) => [
    paymentId,
    amountMinor,
    JSON.stringify(details),
    amountMinor === leftMinor,
  ],
});
