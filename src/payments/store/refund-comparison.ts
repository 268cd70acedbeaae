/** Refunds of one payment, compared with those that the provider has. */
import { manyRows, noRows } from '../../platform/postgres/statement-functions.ts';
import { refundNumberOf } from '../rules/adoption.ts';
import type { KeptRefund, RefundOfPayment, RefundsCompared } from '../rules/refund-comparison.ts';
import { nextRefundCheckDays } from '../rules/collection.ts';
import type { ClaimedAccount } from './accounts.ts';
import type { ClaimedReturn } from './returns.ts';

/** Lists the refunds of a payment, oldest first. */
export const listKeptRefunds = manyRows<[paymentId: string], KeptRefund>({
  name: 'list-refunds-to-compare',
  text: `SELECT refund_id AS "refundId", refund_reference AS "refundReference", number,
      amount_minor AS "amountMinor", state
    FROM payment_refunds WHERE payment_id = $1 ORDER BY refund_id`,
});

// The account or the return is locked before the payment. A refusal because of the amount binds no more when it is
// known what was refunded elsewhere.
const writeText = (held: string, wake: string): string => `WITH held AS (${held}), sent_back AS (
      UPDATE payment_refunds f SET state = 'failed', decline_code = coalesce(one.code, f.decline_code),
        check_at = NULL, updated_at = now()
      FROM held CROSS JOIN json_to_recordset($3) AS one("refundId" uuid, code text)
      WHERE f.refund_id = one."refundId" AND f.state = 'done'
      RETURNING f.refund_id
    ), adopted AS (
      INSERT INTO payment_refunds
        (payment_id, amount_minor, reason, state, refund_reference, made_elsewhere, number, check_at)
      SELECT $1, one."amountMinor", 'made at the card provider', 'done', one."refundReference", true, one.number,
        now() + make_interval(days => $4)
      FROM held CROSS JOIN json_to_recordset($2)
        AS one("refundReference" text, "amountMinor" bigint, number smallint)
        CROSS JOIN (SELECT count(*) FROM sent_back) before
      ON CONFLICT (refund_reference) DO NOTHING
      RETURNING refund_id
    ), compared AS (
      UPDATE payment_intents SET refunds_changed_at = NULL FROM held WHERE payment_id = $1
    ), resolved AS (
      UPDATE payment_refunds SET settled_at = now() FROM held
      WHERE payment_id = $1 AND state = 'refused' AND refused_as = 'amount' AND settled_at IS NULL
        AND EXISTS (SELECT FROM adopted)
    )
    ${wake}`;

const valuesOf = (paymentId: string, { adopted, sentBack }: RefundsCompared) => [
  paymentId,
  JSON.stringify(
    adopted.map(({ refundReference, amountMinor, origin }: RefundOfPayment) => ({
      refundReference,
      amountMinor,
      // One of ours that our rows have lost keeps its name.
      number: refundNumberOf(origin),
    })),
  ),
  JSON.stringify(sentBack.map(({ refundId, declineCode: code }) => ({ refundId, code }))),
  nextRefundCheckDays(0),
];

/** Writes what a comparison has found, unless the account has changed since it was claimed. */
export const writeComparedOfAccount = noRows<
  [account: ClaimedAccount, paymentId: string, compared: RefundsCompared]
>({
  name: 'write-refunds-compared',
  variant: 'account',
  text: writeText(
    `SELECT FROM payment_accounts
      WHERE checkout_id = $6 AND application_id = $5 AND fence = $7 FOR UPDATE`,
    'SELECT wake_payment_account($5, $6) FROM held',
  ),
  values: ({ applicationId, checkoutId, fence }, paymentId, compared) => [
    ...valuesOf(paymentId, compared),
    applicationId,
    checkoutId,
    fence,
  ],
});

/** Writes what a comparison has found of a payment without a reservation, unless something has become known since. */
export const writeComparedOfReturn = noRows<[claim: ClaimedReturn, compared: RefundsCompared]>({
  name: 'write-refunds-compared',
  variant: 'return',
  text: writeText(
    'SELECT FROM payment_returns WHERE payment_id = $1 AND fence = $5 FOR UPDATE',
    `UPDATE payment_returns SET due_at = now(), fence = fence + 1 FROM held WHERE payment_id = $1`,
  ),
  values: ({ paymentId, fence }, compared) => [...valuesOf(paymentId, compared), fence],
});

/** Notes that the provider may have a refund of a payment that our rows do not have. */
export const noteRefundsChanged = noRows<
  [paymentId: string, of: { isElsewhere: boolean; refundedMinor: number | null }]
>({
  name: 'note-refunds-changed',
  text: `WITH noted AS (
      UPDATE payment_intents i SET refunds_changed_at = now()
      WHERE i.payment_id = $1 AND ($2 OR $3 > (SELECT coalesce(sum(f.amount_minor), 0) FROM payment_refunds f
        WHERE f.payment_id = i.payment_id AND f.state NOT IN ('refused', 'failed')))
      RETURNING i.payment_id, i.application_id, i.checkout_id
    ), returned AS (
      UPDATE payment_returns r SET due_at = now(), fence = r.fence + 1 FROM noted
      WHERE r.payment_id = noted.payment_id
    )
    SELECT wake_payment_account(application_id, checkout_id) FROM noted`,
  values: (paymentId, { isElsewhere, refundedMinor }) => [paymentId, isElsewhere, refundedMinor],
});
