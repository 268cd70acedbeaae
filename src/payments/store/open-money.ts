import type { Executor, Statement } from '../../platform/postgres/database.ts';
import { noRows } from '../../platform/postgres/statement-functions.ts';

const holdStatement: Statement = {
  name: 'hold-account-of-guest',
  text: 'SELECT 1 FROM payment_accounts WHERE checkout_id = $2 AND application_id = $1 FOR UPDATE',
};

const openStatement: Statement = {
  name: 'is-money-open',
  text: `SELECT EXISTS (
        SELECT FROM payment_accounts a CROSS JOIN payment_balance(a.application_id, a.checkout_id) balance
        WHERE a.checkout_id = $2 AND a.application_id = $1
          AND (balance.open <> 0 OR balance.owed <> 0 OR a.attention IS NOT NULL))
      OR EXISTS (
        SELECT FROM payment_intents i WHERE i.checkout_id = $2 AND i.application_id = $1
          AND (i.state IN ('requested', 'unknown', 'action_needed', 'authorized')
            OR EXISTS (SELECT FROM (SELECT due_at, attention FROM payment_returns
                WHERE payment_id = i.payment_id OFFSET 0) r WHERE r.due_at IS NOT NULL OR r.attention IS NOT NULL)
            OR EXISTS (SELECT FROM (SELECT state, settled_at FROM payment_refunds
                WHERE payment_id = i.payment_id OFFSET 0) f
              WHERE f.state IN ('requested', 'unknown')
                OR f.state IN ('refused', 'failed') AND f.settled_at IS NULL)
            OR EXISTS (SELECT FROM (SELECT outcome FROM payment_disputes
                WHERE payment_id = i.payment_id OFFSET 0) d WHERE d.outcome = 'open'))) AS open`,
};

/**
 * Within a transaction: whether money of a checkout is still to move, or its state is not certain. It stays so until
 * the transaction ends.
 */
export async function isMoneyOpen(
  executor: Executor,
  applicationId: string,
  checkoutId: string,
): Promise<boolean> {
  const values = [applicationId, checkoutId];
  // A separate statement: the next one sees what was committed while this one waited.
  await executor.query(holdStatement, values);
  const [row] = await executor.query<{ open: boolean }>(openStatement, values);
  return row!.open;
}

/** Erases what staff have written about the money of a checkout; amounts, days and kinds stay. */
export const eraseTextsOfLedger = noRows<[applicationId: string, checkoutId: string]>({
  name: 'erase-texts-of-ledger',
  text: `UPDATE payment_entries SET details = details::jsonb - 'reason' - 'method'
    WHERE checkout_id = $2 AND application_id = $1 AND (details::jsonb ? 'reason' OR details::jsonb ? 'method')
      AND details ->> 'by' = 'staff'`,
});
