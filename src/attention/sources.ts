import { priceAttention } from '../catalog/index.ts';
import { bookingAttention } from '../bookings/index.ts';
import { channelAttention } from '../channels/index.ts';
import { webhookAttention } from '../webhooks/index.ts';
import { moneyAttention } from '../payments/index.ts';
import type { AttentionSource } from '../platform/attention-source.ts';

const clockAttention: AttentionSource = {
  name: 'clock',
  isMoney: false,
  words: () =>
    "The database's clock has jumped. Nothing is swept or collected until it is right, or you confirm it (latchkey clock show).",
  text: `SELECT 'clock' AS subject, 'clock_jumped' AS kind, NULL::uuid AS application_id, NULL::uuid AS checkout_id,
      NULL::text AS reference, NULL::uuid AS listing_id, NULL::bigint AS amount, NULL::text AS currency,
      'clock_jumped' AS reason, NULL::text AS code, held_since AS since, NULL::timestamptz AS deadline
    FROM clock WHERE held_since IS NOT NULL`,
};

// A receiver that nobody sends to any more is due, and no attempt follows.
const auditAttention: AttentionSource = {
  name: 'audit',
  isMoney: false,
  words: ({ code }) =>
    `The audit trail is not accepted where it is posted (LATCHKEY_AUDIT_URL): ${code ?? 'unknown'}.`,
  text: `SELECT receiver AS subject, 'audit_not_accepted' AS kind, NULL::uuid AS application_id, NULL::uuid AS checkout_id,
      NULL::text AS reference, NULL::uuid AS listing_id, NULL::bigint AS amount, NULL::text AS currency,
      'audit_not_accepted' AS reason, problem AS code, failing_since AS since, NULL::timestamptz AS deadline
    FROM audit_receivers WHERE failing_since IS NOT NULL AND due_at > now() - interval '1 hour'`,
};

/** Everything that can wait for people. A subject adds its kinds here. */
export const attentionSources: readonly AttentionSource[] = [
  ...moneyAttention,
  priceAttention,
  ...bookingAttention,
  ...channelAttention,
  ...webhookAttention,
  clockAttention,
  auditAttention,
];
