import { randomBytes, timingSafeEqual } from 'node:crypto';
import { refuse, type Refusal } from '../contract/errors.ts';
import type { EpochMs } from '../contract/time.ts';
import type { Vault, VaultKey } from '../platform/vault.ts';
import { derivedByKey } from './derived-by-key.ts';

/** A session of a checkout. Its capability is derived from it. */
export interface Session {
  nonce: Buffer;
  expiresAt: EpochMs;
}

/** The application and checkout of a session. */
export interface SessionOwner {
  applicationId: string;
  checkoutId: string;
}

/** Creates the nonce of a new session; its capability is derived from it. Spec: SESSION-3. */
export const newSessionNonce = (): Buffer => randomBytes(16);

// All calls on a checkout carry the same capability, and deriving it is a tenth of a read of its status.
const mostKept = 10_000;

const capabilityWith = derivedByKey(mostKept, (vault, text) =>
  vault.mac('session', text).toString('base64url'),
);

const textOf = ({ applicationId, checkoutId }: SessionOwner, { nonce }: Session): string =>
  `${applicationId}/${checkoutId}/${nonce.toString('hex')}`;

/** Derives the secret of a session, so that it is not stored. 32 bytes, base64url. */
export const sessionCapability = (vault: Vault, owner: SessionOwner, session: Session): string =>
  capabilityWith(vault.keys[0]!, textOf(owner, session));

const isCapability = (key: VaultKey, text: string, given: Buffer): boolean => {
  const right = Buffer.from(capabilityWith(key, text));
  return given.length === right.length && timingSafeEqual(given, right);
};

/**
 * Checks a presented capability, whichever master key it was derived with. Null: it is that of this checkout and has
 * not expired. Spec: SESSION-2.
 */
export function sessionRefusal(
  vault: Vault,
  owner: SessionOwner,
  session: Session,
  presented: string | undefined,
  now: EpochMs,
): Refusal<'forbidden'> | null {
  const given = Buffer.from(presented ?? '');
  const text = textOf(owner, session);
  if (!vault.keys.some((key) => isCapability(key, text, given)))
    return refuse('forbidden', { reason: 'session_capability' });
  if (now >= session.expiresAt) return refuse('forbidden', { reason: 'session_expired' });
  return null;
}
