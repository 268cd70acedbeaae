/** Administration of signing keys by staff. */
import { rotateSigningKeys } from '../signing-keys.ts';
import { limits } from '../../contract/limits.ts';
import type { Database, Executor } from '../../platform/postgres/database.ts';
import { listSigningKeys as listStoredKeys } from '../store/signing-keys.ts';
import type { EpochMs } from '../../contract/time.ts';
import { auditedChange } from '../../platform/audit/audited-change.ts';

/** The public part of a signing key, as shown to staff. */
export interface ShownSigningKey {
  keyId: string;
  /** `signing`: signs new tokens. `verifying`: verifies its earlier tokens until they have expired. */
  state: 'signing' | 'verifying';
  createdAt: EpochMs;
  retiredAt: EpochMs | null;
}

/** Lists the keys whose tokens can still be valid, newest first. */
export async function listSigningKeys(executor: Executor): Promise<ShownSigningKey[]> {
  const keys = await listStoredKeys(executor, limits.accessTokenSeconds);
  return keys.map(({ keyId, createdAt, retiredAt }) => ({
    keyId,
    state: retiredAt === null ? 'signing' : 'verifying',
    createdAt,
    retiredAt,
  }));
}

/** Creates a new signing key. Issued tokens stay valid. */
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
