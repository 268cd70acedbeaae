import { abandonedHolds, freeHolds, insertHolds } from '../../inventory/index.ts';
import { countRows, theRow } from '../../platform/postgres/statement-functions.ts';
import type { Booking } from '../rules/booking.ts';

/**
 * Holds the nights of a booking for its attempt. `not_held`: they are taken, perhaps by the attempt itself.
 * `overtaken`: the booking has changed since it was read, or another worker has claimed it, and holds none.
 * Spec: RESOLUTION-2.
 *
 * @param fence of the worker's claim; null: the transaction has locked the booking
 */
export const holdNights = theRow<
  [booking: Booking, fence: number | null],
  { asked: boolean; held: boolean },
  'held' | 'not_held' | 'overtaken'
>({
  name: 'hold-nights',
  // The row stays locked until the hold is committed, and claims skip locked rows. So no worker claims the
  // booking meanwhile, and every later one sees the hold: none remains that its booking does not need.
  text: `WITH asked AS (
      SELECT b.attempt_id, $5::uuid AS listing_id, daterange($6::date, $7::date) AS nights,
        b.application_id, b.kind, b.booking_id
      FROM bookings b
      WHERE b.booking_id = $3 AND b.application_id = $1 AND b.kind = $2 AND b.version = $4
        AND ($8::bigint IS NULL OR b.fence = $8)
      FOR NO KEY UPDATE
    ), held AS (${insertHolds('asked')}
    )
    SELECT EXISTS (SELECT FROM asked) AS asked, EXISTS (SELECT FROM held) AS held`,
  values: ({ applicationId, kind, bookingId, version, quote }, fence) => [
    applicationId,
    kind,
    bookingId,
    version,
    quote.listingId,
    quote.checkIn,
    quote.checkOut,
    fence,
  ],
  result: ({ asked, held }) => {
    if (!asked) return 'overtaken';
    return held ? 'held' : 'not_held';
  },
});

const needsNights = `EXISTS (
        SELECT FROM bookings b WHERE b.booking_id = o.booking_id AND b.application_id = o.application_id
          AND b.kind = o.booking_kind
          AND b.state IN ('pending', 'requires_action', 'uncertain', 'unresolved') OFFSET 0)`;

/**
 * Releases one batch of holds whose booking is gone or resolved. Only an earlier version, beside this one,
 * leaves such holds. Returns how many.
 */
export const releaseAbandonedHolds = countRows<[atMost: number]>({
  name: 'release-abandoned-holds',
  text: freeHolds(abandonedHolds(needsNights)),
});
