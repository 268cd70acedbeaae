import type { FailureReason, ReservationState } from '../../contract/states.ts';
import type { EpochMs } from '../../contract/time.ts';
import { manyRows, oneRow } from '../../platform/postgres/statement-functions.ts';
import { isUuid } from '../../platform/uuid.ts';
import type { Party } from '../../pricing/index.ts';
import type { Booking } from '../rules/booking.ts';
import { quoteOfBooking } from './booking-row.ts';

/** A booking as its application sees it in the portal, without its guest. */
export interface OwnBooking {
  applicationId: string;
  kind: Booking['kind'];
  bookingId: string;
  quoteId: string;
  state: Booking['state'];
  version: number;
  failureReason: FailureReason | null;
  partnerReference: string | null;
  promotionCode: string | null;
  reference: string | null;
  reservationState: ReservationState | null;
  listingId: string;
  slug: string | null;
  name: string | null;
  /** Of the reservation, or else of the quote. */
  checkIn: string;
  checkOut: string;
  party: Party;
  currency: string;
  total: number;
  quotedTotal: number;
  quotedAt: EpochMs;
  createdAt: EpochMs;
  submittedAt: EpochMs | null;
  resolvedAt: EpochMs | null;
  materializedAt: EpochMs | null;
}

/** Selects bookings of the application `$1` whose IDs are in an array. */
const selectText = (ids: string): string => `SELECT b.application_id AS "applicationId", b.kind,
      b.booking_id AS "bookingId", b.quote_id AS "quoteId", b.state, b.version,
      b.failure_reason AS "failureReason", b.partner_reference AS "partnerReference",
      b.promotion_code AS "promotionCode", b.reference, r.state AS "reservationState",
      coalesce(r.listing_id, q.listing_id) AS "listingId", l.slug, l.name,
      coalesce(r.check_in, q.check_in) AS "checkIn", coalesce(r.check_out, q.check_out) AS "checkOut",
      coalesce(r.party, q.party) AS party,
      coalesce(r.charges, b.charges, q.charges)->>'currency' AS currency,
      (coalesce(r.charges, b.charges, q.charges)->>'total')::bigint AS total,
      (q.charges->>'total')::bigint AS "quotedTotal", q.created_at AS "quotedAt",
      b.created_at AS "createdAt", b.submitted_at AS "submittedAt", b.resolved_at AS "resolvedAt",
      r.materialized_at AS "materializedAt"
    FROM bookings b
    ${quoteOfBooking}
    LEFT JOIN LATERAL (SELECT * FROM reservations WHERE reference = b.reference OFFSET 0) r ON true
    LEFT JOIN LATERAL (
      SELECT slug, name FROM listings
      WHERE listing_id = coalesce(r.listing_id, q.listing_id) OFFSET 0) l ON true
    WHERE b.application_id = $1 AND b.booking_id = ANY (${ids})`;

/** Finds the bookings of an application by a reservation's reference, a partner reference or an ID. */
export const findOwnBookings = manyRows<[applicationId: string, name: string], OwnBooking>({
  name: 'find-own-bookings',
  text: `${selectText(`ARRAY(
      SELECT booking_id FROM (SELECT * FROM reservations WHERE reference = $2 OFFSET 0) named
      WHERE application_id = $1
      UNION ALL
      SELECT booking_id FROM bookings WHERE partner_reference = $2 AND application_id = $1
      UNION ALL
      SELECT $3::uuid)`)}
    ORDER BY b.created_at, b.kind`,
  values: (applicationId, name) => {
    const id = name.toLowerCase();
    return [applicationId, name, isUuid(id) ? id : null];
  },
});

/** Reads a booking of an application. */
export const findOwnBooking = oneRow<
  [applicationId: string, ownBooking: Pick<OwnBooking, 'kind' | 'bookingId'>],
  OwnBooking
>({
  name: 'find-own-booking',
  text: `${selectText('ARRAY[$2::uuid]')} AND b.kind = $3`,
  values: (applicationId, { kind, bookingId }) => [applicationId, bookingId, kind],
});
