import { createHmac, randomBytes } from 'node:crypto';

const prefix = 'whsec_';
const secretBytes = 32;

/** A new signing secret of an endpoint, as its owner gets to see it. */
export const newWebhookSecret = (): string =>
  `${prefix}${randomBytes(secretBytes).toString('base64')}`;

/**
 * The value of `webhook-signature`: one signature for each secret, so that a receiver that knows either
 * accepts it. Spec: Webhooks, Signature and delivery rules.
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
