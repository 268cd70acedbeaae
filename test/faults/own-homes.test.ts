/** Guests and staff at the operator's own homes while processes and PostgreSQL are killed and networks hang. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { two } from '../fleet/fleet.ts';
import { eventually } from '../harness/eventually.ts';
import { noHaproxy } from '../harness/haproxy.ts';
import { noRedis } from '../harness/redis.ts';
import { chanceOf } from '../harness/chance.ts';
import { newSeed } from './seed.ts';
import { openTestSystem, outcomesOf } from './test-system.ts';

const roles = noHaproxy || noRedis ? undefined : two;
const where = roles ? 'two processes behind HAProxy' : 'one process';

describe("the operator's own homes", () => {
  it(`${where}, and PostgreSQL killed, a network silent: no night has two stays, none is taken in vain, no act of staff is lost`, async (t) => {
    const system = await openTestSystem({ environment: 'test', roles });
    try {
      const { members, postgres, database } = system;
      const seed = newSeed(t);
      const chance = chanceOf(seed);
      const workload = await system.workload(seed);
      const { ended, acts } = workload;
      /** Waits until guests have reserved again, and until a moment that no statement knows. */
      async function proceeds(): Promise<void> {
        const earlier = ended.get('confirmed') ?? 0;
        await eventually(async () => (ended.get('confirmed') ?? 0) > earlier + 2, 60_000);
        await sleep(chance.below(300));
      }
      await proceeds();
      const { service } = chance.pick(members);
      assert.equal((await service.kill()).signal, 'SIGKILL');
      await service.start();
      await proceeds();
      await postgres.kill();
      await postgres.restart();
      await proceeds();
      const { proxy } = chance.pick(members);
      proxy.hold();
      await sleep(chance.below(1_000));
      proxy.restore();
      await eventually(async () => ended.has('failed') && acts.has('change dates done'), 60_000);
      assert.deepEqual(await outcomesOf(database, workload), []);
      t.diagnostic(JSON.stringify(Object.fromEntries([...ended, ...acts])));
    } finally {
      await system.close();
    }
  });
});
