/** PostgreSQL's disk is full, and then has space again. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from '../harness/rows.ts';
import { fillDisk } from './full-disk.ts';
import { newSeed } from './seed.ts';
import { mountSmallDisk } from './small-disk.ts';
import { openTestSystem, outcomesOf, type TestSystem } from './test-system.ts';

const megabytes = 160;
const fullForMs = 4_000;

const disk = await mountSmallDisk(megabytes);

describe('a full disk under PostgreSQL', { skip: !disk && 'nothing can be mounted here' }, () => {
  it('refuses writes that cannot be stored, loses nothing, and recovers when there is space', async (t) => {
    assert.ok(disk);
    try {
      const system = await openTestSystem({ disk });
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
    const workload = await system.workload(seed);
    await sleep(1_000);
    await fillDisk(system, fullForMs);
    const refused = workload.history.calls.filter(({ response }) => response?.status === 503);
    assert.ok(refused.length > 0, 'something was refused');
    assert.deepEqual(await outcomesOf(system.database, workload), []);
    await assertSound(system);
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
