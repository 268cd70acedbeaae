/** Transactions that take or free several nights, at the same homes at the same time: one waits for the other. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, suite, test } from 'node:test';
import { lockCatalog } from '../../src/catalog/index.ts';
import {
  addBlocks,
  blockImport,
  importBlocks,
  moveNights,
  type NewBlock,
} from '../../src/inventory/index.ts';
import type { Executor } from '../../src/platform/postgres/database.ts';
import { dayNumber } from '../../src/pricing/index.ts';
import { homesOf, onlyCatalog } from '../harness/catalog.ts';
import { eventually } from '../harness/eventually.ts';
import { deadlocks } from '../harness/nights.ts';
import { createTestDatabase, type TestDatabase } from '../harness/postgres.ts';
import { sql } from '../harness/rows.ts';

suite('an import with --replace', () => {
  let db: TestDatabase;
  let homes: { listingId: string; slug: string }[];
  let deadlocksBefore: number;

  before(async () => {
    db = await createTestDatabase();
    const all = await homesOf(db);
    homes = all.toSorted((one, other) => (one.listingId < other.listingId ? -1 : 1));
    deadlocksBefore = await deadlocks(db.database);
  });
  after(() => db.drop());
  beforeEach(() => sql(db.database, 'TRUNCATE occupancies'));

  const block = (home: number, from: number, to: number): NewBlock => ({
    listingId: homes[home]!.listingId,
    from: `2027-01-${from}`,
    to: `2027-01-${to}`,
    reason: null,
    source: 'file',
  });

  const waiting = async (): Promise<boolean> => {
    const text = `SELECT FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    return (await sql(db.database, text)).length > 0;
  };

  /**
   * Replaces all blocks by these, as an import does: between removing and adding, `meanwhile` begins and
   * comes to a wait.
   */
  async function replaceBlocks(
    blocks: readonly NewBlock[],
    meanwhile: () => Promise<unknown>,
  ): Promise<void> {
    const catalogId = await onlyCatalog(db.database);
    let other: Promise<unknown> | undefined;
    await db.database.transaction(async (executor) => {
      const paused: Executor = {
        ...executor,
        async query(statement, values) {
          if (statement.name === 'insert-blocks' && !other) {
            other = meanwhile();
            await eventually(waiting);
          }
          return executor.query(statement, values);
        },
      };
      await lockCatalog(paused);
      await blockImport.begin(paused);
      const staged = blocks.map(({ source: _, ...one }, at) => ({ ...one, at, line: at }));
      await blockImport.stage(paused, staged);
      await blockImport.apply(paused, catalogId, 10);
    });
    await other;
  }

  test('and a stay that staff extend on both sides', async () => {
    const attemptId = randomUUID();
    await sql(
      db.database,
      `INSERT INTO occupancies (occupancy_id, listing_id, nights, kind, application_id, booking_kind,
        booking_id, reference)
      VALUES ($1, $2, '[2027-01-12,2027-01-14)', 'confirmed', $1, 'checkout', $1, 'LK-1')`,
      [attemptId, homes[0]!.listingId],
    );
    await addBlocks(db.database, [block(0, 16, 18)]);
    const extended = { checkIn: dayNumber('2027-01-10'), checkOut: dayNumber('2027-01-17') };
    let moved: unknown;
    await replaceBlocks([block(0, 10, 11)], () =>
      db.database.transaction(async (executor) => {
        moved = await moveNights(executor, attemptId, homes[0]!.listingId, extended);
      }),
    );
    assert.equal(moved, 'taken');
    assert.equal(await deadlocks(db.database), deadlocksBefore);
  });

  test('and an import of blocks from a spreadsheet', async () => {
    await addBlocks(db.database, [block(1, 16, 18)]);
    const [first, second] = homes;
    const file = `listing,from,to
${first!.slug},2027-01-10,2027-01-12
${second!.slug},2027-01-17,2027-01-19
`;
    let imported: unknown;
    await replaceBlocks([block(0, 11, 13)], async () => {
      imported = await importBlocks(db.database, Buffer.from(file), {
        actor: 'test',
        dryRun: false,
      });
    });
    assert.match(JSON.stringify(imported), /overlaps a block from 2027-01-11 to 2027-01-13/);
    assert.equal(await deadlocks(db.database), deadlocksBefore);
  });
});
