/** Where the server can be reached, and by nobody else: a Unix socket in a closed folder, or a loopback port with a password. */
import { mkdtemp, rm, rmdir } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { tryOut } from './account.ts';
import { EmbeddedPostgresError } from './embedded-postgres.ts';
import type { Account } from './run-program.ts';

/** Unix sockets everywhere but on Windows, where PostgreSQL and Node have no kind in common. */
export type Transport = 'socket' | 'loopback';

/** What `pg` is told, and what PostgreSQL is told about the same. */
export interface Listening {
  host: string;
  port: number;
  settings: Record<string, string>;
}

/** Part of the socket's file name, nothing more: nobody listens on a port. */
const socketPort = 5432;
/** The address with its final zero byte has 104 bytes on macOS, 108 on Linux. */
const maxSocketPathBytes = 103;
const folderPrefix = 'latchkey-';

/**
 * A Unix socket in the cluster's own folder, which PostgreSQL keeps closed to all but its account (and root);
 * if that path is too long, in a new such folder under /tmp. Only for a cluster that no server runs on.
 * Throws EmbeddedPostgresError if no folder serves.
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

/** A loopback port that is free now; whoever takes it before PostgreSQL does makes the start fail. */
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

/** Removes the socket of a server that is gone, and the folder if it was made for it alone. */
export async function removeSocketFolder(folder: string): Promise<void> {
  await removeSocket(folder);
  // The path may come from a file in the hands of another account: nothing but an empty folder of our kind goes.
  if (!basename(folder).startsWith(folderPrefix) || !shortParents().includes(dirname(folder)))
    return;
  await rmdir(folder).catch(() => undefined);
}

/** A socket and its lock file hold a pid that another process may have by now; PostgreSQL would refuse to start then. */
async function removeSocket(folder: string): Promise<void> {
  await Promise.all(socketFiles(folder).map((path) => rm(path, { force: true })));
}

function socketFiles(folder: string): [string, string] {
  const socket = join(folder, `.s.PGSQL.${socketPort}`);
  return [socket, `${socket}.lock`];
}

/** The setting is a list: a comma in the path would end it. */
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
