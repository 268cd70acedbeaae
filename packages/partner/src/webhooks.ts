/** Webhooks of the service: verified from the bytes that arrived, and signed for tests. */
import type { Event } from './contract/types.ts';

/** Headers as a server has them: of `fetch`, or of Node. */
export type HeadersLike =
  | Headers
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** The headers of a signed webhook. */
export interface SignedHeaders {
  'webhook-id': string;
  'webhook-timestamp': string;
  'webhook-signature': string;
}

/** Why a webhook is not genuine: answer 400 and do nothing. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
  readonly reason: 'headers' | 'timestamp' | 'signature' | 'body';

  constructor(reason: WebhookError['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}

const toleranceSeconds = 300;
const encoder = new TextEncoder();

const headerOf = (headers: HeadersLike, name: string): string => {
  const value = headers instanceof Headers ? headers.get(name) : headers[name];
  return typeof value === 'string' ? value : '';
};

const fromBase64 = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text), (character) => character.charCodeAt(0));

const toBase64 = (bytes: ArrayBuffer): string =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)));

const keyOf = (secret: string): Promise<CryptoKey> =>
  crypto.subtle.importKey(
    'raw',
    fromBase64(secret.replace(/^whsec_/, '')),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['sign', 'verify'],
  );

function signedBytes(id: string, timestamp: string, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const head = encoder.encode(`${id}.${timestamp}.`);
  const bytes = new Uint8Array(head.length + body.length);
  bytes.set(head);
  bytes.set(body, head.length);
  return bytes;
}

const bytesOf = (body: string | Uint8Array): Uint8Array =>
  typeof body === 'string' ? encoder.encode(body) : body;

/** The signatures of version 1 that a header names. Others are of versions to come. */
const signaturesOf = (header: string): Uint8Array<ArrayBuffer>[] =>
  header.split(' ').flatMap((part) => {
    if (!part.startsWith('v1,')) return [];
    try {
      return [fromBase64(part.slice(3))];
    } catch {
      return [];
    }
  });

async function isSigned(
  secrets: readonly string[],
  signatures: readonly Uint8Array<ArrayBuffer>[],
  bytes: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  for (const secret of secrets) {
    const key = await keyOf(secret);
    for (const signature of signatures) {
      if (await crypto.subtle.verify('HMAC', key, signature, bytes)) return true;
    }
  }
  return false;
}

/**
 * Verifies a webhook and returns its event. `body` must be the bytes as they arrived, not a body that was parsed and
 * written again. During a rotation give both secrets. The same event arrives more than once: act on each `id` once.
 * Throws `WebhookError`.
 */
export async function verifyWebhook(
  headers: HeadersLike,
  body: string | Uint8Array,
  secrets: string | readonly string[],
  now: number = Date.now(),
): Promise<Event> {
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signature = headerOf(headers, 'webhook-signature');
  if (id === '' || timestamp === '' || signature === '') {
    throw new WebhookError(
      'headers',
      'It has no webhook-id, webhook-timestamp or webhook-signature.',
    );
  }
  if (!/^\d+$/.test(timestamp) || Math.abs(now / 1000 - Number(timestamp)) > toleranceSeconds) {
    throw new WebhookError(
      'timestamp',
      'Its webhook-timestamp is more than five minutes from now.',
    );
  }
  const bytes = bytesOf(body);
  const all = typeof secrets === 'string' ? [secrets] : secrets;
  if (!(await isSigned(all, signaturesOf(signature), signedBytes(id, timestamp, bytes)))) {
    throw new WebhookError('signature', 'None of its signatures is of one of the secrets.');
  }
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as Event;
  } catch {
    throw new WebhookError('body', 'Its body is no JSON.');
  }
}

/** Signs a body as the service does. */
export async function signWebhook(
  body: string | Uint8Array,
  { id, secret, now = Date.now() }: { id: string; secret: string; now?: number },
): Promise<SignedHeaders> {
  const timestamp = String(Math.floor(now / 1000));
  const bytes = signedBytes(id, timestamp, bytesOf(body));
  const signature = await crypto.subtle.sign('HMAC', await keyOf(secret), bytes);
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${toBase64(signature)}`,
  };
}
