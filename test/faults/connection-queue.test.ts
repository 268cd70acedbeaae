/** The order of calls that wait for a connection: the queue alone, and the database with it. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { defaultPoolLimits, openDatabase } from '../../src/platform/postgres/database.ts';
import { leastStatementMs } from '../../src/platform/postgres/statement-limit.ts';
import { DatabaseBusyError } from '../../src/platform/postgres/database-errors.ts';
import { aheadOfNewCalls, withDeadline } from '../../src/platform/postgres/deadline.ts';
import {
  createConnectionQueue,
  type NoSlot,
  type ConnectionQueue,
} from '../../src/platform/postgres/connection-queue.ts';
import { createTestDatabase } from '../harness/postgres.ts';
import { sql } from '../harness/rows.ts';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const longMs = 60_000;

describe('queue', () => {
  /** Requests slots and frees each immediately; returns the order. */
  async function order(
    queue: ConnectionQueue,
    wanted: readonly ('new' | 'begun')[],
  ): Promise<string[]> {
    const came: string[] = [];
    const taking = wanted.map(async (standing, index) => {
      assert.equal(await queue.take(standing, longMs), null);
      came.push(`${standing} ${index}`);
      queue.end();
    });
    queue.end();
    await Promise.all(taking);
    return came;
  }

  async function oneTaken(lineAtMost = 10): Promise<ConnectionQueue> {
    const queue = createConnectionQueue(1, lineAtMost);
    assert.equal(await queue.take('new', longMs), null);
    return queue;
  }

  it('gives a free slot at once', async () => {
    const queue = createConnectionQueue(2, 10);
    const taken: (NoSlot | null)[] = [];
    for (let n = 0; n < 3; n += 1) void queue.take('new', longMs).then((got) => taken.push(got));
    await new Promise(setImmediate);
    assert.deepEqual(taken, [null, null]);
    queue.end();
    await new Promise(setImmediate);
    assert.deepEqual(taken, [null, null, null]);
    queue.end();
    queue.end();
  });

  it('serves in order, started work before new calls', async () => {
    const queue = await oneTaken();
    assert.deepEqual(await order(queue, ['new', 'new', 'begun', 'begun']), [
      'begun 2',
      'begun 3',
      'new 0',
      'new 1',
    ]);
  });

  it('serves a new call after three started ones', async () => {
    const queue = await oneTaken();
    const wanted = [...Array<'begun'>(7).fill('begun'), ...Array<'new'>(2).fill('new')];
    const standings = (await order(queue, wanted)).map((name) => name.split(' ')[0]);
    const expected = 'begun begun begun new begun begun begun new begun';
    assert.equal(standings.join(' '), expected);
  });

  it('refuses new calls at once when the queue is full, never started work', async () => {
    const queue = await oneTaken(2);
    const inLine = [queue.take('new', longMs), queue.take('new', longMs)];
    assert.equal(await queue.take('new', longMs), 'queue is full');
    const begun = queue.take('begun', longMs);
    queue.end();
    assert.equal(await begun, null);
    queue.end();
    assert.equal(await inLine[0], null);
    const again = queue.take('new', longMs);
    queue.end();
    queue.end();
    assert.deepEqual([await inLine[1], await again], [null, null]);
    queue.end();
  });

  it('removes a waiter that timed out and keeps no slot for it', async () => {
    const queue = await oneTaken(1);
    assert.equal(await queue.take('new', 10), 'timed out');
    assert.equal(await queue.take('begun', 10), 'timed out');
    const next = queue.take('new', longMs);
    queue.end();
    assert.equal(await next, null);
    queue.end();
    assert.equal(await queue.take('new', longMs), null);
  });

  // Spec: QUOTA-9.
  it('keeps slots for reads, and gives a slot to the first who may have it', async () => {
    const queue = createConnectionQueue(3, 4, 1);
    assert.equal(await queue.take('new', longMs, true), null);
    assert.equal(await queue.take('begun', longMs, true), null);
    const served: string[] = [];
    const wait = async (name: string, mayWrite: boolean): Promise<void> => {
      if ((await queue.take('new', longMs, mayWrite)) === null) served.push(name);
    };
    const waiting = [
      wait('first write', true),
      wait('first read', false),
      wait('second read', false),
      wait('second write', true),
      wait('third read', false),
    ];
    await turn();
    assert.deepEqual(served, ['first read']);
    assert.equal(await queue.take('new', longMs, true), 'queue is full');
    queue.end();
    await turn();
    assert.deepEqual(served, ['first read', 'second read']);
    queue.end(true);
    await turn();
    queue.end(true);
    await turn();
    assert.deepEqual(served.slice(2), ['first write', 'second write']);
    queue.end();
    await Promise.all(waiting);
    assert.equal(served.at(-1), 'third read');
    for (const mayWrite of [true, true, false]) queue.end(mayWrite);
    assert.deepEqual(queue.usage(), { all: 3, used: 0, waiting: { new: 0, begun: 0 } });
  });
});

