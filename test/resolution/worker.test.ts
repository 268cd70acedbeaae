import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { after, before, beforeEach, suite, test } from 'node:test';
import { folderStorage } from '../../src/platform/file-storage/folder.ts';
import type { Executor } from '../../src/platform/postgres/database.ts';
import { DatabaseUnavailableError } from '../../src/platform/postgres/database-errors.ts';
import { backgroundTasks } from '../../src/program/background-tasks.ts';
import { startBackgroundTasks } from '../../src/program/background-tasks.ts';
import { believed } from '../../src/platform/clock.ts';
import type { StepContext } from '../../src/bookings/worker/steps.ts';
import { startWorker, type Worker } from '../../src/bookings/worker/worker.ts';
import { openCatalog } from '../../src/catalog/catalog.ts';
import { testBaseUrl } from '../harness/base-url.ts';
import { changeInventory } from '../harness/catalog.ts';
import { eventually } from '../harness/eventually.ts';
import { eventsOf, sql } from '../harness/rows.ts';
import { Calls, openResolution, type TestResolution } from './resolution.ts';

interface Logged {
  level: 'info' | 'warn' | 'error';
  message: string;
  details: object;
}

suite('workers', () => {
  let resolution: TestResolution;
  let calls: Calls;
  let logged: Logged[];

  before(async () => {
    calls = new Calls();
    resolution = await openResolution({ supply: calls.around });
  });
  after(() => resolution.drop());
  beforeEach(() => {
    calls.before = () => undefined;
    calls.after = () => undefined;
    logged = [];
  });

  const writes = (level: Logged['level']) => (details: object, message: string) =>
    void logged.push({ level, message, details });

  const start = (leaseSeconds = 15, others: Partial<StepContext> = {}): Worker =>
    startWorker({
      ...resolution.testWorker.context,
      ...others,
      leaseSeconds,
      log: { info: writes('info'), warn: writes('warn'), error: writes('error') },
    });

  async function settled(ids: readonly string[], withinMs = 15_000): Promise<void> {
    const text = `SELECT count(*)::integer AS open FROM bookings
      WHERE booking_id = ANY ($1) AND resolved_at IS NULL`;
    const deadline = performance.now() + withinMs;
    for (;;) {
      const [row] = await sql<{ open: number }>(resolution.database, text, [ids]);
      if (row?.open === 0) return;
      assert.ok(performance.now() < deadline, `${row?.open} are not settled`);
      await sleep(20);
    }
  }

  async function attempts(ids: readonly string[]): Promise<string[]> {
    const text = 'SELECT attempt_id FROM bookings WHERE booking_id = ANY ($1)';
    const rows = await sql<{ attempt_id: string }>(resolution.database, text, [ids]);
    return rows.map((row) => row.attempt_id);
  }

  test('workers › a booking that cannot be opened stops no other', async () => {
    const applicationId = await resolution.application();
    const ids = await Promise.all(
      Array.from({ length: 4 }, () => resolution.make({ kind: 'checkout' }, applicationId)),
    );
    const [spoilt, ...others] = ids;
    const text = `UPDATE bookings SET guest_sealed = '\\x00'::bytea WHERE booking_id = $1`;
    await sql(resolution.database, text, [spoilt]);
    const worker = start();
    await settled(others);
    await worker.stop();
    assert.equal((await resolution.state(spoilt!)).state, 'pending');
    const errors = logged.filter(({ level }) => level === 'error');
    assert.ok(errors.some(({ details }) => 'bookingId' in details && details.bookingId === spoilt));
    await sql(resolution.database, 'UPDATE bookings SET due_at = NULL WHERE booking_id = $1', [
      spoilt,
    ]);
  });

  test('workers › three at once take each of 90 bookings once', async () => {
    const applicationId = await resolution.application();
    const kinds = ['checkout', 'request'] as const;
    const ids = await Promise.all(
      Array.from({ length: 90 }, (_, index) =>
        resolution.make({ kind: kinds[index % 2]! }, applicationId),
      ),
    );
    const workers = [start(), start(), start()];
    await settled(ids);
    await Promise.all(workers.map((worker) => worker.stop()));
    for (const attempt of await attempts(ids)) {
      assert.equal(calls.reserved.get(attempt), 1);
      assert.equal(calls.lookedUp.get(attempt), undefined);
    }
    assert.equal((await eventsOf(resolution.database, applicationId)).length, 180);
    assert.equal(logged.filter(({ message }) => message === 'booking moved').length, 90);
    assert.deepEqual(
      logged.filter(({ level }) => level !== 'info'),
      [],
    );
  });

  test('workers › an abandoned booking is claimed when its lease ends', async () => {
    const id = await resolution.make();
    let failures = 0;
    calls.after = () => {
      failures += 1;
      throw failures === 1 ? new Error('a bug') : new DatabaseUnavailableError('away');
    };
    const since = performance.now();
    const worker = start(1);
    await settled([id], 10_000);
    const took = performance.now() - since;
    await worker.stop();
    assert.ok(took > 900, `not before the lease of a second: ${took} ms`);
    const [attempt] = await attempts([id]);
    assert.equal(calls.reserved.get(attempt!), 1, 'it was looked up, not asked for again');
    const warned = logged.find(({ level }) => level !== 'info');
    assert.equal(warned?.level, 'error');
    assert.match(JSON.stringify(warned?.details), new RegExp(id));
  });

  test('workers › a booking does not wait until the changes of an import are followed', async () => {
    const { database } = resolution;
    let isStuck = false;
    const executor: Executor = {
      vault: database.vault,
      query: (...asked) =>
        isStuck && asked[0].name === 'read-changed-homes'
          ? Promise.withResolvers<never>().promise
          : database.query(...asked),
    };
    const installation = { environment: 'simulation', baseUrl: testBaseUrl } as const;
    const catalog = await openCatalog(executor, installation);
    const id = await resolution.make();
    isStuck = true;
    await changeInventory(database, (changing, revision) =>
      changing.query({ name: 'change-all', text: 'UPDATE listings SET revision = $1' }, [revision]),
    );
    void catalog.follow();
    const worker = start(15, { catalog });
    await settled([id], 10_000);
    await worker.stop();
    assert.equal((await resolution.state(id)).state, 'confirmed');
  });

  test('workers › a failing one does not delay the others', async () => {
    const [bad, good] = [await resolution.make(), await resolution.make()];
    const [badAttempt] = await attempts([bad]);
    calls.before = () => {
      if (calls.reserved.get(badAttempt!) === 1 && calls.lookedUp.get(badAttempt!) === undefined) {
        calls.before = () => undefined;
        throw new DatabaseUnavailableError('away');
      }
    };
    const worker = start(2);
    await settled([good], 1_900);
    await settled([bad], 10_000);
    await worker.stop();
    const levels = logged.filter(({ level }) => level !== 'info').map(({ level }) => level);
    assert.deepEqual(levels, ['warn'], 'an unavailable database is not an error of ours');
  });

  test('workers › wake claims at once what was just committed', async () => {
    const worker = start();
    await sleep(50);
    const took: number[] = [];
    for (let round = 0; round < 5; round += 1) {
      const id = await resolution.make();
      const since = performance.now();
      worker.wake();
      await settled([id]);
      took.push(performance.now() - since);
    }
    await worker.stop();
    took.sort((a, b) => a - b);
    assert.ok(took[2]! < 500, `half of them sooner than any round: ${took.join(' ')}`);
  });

  test('workers › without being woken they look every second', async () => {
    const worker = start();
    await sleep(50);
    const id = await resolution.make();
    await settled([id], 5_000);
    await worker.stop();
  });

  test('workers › stop waits for bookings in progress, and claims nothing more', async () => {
    const first = await resolution.make();
    let goOn = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const reached = new Promise<void>((resolve) => {
      calls.before = () => {
        resolve();
        return held;
      };
    });
    const worker = start();
    await reached;
    const stopped = worker.stop();
    const later = await resolution.make();
    worker.wake();
    assert.equal(await Promise.race([stopped, sleep(200, 'waiting')]), 'waiting');
    goOn();
    await stopped;
    assert.equal((await resolution.state(first)).state, 'confirmed');
    assert.equal((await resolution.state(later)).state, 'pending');
    calls.before = () => undefined;
    await resolution.testWorker.runDue();
  });

  test('workers › the log names the booking, never the guest', async () => {
    const id = await resolution.make({ suffix: 'failed' });
    const worker = start();
    await settled([id]);
    await worker.stop();
    const text = JSON.stringify(logged);
    assert.match(text, new RegExp(id));
    assert.doesNotMatch(text, /\bada\b|lovelace|@example|\b351912/i);
  });

  test('workers › a background task that fails stops no other', async () => {
    logged = [];
    let done = 0;
    const executor: Executor = {
      vault: resolution.database.vault,
      async query(statement, values) {
        const works = ['release-expired-promotions', 'transaction-time'];
        if (!works.includes(statement.name)) throw new Error('no');
        const rows = await resolution.database.query(statement, values);
        done += Number(statement.name === 'release-expired-promotions');
        return rows as never;
      },
    };
    const tasks = startBackgroundTasks({
      database: { ...executor, transaction: (work) => work(executor) },
      clock: believed,
      pictures: folderStorage('nowhere'),
      log: { warn: writes('warn') },
      isCopy: false,
      phase: 0,
    });
    try {
      await eventually(async () => done > 0);
      const failed = backgroundTasks.filter(({ name }) => name !== 'release promotions');
      await eventually(async () => logged.length >= failed.length);
      assert.deepEqual(
        logged.map(({ details }) => (details as { task: string }).task).toSorted(),
        failed.map(({ name }) => name).toSorted(),
      );
    } finally {
      await tasks.stop();
    }
  });
});
