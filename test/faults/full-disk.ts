/** PostgreSQL's disk is full for some time. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../harness/eventually.ts';
import { sql } from '../harness/rows.ts';
import type { ServiceProcess } from '../harness/service-process.ts';
import type { TestSystem } from './test-system.ts';

const mostMegabytes = 2_000;
const recoveredWithinMs = 20_000;
// Characters of the log of a process.
const reportLength = 4_000;

/** Restarts PostgreSQL whenever it ends, like a supervisor. */
function supervise({ postgres }: TestSystem): { stop(): Promise<void>; lastStart(): string } {
  const over = Promise.withResolvers<void>();
  let isOver = false;
  let lastStart = 'none';
  async function restart(): Promise<void> {
    lastStart = 'has not ended';
    try {
      await postgres.restart();
      lastStart = 'succeeded';
    } catch (error) {
      lastStart = String(error);
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
    lastStart: () => lastStart,
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

/** The end of PostgreSQL's own log. */
async function serverLog({ postgres }: TestSystem): Promise<string> {
  const log = await readFile(path.join(postgres.dataDir, 'postgres.log'), 'utf8');
  return log.slice(-reportLength);
}

/** Waits until a process serves. If it does not, the error says what the process and PostgreSQL have reported. */
async function servesAgain(
  system: TestSystem,
  process: ServiceProcess,
  lastStart: () => string,
): Promise<void> {
  const serves = async () => (await process.readiness()) === 200;
  await eventually(serves, recoveredWithinMs).catch(async (cause: unknown) => {
    const reports = [
      `readiness: ${await process.readiness()}`,
      `PostgreSQL's last start: ${lastStart()}`,
      `the process: ${process.hasEnded ? 'has ended' : 'runs'}`,
      process.output.slice(-reportLength),
      `PostgreSQL's log: ${await serverLog(system)}`,
    ];
    throw new Error(`not ready after the disk has space again\n${reports.join('\n')}`, { cause });
  });
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
      await servesAgain(system, service.process, supervisor.lastStart);
    }
  } finally {
    await supervisor.stop();
  }
}
