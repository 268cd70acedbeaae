/** Finds the server that another process runs, for the command line beside a running service. */
import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { database, readPassword, role } from './cluster.ts';
import { clusterFolder } from './data-folder.ts';
import type { EmbeddedPostgres } from './embedded-postgres.ts';
import { readPostmasterFile } from './postmaster-file.ts';
import { isPostmasterOf } from './process-table.ts';

/** Returns how to connect to the server of this data folder. Null: it does not run. */
export async function findRunningPostgres(
  dataDir: string,
): Promise<EmbeddedPostgres['connection'] | null> {
  const folder = await realpath(resolve(dataDir)).catch(() => null);
  if (folder === null) return null;
  const cluster = clusterFolder(folder);
  const server = await readPostmasterFile(cluster).catch(() => undefined);
  if (!server?.ready || !(await isPostmasterOf(server.pid, cluster))) return null;
  const { port, socketFolder } = server;
  if (socketFolder !== '') return { host: socketFolder, port, user: role, database };
  const password = await readPassword(cluster);
  return { host: '127.0.0.1', port, user: role, database, password };
}
