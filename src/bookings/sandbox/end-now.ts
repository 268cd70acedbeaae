/** What the sandbox ends before its time. */
import { hasRow } from '../../platform/postgres/statement-functions.ts';

/** Lets a quote expire now. False: there is none. */
export const endQuote = hasRow<[applicationId: string, quoteId: string]>({
  name: 'sandbox-end-quote',
  text: `UPDATE quotes SET expires_at = least(expires_at, now())
    WHERE application_id = $1 AND quote_id = $2 RETURNING quote_id`,
});

/** Ends the session of a checkout now, in every state. False: there is no such checkout. */
export const endSession = hasRow<[applicationId: string, checkoutId: string]>({
  name: 'sandbox-end-session',
  text: `UPDATE bookings SET session_expires_at = to_timestamp(0)
    WHERE application_id = $1 AND kind = 'checkout' AND booking_id = $2 RETURNING booking_id`,
});

/** Gives a checkout that was not submitted another version. False: there is none. */
export const moveVersion = hasRow<[applicationId: string, checkoutId: string]>({
  name: 'sandbox-move-version',
  text: `UPDATE bookings SET version = version + 1, updated_at = greatest(updated_at, now())
    WHERE application_id = $1 AND kind = 'checkout' AND booking_id = $2
      AND state IN ('needs_guest', 'needs_payment', 'ready')
    RETURNING booking_id`,
});
