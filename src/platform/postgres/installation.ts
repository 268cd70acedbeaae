import type { Environment } from '../../contract/wire.ts';
import { connectOnce, type Connection } from './connecting.ts';
import type { Executor, Statement } from './database.ts';
import { noRows, rowOrNull } from './statement-functions.ts';
import {
  addMasterKey,
  decideKeys,
  forgetRetiredKeys,
  listMasterKeys,
  processesWithOtherKey,
} from './master-keys.ts';

/** The database belongs to another environment or another master key. */
export class InstallationError extends Error {}

/** The error for a database whose master key is not available. */
export const otherMasterKey = (): InstallationError =>
  new InstallationError(
    'This database was sealed with another master key: set LATCHKEY_MASTER_KEY, or put back master.key in the data folder.',
  );

/** Why a start with these keys is refused. */
const keyProblems = {
  missing: otherMasterKey,
  ahead: () =>
    new InstallationError(
      'The running service does not have the first master key yet: start it again with the new setting.',
    ),
  retired: () =>
    new InstallationError(
      'The first master key was retired for this database: put the key that replaced it first.',
    ),
} as const;

/**
 * The environment for which a start has claimed this database; null: none. Needs no master key and changes
 * nothing.
 */
export async function findInstalled(connection: Connection): Promise<string | null> {
  const client = await connectOnce(connection);
  try {
    const { rows: tables } = await client.query<{ name: string | null }>(
      `SELECT to_regclass('installation')::text AS name`,
    );
    if (!tables[0]?.name) return null;
    const { rows } = await client.query<{ environment: string }>(
      'SELECT environment FROM installation',
    );
    return rows[0]?.environment ?? null;
  } finally {
    await client.end();
  }
}

/** Refuses a database of another environment. Throws `InstallationError`. Spec: ENVIRONMENT-1. */
export function checkEnvironment(installed: string | undefined, environment: Environment): void {
  if (installed === environment) return;
  throw new InstallationError(
    `This database belongs to the environment ${installed}, not to ${environment}: set LATCHKEY_ENVIRONMENT=${installed}, or give each environment its own database.`,
  );
}

const claimStatement: Statement = {
  name: 'claim-installation',
  text: `WITH claimed AS (
      INSERT INTO installation (environment, master_key_check) VALUES ($1, $2)
      ON CONFLICT DO NOTHING RETURNING master_key_check
    )
    INSERT INTO master_keys (key_check) SELECT master_key_check FROM claimed ON CONFLICT DO NOTHING`,
};

const readStatement: Statement = {
  name: 'read-installation',
  text: 'SELECT environment FROM installation',
};

/** Who opens the database: a service, or a command that may run beside one. */
export type OpenedBy = 'service' | 'command';

/** Checks that the master keys can read everything, and notes a new first one. Throws `InstallationError`. */
async function checkMasterKeys(executor: Executor, by: OpenedBy): Promise<void> {
  const { vault } = executor;
  const mine = vault.keys.map(({ check }) => check);
  const verdict = decideKeys(mine, await listMasterKeys(executor));
  if (verdict === 'missing' || verdict === 'retired') throw keyProblems[verdict]();
  if (verdict === 'add') {
    // What a command seals, a running service must be able to read.
    const isAhead =
      by === 'command' && (await processesWithOtherKey(executor, vault.check)).length > 0;
    if (isAhead) throw keyProblems.ahead();
    await addMasterKey(executor, vault.check);
  }
  await forgetRetiredKeys(executor);
}

/** Claims a new database for this environment and master key, or checks that an existing one matches them. */
export async function checkInstallation(
  executor: Executor,
  environment: Environment,
  by: OpenedBy = 'service',
): Promise<void> {
  await executor.query(claimStatement, [environment, executor.vault.check]);
  const [row] = await executor.query<{ environment: string }>(readStatement);
  checkEnvironment(row?.environment, environment);
  await checkMasterKeys(executor, by);
}

/** Stores the address at which partners reach the service, for commands that print it. */
export const recordBaseUrl = noRows<[baseUrl: string]>({
  name: 'record-base-url',
  text: 'UPDATE installation SET base_url = $1 WHERE base_url IS DISTINCT FROM $1',
});

/** Reads the address that the last start stored. Null: none. */
export const recordedBaseUrl = rowOrNull<[], { base_url: string | null }, string | null>({
  name: 'read-base-url',
  text: 'SELECT base_url FROM installation',
  result: ({ base_url }) => base_url,
});
