import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  hash,
  hkdfSync,
  randomBytes,
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

/** Makes HMAC-SHA256 (RFC 2104) with a key of at most 64 bytes. */
type Mac = (text: string) => Buffer;

const blockBytes = 64;

/** `createHmac` makes an object with a state for each text, which costs several times as much. */
export function macWith(key: Buffer): Mac {
  const [inner, outer] = [0x36, 0x5c].map((pad) => {
    const block = Buffer.alloc(blockBytes, pad);
    key.forEach((byte, at) => (block[at] = byte ^ pad));
    return block;
  }) as [Buffer, Buffer];
  return (text) => {
    const digest = hash('sha256', Buffer.concat([inner, Buffer.from(text)]), 'buffer');
    return hash('sha256', Buffer.concat([outer, digest]), 'buffer');
  };
}

/** Makes something for each purpose at its first use. */
function once<T>(make: (purpose: Purpose) => T): (purpose: Purpose) => T {
  const made = new Map<Purpose, T>();
  return (purpose) => {
    const value = made.get(purpose) ?? make(purpose);
    made.set(purpose, value);
    return value;
  };
}

const nonceBytes = 12;
const tagBytes = 16;

/** Creates the vault of a master key of 32 bytes. */
export function openVault(masterKey: Buffer): Vault {
  if (masterKey.length !== 32) throw new RangeError('a master key has 32 bytes');
  const keyOf = (purpose: Purpose): Buffer =>
    Buffer.from(hkdfSync('sha256', masterKey, '', `latchkey ${purpose}`, 32));
  const keyFor = once((purpose) => createSecretKey(keyOf(purpose)));
  const macFor = once((purpose) => macWith(keyOf(purpose)));
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
    mac: (purpose, text) => macFor(purpose)(text),
  };
}
