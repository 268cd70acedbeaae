/** Where the server listens: on a Unix socket in a private folder, or on a loopback port with a password. */
import { mkdtemp, rm, rmdir } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { tryOut } from './account.ts';
import { EmbeddedPostgresError } from './embedded-postgres.ts';
import type { Account } from './run-program.ts';

/** `loopback` is for Windows only, where PostgreSQL and Node have no common kind of local socket. */
export type Transport = 'socket' | 'loopback';

/** The listening address, as settings of `pg` and of PostgreSQL. */
export interface Listening {
  host: string;
  port: number;
  settings: Record<string, string>;
}

/** Only a part of the socket's file name: no port is opened. */
const socketPort = 5432;
/** A socket address has at most 104 bytes on macOS and 108 on Linux, including its final zero byte. */
const maxSocketPathBytes = 103;
const folderPrefix = 'latchkey-';

/**
 * Chooses a Unix socket in the cluster's folder, which only PostgreSQL's account and root can enter. If that path
 * is too long, creates such a folder under /tmp. No server may run on the cluster. Throws EmbeddedPostgresError if
 * no folder is usable.
 */
export async function listenOnSocket(
  cluster: string,
  account: Account,
  postgres: string,
): Promise<Listening> {
  const folder = fits(cluster) ? cluster : await makeShortFolder(account, postgres);
  await removeSocket(folder);
  return {
    host: folder,
    port: socketPort,
    settings: {
      listen_addresses: '',
      port: String(socketPort),
      unix_socket_directories: quoted(folder),
      unix_socket_permissions: '0700',
    },
  };
}

/** Chooses a free loopback port. If another process takes it before PostgreSQL does, the start fails. */
export async function listenOnLoopback(): Promise<Listening> {
  const port = await freePort();
  return {
    host: '127.0.0.1',
    port,
    settings: {
      listen_addresses: '127.0.0.1',
      port: String(port),
      unix_socket_directories: '',
    },
  };
}

/** Removes the socket of a dead server, and its folder if it was created for the socket. */
export async function removeSocketFolder(folder: string): Promise<void> {
  await removeSocket(folder);
  // Another account may have written this path, so only an empty folder with our name pattern is removed.
  if (!basename(folder).startsWith(folderPrefix) || !shortParents().includes(dirname(folder)))
    return;
  await rmdir(folder).catch(() => undefined);
}

/** Removes the socket and its lock file. PostgreSQL does not start if another process now has the pid in the lock file. */
async function removeSocket(folder: string): Promise<void> {
  await Promise.all(socketFiles(folder).map((path) => rm(path, { force: true })));
}

function socketFiles(folder: string): [string, string] {
  const socket = join(folder, `.s.PGSQL.${socketPort}`);
  return [socket, `${socket}.lock`];
}

/** Quotes a path, because the setting is a comma-separated list. */
function quoted(path: string): string {
  return `"${path.replaceAll('"', '""')}"`;
}

function fits(folder: string): boolean {
  return Buffer.byteLength(socketFiles(folder)[0]) <= maxSocketPathBytes;
}

async function makeShortFolder(account: Account, postgres: string): Promise<string> {
  const refusals: string[] = [];
  for (const parent of shortParents()) {
    try {
      const folder = await mkdtemp(join(parent, folderPrefix));
      const refusal = fits(folder)
        ? await tryOut(account, folder, postgres)
        : 'its path is too long';
      if (refusal === undefined) return folder;
      await rmdir(folder);
      refusals.push(`${parent}: ${refusal}`);
    } catch (error) {
      refusals.push(`${parent}: ${(error as Error).message}`);
    }
  }
  throw new EmbeddedPostgresError(
    `There is no place for PostgreSQL's Unix socket: the path of the data folder is too long for it, and\n` +
      `${refusals.join('\n')}\nSet LATCHKEY_DATA_DIR to a folder with a path of at most 75 bytes.`,
  );
}

function shortParents(): string[] {
  return ['/tmp', tmpdir()];
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      const port = address !== null && typeof address === 'object' ? address.port : 0;
      probe.close(() => resolve(port));
    });
  });
}
