import type { Executor } from '../../src/platform/postgres/database.ts';
import type { Intent } from '../../src/payments/rules/intent.ts';
import { findIntent, type NewIntent } from '../../src/payments/store/intents.ts';
import { sql } from '../harness/rows.ts';

/** Writes an attempt to take money without a booking behind it. Null: another one excludes it. */
export async function insertIntentRow(
  executor: Executor,
  intent: NewIntent,
): Promise<Intent | null> {
  const [row] = await sql<{ id: string }>(
    executor,
    `INSERT INTO payment_intents
        (application_id, checkout_id, attempt_id, purpose, due_on, amount_minor, currency, provider, first_try)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 1) ON CONFLICT DO NOTHING RETURNING payment_id AS id`,
    [
      intent.applicationId,
      intent.checkoutId,
      intent.attemptId,
      intent.purpose,
      intent.dueOn,
      intent.amountMinor,
      intent.currency,
      intent.provider,
    ],
  );
  return row ? findIntent(executor, row.id) : null;
}
