import type { EpochMs } from '../../contract/time.ts';
import type { Executor, Statement } from '../../platform/postgres/database.ts';
import { rowOrNull } from '../../platform/postgres/statement-functions.ts';
import type { RefusalKind } from '../rules/refusal.ts';
import type { RefundState } from '../rules/collection-facts.ts';
import { nextRefundCheckDays } from '../rules/collection.ts';
import type { ClaimedAccount } from './accounts.ts';

/** A refund of a part of a payment: a row that is committed before the provider is asked. */
export interface Refund {
  refundId: string;
  paymentId: string;
  amountMinor: number;
  state: RefundState;
  refundReference: string | null;
  declineCode: string | null;
  reason: string;
  /** Counts the refunds of a checkout, from 1; null: it is named by its ID. */
  number: number | null;
  /** Counts the tries after the first: part of the provider's idempotency key. */
  round: number;
  /** The provider keeps an error under the key of this round. */
  keySpent: boolean;
  createdAt: EpochMs;
}

/** What a step found out about a refund. */
export interface RefundResult {
  state: RefundState;
  refundReference?: string | null;
  declineCode?: string | null;
  /** Only with `refused`; absent: `funds`. */
  refusedAs?: RefusalKind | undefined;
  /** Only with `unknown`: the next request needs another idempotency key. */
  keySpent?: boolean;
}

/** The columns of a refund. */
export const refundColumns = `refund_id AS "refundId", payment_id AS "paymentId", amount_minor AS "amountMinor", state,
  refund_reference AS "refundReference", decline_code AS "declineCode", reason, number, round,
  key_spent AS "keySpent", created_at AS "createdAt"`;

/** The number of the next refund of a payment's checkout. Its account or its payment is locked. */
export const nextNumber = (payment: string): string =>
  `(SELECT coalesce(max(f.number), 0) + 1 FROM payment_intents i
      JOIN payment_intents other ON other.checkout_id = i.checkout_id AND other.application_id = i.application_id
      JOIN payment_refunds f ON f.payment_id = other.payment_id WHERE i.payment_id = ${payment})`;

/** Writes a refund before the provider is asked. Null: the account has changed since it was claimed. */
export const insertRefund = rowOrNull<
  [
    account: ClaimedAccount,
    refund: Pick<Refund, 'paymentId' | 'amountMinor' | 'reason'> & { isOwed: boolean },
  ],
  Refund
>({
  name: 'insert-payment-refund',
  text: `WITH held AS (
      SELECT FROM payment_accounts WHERE application_id = $1 AND checkout_id = $2 AND fence = $3 FOR UPDATE
    )
    INSERT INTO payment_refunds (payment_id, amount_minor, reason, number, of_account)
    SELECT $4::uuid, $5::bigint, $6, ${nextNumber('$4::uuid')}, $7 FROM held
    RETURNING ${refundColumns}`,
  values: ({ applicationId, checkoutId, fence }, { paymentId, amountMinor, reason, isOwed }) => [
    applicationId,
    checkoutId,
    fence,
    paymentId,
    amountMinor,
    reason,
    isOwed ? 'owed' : 'open',
  ],
});

/** Finds a refund. */
export const findRefund = rowOrNull<[refundId: string], Refund>({
  name: 'find-payment-refund',
  text: `SELECT ${refundColumns} FROM payment_refunds WHERE refund_id = $1`,
});

// `requested` is written before each request to the provider. The next request after an error that the
// provider keeps gets another key.
const recordStatement: Statement = {
  name: 'record-payment-refund',
  text: `UPDATE payment_refunds SET state = $3,
      refund_reference = coalesce(refund_reference, $4), decline_code = coalesce($5, decline_code),
      round = round + CASE WHEN key_spent AND $3 <> 'unknown' THEN 1 ELSE 0 END,
      key_spent = $3 = 'unknown' AND (key_spent OR $6), refused_as = coalesce($8, refused_as), updated_at = now(),
      check_at = CASE $3 WHEN 'done' THEN now() + make_interval(days => $7) END
    WHERE refund_id = $1 AND round = $2 AND state IN ('requested', 'unknown')
    RETURNING ${refundColumns}`,
};

/**
 * Writes what a step found out about a refund, with its row of the ledger, and returns the refund as it is
 * now. If another step was faster, its result is kept.
 */
export async function recordRefund(
  executor: Executor,
  { refundId, round }: Pick<Refund, 'refundId' | 'round'>,
  { state, refundReference, declineCode, refusedAs, keySpent }: RefundResult,
): Promise<Refund> {
  const [row] = await executor.query<Refund>(recordStatement, [
    refundId,
    round,
    state,
    refundReference ?? null,
    declineCode ?? null,
    keySpent ?? false,
    nextRefundCheckDays(0),
    refusedAs ?? null,
  ]);
  return row ?? (await findRefund(executor, refundId))!;
}
