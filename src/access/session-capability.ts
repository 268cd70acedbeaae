import { randomBytes, timingSafeEqual } from 'node:crypto';
import { refuse, type Refusal } from '../contract/errors.ts';
import type { EpochMs } from '../contract/time.ts';
import type { Vault } from '../platform/vault.ts';
import { derivedByVault } from './derived-by-vault.ts';

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

const capabilityWith = derivedByVault(mostKept, (vault, text) =>
  vault.mac('session', text).toString('base64url'),
);

/** Derives the secret of a session, so that it is not stored. 32 bytes, base64url. */
export function sessionCapability(vault: Vault, owner: SessionOwner, session: Session): string {
  const { applicationId, checkoutId } = owner;
  const text = `${applicationId}/${checkoutId}/${session.nonce.toString('hex')}`;
  return capabilityWith(vault, text);
}

/** Checks a presented capability. Null: it is that of this checkout and has not expired. Spec: SESSION-2. */
export function sessionRefusal(
  vault: Vault,
  owner: SessionOwner,
  session: Session,
  presented: string | undefined,
  now: EpochMs,
): Refusal<'forbidden'> | null {
  const right = Buffer.from(sessionCapability(vault, owner, session));
  const given = Buffer.from(presented ?? '');
  const same = given.length === right.length && timingSafeEqual(given, right);
  if (!same) return refuse('forbidden', { reason: 'session_capability' });
  if (now >= session.expiresAt) return refuse('forbidden', { reason: 'session_expired' });
  return null;
}
