/** What staff do with the keys that sign access tokens. */
import { rotateSigningKeys } from '../signing-keys.ts';
import { limits } from '../../contract/limits.ts';
import type { Database, Executor } from '../../platform/postgres/database.ts';
import { listSigningKeys as listStoredKeys } from '../store/signing-keys.ts';
import type { EpochMs } from '../../contract/time.ts';
import { auditedChange } from '../../platform/audit/audited-change.ts';

/** A signing key as staff see it: never its private part. */
export interface ShownSigningKey {
  keyId: string;
  /** The one signs new tokens; the others verify those that they signed, until the last has expired. */
  state: 'signing' | 'verifying';
  createdAt: EpochMs;
  retiredAt: EpochMs | null;
}

/** The keys whose tokens can still be valid, newest first. */
export async function listSigningKeys(executor: Executor): Promise<ShownSigningKey[]> {
  const keys = await listStoredKeys(executor, limits.accessTokenSeconds);
  return keys.map(({ keyId, createdAt, retiredAt }) => ({
    keyId,
    state: retiredAt === null ? 'signing' : 'verifying',
    createdAt,
    retiredAt,
  }));
}

/** Makes a new key and has it sign from now on; tokens that are out stay valid. */
export async function rotateSigningKey(
  database: Database,
  actor: string,
): Promise<ShownSigningKey> {
  const key = await auditedChange(
    database,
    async (executor) => {
      const keyId = await rotateSigningKeys(executor);
      return (await listSigningKeys(executor)).find((known) => known.keyId === keyId);
    },
    ({ keyId }) => ({
      actor,
      action: 'signing-key.rotate',
      applicationId: null,
      details: { keyId },
    }),
  );
  return key!;
}
