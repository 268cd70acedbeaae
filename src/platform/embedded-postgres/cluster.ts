/** Checks and creates the database cluster on disk. */
import { randomBytes } from 'node:crypto';
import { mkdtemp, open, readdir, readFile, rename, rm, rmdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { accountForNewCluster } from './account.ts';
import { majorVersion, type Binaries } from './binaries.ts';
import { EmbeddedPostgresError } from './embedded-postgres.ts';
import type { Transport } from './listening.ts';
import { runToEnd, type Account } from './run-program.ts';
import { demandPassword, makeSuperuserPassword, superuser } from './superuser.ts';

/** The role that the service connects as. It owns the database and is not a superuser. */
export const role = 'latchkey';
export const database = 'latchkey';

/** Whether there is a cluster. Throws EmbeddedPostgresError if the folder contains something else or a cluster of another major version. */
export async function clusterExists(cluster: string): Promise<boolean> {
  const content = await readdir(cluster).catch((error: NodeJS.ErrnoException): string[] => {
    if (error.code === 'ENOENT') return [];
    if (error.code === 'ENOTDIR') throw notACluster(cluster);
    throw error;
  });
  if (content.length === 0) return false;
  if (!content.includes('PG_VERSION')) throw notACluster(cluster);

  const version = (await readFile(join(cluster, 'PG_VERSION'), 'utf8')).trim().slice(0, 10);
  if (version === majorVersion) return true;
  throw new EmbeddedPostgresError(
    `The database in ${cluster} was made by PostgreSQL ${version}, and the embedded one is PostgreSQL ${majorVersion}. ` +
      `Convert it with pg_upgrade, or move ${cluster} away to begin with an empty database.`,
  );
}

/**
 * Creates a cluster with the service's role and database. Builds it in a temporary folder, flushes it to disk
 * and renames it. The next start removes what a killed start leaves. Throws EmbeddedPostgresError.
 */
export async function initialiseCluster(
  cluster: string,
  binaries: Binaries,
  transport: Transport,
): Promise<void> {
  await removeHalfMade(cluster);
  const building = await mkdtemp(`${cluster}.new-`);
  try {
    const account = await accountForNewCluster(building, binaries.initdb);
    await initdb(account, building, binaries, transport);
    const password = transport === 'loopback' ? await makePassword(building) : undefined;
    const further = transport === 'socket' ? [await makeSuperuserPassword(building, account)] : [];
    await createDatabase(account, building, binaries, password, further);
    if (transport === 'socket') await demandPassword(building, account);
    await syncToDisk(account, building, binaries);
    // On Windows, a rename does not replace an existing empty folder.
    await rmdir(cluster).catch(ignoreAbsence);
    await rename(building, cluster);
    await syncFolder(dirname(cluster));
  } catch (error) {
    await removeFolder(building);
    throw error;
  }
}

/** Reads the password of a server on a loopback port. */
export async function readPassword(cluster: string): Promise<string> {
  const path = passwordFile(cluster);
  return readFile(path, 'utf8').catch((cause: Error) => {
    throw new EmbeddedPostgresError(
      `The password of the embedded PostgreSQL cannot be read: ${cause.message}. Restore ${path}.`,
      { cause },
    );
  });
}

function notACluster(cluster: string): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    `${cluster} is not a PostgreSQL database folder. Move it away, or set LATCHKEY_DATA_DIR to another folder.`,
  );
}

function ignoreAbsence(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}

async function removeHalfMade(cluster: string): Promise<void> {
  const prefix = `${basename(cluster)}.new-`;
  const names = await readdir(dirname(cluster));
  const leftovers = names.filter((name) => name.startsWith(prefix));
  await Promise.all(leftovers.map((name) => removeFolder(join(dirname(cluster), name))));
}

/** Removes a folder. The initdb of a killed start may still write into it for a moment; files that stay are harmless. */
async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 10 }).catch(() => undefined);
}

async function initdb(
  account: Account,
  folder: string,
  { initdb: program }: Binaries,
  transport: Transport,
): Promise<void> {
  const [local, host] = transport === 'socket' ? ['trust', 'reject'] : ['reject', 'scram-sha-256'];
  await runOrThrow('initialise its files', account, program, [
    `--pgdata=${folder}`,
    `--username=${superuser}`,
    '--encoding=UTF8',
    // The built-in provider gives the same order and case rules on every machine, with any locales.
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    // Of the service's role, which is no superuser: only the server's account and root can enter the folder of the
    // socket. The superuser needs a password.
    `--auth-local=${local}`,
    `--auth-host=${host}`,
    '--no-instructions',
    // One sync at the end is sufficient and much faster.
    '--no-sync',
  ]);
}

/** Creates the database in single-user mode, so that a renamed cluster always has its database. */
async function createDatabase(
  account: Account,
  folder: string,
  { postgres }: Binaries,
  password: string | undefined,
  further: readonly string[],
): Promise<void> {
  const statements = [
    ...further,
    `CREATE ROLE ${role} LOGIN CREATEDB ${password === undefined ? '' : `PASSWORD '${password}'`}`,
    // The service receives the error of a refused statement; in the server's log it could show a guest's data.
    `ALTER ROLE ${role} SET log_min_messages = log`,
    `CREATE DATABASE ${database} OWNER ${role}`,
  ];
  const args = ['--single', '-D', folder, '-c', 'fsync=off', '-c', 'exit_on_error=on', 'postgres'];
  // In single-user mode, each line is one statement.
  const input = `${statements.join('\n')}\n`;
  await runOrThrow('create its database', account, postgres, args, input);
}

async function syncToDisk(
  account: Account,
  folder: string,
  { initdb: program }: Binaries,
): Promise<void> {
  await runOrThrow('write its files to disk', account, program, [
    '--sync-only',
    `--pgdata=${folder}`,
  ]);
}

async function runOrThrow(
  purpose: string,
  account: Account,
  program: string,
  args: readonly string[],
  input?: string,
): Promise<void> {
  const { exitCode, output } = await runToEnd(account, program, args, input);
  if (exitCode === 0) return;
  throw new EmbeddedPostgresError(
    `PostgreSQL could not ${purpose} (exit code ${exitCode}, under ${account.name}). ${basename(program)} said:\n${output}`,
  );
}

/** Writes the password into the cluster's folder, so that neither exists without the other. */
async function makePassword(folder: string): Promise<string> {
  const password = randomBytes(24).toString('base64url');
  const file = await open(passwordFile(folder), 'wx', 0o600);
  try {
    await file.writeFile(password);
    await file.sync();
  } finally {
    await file.close();
  }
  return password;
}

function passwordFile(cluster: string): string {
  return join(cluster, 'latchkey.password');
}

async function syncFolder(folder: string): Promise<void> {
  // Windows cannot sync a folder, and does not need it.
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
