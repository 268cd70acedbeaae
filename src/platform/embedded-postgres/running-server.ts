/** Joining a server that another process of ours runs, as the command line does beside a service. */
import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { database, readPassword, role } from './cluster.ts';
import { clusterFolder } from './data-folder.ts';
import type { EmbeddedPostgres } from './embedded-postgres.ts';
import { readPostmasterFile } from './postmaster-file.ts';
import { isPostmasterOf } from './process-table.ts';

/** How to reach the server that runs in this data folder; null: none does. */
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
