/** Background tasks: one run after the other, in batches, each on its own. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, it } from 'node:test';
import { inBatches, startLoop, type LoopTask } from '../../src/platform/loop.ts';
import { eventually } from '../harness/eventually.ts';

const anHour = 3_600_000;

/** Counts the runs of a task. */
function counted(task: Partial<LoopTask> = {}) {
  const seen = { runs: 0, warnings: [] as object[] };
  const loop = startLoop({
    name: 'count',
    everyMs: anHour,
    log: { warn: (details) => void seen.warnings.push(details) },
    ...task,
    async work(signal) {
      seen.runs += 1;
      return task.work?.(signal);
    },
  });
  return { seen, loop };
}

describe('a background task', () => {
  it('runs at once and then after each interval', async () => {
    const { seen, loop } = counted({ everyMs: 5 });
    assert.equal(seen.runs, 1);
    await eventually(async () => seen.runs >= 3);
    await loop.stop();
  });

  it('delays its first run if requested', async () => {
    const { seen, loop } = counted({ afterMs: anHour });
    await sleep(20);
    assert.equal(seen.runs, 0);
    loop.wake();
    await eventually(async () => seen.runs === 1);
    await loop.stop();
    const never = counted({ afterMs: anHour });
    await never.loop.stop();
    assert.equal(never.seen.runs, 0);
  });

  it('runs again when woken, and once more when it was woken during a run', async () => {
    const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let run = 0;
    const { seen, loop } = counted({ work: () => gates[run++]?.promise ?? Promise.resolve() });
    loop.wake();
    loop.wake();
    gates[0]!.resolve();
    await eventually(async () => seen.runs === 2);
    gates[1]!.resolve();
    await sleep(20);
    assert.equal(seen.runs, 2, 'two wakes during one run are one more run');
    loop.wake();
    await eventually(async () => seen.runs === 3);
    await loop.stop();
  });

  it('logs its name when it fails, and runs again; others are not affected', async () => {
    const failing = counted({
      name: 'fail',
      everyMs: 5,
      work: () => Promise.reject(new Error('no')),
    });
    const other = counted({ everyMs: 5 });
    await eventually(async () => failing.seen.runs >= 3 && other.seen.runs >= 3);
    await Promise.all([failing.loop.stop(), other.loop.stop()]);
    assert.deepEqual(failing.seen.warnings[0], { err: new Error('no'), task: 'fail' });
    assert.deepEqual(other.seen.warnings, []);
  });

  it('a throw before the first await is a failure like any other', async () => {
    const { seen, loop } = counted({
      work: () => {
        throw new Error('at once');
      },
    });
    await eventually(async () => seen.warnings.length === 1);
    await loop.stop();
  });

  it('stop signals the current run, waits for it, and starts no other', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    let aborted = false;
    const { seen, loop } = counted({
      everyMs: 0,
      async work(signal) {
        await promise;
        aborted = signal.aborted;
      },
    });
    let stopped = false;
    const stopping = loop.stop().then(() => (stopped = true));
    await sleep(20);
    assert.equal(stopped, false);
    resolve();
    await stopping;
    assert.deepEqual([aborted, seen.runs], [true, 1]);
  });

  it('in batches › goes on until a batch is not full, then waits for its interval', async () => {
    let due = 25;
    const batches: number[] = [];
    const { loop } = counted({
      work: inBatches(10, async (atMost) => {
        const rows = Math.min(due, atMost);
        due -= rows;
        batches.push(rows);
        return rows;
      }),
    });
    await eventually(async () => due === 0);
    await sleep(20);
    assert.deepEqual(batches, [10, 10, 5]);
    await loop.stop();
  });

  it('in batches › pauses after each batch for as long as it took', async () => {
    const { nextInMs: rest } = await inBatches(1, () => sleep(30, 1))();
    assert.ok(rest && rest >= 28 && rest < 1_000, `${rest} ms`);
  });
});
