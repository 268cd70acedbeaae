import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Measure } from '../measure.ts';
import { residentMiB, startFloor, startService, type ServerProcess } from '../processes.ts';

const idleMs = 5_000;

async function idleMemory(server: ServerProcess): Promise<number> {
  await sleep(idleMs);
  const memory = await residentMiB(server.pid);
  await server.stop();
  return memory;
}

/** Resident memory a few seconds after the start, without PostgreSQL; the floor is an empty Fastify. */
export const measureMemory: Measure['run'] = async (rounds, onRound) => {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'latchkey-bench-'));
  try {
    // The first start initializes the data folder and is not measured.
    await (await startService(dataDir)).stop();
    for (let round = 0; round < rounds; round += 1) {
      onRound({
        floor: await idleMemory(await startFloor({ kind: 'empty' })),
        figure: await idleMemory(await startService(dataDir)),
      });
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
};
