import type { CryptoKey, JWK } from 'jose';
import { exportJWK } from 'jose/key/export';
import { generateKeyPair } from 'jose/key/generate/keypair';
import { importJWK } from 'jose/key/import';
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { limits } from '../contract/limits.ts';
import type { Executor } from '../platform/postgres/database.ts';
import {
  insertFirstSigningKey,
  listSigningKeys,
  replaceSigningKeys,
  rotateSigningKey,
  type Jwk,
  type SigningKey,
} from './store/signing-keys.ts';

const allSeconds = 3_650 * 86_400;

/** The public part of every key that is still known, also of those that no longer sign. */
export const publicSigningKeys = async (executor: Executor): Promise<{ keys: JWK[] }> => ({
  keys: (await listSigningKeys(executor, allSeconds)).map(({ publicJwk }) => publicJwk as JWK),
});

export const signingAlgorithm = 'EdDSA';

interface LoadedKey {
  keyId: string;
  publicJwk: JWK;
  publicKey: CryptoKey;
  /** Null: the key no longer signs. */
  privateKey: CryptoKey | null;
}

/** The signing keys of access tokens, refreshed from the database. */
export interface SigningKeys {
  current(): { keyId: string; privateKey: CryptoKey };
  /** Whether the key verifies, as far as this process has read; what it says is not enough for a refusal. */
  verifies(keyId: string): boolean;
  /** Undefined: an unknown key, or one whose last token has expired. */
  find(keyId: string): Promise<CryptoKey | undefined>;
  /** The public keys, as `/.well-known/jwks.json` shows them. */
  jwks(): { keys: JWK[] };
  refresh(): Promise<void>;
  /** From now on the keys are read again before one is used. */
  drop(): void;
  /** Reads the keys again if they were dropped. */
  ready(): Promise<void>;
}

// Other processes sign with the old key until they have read the new one.
const overlapSeconds = 120;

async function newKey(): Promise<{ keyId: string; publicJwk: Jwk; privateJwk: Jwk }> {
  const { publicKey, privateKey } = await generateKeyPair(signingAlgorithm, {
    crv: 'Ed25519',
    extractable: true,
  });
  const keyId = randomBytes(9).toString('base64url');
  const marks = { kid: keyId, alg: signingAlgorithm, use: 'sig' };
  return {
    keyId,
    publicJwk: { ...(await exportJWK(publicKey)), ...marks },
    privateJwk: { ...(await exportJWK(privateKey)), ...marks },
  };
}

/** What becomes of the tokens that the keys before have signed. */
export type IssuedTokens = 'expire' | 'end';

const replace = { expire: rotateSigningKey, end: replaceSigningKeys } as const;

/** Creates a new signing key and returns its ID. Spec: ACCESS-11. */
export async function rotateSigningKeys(
  executor: Executor,
  issued: IssuedTokens = 'expire',
): Promise<string> {
  const key = await newKey();
  while (!(await replace[issued](executor, key)));
  return key.keyId;
}

const imported = async (jwk: Jwk): Promise<CryptoKey> =>
  (await importJWK(jwk as JWK, signingAlgorithm)) as CryptoKey;

async function load(executor: Executor, before: readonly LoadedKey[] = []): Promise<LoadedKey[]> {
  const stored = await listSigningKeys(executor, limits.accessTokenSeconds + overlapSeconds);
  return Promise.all(
    stored.map(async (key) => {
      const known = before.find(({ keyId }) => keyId === key.keyId);
      // To import a key costs more than to read it.
      const isSame = known && (known.privateKey === null) === (key.privateJwk === null);
      return isSame ? known : loaded(key);
    }),
  );
}

const loaded = async (key: SigningKey): Promise<LoadedKey> => ({
  keyId: key.keyId,
  publicJwk: key.publicJwk as JWK,
  publicKey: await imported(key.publicJwk),
  privateKey: key.privateJwk && (await imported(key.privateJwk)),
});

// A token with an unknown `kid` may come from a process that has just rotated the key. So the keys are read
// again before it is refused, but at most this often.
const rereadMs = 100;

/** Loads the signing keys. The first start creates one. */
export async function openSigningKeys(executor: Executor): Promise<SigningKeys> {
  let keys = await load(executor);
  if (!keys.some(({ privateKey }) => privateKey)) {
    await insertFirstSigningKey(executor, await newKey());
    keys = await load(executor);
  }
  let lookedAt = performance.now();
  let areDropped = false;
  // Rises with each drop: a read that has begun before may be of the database before.
  let generation = 0;
  const refresh = async (): Promise<void> => {
    lookedAt = performance.now();
    const begunIn = generation;
    keys = await load(executor, areDropped ? [] : keys);
    if (begunIn === generation) areDropped = false;
  };
  let looking: Promise<void> | null = null;
  async function lookAgain(): Promise<void> {
    const early = lookedAt + rereadMs - performance.now();
    if (early > 0) await sleep(early);
    await refresh();
  }
  const known = (keyId: string) => keys.find((key) => key.keyId === keyId)?.publicKey;
  return {
    current() {
      const signing = keys.find(({ privateKey }) => privateKey);
      if (!signing?.privateKey) throw new Error('there is no signing key');
      const { keyId, privateKey } = signing;
      return { keyId, privateKey };
    },
    verifies: (keyId) => !areDropped && known(keyId) !== undefined,
    async find(keyId) {
      const key = known(keyId);
      if (key && !areDropped) return key;
      looking ??= lookAgain().finally(() => {
        looking = null;
      });
      await looking;
      return known(keyId);
    },
    jwks: () => ({ keys: keys.map(({ publicJwk }) => publicJwk) }),
    refresh,
    drop() {
      areDropped = true;
      generation += 1;
    },
    async ready() {
      if (areDropped) await refresh();
    },
  };
}
