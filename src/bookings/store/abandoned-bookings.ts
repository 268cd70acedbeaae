import { countRows } from '../../platform/postgres/statement-functions.ts';
import { isOlderThan } from '../../platform/postgres/wrong-times.ts';

// Uses the index on the creation time; a booking changed since then is swept later.
const withoutReservation = `b.reference IS NULL AND b.due_at IS NULL AND b.guest_removed_at IS NULL
        AND ${isOlderThan('b.created_at', '$1')}
        AND ${isOlderThan('b.updated_at', '$1')}`;

/**
 * Deletes one batch of checkouts that never became a reservation and did not change for `days`, with
 * their quotes and commands. Returns how many.
 */
export const sweepAbandonedCheckouts = countRows<[days: number, atMost: number]>({
  name: 'sweep-abandoned-checkouts',
  // As long as money of a checkout may go back, staff have to see whose it is.
  // Spec: GUEST-3.
  text: `WITH abandoned AS (
      SELECT b.application_id, b.booking_id, b.quote_id FROM bookings b
      WHERE ${withoutReservation} AND b.kind = 'checkout' AND NOT b.promotion_held
        AND (b.submitted_at IS NULL OR b.state = 'failed' OR b.state = 'expired')
        AND NOT EXISTS (SELECT FROM payment_intents i
          CROSS JOIN LATERAL (SELECT due_at, attention FROM payment_returns
            WHERE payment_id = i.payment_id OFFSET 0) r
          WHERE i.checkout_id = b.booking_id AND i.application_id = b.application_id
            AND (r.due_at IS NOT NULL OR r.attention IS NOT NULL OR EXISTS (SELECT FROM (
              SELECT state, check_at, settled_at FROM payment_refunds WHERE payment_id = i.payment_id OFFSET 0) f
              WHERE f.check_at IS NOT NULL OR f.state IN ('refused', 'failed') AND f.settled_at IS NULL)))
      ORDER BY b.created_at LIMIT $2 FOR UPDATE SKIP LOCKED
    ), commands AS (
      DELETE FROM checkout_commands c USING abandoned a
      WHERE c.checkout_id = ANY (ARRAY(SELECT booking_id FROM abandoned))
        AND c.checkout_id = a.booking_id AND c.application_id = a.application_id
    ), swept AS (
      DELETE FROM bookings b USING abandoned a
      WHERE b.booking_id = ANY (ARRAY(SELECT booking_id FROM abandoned))
        AND b.booking_id = a.booking_id AND b.application_id = a.application_id AND b.kind = 'checkout'
      RETURNING b.booking_id
    ), quotes AS (
      DELETE FROM quotes q USING abandoned a
      WHERE q.quote_id = ANY (ARRAY(SELECT quote_id FROM abandoned))
        AND q.quote_id = a.quote_id AND q.application_id = a.application_id
    )
    SELECT booking_id FROM swept`,
});

/**
 * Removes the guest from one batch of failed reservation requests that did not change for `days`. The
 * request stays: its partner reference remains used and it is still listed. Returns how many.
 */
export const removeGuestsOfFailedRequests = countRows<[days: number, atMost: number]>({
  name: 'remove-guests-of-failed-requests',
  text: `UPDATE bookings SET guest_sealed = NULL, guest_removed_at = now()
    WHERE ctid = ANY (ARRAY(
      SELECT b.ctid FROM bookings b
      WHERE ${withoutReservation} AND b.kind = 'request' AND b.state = 'failed'
      ORDER BY b.created_at LIMIT $2 FOR UPDATE SKIP LOCKED))
    RETURNING booking_id`,
});
