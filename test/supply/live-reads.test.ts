/** Live reads: a limited number at once, none queued, each with a deadline. The end of a read frees its slot. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { withDeadline } from '../../src/platform/postgres/deadline.ts';
import { eventually } from '../harness/eventually.ts';
import { createLiveReads } from '../../src/inventory/live-reads.ts';

const busy = { refused: 'unavailable', retryAfterSeconds: 1 };
const atOnce = 3;
const longMs = 60_000;
const shortMs = 20;

/** Reads that hang until the test ends them. */
function hangingReads() {
  const hanging: PromiseWithResolvers<string>[] = [];
  const read = (): Promise<string> => {
    const reading = Promise.withResolvers<string>();
    hanging.push(reading);
    return reading.promise;
  };
  return { hanging, read };
}

const quick = async (): Promise<string> => 'free';

describe('live reads', () => {
  // Spec: QUOTA-7.
  it('one more than the slots is refused at once and never called', async () => {
    const { hanging, read } = hangingReads();
    const liveReads = createLiveReads(atOnce, longMs);
    const reading = Array.from({ length: atOnce }, () => liveReads(read));
    assert.deepEqual(await liveReads(read), busy);
    assert.equal(hanging.length, atOnce);
    for (const { resolve } of hanging) resolve('free');
    assert.deepEqual(await Promise.all(reading), Array(atOnce).fill('free'));
    assert.equal(hanging.length, atOnce);
  });

  it('release their slots, however they end', async () => {
    const { hanging, read } = hangingReads();
    const liveReads = createLiveReads(1, longMs);
    const ends: readonly (() => Promise<unknown>)[] = [
      async () => assert.equal(await liveReads(quick), 'free'),
      async () => assert.rejects(async () => liveReads(() => Promise.reject(new Error('no')))),
      async () =>
        assert.rejects(async () =>
          liveReads(() => {
            throw new Error('thrown before there was a promise');
          }),
        ),
      async () => assert.equal(await liveReads(() => 'at once'), 'at once'),
      async () => {
        const failing = liveReads(read);
        hanging.at(-1)?.reject(new Error('later'));
        await assert.rejects(async () => failing, { message: 'later' });
      },
    ];
    for (const end of ends) {
      await end();
      assert.equal(await liveReads(quick), 'free');
    }
  });

  it('are refused at the deadline, and keep their slots until they end', async () => {
    const { hanging, read } = hangingReads();
    const liveReads = createLiveReads(1, shortMs);
    for (let round = 0; round < 2; round += 1) {
      assert.deepEqual(await liveReads(read), busy);
      assert.deepEqual(await liveReads(read), busy);
      assert.equal(hanging.length, round + 1, 'asked again while one hangs');
      hanging.at(-1)?.resolve('too late');
      await sleep(0);
      assert.equal(await liveReads(quick), 'free');
    }
  });

  it('that never end release their slots once, and their signals are aborted', async () => {
    const { hanging, read } = hangingReads();
    const liveReads = createLiveReads(1, shortMs, shortMs);
    let stopped: AbortSignal | undefined;
    const asked = (signal: AbortSignal) => {
      stopped = signal;
      return read();
    };
    assert.deepEqual(await liveReads(asked), busy);
    assert.equal(stopped?.aborted, true);
    await eventually(async () => (await liveReads(quick)) === 'free');
    const [one, two] = [liveReads(read), liveReads(read)];
    hanging[0]?.resolve('too late');
    assert.deepEqual(await two, busy, 'the late end frees no second place');
    hanging[1]?.resolve('free');
    assert.equal(await one, 'free');
  });

  it('that fail after their deadline have no effect, and release the slot', async () => {
    const { hanging, read } = hangingReads();
    const liveReads = createLiveReads(1, shortMs);
    assert.deepEqual(await liveReads(read), busy);
    // An unhandled rejection would end the process.
    hanging[0]?.reject(new Error('too late'));
    await sleep(0);
    assert.equal(await liveReads(quick), 'free');
  });

  it('end with the time of their call, where that is sooner', async () => {
    const { read } = hangingReads();
    const liveReads = createLiveReads(1, longMs);
    assert.deepEqual(await withDeadline(shortMs, () => liveReads(read)), busy);
  });
});
