/** The operator's own system, which reservations are posted to. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { newWebhookSecret } from '../../src/platform/sending/signature.ts';
import type { Arrival, Receiver } from './receiver.ts';

/** What is posted of a reservation; docs/operators/records.md. */
export interface PostedRecord {
  format: string;
  environment: string;
  reference: string;
  version: number;
  state: string;
  [member: string]: unknown;
}

/** The secret with which the service of a test signs. */
export const recordsSecret = newWebhookSecret();

/** The environment of a service that posts its reservations to a receiver. */
export const recordsEnv = (receiver: Receiver): Record<string, string> => ({
  LATCHKEY_RECORDS_URL: receiver.url('/reservations?key=a'),
  LATCHKEY_RECORDS_SECRET: recordsSecret,
});

/** The record in a request, whose signature is checked as a receiver checks it. */
export const verifiedRecord = ({ body, headers }: Arrival, secret = recordsSecret): PostedRecord =>
  new Webhook(secret).verify(body, headers as Record<string, string>) as PostedRecord;

/** The `webhook-id` of each request. */
export const idsOf = (arrivals: readonly Arrival[]): string[] =>
  arrivals.map(({ headers }) => String(headers['webhook-id']));

/** The reference and version of each record; the rest of its ID must be the digest of its body. */
export const versionsOf = (arrivals: readonly Arrival[]): string[] =>
  arrivals.map(({ headers, body }) => {
    const id = String(headers['webhook-id']);
    const digest = createHash('sha256').update(body).digest('base64url').slice(0, 16);
    assert.equal(id.slice(-digest.length), digest);
    return id.slice(0, -digest.length - 1);
  });
