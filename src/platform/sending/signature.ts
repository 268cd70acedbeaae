import { createHmac, randomBytes } from 'node:crypto';
import type { EpochMs } from '../../contract/time.ts';

const prefix = 'whsec_';
const secretBytes = 32;

/** Creates a signing secret, in the form that its owner sees. */
export const newWebhookSecret = (): string =>
  `${prefix}${randomBytes(secretBytes).toString('base64')}`;

/**
 * Returns the value of `webhook-signature`: one signature per secret, so that a receiver needs only one of the
 * secrets. Spec: WEBHOOK-1, WEBHOOK-2.
 */
export function signWebhook(
  secrets: readonly string[],
  id: string,
  timestampSeconds: number,
  body: string,
): string {
  const signed = `${id}.${timestampSeconds}.${body}`;
  const signature = (secret: string): string => {
    const key = Buffer.from(secret.slice(prefix.length), 'base64');
    return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
  };
  return secrets.map(signature).join(' ');
}

/** The headers of a signed request. Spec: WEBHOOK-1. */
export interface SignedHeaders {
  'webhook-id': string;
  'webhook-timestamp': string;
  'webhook-signature': string;
}

/** Signs a body at an instant with each valid secret. */
export function signedHeaders(
  secrets: readonly string[],
  id: string,
  body: string,
  at: EpochMs,
): SignedHeaders {
  const seconds = Math.floor(at / 1_000);
  return {
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': signWebhook(secrets, id, seconds, body),
  };
}
