/** An authenticator in software: P-256 keys, and answers as a browser sends them. */
import {
  createHash,
  createSign,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto';

const sha256 = (bytes: Buffer | string): Buffer => createHash('sha256').update(bytes).digest();

/** CBOR of small integers, byte strings, texts and maps of them, which is all that is needed. */
function head(major: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(major << 5) | value]);
  if (value < 256) return Buffer.from([(major << 5) | 24, value]);
  return Buffer.from([(major << 5) | 25, value >> 8, value & 255]);
}
type Cbor = number | string | Buffer | Map<number | string, Cbor>;
function cbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string') return Buffer.concat([head(3, value.length), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  const entries = [...value].flatMap(([key, item]) => [cbor(key), cbor(item)]);
  return Buffer.concat([head(5, value.size), ...entries]);
}

const flags = { present: 1, verified: 4, attested: 64 } as const;

/** What a test may get wrong on purpose. */
export interface Mistakes {
  origin?: string;
  rpId?: string;
  /** Keeps the counter of the answer before. */
  keepsCounter?: boolean;
}

/** A passkey of one authenticator. */
export class SoftPasskey {
  readonly id: string;
  readonly #key: KeyObject;
  readonly #publicKey: Buffer;
  readonly #origin: string;
  #counter = 0;

  /** @param idBytes how long the ID is that the authenticator gives it */
  constructor(origin: string, idBytes = 16) {
    this.id = randomBytes(idBytes).toString('base64url');
    this.#origin = origin;
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    this.#key = privateKey;
    const { x, y } = publicKey.export({ format: 'jwk' });
    this.#publicKey = cbor(
      new Map<number, Cbor>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(x!, 'base64url')],
        [-3, Buffer.from(y!, 'base64url')],
      ]),
    );
  }

  #authenticatorData(rpId: string, isNew: boolean, counter: number): Buffer {
    const bits = flags.present | flags.verified | (isNew ? flags.attested : 0);
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    const id = Buffer.from(this.id, 'base64url');
    const length = Buffer.alloc(2);
    length.writeUInt16BE(id.length);
    const attested = isNew ? [Buffer.alloc(16), length, id, this.#publicKey] : [];
    return Buffer.concat([sha256(rpId), Buffer.from([bits]), count, ...attested]);
  }

  #clientData(type: string, challenge: string, origin = this.#origin): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  }

  /** Makes the passkey for these options of the service. */
  make(options: string, { origin, rpId }: Mistakes = {}): string {
    const { challenge, rp } = JSON.parse(options) as { challenge: string; rp: { id: string } };
    const attestation = new Map<string, Cbor>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', this.#authenticatorData(rpId ?? rp.id, true, this.#counter)],
    ]);
    return JSON.stringify({
      id: this.id,
      rawId: this.id,
      type: 'public-key',
      clientExtensionResults: {},
      response: {
        clientDataJSON: this.#clientData('webauthn.create', challenge, origin).toString(
          'base64url',
        ),
        attestationObject: cbor(attestation).toString('base64url'),
        transports: ['internal'],
      },
    });
  }

  /** Signs the challenge of these options. */
  sign(options: string, { origin, rpId, keepsCounter }: Mistakes = {}): string {
    const asked = JSON.parse(options) as { challenge: string; rpId: string };
    if (!keepsCounter) this.#counter += 1;
    const authenticatorData = this.#authenticatorData(rpId ?? asked.rpId, false, this.#counter);
    const clientData = this.#clientData('webauthn.get', asked.challenge, origin);
    const signature = createSign('sha256')
      .update(Buffer.concat([authenticatorData, sha256(clientData)]))
      .sign(this.#key);
    return JSON.stringify({
      id: this.id,
      rawId: this.id,
      type: 'public-key',
      clientExtensionResults: {},
      response: {
        clientDataJSON: clientData.toString('base64url'),
        authenticatorData: authenticatorData.toString('base64url'),
        signature: signature.toString('base64url'),
      },
    });
  }
}
