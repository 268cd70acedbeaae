/** Moving the nights of a stay, as staff do. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, suite, test } from 'node:test';
import { addBlocks, freeNights, moveNights } from '../../src/inventory/index.ts';
import { chanceOf } from '../harness/chance.ts';
import { homesOf } from '../harness/catalog.ts';
import { deadlocks, takenNights } from '../harness/nights.ts';
import { createTestDatabase, type TestDatabase } from '../harness/postgres.ts';
import { sql } from '../harness/rows.ts';

suite('the nights of a stay', () => {
  let db: TestDatabase;
  let homes: string[];

  before(async () => {
    db = await createTestDatabase();
    homes = (await homesOf(db)).map(({ listingId }) => listingId).toSorted();
  });
  after(() => db.drop());
  beforeEach(() => sql(db.database, 'TRUNCATE occupancies'));

  async function stay(checkIn: number, checkOut: number, home = 0): Promise<string> {
    const attemptId = randomUUID();
    await sql(
      db.database,
      `INSERT INTO occupancies (occupancy_id, listing_id, nights, kind, application_id, booking_kind,
        booking_id, reference)
      VALUES ($1, $2, daterange(date '1970-01-01' + $3::integer, date '1970-01-01' + $4::integer),
        'confirmed', $1, 'checkout', $1, $5)`,
      [attemptId, homes[home], checkIn, checkOut, `LK-${attemptId}`],
    );
    return attemptId;
  }

  const move = (attemptId: string, checkIn: number, checkOut: number, home = 0) =>
    db.database.transaction((executor) =>
      moveNights(executor, attemptId, homes[home]!, { checkIn, checkOut }),
    );

  const day = (date: string) => Date.parse(date) / 86_400_000;

  const nights = async () =>
    (await takenNights(db.database)).map(({ id, listingId, from, to }) => [
      id,
      homes.indexOf(listingId),
      day(from),
      day(to),
    ]);

  const moves: [what: string, checkIn: number, checkOut: number, home?: number][] = [
    ['later, with nights in common', 12, 16],
    ['earlier, with nights in common', 8, 12],
    ['to other nights', 20, 24],
    ['longer on both sides', 5, 20],
    ['shorter', 11, 12],
    ['shorter, to the same first night', 10, 12],
    ['to the nights that it has', 10, 14],
    ['to another home', 10, 14, 1],
    ['to another home and other nights', 30, 31, 1],
  ];
  for (const [what, checkIn, checkOut, home = 0] of moves) {
    test(`move ${what}`, async () => {
      const id = await stay(10, 14);
      assert.equal(await move(id, checkIn, checkOut, home), 'moved');
      assert.deepEqual(await nights(), [[id, home, checkIn, checkOut]]);
    });
  }

  const collisions: [what: string, checkIn: number, checkOut: number, home?: number][] = [
    ['before', 8, 12],
    ['after', 12, 16],
    ['on both sides', 8, 16],
    ['elsewhere', 30, 33],
    ['in another home', 10, 14, 1],
  ];
  for (const [what, checkIn, checkOut, home = 0] of collisions) {
    // Spec: RESERVATION-6.
    test(`are taken ${what} › nothing changes`, async () => {
      const id = await stay(10, 14);
      await stay(8, 9);
      await stay(15, 16);
      await stay(32, 34);
      await stay(13, 15, 1);
      const were = await nights();
      assert.equal(await move(id, checkIn, checkOut, home), 'taken');
      assert.deepEqual(await nights(), were);
    });
  }

  test('keep what belongs to the stay', async () => {
    const id = await stay(10, 14);
    const all =
      'SELECT kind, application_id, booking_kind, booking_id, reference, created_at FROM occupancies';
    const was = await sql(db.database, all);
    await move(id, 12, 16);
    assert.deepEqual(await sql(db.database, all), was);
  });

  test('without nights are not moved', async () => {
    assert.equal(await move(randomUUID(), 10, 14), 'none');
    assert.deepEqual(await nights(), []);
  });

  test('are free after a cancellation', async () => {
    const id = await stay(10, 14);
    await freeNights(db.database, id);
    await freeNights(db.database, id);
    assert.deepEqual(await nights(), []);
  });

  test('two stays that want each other’s nights › both stay, without a deadlock', async () => {
    const deadlocksBefore = await deadlocks(db.database);
    for (let round = 0; round < 20; round += 1) {
      await sql(db.database, 'TRUNCATE occupancies');
      const [one, other] = [await stay(10, 12), await stay(20, 22)];
      const verdicts = await Promise.all([move(one, 20, 22), move(other, 10, 12)]);
      assert.deepEqual(verdicts, ['taken', 'taken']);
    }
    assert.equal(await deadlocks(db.database), deadlocksBefore);
  });

  test('many stays and blocks on one home at once › never overlap, no deadlock, nobody fails', async () => {
    const deadlocksBefore = await deadlocks(db.database);
    const ids = await Promise.all(
      Array.from({ length: 12 }, (_, at) => stay(at * 10, at * 10 + 4)),
    );
    const { below: random } = chanceOf(7);
    const dateOf = (at: number) => new Date(at * 86_400_000).toISOString().slice(0, 10);
    let moved = 0;
    await Promise.all(
      ids.map(async (id) => {
        for (let round = 0; round < 30; round += 1) {
          const checkIn = random(120);
          const checkOut = checkIn + 1 + random(20);
          if ((await move(id, checkIn, checkOut)) === 'moved') moved += 1;
          await addBlocks(
            db.database,
            [random(140), random(140)].map((from) => ({
              listingId: homes[0]!,
              from: dateOf(from),
              to: dateOf(from + 1),
              reason: null,
              source: 'staff' as const,
            })),
          );
          await sql(db.database, `DELETE FROM occupancies WHERE kind = 'block' AND random() < 0.5`);
        }
      }),
    );
    assert.ok(moved > 10, `${moved} were moved`);
    const taken = (await nights()) as [string, number, number, number][];
    for (const [at, [, , from]] of taken.entries()) {
      assert.ok(at === 0 || taken[at - 1]![3] <= from, 'overlap');
    }
    assert.equal(
      ids.every((id) => taken.some(([other]) => other === id)),
      true,
    );
    assert.equal(await deadlocks(db.database), deadlocksBefore);
  });
});
