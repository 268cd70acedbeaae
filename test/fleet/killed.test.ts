/** Four processes behind HAProxy: some are killed with -9, and no promise is broken. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { newSeed } from '../faults/seed.ts';
import { noHaproxy } from '../harness/haproxy.ts';
import { noRedis } from '../harness/redis.ts';
import { openFleet } from './fleet.ts';
import { killUnderLoad } from './kills.ts';

// Longer ones manually: deploy/try.sh --seconds N
describe('a fleet behind HAProxy', { skip: noHaproxy || noRedis }, () => {
  it('a process of each role killed with -9 under load: nothing is lost or done twice', async (t) => {
    const fleet = await openFleet();
    try {
      const { wrong, ended } = await killUnderLoad(fleet, ['worker1', 'api1'], newSeed(t));
      assert.deepEqual(wrong, []);
      assert.ok((ended.get('confirmed') ?? 0) > 0);
      t.diagnostic(JSON.stringify(Object.fromEntries(ended)));
    } finally {
      await fleet.close();
    }
  });
});
