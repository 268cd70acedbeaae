/** What staff decide about the money of a reservation whose account is held. */
import type { Executor, Statement } from '../../platform/postgres/database.ts';
import { noRows, theRow } from '../../platform/postgres/statement-functions.ts';
import type { NewEntry } from '../rules/staff-acts.ts';

/** Whose money it is. */
interface Account {
  applicationId: string;
  checkoutId: string;
  currency: string;
}

/** Today in UTC by the clock of the database, and the latest day that has begun anywhere. */
export const readDays = theRow<[], { today: string; latest: string }>({
  name: 'read-days-of-record',
  // It may be tomorrow already at a property.
  text: `SELECT (now() AT TIME ZONE 'UTC')::date AS today, (now() AT TIME ZONE 'UTC')::date + 1 AS latest`,
});

/** Adds up the refunds whose outcome is not known yet. */
export const sumRefundsBegun = theRow<
  [account: Account],
  { begunOwed: number; begunSurplus: number }
>({
  name: 'sum-refunds-begun',
  text: `SELECT coalesce(sum(f.amount_minor) FILTER (WHERE f.of_account = 'owed'), 0)::bigint AS "begunOwed",
      coalesce(sum(f.amount_minor) FILTER (WHERE f.of_account = 'open'), 0)::bigint AS "begunSurplus"
    FROM payment_intents i JOIN payment_refunds f ON f.payment_id = i.payment_id
    WHERE i.checkout_id = $2 AND i.application_id = $1 AND f.state IN ('requested', 'unknown')`,
  values: ({ applicationId, checkoutId }) => [applicationId, checkoutId],
});

/** Enters rows into the ledger, and wakes the account. */
export const enterRows = noRows<
  [account: Account, rows: readonly NewEntry[], details: Record<string, unknown>]
>({
  name: 'enter-staff-act',
  text: `WITH entered AS (
      INSERT INTO payment_entries
        (application_id, checkout_id, kind, debit, credit, amount_minor, currency, details)
      SELECT $1, $2, kind, debit, credit, "amountMinor", $3, $5
      FROM json_to_recordset($4) AS one(kind text, debit text, credit text, "amountMinor" bigint)
      RETURNING entry_id
    )
    SELECT wake_payment_account($1, $2) FROM (SELECT count(*) FROM entered) counted`,
  values: ({ applicationId, checkoutId, currency }, rows, details) => [
    applicationId,
    checkoutId,
    currency,
    JSON.stringify(rows),
    JSON.stringify(details),
  ],
});

/** Stops collecting until staff start it again. Refunds go on. */
export const stopAccount = noRows<[account: Account]>({
  name: 'stop-payment-account',
  text: `WITH stopped AS (
      UPDATE payment_accounts SET stopped_at = now(), due_at = now(), fence = fence + 1, tries = 0
      WHERE checkout_id = $2 AND application_id = $1
      RETURNING application_id, checkout_id
    )
    INSERT INTO payment_entries (application_id, checkout_id, kind, details)
    SELECT application_id, checkout_id, 'stopped', '{"by": "staff"}' FROM stopped`,
  values: ({ applicationId, checkoutId }) => [applicationId, checkoutId],
});

const startStatement: Statement = {
  name: 'start-payment-account',
  text: `WITH entered AS (
      INSERT INTO payment_entries (application_id, checkout_id, kind, details)
      VALUES ($1, $2, 'started', '{"by": "staff"}') RETURNING entry_id
    )
    SELECT start_payment_account($1, $2) FROM (SELECT count(*) FROM entered) counted`,
};

const releaseStatement: Statement = {
  name: 'release-adopted-account',
  text: `UPDATE payment_accounts SET held_since = NULL
    WHERE checkout_id = $2 AND application_id = $1 AND held_since IS NOT NULL`,
};

/** Starts collecting again: what was refused, sent back, stopped or found after a restore is tried at once. */
export async function startAccount(
  executor: Executor,
  { applicationId, checkoutId }: Account,
): Promise<void> {
  await executor.query(releaseStatement, [applicationId, checkoutId]);
  await executor.query(startStatement, [applicationId, checkoutId]);
}
