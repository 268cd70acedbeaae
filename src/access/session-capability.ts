import { randomBytes, timingSafeEqual } from 'node:crypto';
import { refuse, type Refusal } from '../contract/errors.ts';
import type { EpochMs } from '../contract/time.ts';
import type { Vault } from '../platform/vault.ts';

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

/** Creates the nonce of a new session; its capability is derived from it. Spec: Authentication, 8. */
export const newSessionNonce = (): Buffer => randomBytes(16);

const macOf = (vault: Vault, owner: SessionOwner, session: Session): Buffer =>
  vault.mac(
    'session',
    `${owner.applicationId}/${owner.checkoutId}/${session.nonce.toString('hex')}`,
  );

/** Derives the secret of a session, so that it is not stored. 32 bytes, base64url. */
export const sessionCapability = (vault: Vault, owner: SessionOwner, session: Session): string =>
  macOf(vault, owner, session).toString('base64url');

/** Checks a presented capability. Null: it is that of this checkout and has not expired. */
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
