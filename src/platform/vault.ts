import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  randomBytes,
  type KeyObject,
} from 'node:crypto';

/** The purposes of the master key. A separate key is derived for each. */
export type Purpose =
  | 'guest'
  | 'guest-email'
  | 'payment'
  | 'signing-key'
  | 'session'
  | 'cursor'
  | 'input-digest'
  | 'webhook-secret'
  | 'redis'
  | 'calendar'
  | 'staff'
  | 'keyed-create'
  | 'audit'
  | 'check';

/** The operations that use the operator's master key. */
export interface Vault {
  /** Encrypts with AES-256-GCM and a new nonce. `open` needs the same `context`. */
  seal(purpose: Purpose, text: string, context: string): Buffer;
  /** Decrypts. Throws if the bytes were not sealed with this key, purpose and context. */
  open(purpose: Purpose, sealed: Buffer, context: string): string;
  /** HMAC-SHA256. */
  mac(purpose: Purpose, text: string): Buffer;
}

const nonceBytes = 12;
const tagBytes = 16;

/** Creates the vault of a master key of 32 bytes. */
export function openVault(masterKey: Buffer): Vault {
  if (masterKey.length !== 32) throw new RangeError('a master key has 32 bytes');
  const keys = new Map<Purpose, KeyObject>();
  const keyFor = (purpose: Purpose): KeyObject => {
    const known = keys.get(purpose);
    if (known) return known;
    const bytes = hkdfSync('sha256', masterKey, '', `latchkey ${purpose}`, 32);
    const key = createSecretKey(Buffer.from(bytes));
    keys.set(purpose, key);
    return key;
  };
  return {
    seal(purpose, text, context) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', keyFor(purpose), nonce).setAAD(
        Buffer.from(context),
      );
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), body]);
    },
    open(purpose, sealed, context) {
      const nonce = sealed.subarray(0, nonceBytes);
      const tag = sealed.subarray(nonceBytes, nonceBytes + tagBytes);
      const decipher = createDecipheriv('aes-256-gcm', keyFor(purpose), nonce)
        .setAAD(Buffer.from(context))
        .setAuthTag(tag);
      const body = sealed.subarray(nonceBytes + tagBytes);
      return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8');
    },
    mac: (purpose, text) => createHmac('sha256', keyFor(purpose)).update(text).digest(),
  };
}
