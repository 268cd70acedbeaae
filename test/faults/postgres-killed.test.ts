/** PostgreSQL is killed with -9 while the service books. */
import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  defaultPoolLimits,
  openDatabase,
  type Database,
} from '../../src/platform/postgres/database.ts';
import { findRunningPostgres } from '../../src/platform/embedded-postgres/index.ts';
import { openVault } from '../../src/platform/vault.ts';
import { freePort } from '../harness/free-port.ts';
import { copyUsed, usedMasterKey } from '../harness/used-folder.ts';
import { endLeftover, postmasterIn } from '../harness/postgres-server.ts';
import { chanceOf } from '../harness/chance.ts';
import { newSeed } from './seed.ts';
import { ServiceRunner } from './service-runner.ts';
import { bookingPartners, openTestSystem, outcomesOf } from './test-system.ts';
import { newFolder } from './new-folder.ts';

// Of each kind. Many more: npm run random -- faults
const kills = 2;

/** The database of a service's own PostgreSQL. */
async function databaseIn(dataDir: string): Promise<Database> {
  const connection = await findRunningPostgres(dataDir);
  assert.ok(connection, 'PostgreSQL runs');
  const vault = openVault(await usedMasterKey());
  return openDatabase(connection, vault, defaultPoolLimits, () => undefined);
}

describe('PostgreSQL killed with -9', () => {
  it('beside the service: the service keeps running, refuses calls meanwhile, and loses nothing', async (t) => {
    const system = await openTestSystem();
    try {
      const seed = newSeed(t);
      const chance = chanceOf(seed);
      const workload = await system.workload(seed);
      const { process: first } = system.service;
      for (let kill = 1; kill <= kills; kill += 1) {
        await sleep(200 + chance.below(1_000));
        await system.postgres.kill();
        await sleep(chance.below(500));
        await system.postgres.restart();
      }
      assert.deepEqual(await outcomesOf(system.database, workload), []);
      assert.equal(first.hasEnded, false, 'it is the same process');
      t.diagnostic(JSON.stringify(Object.fromEntries(workload.ended)));
    } finally {
      await system.close();
    }
  });

  it('within the service: the service exits and logs the reason; the next start has all data', async (t) => {
    const folder = await newFolder();
    const dataDir = path.join(folder, 'data');
    await copyUsed('', dataDir);
    const service = new ServiceRunner({
      dataDir,
      port: await freePort(),
      env: { LATCHKEY_LOG_LEVEL: 'error' },
    });
    let database: Database | null = null;
    try {
      await service.start();
      database = await databaseIn(dataDir);
      const seed = newSeed(t);
      const chance = chanceOf(seed);
      const workload = await bookingPartners(database, service.origin, seed);
      try {
        for (let kill = 1; kill <= kills; kill += 1) {
          await sleep(200 + chance.below(1_000));
          process.kill(await postmasterIn(dataDir), 'SIGKILL');
          // Sometimes both at once, as when the machine crashes.
          if (kill % 2 === 0) await service.kill();
          const { code, signal } = await service.process.ended;
          if (kill % 2 === 1) {
            assert.deepEqual({ code, signal }, { code: 1, signal: null });
            assert.match(service.process.stdout, /PostgreSQL was ended by SIGKILL/);
          }
          await service.start();
        }
        assert.deepEqual(await outcomesOf(database, workload), []);
      } finally {
        await workload.abandon();
      }
      t.diagnostic(JSON.stringify(Object.fromEntries(workload.ended)));
    } finally {
      await database?.close();
      await service.end();
      await endLeftover(dataDir);
      await rm(folder, { recursive: true, force: true });
    }
  });
});
