/** Refunds that were done, and are checked again later. */
import type { Executor, Statement } from '../../platform/postgres/database.ts';

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

// If the provider does not answer, or the process ends, it is checked again after a day.
const claimStatement: Statement = {
  name: 'claim-refunds-to-check',
  text: `UPDATE payment_refunds f SET check_at = now() + interval '1 day'
    FROM payment_intents i
    WHERE f.refund_id = ANY (ARRAY(
        SELECT refund_id FROM payment_refunds WHERE check_at <= now()
        ORDER BY check_at LIMIT $1 FOR UPDATE SKIP LOCKED))
      AND i.payment_id = f.payment_id
    RETURNING f.refund_id AS "refundId", f.refund_reference AS "refundReference",
      i.application_id AS "applicationId", i.checkout_id AS "checkoutId",
      i.provider_reference AS "providerReference", f.checks`,
};

/** Claims refunds that are due for a check; no other process gets them for a day. */
export const claimRefundsToCheck = (executor: Executor, atMost: number): Promise<RefundToCheck[]> =>
  executor.query<RefundToCheck>(claimStatement, [atMost]);

const standsStatement: Statement = {
  name: 'record-refund-stands',
  text: `UPDATE payment_refunds SET checks = $2 + 1, check_at = now() + make_interval(days => $3)
    WHERE refund_id = $1 AND checks = $2 AND state = 'done'`,
};

/** Writes that a refund was not sent back, and in how many days it is checked again; null: never. */
export async function recordRefundStands(
  executor: Executor,
  { refundId, checks }: RefundToCheck,
  nextInDays: number | null,
): Promise<void> {
  await executor.query(standsStatement, [refundId, checks, nextInDays]);
}

const failedStatement: Statement = {
  name: 'record-refund-failed',
  text: `UPDATE payment_refunds SET state = 'failed', decline_code = coalesce($2, decline_code),
      check_at = NULL, updated_at = now()
    WHERE refund_id = $1 AND state = 'done'
    RETURNING refund_id`,
};

/** Writes that the guest's bank has sent a refund back. False: that was already known. */
export const recordRefundFailed = async (
  executor: Executor,
  { refundId }: RefundToCheck,
  declineCode: string | null,
): Promise<boolean> => (await executor.query(failedStatement, [refundId, declineCode])).length > 0;

const checkNowStatement: Statement = {
  name: 'check-refunds-now',
  text: `UPDATE payment_refunds SET check_at = now() WHERE payment_id = $1 AND state = 'done'`,
};

/** Makes the refunds of a payment due for a check, because the provider says that one has changed. */
export async function checkRefundsNow(executor: Executor, paymentId: string): Promise<void> {
  await executor.query(checkNowStatement, [paymentId]);
}
