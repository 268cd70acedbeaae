import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Measure } from '../measures.ts';
import { residentMiB, startFloor, startService, type Serving } from '../processes.ts';

const restMs = 5_000;

async function atRest(serving: Serving): Promise<number> {
  await sleep(restMs);
  const memory = await residentMiB(serving.pid);
  await serving.stop();
  return memory;
}

/** Resident memory a few seconds after the start, PostgreSQL apart, against an empty Fastify. */
export const measureMemory: Measure['run'] = async (rounds, onRound) => {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'latchkey-bench-'));
  try {
    // The first start initialises: what is measured are later ones.
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
