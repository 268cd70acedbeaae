/** PostgreSQL's disk is full, and then has space again. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../harness/eventually.ts';
import { sql } from '../harness/rows.ts';
import { newSeed } from './seed.ts';
import { mountSmallDisk } from './small-disk.ts';
import { openTestSystem, settle, type TestSystem } from './test-system.ts';

const megabytes = 160;
const fullForMs = 4_000;

/** Restarts PostgreSQL whenever it ends, like a supervisor, until the test ends. */
function supervise({ postgres }: TestSystem): { stop(): Promise<void> } {
  const over = Promise.withResolvers<void>();
  let isOver = false;
  async function watch(): Promise<void> {
    while (!isOver) {
      await Promise.race([postgres.ended, over.promise]);
      if (!isOver) await postgres.restart().catch(() => sleep(200));
    }
  }
  const watching = watch();
  return {
    stop() {
      isOver = true;
      over.resolve();
      return watching;
    },
  };
}

const disk = await mountSmallDisk(megabytes);

describe('a full disk under PostgreSQL', { skip: !disk && 'nothing can be mounted here' }, () => {
  it('refuses writes that cannot be stored, loses nothing, and recovers when there is space', async (t) => {
    assert.ok(disk);
    try {
      const system = await openTestSystem({ dataDir: path.join(disk.folder, 'pg') });
      try {
        await playOn(system, newSeed(t));
      } finally {
        await system.close();
      }
    } finally {
      await disk.remove();
    }
  });

  async function playOn(system: TestSystem, seed: number): Promise<void> {
    assert.ok(disk);
    const supervisor = supervise(system);
    try {
      const workload = await system.workload(seed);
      await sleep(1_000);
      await disk.fill();
      // PostgreSQL first fills its preallocated WAL files.
      await exhaustLog(system);
      await sleep(fullForMs);
      const refused = workload.history.calls.filter(({ response }) => response?.status === 503);
      assert.ok(refused.length > 0, 'something was refused');
      await disk.makeRoom();
      await eventually(async () => (await system.service.process.readiness()) === 200, 20_000);
      assert.deepEqual(await settle(system.database, workload), []);
      await assertSound(system);
    } finally {
      await supervisor.stop();
    }
  }

  async function exhaustLog({ database }: TestSystem): Promise<void> {
    const text = `SELECT pg_logical_emit_message(false, 'a test', repeat('x', 1000000))`;
    for (let megabyte = 0; megabyte < megabytes; megabyte += 1) {
      const isFull = await sql(database, text).then(
        () => false,
        () => true,
      );
      if (isFull) return;
    }
    assert.fail('the disk does not fill up');
  }

  /** Reads every table and every index completely. */
  async function assertSound({ database }: TestSystem): Promise<void> {
    const tables = await sql<{ name: string }>(
      database,
      `SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public'`,
    );
    assert.ok(tables.length > 10);
    for (const { name } of tables) {
      await sql(database, `SELECT count(t::text) FROM ${name} t`);
      await sql(database, `REINDEX TABLE ${name}`);
    }
  }
});
