import type { EpochMs } from '../contract/time.ts';
import { type AnyEvent, envelopeOf } from '../events/index.ts';
import { signWebhook } from './signature.ts';

/** A signed request. Spec: Webhooks, Signature and delivery rules. */
export interface WebhookMessage {
  headers: {
    'webhook-id': string;
    'webhook-timestamp': string;
    'webhook-signature': string;
  };
  body: string;
}

/** Builds the request for an event at an instant, signed with each valid secret. */
export function webhookMessage(
  event: AnyEvent,
  secrets: readonly string[],
  at: EpochMs,
): WebhookMessage {
  const envelope = envelopeOf(event);
  const body = JSON.stringify(envelope);
  const seconds = Math.floor(at / 1_000);
  return {
    headers: {
      'webhook-id': envelope.id,
      'webhook-timestamp': String(seconds),
      'webhook-signature': signWebhook(secrets, envelope.id, seconds, body),
    },
    body,
  };
}
