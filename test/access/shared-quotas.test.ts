/** One quota for several processes: in Redis exactly, and without it by shares. */
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { openBuckets, type OpenBuckets } from '../../src/access/shared-buckets.ts';
import type { Buckets } from '../../src/access/buckets.ts';
import { openRedis, type Redis } from '../../src/platform/redis/scripts.ts';
import { eventually } from '../harness/eventually.ts';
import { noRedis, TestRedis } from '../harness/redis.ts';

// Long where the quota must be exact, because the machine may be busy; short where Redis is unavailable.
const patientMs = 10_000;
const shortMs = 1_000;

interface Process {
  opened: OpenBuckets;
  quota: Buckets;
  log: string[];
}

/** Takes calls until one is refused; returns how many were available. */
async function drain(buckets: Buckets, name: string, perMinute: number): Promise<number> {
  let taken = 0;
  while ((await buckets.take(name, perMinute)) === 0) taken += 1;
  return taken;
}

describe('one quota for several processes, in Redis', { skip: noRedis }, () => {
  let redis: TestRedis;
  const clients: Redis[] = [];
  let names = 0;

  before(async () => {
    redis = await TestRedis.start();
  });
  after(async () => {
    for (const client of clients) client.close();
    await redis.stop();
  });
  afterEach(() => redis.resume());

  /** Processes on one database, each with a connection of its own. */
  async function start(
    count: number,
    { prefix = 'test', waitMs = patientMs } = {},
  ): Promise<Process[]> {
    const opening = Array.from({ length: count }, () =>
      openRedis(redis.url, waitMs, () => undefined),
    );
    const connections = await Promise.all(opening);
    clients.push(...connections);
    const processes = connections.map((client) => {
      const log: string[] = [];
      const note = (_details: object, message: string): void => void log.push(message);
      const opened = openBuckets({
        redis: client,
        prefix,
        processes: () => count,
        log: { info: note, warn: note },
      });
      return { opened, quota: opened.make('quota'), log };
    });
    for (const { opened, quota, log } of processes) {
      await eventually(async () => {
        await quota.state('connected', 60);
        return opened.areShared();
      });
      log.length = 0;
    }
    return processes;
  }

  const freshName = (): string => `application-${(names += 1)}`;

  // Spec: QUOTA-8.
  it('gives the quota once, whoever asks, and its refill', async () => {
    const processes = await start(3);
    const name = freshName();
    const began = performance.now();
    const taken = await Promise.all(processes.map(({ quota }) => drain(quota, name, 600)));
    const all = taken.reduce((sum, count) => sum + count, 0);
    const refill = ((performance.now() - began) * 600) / 60_000;
    assert.ok(all >= 600 && all <= 600 + Math.ceil(refill), `${all} calls, refill ${refill}`);
  });

  it('a refusal says when a call is available, and headers say what is left', async () => {
    const [first, second] = await start(2);
    const name = freshName();
    assert.equal(await first!.quota.take(name, 2), 0);
    assert.deepEqual(await first!.quota.state(name, 2), {
      perMinute: 2,
      remaining: 1,
      fullInSeconds: 30,
    });
    assert.equal(await second!.quota.take(name, 2), 0);
    assert.equal(await first!.quota.take(name, 2), 30);
  });

  it('a repeat gives its call back to all; a debit never goes below zero', async () => {
    const [first, second] = await start(2);
    const name = freshName();
    assert.equal(await first!.quota.take(name, 1), 0);
    assert.ok((await second!.quota.take(name, 1)) > 0);
    await first!.quota.giveBack(name, 1);
    assert.equal(await second!.quota.take(name, 1), 0);
    await first!.quota.debit(name, 1);
    assert.ok((await second!.quota.take(name, 1)) <= 60);
  });

  it('installations, sets and names have separate buckets', async () => {
    const [one] = await start(1, { prefix: 'one' });
    const [other] = await start(1, { prefix: 'other' });
    const name = freshName();
    assert.equal(await one!.quota.take(name, 1), 0);
    assert.equal(await other!.quota.take(name, 1), 0);
    assert.equal(await one!.opened.make('portal').take(name, 1), 0);
    assert.equal(await one!.quota.take(freshName(), 1), 0);
  });

  for (const [what, away] of [
    ['paused', async () => redis.pause()],
    ['killed', () => redis.stop()],
  ] as const) {
    it(`${what} › each process applies its share of what was left, and returns by itself`, async () => {
      const processes = await start(3, { waitMs: shortMs });
      const name = freshName();
      const perMinute = 60;
      const began = performance.now();
      for (let call = 0; call < 30; call += 1) {
        assert.equal(await processes[call % 3]!.quota.take(name, perMinute), 0);
      }
      await away();
      // The last known level of one process can be two calls older than that of another.
      for (const { quota, opened } of processes) {
        const taken = await drain(quota, name, perMinute);
        const refill = ((performance.now() - began) * perMinute) / 60_000;
        assert.ok(taken >= 9 && taken <= 11 + refill, `${taken} calls, refill ${refill}`);
        assert.equal(opened.areShared(), false);
        assert.equal((await quota.state(name, perMinute)).perMinute, 20);
      }
      if (what === 'paused') redis.resume();
      else await redis.start();
      for (const { quota, opened, log } of processes) {
        await eventually(async () => {
          await quota.state(freshName(), perMinute);
          return opened.areShared();
        });
        assert.deepEqual(log, [
          'quotas are not shared; this process applies its share',
          'quotas are shared again',
        ]);
      }
    });
  }
});

describe('without Redis', () => {
  const shares = (processes: () => number): Buckets =>
    openBuckets({
      redis: null,
      prefix: '',
      processes,
      log: { info: () => undefined, warn: () => undefined },
      elapsedMs: () => 0,
    }).make('quota');

  it('one process has the whole quota, each of three has a third', async () => {
    assert.equal(
      await drain(
        shares(() => 1),
        'a',
        36,
      ),
      36,
    );
    assert.equal(
      await drain(
        shares(() => 3),
        'a',
        36,
      ),
      12,
    );
    assert.equal((await shares(() => 3).state('a', 36)).perMinute, 12);
  });

  it('a share is at least one call per minute', async () => {
    assert.equal(
      await drain(
        shares(() => 50),
        'a',
        36,
      ),
      1,
    );
  });

  it('another process halves what is left, and its end gives it back with the refill', async () => {
    let processes = 1;
    const buckets = shares(() => processes);
    assert.equal((await buckets.state('a', 36)).remaining, 36);
    processes = 2;
    assert.equal((await buckets.state('a', 36)).remaining, 18);
    processes = 1;
    assert.equal((await buckets.state('a', 36)).remaining, 18);
  });
});
