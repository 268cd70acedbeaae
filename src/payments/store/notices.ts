import { instant } from '../../contract/time.ts';
import type { Executor, Statement } from '../../platform/postgres/database.ts';
import { hasRow, rowOrNull } from '../../platform/postgres/statement-functions.ts';
import type { Dispute } from '../ports/payment-events.ts';

/** Finds the payment that an event concerns: by the provider's reference or, before we know that, by our ID. */
export const findNoticedPayment = rowOrNull<
  [of: { providerReference: string; paymentId: string | null }],
  { paymentId: string },
  string
>({
  name: 'find-noticed-payment',
  text: `SELECT payment_id AS "paymentId" FROM payment_intents
    WHERE provider_reference = $1 OR payment_id = $2`,
  values: ({ providerReference, paymentId }) => [providerReference, paymentId],
  result: ({ paymentId }) => paymentId,
});

/**
 * Whether the provider may have a payment of ours whose name we do not know yet. After a day people decide about it, and
 * a provider that is refused for days sends no event any more.
 */
export const isAnswerAwaited = hasRow({
  name: 'is-payment-answer-awaited',
  text: `SELECT FROM payment_intents
    WHERE state NOT IN ('captured', 'voided', 'refused') AND provider_reference IS NULL
      AND created_at > line_now() - interval '24 hours' LIMIT 1`,
});

const disputeStatement: Statement = {
  name: 'enter-dispute',
  text: `INSERT INTO payment_entries
      (application_id, checkout_id, payment_id, kind, amount_minor, currency, details)
    SELECT application_id, checkout_id, payment_id, 'disputed', $2, $3, $4
    FROM payment_intents WHERE payment_id = $1
    ON CONFLICT ((details->>'eventReference')) WHERE kind = 'disputed' DO NOTHING`,
};

const followStatement: Statement = {
  name: 'follow-dispute',
  // Whoever has claimed the account decided on older facts: it charges nothing more.
  text: `WITH followed AS (
      INSERT INTO payment_disputes AS d
        (dispute_reference, payment_id, amount_minor, currency, reason, outcome, evidence_due_at, fee_minor)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
      ON CONFLICT (dispute_reference) DO UPDATE SET
        outcome = CASE d.outcome WHEN 'open' THEN excluded.outcome ELSE d.outcome END,
        evidence_due_at = coalesce(excluded.evidence_due_at, d.evidence_due_at),
        fee_minor = coalesce(excluded.fee_minor, d.fee_minor), reason = excluded.reason
      RETURNING payment_id
    )
    SELECT wake_payment_account(i.application_id, i.checkout_id)
    FROM followed CROSS JOIN LATERAL (SELECT application_id, checkout_id FROM payment_intents
      WHERE payment_id = followed.payment_id OFFSET 0) i`,
};

/**
 * Notes an event of a dispute in the ledger, once, and follows the dispute to its end: nothing is charged to the card
 * meanwhile, and what it takes is entered when it is lost.
 */
export async function enterDispute(
  executor: Executor,
  paymentId: string,
  dispute: Dispute & { eventReference: string },
): Promise<void> {
  const { amountMinor, currency, outcome, evidenceDueAt, feeMinor, ...noted } = dispute;
  const { disputeReference, reason } = noted;
  const details = JSON.stringify(noted);
  await executor.query(disputeStatement, [paymentId, amountMinor, currency, details]);
  await executor.query(followStatement, [
    disputeReference,
    paymentId,
    amountMinor,
    currency,
    reason,
    outcome,
    instant(evidenceDueAt),
    feeMinor,
  ]);
}
