/** What the sandbox ends before its time. */
import type { Executor, Statement } from '../../platform/postgres/database.ts';

const quoteStatement: Statement = {
  name: 'sandbox-end-quote',
  text: `UPDATE quotes SET expires_at = least(expires_at, now())
    WHERE application_id = $1 AND quote_id = $2 RETURNING quote_id`,
};

/** Lets a quote expire now. False: there is none. */
export async function endQuote(
  executor: Executor,
  applicationId: string,
  quoteId: string,
): Promise<boolean> {
  return (await executor.query(quoteStatement, [applicationId, quoteId])).length === 1;
}

const sessionStatement: Statement = {
  name: 'sandbox-end-session',
  text: `UPDATE bookings SET session_expires_at = to_timestamp(0)
    WHERE application_id = $1 AND kind = 'checkout' AND booking_id = $2 RETURNING booking_id`,
};

/** Ends the session of a checkout now, in every state. False: there is no such checkout. */
export async function endSession(
  executor: Executor,
  applicationId: string,
  checkoutId: string,
): Promise<boolean> {
  return (await executor.query(sessionStatement, [applicationId, checkoutId])).length === 1;
}

const versionStatement: Statement = {
  name: 'sandbox-move-version',
  text: `UPDATE bookings SET version = version + 1, updated_at = greatest(updated_at, now())
    WHERE application_id = $1 AND kind = 'checkout' AND booking_id = $2
      AND state IN ('needs_guest', 'needs_payment', 'ready')
    RETURNING booking_id`,
};

/** Gives a checkout that was not submitted another version. False: there is none. */
export async function moveVersion(
  executor: Executor,
  applicationId: string,
  checkoutId: string,
): Promise<boolean> {
  return (await executor.query(versionStatement, [applicationId, checkoutId])).length === 1;
}
