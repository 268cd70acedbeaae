/**
 * The superuser of the cluster needs a password, also on the socket. The service never connects as the superuser: its
 * own role is none, and only the account of the server and root can enter the folder of the socket.
 */
import { randomBytes } from 'node:crypto';
import { open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { handOver } from './account.ts';
import type { Account } from './run-program.ts';

/** The superuser that initdb creates. */
export const superuser = 'postgres';

// The first line that fits decides.
const rules = `# Latchkey: the superuser needs the password in superuser.password.
local all         ${superuser} scram-sha-256
local replication all      scram-sha-256
`;

const rulesFile = (cluster: string): string => join(cluster, 'pg_hba.conf');

/** The file with the superuser's password, in the folder of the cluster, so that a copy of the one has the other. */
const passwordFile = (cluster: string): string => join(cluster, 'superuser.password');

/** Writes a file of the cluster as a whole: another account may own the folder and have put a link there. */
async function replaceFile(file: string, text: string, account: Account): Promise<void> {
  const replacement = `${file}.latchkey`;
  await rm(replacement, { force: true });
  const handle = await open(replacement, 'wx', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await handOver(replacement, account);
  await rename(replacement, file);
}

/** Makes a password, and the statement that gives it to the superuser. */
export async function makeSuperuserPassword(cluster: string, account: Account): Promise<string> {
  const password = randomBytes(24).toString('base64url');
  await replaceFile(passwordFile(cluster), password, account);
  return `ALTER ROLE ${superuser} PASSWORD '${password}'`;
}

/** From the next start or reload on, the superuser needs the password. */
export async function demandPassword(cluster: string, account: Account): Promise<void> {
  const file = rulesFile(cluster);
  const text = await readFile(file, 'utf8');
  if (!text.startsWith(rules)) await replaceFile(file, `${rules}${text}`, account);
}

/** How to connect as the superuser, with the password if there is one. */
async function superuserOf(cluster: string, host: string, port: number): Promise<pg.ClientConfig> {
  const password = await readFile(passwordFile(cluster), 'utf8').catch(() => '');
  return { host, port, user: superuser, database: superuser, password };
}

/**
 * Gives the superuser of a cluster of an earlier version a password, once. A standby takes that of its primary. If it
 * fails, the next start tries again: the rules of the cluster are written last.
 */
export async function protectSuperuser(
  cluster: string,
  account: Account,
  { host, port }: { host: string; port: number },
): Promise<void> {
  if ((await readFile(rulesFile(cluster), 'utf8')).startsWith(rules)) return;
  const client = new pg.Client(await superuserOf(cluster, host, port));
  await client.connect();
  try {
    const { rows } = await client.query<{ standby: boolean }>(
      'SELECT pg_is_in_recovery() AS standby',
    );
    if (rows[0]!.standby) return;
    await client.query(await makeSuperuserPassword(cluster, account));
    await demandPassword(cluster, account);
    await client.query('SELECT pg_reload_conf()');
  } finally {
    await client.end();
  }
}
