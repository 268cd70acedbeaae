/** When changes are told: not before every process that lives has read them, by monotonic clocks alone. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, suite, test } from 'node:test';
import {
  createFeedReader,
  longestFollowMs,
  trustedMs,
} from '../../src/inventory/changes/reader.ts';
import { Teller } from '../../src/inventory/changes/teller.ts';
import { numberedAtOnce } from '../../src/inventory/store/number-changes.ts';
import { beatReader, joinFeed, readFeedState } from '../../src/inventory/store/feed-readers.ts';
import { eventually } from '../harness/eventually.ts';
import { createTestDatabase, type TestDatabase } from '../harness/postgres.ts';
import { sql } from '../harness/rows.ts';

const log = { warn: () => undefined };

suite('the readers of the feed of changes', () => {
  let created: TestDatabase;
  let now = 0;
  const elapsedMs = () => now;
  before(async () => {
    created = await createTestDatabase();
  });
  after(() => created.drop());
  const database = () => created.database;
  const state = () => readFeedState(database());

  /** A change of all homes of every catalog. */
  const change = () =>
    sql(created.database, `INSERT INTO pending_changes (kinds) VALUES ('{content}')`);

  beforeEach(async () => {
    await sql(created.database, 'DELETE FROM feed_readers');
    const teller = new Teller({ executor: database(), log, elapsedMs });
    for (let step = 0; step < 3; step += 1) await teller.work();
    const { run, toldRun, hasPending } = await state();
    assert.deepEqual([toldRun, hasPending], [run, false]);
  });

  const reader = async () => {
    const readerId = randomUUID();
    const { run } = await state();
    assert.ok(await joinFeed(database(), readerId, run));
    return { readerId, run, beat: (at: number) => beatReader(database(), readerId, at) };
  };

  test('a change is numbered at once, and told when every reader has it', async () => {
    const [one, other] = [await reader(), await reader()];
    const teller = new Teller({ executor: database(), log, elapsedMs });
    await change();
    await teller.work();
    const { run } = await state();
    assert.equal(run, one.run + 1);
    for (const who of [one, other]) {
      await teller.work();
      assert.equal((await state()).toldRun, one.run);
      assert.ok(await who.beat(run));
    }
    await teller.work();
    assert.equal((await state()).toldRun, run);
  });

  test('many changes are numbered in parts, and each is told once every reader has it', async () => {
    const one = await reader();
    const teller = new Teller({ executor: database(), log, elapsedMs });
    await sql(
      created.database,
      `INSERT INTO pending_changes (listing_id, kinds)
        SELECT gen_random_uuid(), '{content}' FROM generate_series(1, ${2 * numberedAtOnce + 1})`,
    );
    const left = [];
    for (let part = 1; part <= 3; part += 1) {
      await teller.work();
      const { run, toldRun, hasPending } = await state();
      assert.deepEqual([run, toldRun], [one.run + part, one.run + part - 1]);
      left.push(hasPending);
      assert.ok(await one.beat(run));
    }
    assert.deepEqual(left, [true, true, false]);
    await teller.work();
    assert.equal((await state()).toldRun, one.run + 3);
  });

  test('one that is silent for long is removed, and must join again; one that beats holds it up', async () => {
    const silent = await reader();
    const slow = await reader();
    const teller = new Teller({ executor: database(), log, elapsedMs });
    await change();
    await teller.work();
    const { run } = await state();
    for (let second = 0; second < 10; second += 1) {
      now += 1_000;
      assert.ok(await slow.beat(slow.run));
      await teller.work();
    }
    assert.equal((await state()).toldRun, silent.run, 'the slow one still reads');
    assert.equal(await silent.beat(run), false);
    assert.ok(await slow.beat(run));
    await teller.work();
    assert.equal((await state()).toldRun, run);
    assert.equal(await joinFeed(database(), silent.readerId, silent.run), false, 'more is told');
    assert.equal(await joinFeed(database(), silent.readerId, run), true);
  });

  test('nothing is told between the look at the readers and a new one', async () => {
    await change();
    const teller = new Teller({ executor: database(), log, elapsedMs });
    await teller.work();
    const before1 = await state();
    // It has not read the last numbering; what is told is what it has.
    assert.ok(await joinFeed(database(), randomUUID(), before1.toldRun));
    const { advanceFeed } = await import('../../src/inventory/store/number-changes.ts');
    await advanceFeed(database(), before1);
    assert.equal((await state()).toldRun, before1.toldRun);
  });

  test('a process trusts its memory only while it beats', async () => {
    let followed = 0;
    const forgotten: string[] = [];
    const process = createFeedReader({
      executor: database(),
      log,
      elapsedMs,
      follow: async () => void (followed += 1),
      forgetApplication: (id) => forgotten.push(id),
    });
    assert.equal(process.isCurrent(), false);
    const loop = process.start();
    await eventually(async () => process.isCurrent());
    const before1 = followed;
    now += trustedMs + 1;
    assert.equal(process.isCurrent(), false);
    await eventually(async () => process.isCurrent());
    assert.ok(followed > before1, 'it has followed before it trusts its memory again');
    await loop.stop();
    assert.equal(process.isCurrent(), false);
    assert.deepEqual(await sql(created.database, 'SELECT FROM feed_readers'), []);
  });

  test('a process that follows a large change trusts what it has, and nobody is told, for a minute', async () => {
    const teller = new Teller({ executor: database(), log, elapsedMs });
    let following = Promise.resolve();
    const process = createFeedReader({
      executor: database(),
      log,
      elapsedMs,
      follow: () => following,
      forgetApplication: () => undefined,
    });
    const loop = process.start();
    await eventually(async () => process.isCurrent());
    const { run: known } = await state();
    const release = Promise.withResolvers<void>();
    following = release.promise;
    await change();
    await teller.work();
    const beats = async () => {
      const [row] = await sql(created.database, 'SELECT beats FROM feed_readers');
      return Number(row!['beats']);
    };
    for (let step = 0; step < 3; step += 1) {
      const beaten = await beats();
      await eventually(async () => (await beats()) > beaten);
      now += trustedMs;
      await teller.work();
      assert.ok(process.isCurrent());
      assert.deepEqual(await state().then(({ run, toldRun }) => [run, toldRun]), [
        known + 1,
        known,
      ]);
    }
    now += longestFollowMs;
    assert.equal(process.isCurrent(), false);
    await eventually(async () => {
      now += 1_000;
      await teller.work();
      return (await state()).toldRun === known + 1;
    });
    assert.equal(process.isCurrent(), false, 'it reads too long: others go on without it');
    release.resolve();
    await eventually(async () => process.isCurrent());
    await loop.stop();
  });
});
