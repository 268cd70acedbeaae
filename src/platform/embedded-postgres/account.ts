/**
 * Under which account of the operating system PostgreSQL runs.
 *
 * PostgreSQL refuses to run as root, and initdb refuses a user id without a passwd entry. So root hands
 * the cluster to `nobody`; where `nobody` cannot get at the folder or the programs (under /root, say), a
 * user namespace makes root look like `nobody` to PostgreSQL. Who owns the files stays root then.
 */
import { chown, stat } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { dirname } from 'node:path';
import { EmbeddedPostgresError } from './embedded-postgres.ts';
import { runToEnd, type Account } from './run-program.ts';

const self: Account = { name: 'the account of this process', through: [] };

/**
 * The account that can initialise a cluster in the given empty folder, which it owns afterwards;
 * throws EmbeddedPostgresError if there is none.
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

/** The account that runs the server on an existing cluster: whoever owns it; throws EmbeddedPostgresError if this process cannot be that. */
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

/** Gives a folder that this process has made to the account; does nothing if the account has the ids of this process. */
export async function handOver(folder: string, account: Account): Promise<void> {
  if (account.identity) await chown(folder, account.identity.uid, account.identity.gid);
}

/** Hands the folder over and sees whether the account gets at it and at the program; says why not. */
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

/** Node cannot look up another account; `id` asks the same sources that initdb will. */
async function lookUpNobody(): Promise<Account> {
  const ids = await Promise.all(
    ['-u', '-g'].map(async (which) => {
      const { exitCode, output } = await runToEnd(self, 'id', [which, 'nobody']);
      if (exitCode !== 0) throw new EmbeddedPostgresError(noNobody(output));
      // macOS has -2, which the system calls take as an unsigned number.
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
