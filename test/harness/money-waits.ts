import type { Executor } from '../../src/platform/postgres/database.ts';
import { sql } from './rows.ts';

/** Makes the money of a reservation (null: of all) wait for staff, as after a declined instalment. */
export async function makeMoneyWait(executor: Executor, reference: string | null): Promise<void> {
  await sql(
    executor,
    `WITH held AS (
        UPDATE payment_accounts SET attention = 'declined', attention_since = now(), due_at = NULL,
          fence = fence + 1 WHERE reference = coalesce($1, reference)
        RETURNING application_id, checkout_id
      )
      INSERT INTO payment_waits (application_id, checkout_id, kind, part, amount_minor, reason, code, since)
      SELECT application_id, checkout_id, 'declined', 'instalment 2027-01-01', 42000, 'funds',
        'insufficient_funds', now() FROM held`,
    [reference],
  );
}
