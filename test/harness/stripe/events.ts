/** Sends the stand-in's events as the provider does: signed, and late, doubled and out of order. */
import assert from 'node:assert/strict';
import { Stripe } from 'stripe';
import type { Event } from './objects.ts';

/** A signed event. */
export interface SignedEvent {
  body: string;
  signature: string;
}

/** Signs an event at a time, in milliseconds. */
export function signed(event: object, secret: string, at = Date.now()): SignedEvent {
  const body = JSON.stringify(event, null, 2);
  const timestamp = Math.floor(at / 1000);
  const signature = Stripe.webhooks.generateTestHeaderString({ payload: body, secret, timestamp });
  return { body, signature };
}

/** Sends one request to the address for events. */
export const post = (
  origin: string,
  { body, signature }: Partial<SignedEvent>,
): Promise<Response> =>
  fetch(`${origin}/payments/stripe/events`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json; charset=utf-8',
      ...(signature !== undefined && { 'stripe-signature': signature }),
    },
    ...(body !== undefined && { body }),
  });

/** Sends all events twice and the newest first; each must be accepted. */
export async function postAll(
  origin: string,
  events: readonly Event[],
  secret: string,
): Promise<void> {
  for (const event of [...events, ...events].toReversed()) {
    const response = await post(origin, signed(event, secret));
    assert.equal(response.status, 200, await response.text());
  }
}
