import type { AttentionSource } from '../platform/attention-source.ts';

/** The part of webhooks in the list of what waits for people: endpoints of partners that fail, or were stopped. */
export const webhookAttention: readonly AttentionSource[] = [
  {
    name: 'webhooks',
    isMoney: false,
    words: ({ reason }) =>
      reason === 'stopped'
        ? 'A webhook of a partner was stopped because it failed: tell the partner, then start it again.'
        : 'A webhook of a partner fails: tell the partner. It is stopped after five days.',
    text: `SELECT e.application_id || ' ' || e.endpoint_id AS subject, 'webhook_failing' AS kind, e.application_id,
        NULL::uuid AS checkout_id, NULL::text AS reference, NULL::uuid AS listing_id, NULL::bigint AS amount,
        NULL::text AS currency, CASE WHEN e.failing_since IS NULL THEN 'stopped' ELSE 'failing' END AS reason,
        e.state_reason AS code, coalesce(e.failing_since, e.created_at) AS since, NULL::timestamptz AS deadline
      FROM webhook_endpoints e
      WHERE e.deleted_at IS NULL AND (e.failing_since IS NOT NULL OR e.state_reason IN ('failing', 'gone'))`,
  },
];
