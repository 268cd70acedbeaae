import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { accountForNewCluster } from '../../src/platform/embedded-postgres/account.ts';
import { findBinaries } from '../../src/platform/embedded-postgres/binaries.ts';
import { readPostmasterFile } from '../../src/platform/embedded-postgres/postmaster-file.ts';
import { runToEnd, spawnAs } from '../../src/platform/embedded-postgres/run-program.ts';
import type { Measure } from '../measure.ts';
import { startService } from '../processes.ts';

async function inEmptyFolder(work: (folder: string) => Promise<number>): Promise<number> {
  const folder = await mkdtemp(path.join(tmpdir(), 'latchkey-bench-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Measures `initdb` and the start of PostgreSQL alone. */
const bareStartMs = (): Promise<number> =>
  inEmptyFolder(async (folder) => {
    const binaries = await findBinaries();
    const account = await accountForNewCluster(folder, binaries.initdb);
    const begin = performance.now();
    const initialized = await runToEnd(account, binaries.initdb, ['-D', folder, '-U', 'bench']);
    if (initialized.exitCode !== 0) throw new Error(initialized.output);
    const settings = ['-c', 'listen_addresses=', '-c', `unix_socket_directories=${folder}`];
    const server = spawnAs(account, binaries.postgres, ['-D', folder, ...settings], 'ignore');
    while (!(await readPostmasterFile(folder))?.ready) await sleep(5);
    const took = performance.now() - begin;
    const exit = once(server, 'exit');
    server.kill('SIGINT');
    await exit;
    return took;
  });

/** Measures the service on an empty data folder, from its start until `/readyz` succeeds. */
const firstStartMs = (): Promise<number> =>
  inEmptyFolder(async (folder) => {
    const begin = performance.now();
    const service = await startService(folder);
    const took = performance.now() - begin;
    await service.stop();
    return took;
  });

export const measureStart: Measure['run'] = async (rounds, onRound) => {
  for (let round = 0; round < rounds; round += 1) {
    onRound({ floor: await bareStartMs(), figure: await firstStartMs() });
  }
};
