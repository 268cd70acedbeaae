import type { AttentionSource } from '../platform/attention-source.ts';
import { quoteOfBooking } from './store/booking-row.ts';

// A request that is uncertain is unresolved.
const uncertain = (kind: 'checkout' | 'request'): AttentionSource => ({
  name: `uncertain-${kind}s`,
  isMoney: false,
  bookingKind: kind,
  words: () =>
    'Nobody knows whether the reservation was made: find out, and decide it. The nights stay taken until then.',
  text: `SELECT b.application_id || ' ' || b.booking_id AS subject, 'uncertain' AS kind, b.application_id,
      b.booking_id AS checkout_id, NULL::text AS reference, q.listing_id,
      (coalesce(b.charges, q.charges) ->> 'total')::bigint AS amount,
      coalesce(b.charges, q.charges) ->> 'currency' AS currency, b.state AS reason, NULL::text AS code,
      b.submitted_at AS since, NULL::timestamptz AS deadline
    FROM bookings b ${quoteOfBooking} WHERE b.state = '${kind === 'checkout' ? 'uncertain' : 'unresolved'}'`,
});

/**
 * The part of bookings in the list of what waits for people: requests of partners that are not decided, outcomes that
 * are not known, and reservations that the operator's records refuse.
 */
export const bookingAttention: readonly AttentionSource[] = [
  {
    name: 'changes',
    isMoney: false,
    words: ({ reason }) =>
      reason === 'cancel'
        ? 'The partner asks to cancel it: accept or decline.'
        : 'The partner asks to change it: accept or decline.',
    text: `SELECT c.application_id || ' ' || c.change_request_id AS subject, 'change_request' AS kind, c.application_id,
        CASE WHEN r.kind = 'checkout' THEN r.booking_id END AS checkout_id, c.reference, r.listing_id,
        coalesce((c.preview ->> 'difference')::bigint, (c.preview ->> 'refund')::bigint) AS amount,
        c.preview ->> 'currency' AS currency, c.kind AS reason, NULL::text AS code, c.created_at AS since,
        NULL::timestamptz AS deadline
      FROM change_requests c JOIN reservations r ON r.reference = c.reference WHERE c.state = 'open'`,
  },
  ...(['checkout', 'request'] as const).map(uncertain),
  {
    name: 'records',
    isMoney: false,
    words: ({ code }) =>
      `Your records did not take the reservation: ${code ?? 'no reason was given'}`,
    text: `SELECT r.reference AS subject, 'record_refused' AS kind, r.application_id,
        CASE WHEN r.kind = 'checkout' THEN r.booking_id END AS checkout_id, r.reference, r.listing_id,
        NULL::bigint AS amount, NULL::text AS currency, 'record_refused' AS reason, r.records_problem AS code,
        r.updated_at AS since, NULL::timestamptz AS deadline
      FROM reservations r WHERE r.records_due_at IS NOT NULL AND r.records_problem IS NOT NULL`,
  },
];
