import type { Environment } from '../../contract/wire.ts';
import { connectOnce, type Connection, type Executor, type Statement } from './database.ts';

/** This database was made for something else, or with another master key. */
export class InstallationError extends Error {}

/** The database has an installation, and its master key is not at hand. */
export const otherMasterKey = (): InstallationError =>
  new InstallationError(
    'This database was sealed with another master key: set LATCHKEY_MASTER_KEY, or put back master.key in the data folder.',
  );

/** Whether a start has claimed this database; it needs no master key and changes nothing. */
export async function isInstalled(connection: Connection): Promise<boolean> {
  const client = await connectOnce(connection);
  try {
    const { rows: tables } = await client.query<{ name: string | null }>(
      `SELECT to_regclass('installation')::text AS name`,
    );
    if (!tables[0]?.name) return false;
    return (await client.query('SELECT FROM installation')).rowCount === 1;
  } finally {
    await client.end();
  }
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

/** Claims a new database for this environment and master key, or checks that they are the ones. */
export async function checkInstallation(
  executor: Executor,
  environment: Environment,
): Promise<void> {
  const check = executor.vault.mac('check', 'latchkey');
  await executor.query(claimStatement, [environment, check]);
  const [row] = await executor.query<{ environment: string; master_key_check: Buffer }>(
    readStatement,
  );
  if (row?.environment !== environment) {
    throw new InstallationError(
      `This database belongs to the environment ${row?.environment}, not to ${environment}: give each environment its own.`,
    );
  }
  if (!row.master_key_check.equals(check)) throw otherMasterKey();
}

const recordStatement: Statement = {
  name: 'record-base-url',
  text: 'UPDATE installation SET base_url = $1 WHERE base_url IS DISTINCT FROM $1',
};

/** Keeps under which address partners reach the service, for commands that print it. */
export async function recordBaseUrl(executor: Executor, baseUrl: string): Promise<void> {
  await executor.query(recordStatement, [baseUrl]);
}

const baseUrlStatement: Statement = {
  name: 'read-base-url',
  text: 'SELECT base_url FROM installation',
};

/** The address that the last start recorded; null: there was none. */
export async function recordedBaseUrl(executor: Executor): Promise<string | null> {
  const [row] = await executor.query<{ base_url: string | null }>(baseUrlStatement);
  return row?.base_url ?? null;
}
