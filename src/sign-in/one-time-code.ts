/** Time-based one-time codes (RFC 6238): six digits, SHA-1, steps of 30 seconds. */
import { createHmac } from 'node:crypto';
import type { EpochMs } from '../contract/time.ts';

const stepMs = 30_000;
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** The bytes in base32 without padding, as apps take them. */
export function base32(bytes: Buffer): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('');
  const groups = bits.match(/.{1,5}/g) ?? [];
  return groups.map((group) => alphabet[Number.parseInt(group.padEnd(5, '0'), 2)]).join('');
}

/** The step of a time. */
export const stepAt = (at: EpochMs): number => Math.floor(at / stepMs);

/** The code of a step (RFC 4226, 5.3). */
export function codeOf(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const offset = mac.at(-1)! & 0x0f;
  const number = (mac.readUInt32BE(offset) & 0x7fffffff) % 1_000_000;
  return String(number).padStart(6, '0');
}

/** The step whose code this is: that of now, or of the one before or after. Null: it is none of them. */
export function stepOfCode(secret: Buffer, code: string, now: EpochMs): number | null {
  const current = stepAt(now);
  return [current, current - 1, current + 1].find((step) => codeOf(secret, step) === code) ?? null;
}

/** The address by which an app takes a secret. */
export const factorUrl = (secret: Buffer, email: string): string =>
  `otpauth://totp/Latchkey:${encodeURIComponent(email)}?secret=${base32(secret)}&issuer=Latchkey`;
