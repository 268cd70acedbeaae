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

/** What one master key does. */
export interface VaultKey {
  /** Tells the key from others without showing it. */
  readonly check: Buffer;
  /** Encrypts with AES-256-GCM and a new nonce. `open` needs the same `context`. */
  seal(purpose: Purpose, text: string, context: string): Buffer;
  /** Decrypts. Throws if the bytes were not sealed with this key, purpose and context. */
  open(purpose: Purpose, sealed: Buffer, context: string): string;
  /** HMAC-SHA256. */
  mac(purpose: Purpose, text: string): Buffer;
}

/** The operator's master keys: the first for everything new; what any of them has made can be read. */
export interface Vault extends VaultKey {
  /** Each key alone, the first for everything new. */
  readonly keys: readonly VaultKey[];
  /** The HMAC by each key, the first as `mac` makes it: what was stored or handed out has one of them. */
  macs(purpose: Purpose, text: string): readonly Buffer[];
  /** From now on nothing that these keys have made counts. The first key stays. */
  forget(isForgotten: (check: Buffer) => boolean): void;
}

const nonceBytes = 12;
const tagBytes = 16;
const keyBytes = 32;

function vaultKey(masterKey: Buffer): VaultKey {
  if (masterKey.length !== keyBytes) throw new RangeError(`a master key has ${keyBytes} bytes`);
  const keys = new Map<Purpose, KeyObject>();
  const keyFor = (purpose: Purpose): KeyObject => {
    const known = keys.get(purpose);
    if (known) return known;
    const bytes = hkdfSync('sha256', masterKey, '', `latchkey ${purpose}`, keyBytes);
    const key = createSecretKey(Buffer.from(bytes));
    keys.set(purpose, key);
    return key;
  };
  const mac = (purpose: Purpose, text: string): Buffer =>
    createHmac('sha256', keyFor(purpose)).update(text).digest();
  return {
    check: mac('check', 'latchkey'),
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
    mac,
  };
}

/** Opens what was sealed with any of the keys. Throws the error of the first, if none has sealed it. */
function openWithAny(
  [first, ...others]: readonly VaultKey[],
  ...sealed: Parameters<VaultKey['open']>
): string {
  try {
    return first!.open(...sealed);
  } catch (error) {
    for (const key of others) {
      try {
        return key.open(...sealed);
      } catch {
        // The next one may have sealed it.
      }
    }
    throw error;
  }
}

/** Creates the vault of master keys of 32 bytes, the first for everything new. Spec: ACCESS-14. */
export function openVault(masterKey: Buffer, ...earlier: readonly Buffer[]): Vault {
  const first = vaultKey(masterKey);
  let keys: readonly VaultKey[] = [first, ...earlier.map(vaultKey)];
  return {
    check: first.check,
    seal: first.seal,
    mac: first.mac,
    get keys() {
      return keys;
    },
    open: (...sealed) => openWithAny(keys, ...sealed),
    macs: (purpose, text) => keys.map((key) => key.mac(purpose, text)),
    forget(isForgotten) {
      keys = keys.filter((key) => key === first || !isForgotten(key.check));
    },
  };
}
