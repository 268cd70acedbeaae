/** The keys that sign access tokens. */
import { limits } from '../../contract/limits.ts';
import { type EpochMs, instant } from '../../contract/time.ts';
import { auditedChange } from '../../platform/audit/audited-change.ts';
import type { Database, Executor } from '../../platform/postgres/database.ts';
import { rotateSigningKeys, type IssuedTokens } from '../signing-keys.ts';
import { listSigningKeys as listStoredKeys } from '../store/signing-keys.ts';
import { accessActs } from './acts.ts';

interface StoredKey {
  keyId: string;
  createdAt: EpochMs;
  retiredAt: EpochMs | null;
}

const keyView = ({ keyId, createdAt, retiredAt }: StoredKey) => ({
  keyId,
  state: retiredAt === null ? ('signing' as const) : ('verifying' as const),
  createdAt: instant(createdAt),
  retiredAt: instant(retiredAt),
});

const readKeys = (executor: Executor): Promise<StoredKey[]> =>
  listStoredKeys(executor, limits.accessTokenSeconds);

/** Creates a new signing key. */
export async function rotateSigningKey(
  database: Database,
  actor: string,
  issued: IssuedTokens = 'expire',
) {
  const key = await auditedChange(
    database,
    async (executor) => {
      const keyId = await rotateSigningKeys(executor, issued);
      return (await readKeys(executor)).find((known) => known.keyId === keyId);
    },
    ({ keyId }) => ({
      actor,
      action: 'signing-key.rotate',
      details: { keyId, ...(issued === 'end' && { atOnce: true }) },
    }),
  );
  return keyView(key!);
}

/** What staff do with signing keys. */
export const signingKeyActs = accessActs({
  'operator.signingKey.list': async ({ context }) => ({
    items: (await context.reads.run(readKeys)).map(keyView),
  }),
  'operator.signingKey.rotate': ({ context, actor, body }) =>
    rotateSigningKey(context.database, actor.name, body.atOnce ? 'end' : 'expire'),
});
