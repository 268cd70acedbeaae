/** What a service or a server that was killed leaves behind in the cluster: cleared away before the next start. */
import type { Binaries } from './binaries.ts';
import { removeSocketFolder } from './listening.ts';
import { disownPostmasterFile, readPostmasterFile } from './postmaster-file.ts';
import { isPostmasterOf } from './process-table.ts';
import type { Account } from './run-program.ts';
import { shutDown } from './shut-down.ts';

/**
 * Stops a server that has outlived its service, and makes the rest of a dead one harmless. Only for the holder of
 * the data folder's lock: nobody else uses that server. Throws EmbeddedPostgresError if the server stays.
 */
export async function clearLeftoverServer(
  cluster: string,
  account: Account,
  binaries: Binaries,
  log: (message: string, details?: object) => void,
): Promise<void> {
  const leftover = await readPostmasterFile(cluster);
  if (leftover && (await isPostmasterOf(leftover.pid, cluster))) {
    const { pid } = leftover;
    log('stopping the PostgreSQL that a killed service has left running', { pid });
    await shutDown(pid, async () => !(await isPostmasterOf(pid, cluster)), binaries);
  }
  if (leftover?.socketFolder) await removeSocketFolder(leftover.socketFolder);
  await disownPostmasterFile(cluster, account);
}
