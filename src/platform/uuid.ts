import { randomBytes } from 'node:crypto';
import { patterns } from '../contract/patterns.ts';

/** Before every other UUID. */
export const nilUuid = '00000000-0000-0000-0000-000000000000';

/** After every other UUID. */
export const maxUuid = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

const uuid = new RegExp(patterns.uuid.pattern);

/** Writes 16 bytes in hex as a UUID. */
export const uuidOfHex = (hex: string): string =>
  hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

/** Whether a text is a UUID in lower case, the form in which IDs are stored. */
export const isUuid = (text: string): boolean => uuid.test(text) && text === text.toLowerCase();

/** A new UUIDv7 of an instant. */
export function uuidAt(at: number): string {
  const random = randomBytes(10).toString('hex');
  const variant = (8 + (Number.parseInt(random[3]!, 16) & 3)).toString(16);
  const time = Math.floor(at).toString(16).padStart(12, '0');
  return uuidOfHex(`${time}7${random.slice(0, 3)}${variant}${random.slice(4, 19)}`);
}

/** The instant of a UUIDv7; null: it is none. */
export function instantOfUuid(id: string): number | null {
  const [, high = '', low = ''] = /^([0-9a-f]{8})-([0-9a-f]{4})-7/.exec(id) ?? [];
  return high === '' ? null : Number.parseInt(high + low, 16);
}
