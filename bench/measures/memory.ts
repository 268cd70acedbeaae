import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Measure } from '../measures.ts';
import { residentMiB, startFloor, startService, type ServerProcess } from '../processes.ts';

const restMs = 5_000;

async function atRest(server: ServerProcess): Promise<number> {
  await sleep(restMs);
  const memory = await residentMiB(server.pid);
  await server.stop();
  return memory;
}

/** Resident memory a few seconds after the start, without PostgreSQL, against an empty Fastify. */
export const measureMemory: Measure['run'] = async (rounds, onRound) => {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'latchkey-bench-'));
  try {
    // The first start initializes the data folder and is not measured.
    await (await startService(dataDir)).stop();
    for (let round = 0; round < rounds; round += 1) {
      onRound({
        floor: await atRest(await startFloor({ kind: 'empty' })),
        figure: await atRest(await startService(dataDir)),
      });
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
};
