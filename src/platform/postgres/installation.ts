import type { Environment } from '../../contract/wire.ts';
import { connectOnce, type Connection } from './connecting.ts';
import type { Executor, Statement } from './database.ts';

/** The database belongs to another environment or another master key. */
export class InstallationError extends Error {}

/** The error for a database whose master key is not available. */
export const otherMasterKey = (): InstallationError =>
  new InstallationError(
    'This database was sealed with another master key: set LATCHKEY_MASTER_KEY, or put back master.key in the data folder.',
  );

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
  text: `INSERT INTO installation (environment, master_key_check) VALUES ($1, $2)
    ON CONFLICT DO NOTHING`,
};

const readStatement: Statement = {
  name: 'read-installation',
  text: 'SELECT environment, master_key_check FROM installation',
};

/** Claims a new database for this environment and master key, or checks that an existing one matches them. */
export async function checkInstallation(
  executor: Executor,
  environment: Environment,
): Promise<void> {
  const check = executor.vault.mac('check', 'latchkey');
  await executor.query(claimStatement, [environment, check]);
  const [row] = await executor.query<{ environment: string; master_key_check: Buffer }>(
    readStatement,
  );
  checkEnvironment(row?.environment, environment);
  if (!row!.master_key_check.equals(check)) throw otherMasterKey();
}

const recordStatement: Statement = {
  name: 'record-base-url',
  text: 'UPDATE installation SET base_url = $1 WHERE base_url IS DISTINCT FROM $1',
};

/** Stores the address at which partners reach the service, for commands that print it. */
export async function recordBaseUrl(executor: Executor, baseUrl: string): Promise<void> {
  await executor.query(recordStatement, [baseUrl]);
}

const baseUrlStatement: Statement = {
  name: 'read-base-url',
  text: 'SELECT base_url FROM installation',
};

/** Reads the address that the last start stored. Null: none. */
export async function recordedBaseUrl(executor: Executor): Promise<string | null> {
  const [row] = await executor.query<{ base_url: string | null }>(baseUrlStatement);
  return row?.base_url ?? null;
}