describe('the database, where all connections are in use', async () => {
  const { connection, database: other, drop } = await createTestDatabase();
  const limits = { ...defaultPoolLimits, connections: 2, newCallsWaiting: 3 };
  const database = openDatabase(connection, other.vault, limits, () => undefined);
  after(async () => {
    await database.close();
    await drop();
  });

  const occupy = (seconds: number): Promise<unknown>[] =>
    Array.from({ length: limits.connections }, () => sql(database, `SELECT pg_sleep(${seconds})`));
  const aCall = <T>(work: () => Promise<T>): Promise<T> => withDeadline(5_000, work);
  const one = (): Promise<unknown> => sql(database, 'SELECT 1');

  // Spec: QUOTA-9.
  it('bounds the waiting new calls, and refuses the next at once', async () => {
    const busy = occupy(1);
    const waiting = Array.from({ length: limits.newCallsWaiting }, () => aCall(one));
    const begin = performance.now();
    await assert.rejects(aCall(one), DatabaseBusyError);
    await assert.rejects(
      aCall(() => database.transaction(one)),
      DatabaseBusyError,
    );
    assert.ok(performance.now() - begin < 500);
    await Promise.all([...busy, ...waiting]);
    await aCall(one);
  });

  it('serves started calls and background work first', async () => {
    // One connection, because with several the order of completion is random.
    const alone = { ...limits, connections: 1 };
    const narrow = openDatabase(connection, other.vault, alone, () => undefined);
    after(() => narrow.close());
    const ask = (): Promise<unknown> => sql(narrow, 'SELECT 1');
    const done: string[] = [];
    const started = Promise.withResolvers<void>();
    const half = Promise.withResolvers<void>();
    const begun = aCall(async () => {
      await ask();
      started.resolve();
      await half.promise;
      await ask();
      done.push('begun');
    });
    await started.promise;
    const busy = sql(narrow, 'SELECT pg_sleep(0.5)');
    const waiting = Array.from({ length: limits.newCallsWaiting }, async () => {
      await aCall(ask);
      done.push('new');
    });
    half.resolve();
    const accepted = ask().then(() => done.push('accepted'));
    const ready = aCall(() => aheadOfNewCalls(ask)).then(() => done.push('ready'));
    await Promise.all([begun, accepted, ready, busy, ...waiting]);
    assert.deepEqual(done.slice(0, 3).toSorted(), ['accepted', 'begun', 'ready']);
    assert.deepEqual(done.slice(3), ['new', 'new', 'new']);
  });

  it('has every connection again after calls that timed out, failed or broke theirs', async () => {
    const busy = occupy(0.5);
    await assert.rejects(withDeadline(leastStatementMs + 50, one), DatabaseBusyError);
    await Promise.all(busy);
    await assert.rejects(aCall(() => sql(database, 'SELECT 1 / 0')));
    await assert.rejects(
      aCall(() => sql(database, 'SELECT pg_terminate_backend(pg_backend_pid())')),
    );
    await Promise.all(occupy(0.1));
    const pids = await Promise.all(
      Array.from({ length: limits.connections }, () =>
        sql<{ pid: number }>(database, 'SELECT pg_backend_pid() AS pid, pg_sleep(0.2)'),
      ),
    );
    assert.equal(new Set(pids.map(([row]) => row?.pid)).size, limits.connections);
  });
});
