/** The master keys that a database has seen. */
import type { EpochMs } from '../../contract/time.ts';
import type { Executor } from './database.ts';
import { manyRows, noRows } from './statement-functions.ts';

/** A master key that the database has seen. */
export interface KnownKey {
  check: Buffer;
  addedAt: EpochMs;
  retiredAt: EpochMs | null;
}

/**
 * What a start does with its keys. `add`: the first is new. `missing`: the database may hold what another key has made.
 * `retired`: the first was retired.
 */
export type KeyVerdict = 'known' | 'add' | 'missing' | 'retired';

/** Decides whether these keys, the first for everything new, open a database that has seen these. Spec: ACCESS-14. */
export function decideKeys(
  mine: readonly Buffer[],
  known: readonly Pick<KnownKey, 'check' | 'retiredAt'>[],
): KeyVerdict {
  const isMine = (check: Buffer) => mine.some((one) => one.equals(check));
  if (known.some(({ check, retiredAt }) => retiredAt === null && !isMine(check))) return 'missing';
  const first = known.find(({ check }) => check.equals(mine[0]!));
  if (!first) return 'add';
  return first.retiredAt === null ? 'known' : 'retired';
}

/** Lists the keys, oldest first. */
export const listMasterKeys = manyRows<[], KnownKey>({
  name: 'list-master-keys',
  text: `SELECT key_check AS check, added_at AS "addedAt", retired_at AS "retiredAt" FROM master_keys
    ORDER BY added_at, key_check`,
});

/** Notes that a key is used for everything new from now on. */
export const addMasterKey = noRows<[check: Buffer]>({
  name: 'add-master-key',
  // A release before knows one key alone: it no longer starts.
  text: `WITH added AS (
      INSERT INTO master_keys (key_check) VALUES ($1) ON CONFLICT DO NOTHING RETURNING key_check
    )
    UPDATE installation SET master_key_check = added.key_check FROM added`,
});

/** Retires every key but this one. Returns those that were not retired before. */
export const retireOtherKeys = manyRows<[kept: Buffer], KnownKey>({
  name: 'retire-master-keys',
  text: `WITH kept AS (UPDATE installation SET master_key_check = $1 RETURNING true)
    UPDATE master_keys SET retired_at = line_now() FROM kept WHERE key_check <> $1 AND retired_at IS NULL
    RETURNING key_check AS check, added_at AS "addedAt", retired_at AS "retiredAt"`,
});

/** The live processes that seal with another key. */
export const processesWithOtherKey = manyRows<[check: Buffer], { host: string; port: number }>({
  name: 'list-processes-with-other-master-key',
  text: `SELECT host, port FROM processes
    WHERE seen_at > now() - interval '10 seconds' AND master_key IS DISTINCT FROM $1 ORDER BY host, port LIMIT 10`,
});

/** Forgets the keys that were retired: what they have made counts no more in this process. */
export async function forgetRetiredKeys(executor: Executor): Promise<void> {
  if (executor.vault.keys.length === 1) return;
  const known = await listMasterKeys(executor);
  executor.vault.forget((check) =>
    known.some(({ check: other, retiredAt }) => retiredAt !== null && other.equals(check)),
  );
}
