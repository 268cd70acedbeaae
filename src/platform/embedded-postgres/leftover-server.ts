/** Cleans up what a killed service or server leaves in the cluster. */
import type { StartLog } from '../log.ts';
import type { Binaries } from './binaries.ts';
import { removeSocketFolder } from './listening.ts';
import { disownPostmasterFile, readPostmasterFile } from './postmaster-file.ts';
import { isPostmasterOf } from './process-table.ts';
import type { Account } from './run-program.ts';
import { shutDown } from './shut-down.ts';

/**
 * Stops a server that still runs after its service was killed, and repairs the pid file of a dead one. The caller
 * must hold the lock of the data folder. Throws EmbeddedPostgresError if the server does not stop.
 */
export async function clearLeftoverServer(
  cluster: string,
  account: Account,
  binaries: Binaries,
  log: StartLog,
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
