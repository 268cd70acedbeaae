import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, mock, suite, test } from 'node:test';
import { setImmediate as nextTick } from 'node:timers/promises';
import type { Executor, Statement } from '../platform/postgres/database.ts';
import { startCallCounts } from './call-counts.ts';

const [one, other] = [randomUUID(), randomUUID()];
const home = randomUUID();

/** Counts that are written to a list of statements instead of a database. */
function startCounts() {
  const written: (readonly [name: string, ...columns: unknown[]])[] = [];
  const query = async ({ name }: Statement, [, ...columns]: readonly unknown[] = []) => {
    written.push([name, ...columns]);
    return [];
  };
  const log = { warn: () => assert.fail('nothing is dropped') };
  return { counts: startCallCounts({ executor: { query } as unknown as Executor, log }), written };
}

/** The same, where no refusal can be written. */
function startWithoutRefusals() {
  const written: unknown[] = [];
  const dropped: unknown[] = [];
  const query = async ({ name }: Statement, [, ...columns]: readonly unknown[] = []) => {
    if (name === 'count-refused-calls') throw new Error('refused');
    written.push(columns);
    return [];
  };
  const log = { warn: (details: object) => void dropped.push(details) };
  const executor = { query } as unknown as Executor;
  return { counts: startCallCounts({ executor, log }), written, dropped };
}

suite('counts of calls', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
  afterEach(() => mock.timers.reset());

  test('calls of one kind are one row, however many there are', async () => {
    const { counts, written } = startCounts();
    const taken = { listingId: home, step: 'quote', reason: 'dates_taken' } as const;
    for (let call = 0; call < 1_000; call += 1) counts.answered(one);
    counts.answered(other);
    for (const applicationId of [one, one, other]) counts.refused({ applicationId, ...taken });
    counts.refused({ applicationId: one, ...taken, listingId: null });
    assert.deepEqual(written, []);
    mock.timers.tick(2_000);
    await nextTick();
    await nextTick();
    assert.deepEqual(written, [
      ['count-answered-searches', [one, other], [1_000, 1]],
      [
        'count-refused-calls',
        [one, other, one],
        [home, home, null],
        ['quote', 'quote', 'quote'],
        ['dates_taken', 'dates_taken', 'dates_taken'],
        [2, 1, 1],
      ],
    ]);
    await counts.stop();
    assert.equal(written.length, 2);
  });

  test('what is counted is written at the stop', async () => {
    const { counts, written } = startCounts();
    counts.answered(one);
    mock.timers.tick(1_999);
    await counts.stop();
    assert.deepEqual(written, [['count-answered-searches', [one], [1]]]);
  });

  test('very many kinds are written before the time is over', async () => {
    const { counts, written } = startCounts();
    for (let kind = 0; kind < 4_096; kind += 1) counts.answered(randomUUID());
    await nextTick();
    await nextTick();
    assert.ok(written.length > 0, 'nothing is written');
    await counts.stop();
    assert.equal(written.flatMap(([, ids]) => ids).length, 4_096);
  });

  test('refusals that cannot be written are dropped, and no search is counted twice', async () => {
    const { counts, written, dropped } = startWithoutRefusals();
    for (const applicationId of [one, other]) {
      counts.answered(applicationId);
      counts.refused({ applicationId, listingId: home, step: 'quote', reason: 'unavailable' });
    }
    await counts.stop();
    assert.deepEqual(written, [
      [
        [one, other],
        [1, 1],
      ],
    ]);
    assert.equal(dropped.length, 1);
  });
});
