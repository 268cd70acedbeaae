/** The service is killed with -9 under load: at any moment, and between any two steps of a booking. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { failpoints } from './failpoints.ts';
import { chanceOf } from '../harness/chance.ts';
import { newSeed } from './seed.ts';
import { openTestSystem, outcomesOf, type TestSystem } from './test-system.ts';

// Many more: npm run random -- faults
const kills = 3;

describe('the service killed with -9', () => {
  let system: TestSystem;

  before(async () => {
    system = await openTestSystem();
  });

  after(() => system.close());

  it('at any moment and between any two steps: nothing is lost or done twice, and work continues', async (t) => {
    const { service, database } = system;
    const seed = newSeed(t);
    const chance = chanceOf(seed);
    const workload = await system.workload(seed);
    for (let kill = 1; kill <= kills; kill += 1) {
      await sleep(50 + chance.below(800));
      assert.equal((await service.kill()).signal, 'SIGKILL');
      await service.start();
    }
    await service.kill();
    for (const failpoint of failpoints) {
      await service.begin({ LATCHKEY_FAILPOINT: failpoint });
      const reached = await Promise.race([
        service.process.ended,
        sleep(60_000, null, { ref: false }),
      ]);
      assert.equal(reached?.signal, 'SIGKILL', `${failpoint} was not reached`);
    }
    await service.start();
    assert.deepEqual(await outcomesOf(database, workload), []);
    t.diagnostic(JSON.stringify(Object.fromEntries(workload.ended)));
  });
});
