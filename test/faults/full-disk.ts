/** PostgreSQL's disk is full for some time. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../harness/eventually.ts';
import { sql } from '../harness/rows.ts';
import type { TestSystem } from './test-system.ts';

const mostMegabytes = 2_000;
const recoveredWithinMs = 20_000;

/** Restarts PostgreSQL whenever it ends, like a supervisor. */
function supervise({ postgres }: TestSystem): { stop(): Promise<void>; lastFailure(): unknown } {
  const over = Promise.withResolvers<void>();
  let isOver = false;
  let failure: unknown = null;
  async function restart(): Promise<void> {
    try {
      await postgres.restart();
      failure = null;
    } catch (error) {
      failure = error;
      await sleep(200);
    }
  }
  async function watch(): Promise<void> {
    while (!isOver) {
      await Promise.race([postgres.ended, over.promise]);
      if (!isOver) await restart();
    }
  }
  const watching = watch();
  return {
    lastFailure: () => failure,
    stop() {
      isOver = true;
      over.resolve();
      return watching;
    },
  };
}

/** PostgreSQL first fills its preallocated WAL files. */
async function exhaustLog({ database }: TestSystem): Promise<void> {
  const text = `SELECT pg_logical_emit_message(false, 'a test', repeat('x', 1000000))`;
  for (let megabyte = 0; megabyte < mostMegabytes; megabyte += 1) {
    const isFull = await sql(database, text).then(
      () => false,
      () => true,
    );
    if (isFull) return;
  }
  assert.fail('the disk does not fill up');
}

/** Fills the disk until PostgreSQL can write nothing, and frees it later. Resolves when all processes serve again. */
export async function fillDisk(system: TestSystem, fullForMs: number): Promise<void> {
  const { disk, members } = system;
  assert.ok(disk);
  const supervisor = supervise(system);
  try {
    await disk.fill();
    await exhaustLog(system);
    await sleep(fullForMs);
    await disk.makeRoom();
    for (const { service } of members) {
      const serves = async () => (await service.process.readiness()) === 200;
      await eventually(serves, recoveredWithinMs).catch((cause: unknown) => {
        const why = `PostgreSQL: ${String(supervisor.lastFailure() ?? 'restarted')}`;
        throw new Error(`not ready after the disk has space again; ${why}`, { cause });
      });
    }
  } finally {
    await supervisor.stop();
  }
}
