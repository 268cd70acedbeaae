import type { EpochMs } from '../contract/time.ts';
import { type AnyEvent, envelopeOf } from '../events/index.ts';
import { type SignedHeaders, signedHeaders } from '../platform/sending/signature.ts';

/** A signed request. Spec: WEBHOOK-1. */
export interface WebhookMessage {
  headers: SignedHeaders;
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
  return { headers: signedHeaders(secrets, envelope.id, body, at), body };
}
