/** What an application orders, with several processes, and beside another application. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { eventually } from '../harness/eventually.ts';
import type { Partner } from '../harness/partner.ts';
import { order } from '../harness/sandbox.ts';
import { startTestPair, startTestService } from '../harness/service.ts';
import { sandboxLimits } from '../../src/contract/sandbox/limits.ts';

const site = 'distribution.site.get';

// They get the calls alternately, so each process answers twice.
async function fourStatuses(partner: Partner): Promise<number[]> {
  const found: number[] = [];
  for (let at = 0; at < 4; at += 1) found.push((await partner.call(site)).status);
  return found;
}

const allAre = (status: number): number[] => [status, status, status, status];

// Spec: SANDBOX-1.
suite('what is ordered holds at once in every process', () => {
  test('faults begin and end with the answer of their call, in both of two processes', async () => {
    const pair = await startTestPair();
    try {
      const partner = await pair.partner();
      // The first process has counted the second one.
      await eventually(async () => {
        const [row] = await pair.database.query<{ late: number }>({
          name: 'count-late-processes',
          text: `SELECT count(*)::int AS late FROM processes
            WHERE seen_at <= (SELECT max(started_at) FROM processes)
              AND started_at < (SELECT max(started_at) FROM processes)`,
        });
        return row!.late === 0;
      }, 60_000);
      const rules = [{ match: { operation: site }, do: { respond: 503 as const } }];
      for (let round = 0; round < 3; round += 1) {
        assert.deepEqual(await fourStatuses(partner), allAre(200));
        await order(partner, 'sandbox.faults.put', { body: { rules } });
        assert.deepEqual(await fourStatuses(partner), allAre(503));
        await order(partner, 'sandbox.faults.delete');
      }
      assert.deepEqual(await fourStatuses(partner), allAre(200));
    } finally {
      await pair.stop();
    }
  });
});

// Spec: SANDBOX-2.
suite('one application cannot slow another', () => {
  test('while as many of its calls as can are held, and more arrive', async () => {
    const service = await startTestService();
    const end = new AbortController();
    try {
      const slow = await service.partner();
      const other = await service.partner();
      const delayed = { match: { operation: site }, do: { delayMs: sandboxLimits.delayMs } };
      await order(slow, 'sandbox.faults.put', { body: { rules: [delayed] } });
      let ended = 0;
      const held = Array.from({ length: sandboxLimits.delayedAtOnce }, () =>
        slow.call(site, { signal: end.signal }).then(
          () => (ended += 1),
          () => undefined,
        ),
      );
      const counted = async () => {
        const { rules } = await order(slow, 'sandbox.faults.get');
        return rules[0]!.calls;
      };
      await eventually(async () => (await counted()) >= sandboxLimits.delayedAtOnce, 20_000);
      // Further ones are answered at once.
      for (let call = 0; call < 4; call += 1) await slow.succeed(site);
      await Promise.all(
        Array.from({ length: 10 }, async () => {
          for (let call = 0; call < 3; call += 1) await other.succeed(site);
          await other.quote();
        }),
      );
      assert.equal(ended, 0);
      end.abort();
      await Promise.all(held);
    } finally {
      end.abort();
      await service.stop();
    }
  });
});
