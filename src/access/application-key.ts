import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Environment } from '../contract/wire.ts';
import { secretDigest } from '../platform/secret.ts';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const secretLength = 43;
const keyIdLength = 12;
const checksumLength = 6;

/** The name of an environment in a key. */
const environmentNames: Readonly<Record<Environment, string>> = {
  simulation: 'sandbox',
  test: 'test',
  live: 'live',
};

function base62(value: bigint, length: number): string {
  let text = '';
  for (let rest = value; text.length < length; rest /= 62n) {
    text = alphabet[Number(rest % 62n)] + text;
  }
  return text;
}

const randomBase62 = (bits: number, length: number): string =>
  base62(BigInt(`0x${randomBytes(bits / 8).toString('hex')}`), length);

const checksumOf = (text: string): string => base62(BigInt(crc32(text)), checksumLength);

/** A new key. Only its digest is stored. */
export interface MintedKey {
  keyId: string;
  applicationKey: string;
  digest: Buffer;
}

/** Creates an application key, `lk_<environment>_<key id>_<secret>_<checksum>`. Spec: ACCESS-3. */
export function mintKey(environment: Environment): MintedKey {
  const keyId = randomBase62(64, keyIdLength);
  const body = `lk_${environmentNames[environment]}_${keyId}_${randomBase62(256, secretLength)}`;
  const applicationKey = `${body}_${checksumOf(body)}`;
  return { keyId, applicationKey, digest: secretDigest(applicationKey) };
}

const form = /^lk_(sandbox|test|live)_([0-9A-Za-z]{12})_[0-9A-Za-z]{43}_([0-9A-Za-z]{6})$/;

/** Reads the ID in a key. Null: not a key, or a key of another environment. */
export function keyIdOf(applicationKey: string, environment: Environment): string | null {
  const [, name, keyId, checksum] = form.exec(applicationKey) ?? [];
  if (!keyId || name !== environmentNames[environment]) return null;
  const body = applicationKey.slice(0, -(checksumLength + 1));
  return checksumOf(body) === checksum ? keyId : null;
}
