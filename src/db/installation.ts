import type { Environment } from '../contract/wire.ts';
import type { Executor, Statement } from './database.ts';

/** This database was made for something else, or with another master key. */
export class InstallationError extends Error {}

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
  if (!row.master_key_check.equals(check)) {
    throw new InstallationError(
      'This database was sealed with another master key: set LATCHKEY_MASTER_KEY, or put back master.key in the data folder.',
    );
  }
}
