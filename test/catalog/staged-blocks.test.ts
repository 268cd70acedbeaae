/** The import of blocks reads what it compares them with once: twice as many blocks are twice as much work. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  createStagedBlocks,
  readStagedBlocks,
  stageBlocks,
} from '../../src/inventory/store/staged-blocks.ts';
import { dateText, dayNumber } from '../../src/pricing/index.ts';
import { homesOf } from '../harness/catalog.ts';
import { createTestDatabase, type TestDatabase } from '../harness/postgres.ts';
import { sql } from '../harness/rows.ts';

let db: TestDatabase;
let homes: string[];
before(async () => {
  db = await createTestDatabase();
  homes = (await homesOf(db)).map(({ listingId }) => listingId);
  const first = dayNumber('2027-01-01');
  const starts = Array.from({ length: 100 }, (_, at) => dateText(first + 2 * at));
  await sql(
    db.database,
    `INSERT INTO occupancies (listing_id, nights, kind, source)
      SELECT listing_id, daterange(first, first + 1), 'block', 'file'
      FROM unnest($1::uuid[]) AS listing_id, unnest($2::date[]) AS first`,
    [homes.slice(0, 20), starts],
  );
});
after(() => db.drop());

/** How many rows of occupancies are read for the blocks of some homes, half of which are there already. */
const rowsReadFor = (some: readonly string[]): Promise<{ rows: number; found: number }> =>
  db.database.transaction(async (executor) => {
    await createStagedBlocks(executor);
    const first = dayNumber('2027-01-01');
    const blocks = some.flatMap((listingId) =>
      Array.from({ length: 200 }, (_, at) => {
        const from = dateText(first + at);
        return { listingId, at, line: at, from, to: dateText(first + at + 1), reason: null };
      }),
    );
    await stageBlocks(executor, blocks);
    let found = 0;
    for await (const group of readStagedBlocks(executor, 100)) found += group.length;
    const [read] = await executor.query<{ rows: number }>({
      name: 'rows-read-in-a-test',
      text: `SELECT (coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::integer AS rows
        FROM pg_stat_xact_user_tables WHERE relname = 'occupancies'`,
    });
    return { rows: read!.rows, found };
  });

test('blocks of a file are compared with those that are there in time that grows with the file', async () => {
  const small = await rowsReadFor(homes.slice(0, 5));
  const large = await rowsReadFor(homes.slice(0, 20));
  assert.deepEqual([small.found, large.found], [500, 2_000]);
  assert.ok(small.rows >= 500, 'it reads what is there');
  assert.ok(large.rows <= small.rows * 4 * 1.2, `${small.rows} and ${large.rows} rows`);
});
