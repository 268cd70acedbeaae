import type { AttentionSource } from '../platform/attention-source.ts';

/** The part of bookings in the list of what waits for people: requests of partners that are not decided. */
export const bookingAttention: readonly AttentionSource[] = [
  {
    name: 'changes',
    isMoney: false,
    words: ({ reason }) =>
      reason === 'cancel'
        ? 'The partner asks to cancel it: accept or decline (latchkey change-request list).'
        : 'The partner asks to change it: accept or decline (latchkey change-request list).',
    text: `SELECT c.application_id || ' ' || c.change_request_id AS subject, 'change_request' AS kind, c.application_id,
        CASE WHEN r.kind = 'checkout' THEN r.booking_id END AS checkout_id, c.reference, r.listing_id,
        coalesce((c.preview ->> 'difference')::bigint, (c.preview ->> 'refund')::bigint) AS amount,
        c.preview ->> 'currency' AS currency, c.kind AS reason, NULL::text AS code, c.created_at AS since,
        NULL::timestamptz AS deadline
      FROM change_requests c JOIN reservations r ON r.reference = c.reference WHERE c.state = 'open'`,
  },
];
