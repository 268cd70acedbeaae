/**
 * Chooses the operating system account that PostgreSQL runs under.
 *
 * PostgreSQL refuses to run as root, and initdb refuses a user ID without a passwd entry. So root gives
 * the cluster to `nobody`. If `nobody` cannot access the folder or the programs (under /root, for
 * example), root runs PostgreSQL in a user namespace as `nobody`, and the files stay owned by root.
 */
import { chown, stat } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { dirname } from 'node:path';
import { EmbeddedPostgresError } from './embedded-postgres.ts';
import { runToEnd, type Account } from './run-program.ts';

const self: Account = { name: 'the account of this process', through: [] };

/**
 * Returns an account that can initialise a cluster in the given empty folder, and makes it the owner.
 * Throws EmbeddedPostgresError if there is none.
 */
export async function accountForNewCluster(folder: string, initdb: string): Promise<Account> {
  if (process.platform === 'win32') return self;
  if (process.geteuid?.() !== 0 && hasPasswdEntry()) return self;

  const nobody = await lookUpNobody();
  const candidates =
    process.geteuid?.() === 0 ? [nobody, userNamespace(nobody)] : [userNamespace(nobody)];
  const refusals: string[] = [];
  for (const candidate of candidates) {
    const refusal = await tryOut(candidate, folder, initdb);
    if (refusal === undefined) return candidate;
    refusals.push(`- ${candidate.name}: ${refusal}`);
  }
  throw new EmbeddedPostgresError(
    `PostgreSQL cannot run as root, or as a user id that /etc/passwd does not know, and no other way works here:\n` +
      `${refusals.join('\n')}\n` +
      `Start as an ordinary user, or let nobody enter ${dirname(folder)} and ${dirname(initdb)} and all folders above them, ` +
      `or allow user namespaces, or set DATABASE_URL to a PostgreSQL that runs elsewhere.`,
  );
}

/** Returns the owner of an existing cluster, who must run the server. Throws EmbeddedPostgresError if this process cannot run as the owner. */
export async function accountOfCluster(cluster: string): Promise<Account> {
  const me = process.geteuid?.();
  if (process.platform === 'win32' || me === undefined) return self;
  const { uid, gid } = await stat(cluster);
  if (me === 0 && uid === 0) return userNamespace(await lookUpNobody());
  if (me === 0) return { name: `the user id ${uid}`, identity: { uid, gid }, through: [] };
  if (me === uid) return self;
  throw new EmbeddedPostgresError(
    `The database files in ${cluster} belong to the user id ${uid}, and this process has the user id ${me}. ` +
      `Start as that user (or as root), or set LATCHKEY_DATA_DIR to another folder.`,
  );
}

/** Makes the account the owner of a folder that this process created. Does nothing if the account has the IDs of this process. */
export async function handOver(folder: string, account: Account): Promise<void> {
  if (account.identity) await chown(folder, account.identity.uid, account.identity.gid);
}

/** Makes the account the owner of the folder, and returns why it cannot use the folder or the program. Undefined: it can. */
export async function tryOut(
  account: Account,
  folder: string,
  program: string,
): Promise<string | undefined> {
  const { uid, gid } = await stat(folder);
  const refusal = await refusalOf(account, folder, program).catch((error: Error) => error.message);
  if (refusal !== undefined && account.identity) await chown(folder, uid, gid);
  return refusal;
}

async function refusalOf(
  account: Account,
  folder: string,
  program: string,
): Promise<string | undefined> {
  await handOver(folder, account);
  const trial = ['-c', 'cd "$1" && test -w . && "$2" --version', 'sh', folder, program];
  const { exitCode, output } = await runToEnd(account, '/bin/sh', trial);
  return exitCode === 0 ? undefined : output || `cannot write to ${folder}`;
}

function userNamespace(nobody: Account): Account {
  const { uid, gid } = nobody.identity ?? { uid: 65534, gid: 65534 };
  return {
    name: 'a user namespace',
    through: ['unshare', '--user', `--map-user=${uid}`, `--map-group=${gid}`, '--'],
  };
}

/** Looks up `nobody` with `id`, because Node cannot look up other accounts and `id` reads the same sources as initdb. */
async function lookUpNobody(): Promise<Account> {
  const ids = await Promise.all(
    ['-u', '-g'].map(async (which) => {
      const { exitCode, output } = await runToEnd(self, 'id', [which, 'nobody']);
      if (exitCode !== 0) throw new EmbeddedPostgresError(noNobody(output));
      // macOS prints -2, but the system calls take an unsigned number.
      return Number(output) >>> 0;
    }),
  );
  const [uid = 65534, gid = 65534] = ids;
  return { name: 'the account nobody', identity: { uid, gid }, through: [] };
}

function noNobody(reason: string): string {
  return (
    `PostgreSQL cannot run as root, and there is no account nobody to run it as (${reason}). ` +
    `Start as an ordinary user, or set DATABASE_URL to a PostgreSQL that runs elsewhere.`
  );
}

function hasPasswdEntry(): boolean {
  try {
    userInfo();
    return true;
  } catch {
    return false;
  }
}
