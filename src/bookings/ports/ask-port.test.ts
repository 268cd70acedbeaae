import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { askPort } from './ask-port.ts';

const unknown = { outcome: 'unknown' };
const done = { outcome: 'done' } as const;

suite('a port call', () => {
  test("returns the port's result, and does not abort", async () => {
    let asked: AbortSignal | undefined;
    const answer = await askPort(20, async (signal) => {
      asked = signal;
      return done;
    });
    assert.deepEqual(answer, done);
    await sleep(40);
    assert.equal(asked?.aborted, false);
  });

  test('a port that never answers: unknown at the deadline, and its signal is aborted', async () => {
    let asked: AbortSignal | undefined;
    const since = performance.now();
    const answer = await askPort(50, (signal) => {
      asked = signal;
      return new Promise(() => undefined);
    });
    assert.deepEqual(answer, unknown);
    assert.ok(performance.now() - since >= 45);
    assert.equal(asked?.aborted, true);
  });

  test('a port that ends with the signal: unknown, not its error', async () => {
    const answer = askPort(20, (signal) => sleep(10_000, done, { signal }));
    assert.deepEqual(await answer, unknown);
  });

  test('a port that fails after the deadline has no effect', async () => {
    const failing = Promise.withResolvers<never>();
    assert.deepEqual(await askPort(10, () => failing.promise), unknown);
    failing.reject(new Error('too late'));
    await sleep(0);
  });

  test('an error before the deadline is thrown', async () => {
    await assert.rejects(
      askPort(1_000, () => {
        throw new Error('a bug');
      }),
      /a bug/,
    );
    await assert.rejects(
      askPort(1_000, () => Promise.reject(new Error('the network'))),
      /the network/,
    );
  });

  for (const left of [0, -5]) {
    test(`with ${left} ms left the port is not asked`, async () => {
      let asked = 0;
      const answer = await askPort(left, async () => {
        asked += 1;
        return done;
      });
      assert.deepEqual([answer, asked], [unknown, 0]);
    });
  }
});
