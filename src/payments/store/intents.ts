import { instant } from '../../contract/time.ts';
import type { Executor, Statement } from '../../platform/postgres/database.ts';
import { noRows, rowOrNull } from '../../platform/postgres/statement-functions.ts';
import type { Intent, IntentResult } from '../rules/intent.ts';

/** The columns of an attempt to take money. */
export const intentColumns = `payment_id AS "paymentId", application_id AS "applicationId",
  checkout_id AS "checkoutId", attempt_id AS "attemptId", purpose, due_on AS "dueOn",
  amount_minor AS "amountMinor", currency, state, provider, provider_reference AS "providerReference",
  decline_code AS "declineCode", first_try AS "firstTry", round, key_spent AS "keySpent", asked_at AS "askedAt",
  missing_at AS "missingAt", created_at AS "createdAt", now() AS now,
  (SELECT json_build_object('customerReference', c.customer_reference,
      'paymentMethodReference', c.payment_method_reference)
    FROM payment_cards c WHERE c.checkout_id = payment_intents.checkout_id
      AND c.application_id = payment_intents.application_id) AS customer`;

/** An attempt to take money before it is written. */
export type NewIntent = Pick<
  Intent,
  | 'applicationId'
  | 'checkoutId'
  | 'attemptId'
  | 'purpose'
  | 'dueOn'
  | 'amountMinor'
  | 'currency'
  | 'provider'
>;

/**
 * The number of the next try of a part, by the numbers of its parameters. It goes on after a refusal, so that no two
 * attempts have one name.
 */
export const nextTry = (
  application: string,
  checkout: string,
  purpose: string,
  day: string,
): string =>
  `(SELECT coalesce(max(coalesce(earlier.first_try, 1) + earlier.round), 0) + 1 FROM payment_intents earlier
      WHERE earlier.checkout_id = ${checkout} AND earlier.application_id = ${application}
        AND earlier.purpose = ${purpose} AND earlier.due_on = ${day})`;

// Somebody may decide about the booking at any moment: the lock makes the decision wait, or this see it.
const isOpen = (application: string, checkout: string): string => `EXISTS (
      SELECT FROM bookings open WHERE open.booking_id = ${checkout} AND open.application_id = ${application}
        AND open.kind = 'checkout' AND open.resolved_at IS NULL FOR SHARE)`;

/**
 * Writes an attempt to take money, before the provider is asked. Null: another attempt for the same due amount took
 * effect or may still do so, this attempt to book already has one, or the booking has an outcome.
 */
export const insertIntent = rowOrNull<[intent: NewIntent], Intent>({
  name: 'insert-payment-intent',
  text: `INSERT INTO payment_intents
      (application_id, checkout_id, attempt_id, purpose, due_on, amount_minor, currency, provider, first_try)
    SELECT $1, $2, $3, $4, $5, $6, $7, $8, ${nextTry('$1::uuid', '$2::uuid', '$4', '$5::date')}
    WHERE ${isOpen('$1', '$2')}
    ON CONFLICT DO NOTHING
    RETURNING ${intentColumns}`,
  values: (intent) => [
    intent.applicationId,
    intent.checkoutId,
    intent.attemptId,
    intent.purpose,
    intent.dueOn,
    intent.amountMinor,
    intent.currency,
    intent.provider,
  ],
});

/** Finds the payment of an attempt to book. */
export const findIntentOfAttempt = rowOrNull<[attemptId: string], Intent>({
  name: 'find-payment-intent-of-attempt',
  text: `SELECT ${intentColumns} FROM payment_intents WHERE attempt_id = $1 AND purpose = 'booking'`,
});

/** Finds the payment of an attempt to book that has no outcome yet. */
export const findOpenIntent = rowOrNull<[attemptId: string], Intent>({
  name: 'find-payment-intent-of-attempt',
  variant: 'open',
  text: `SELECT ${intentColumns} FROM payment_intents WHERE attempt_id = $1 AND purpose = 'booking'
      AND EXISTS (SELECT FROM bookings b WHERE b.booking_id = payment_intents.checkout_id
        AND b.application_id = payment_intents.application_id AND b.kind = 'checkout' AND b.resolved_at IS NULL)`,
});

/**
 * Writes that the provider is asked again for the payment of a booking. Null: the booking has an outcome, so nothing
 * may be sent, or another step was faster.
 */
export const askAgain = rowOrNull<[intent: Intent], Intent>({
  name: 'ask-for-payment-again',
  text: `UPDATE payment_intents SET state = 'requested',
      round = round + CASE WHEN key_spent THEN 1 ELSE 0 END, key_spent = false, asked_at = now(), updated_at = now()
    WHERE payment_id = $1 AND round = $2 AND state IN ('requested', 'unknown') AND ${isOpen('$3', '$4')}
    RETURNING ${intentColumns}`,
  values: ({ paymentId, round, applicationId, checkoutId }) => [
    paymentId,
    round,
    applicationId,
    checkoutId,
  ],
});

/** Finds an attempt to take money. */
export const findIntent = rowOrNull<[paymentId: string], Intent>({
  name: 'find-payment-intent',
  text: `SELECT ${intentColumns} FROM payment_intents WHERE payment_id = $1`,
});

// The next request after an error that the provider keeps gets another key.
const recordStatement: Statement = {
  name: 'record-payment-intent',
  text: `UPDATE payment_intents SET state = $3,
      provider_reference = coalesce(provider_reference, $4), decline_code = coalesce($5, decline_code),
      round = round + CASE WHEN key_spent AND $3 <> 'unknown' THEN 1 ELSE 0 END,
      key_spent = $3 = 'unknown' AND (key_spent OR $6),
      asked_at = CASE WHEN $7 THEN now() ELSE asked_at END, refused_as = coalesce($9, refused_as),
      updated_at = now()
    WHERE payment_id = $1 AND round = $2 AND state NOT IN ('captured', 'voided', 'refused')
      AND NOT (state IN ('action_needed', 'authorized') AND $3 = 'requested')
      AND NOT (state = 'authorized' AND $3 = 'action_needed')
      AND ($8::timestamptz IS NULL OR date_trunc('milliseconds', asked_at) = $8)
    RETURNING ${intentColumns}`,
};

/**
 * Writes what a step found out about an attempt, with its rows of the ledger, and returns the attempt as it
 * is now. If another step was faster, its result is kept.
 */
export async function recordIntent(
  executor: Executor,
  { paymentId, round }: Pick<Intent, 'paymentId' | 'round'>,
  { state, providerReference, declineCode, refusedAs, keySpent, isAsked, askedAt }: IntentResult,
): Promise<Intent> {
  const [row] = await executor.query<Intent>(recordStatement, [
    paymentId,
    round,
    state,
    providerReference ?? null,
    declineCode ?? null,
    keySpent ?? false,
    isAsked ?? false,
    instant(askedAt ?? null),
    refusedAs ?? null,
  ]);
  return row ?? (await findIntent(executor, paymentId))!;
}

/** Writes that the provider does not have a payment, unless it was asked for again since it was read. */
export const noteMissing = noRows<[intent: Pick<Intent, 'paymentId' | 'askedAt'>]>({
  name: 'note-missing-payment',
  text: `UPDATE payment_intents SET missing_at = now()
    WHERE payment_id = $1 AND date_trunc('milliseconds', asked_at) = $2`,
  values: ({ paymentId, askedAt }) => [paymentId, instant(askedAt)],
});
