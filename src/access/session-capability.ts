import { randomBytes, timingSafeEqual } from 'node:crypto';
import { refuse, type Refusal } from '../contract/errors.ts';
import { limits } from '../contract/limits.ts';
import type { EpochMs } from '../contract/time.ts';
import type { Vault } from '../platform/vault.ts';

/** A session of a checkout: what its capability is derived from. */
export interface Session {
  nonce: Buffer;
  expiresAt: EpochMs;
}

/** Whose session it is. */
export interface SessionOwner {
  applicationId: string;
  checkoutId: string;
}

/** A session that begins now. Spec: Authentication, 8. */
export const newSession = (now: EpochMs): Session => ({
  nonce: randomBytes(16),
  expiresAt: now + limits.sessionHours * 3_600_000,
});

const macOf = (vault: Vault, owner: SessionOwner, session: Session): Buffer =>
  vault.mac(
    'session',
    `${owner.applicationId}/${owner.checkoutId}/${session.nonce.toString('hex')}`,
  );

/** The secret of a session: derived, so that nothing secret is stored. 32 bytes, base64url. */
export const sessionCapability = (vault: Vault, owner: SessionOwner, session: Session): string =>
  macOf(vault, owner, session).toString('base64url');

/** Checks what the caller presented. Null: it is the capability of this checkout, in its time. */
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
