/** Refunds that were done, and are checked again later. */
import { hasRow, manyRows, noRows } from '../../platform/postgres/statement-functions.ts';

/** A refund that is checked again. */
export interface RefundToCheck {
  refundId: string;
  refundReference: string;
  applicationId: string;
  checkoutId: string;
  /** The provider's name for its payment. */
  providerReference: string;
  /** How often it was checked. */
  checks: number;
}

/** Claims refunds that are due for a check; no other process gets them for a day. */
export const claimRefundsToCheck = manyRows<[atMost: number], RefundToCheck>({
  name: 'claim-refunds-to-check',
  // If the provider does not answer, or the process ends, it is checked again after a day.
  text: `UPDATE payment_refunds f SET check_at = now() + interval '1 day'
    FROM payment_intents i
    WHERE f.refund_id = ANY (ARRAY(
        SELECT refund_id FROM payment_refunds WHERE check_at <= now()
        ORDER BY check_at LIMIT $1 FOR UPDATE SKIP LOCKED))
      AND i.payment_id = f.payment_id
    RETURNING f.refund_id AS "refundId", f.refund_reference AS "refundReference",
      i.application_id AS "applicationId", i.checkout_id AS "checkoutId",
      i.provider_reference AS "providerReference", f.checks`,
});

/** Writes that a refund was not sent back, and in how many days it is checked again; null: never. */
export const recordRefundStands = noRows<[refundToCheck: RefundToCheck, nextInDays: number | null]>(
  {
    name: 'record-refund-stands',
    text: `UPDATE payment_refunds SET checks = $2 + 1, check_at = now() + make_interval(days => $3)
    WHERE refund_id = $1 AND checks = $2 AND state = 'done'`,
    values: ({ refundId, checks }, nextInDays) => [refundId, checks, nextInDays],
  },
);

/** Writes that the guest's bank has sent a refund back. False: that was already known. */
export const recordRefundFailed = hasRow<
  [refundToCheck: RefundToCheck, declineCode: string | null]
>({
  name: 'record-refund-failed',
  text: `UPDATE payment_refunds SET state = 'failed', decline_code = coalesce($2, decline_code),
      check_at = NULL, updated_at = now()
    WHERE refund_id = $1 AND state = 'done'
    RETURNING refund_id`,
  values: ({ refundId }, declineCode) => [refundId, declineCode],
});

/** Makes the refunds of a payment due for a check, because the provider says that one has changed. */
export const checkRefundsNow = noRows<[paymentId: string]>({
  name: 'check-refunds-now',
  text: `UPDATE payment_refunds SET check_at = now() WHERE payment_id = $1 AND state = 'done'`,
});
