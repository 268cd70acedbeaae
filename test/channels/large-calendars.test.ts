/** Large calendars: what an import costs, and who can pass it. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { lockCatalog } from '../../src/catalog/index.ts';
import { applyRead, changeNights } from '../../src/channels/apply-nights.ts';
import { claimCalendar } from '../../src/channels/store/claims.ts';
import { insertCalendar } from '../../src/channels/store/calendars.ts';
import { importBlocks } from '../../src/inventory/index.ts';
import { dayNumber } from '../../src/pricing/index.ts';
import type { Executor } from '../../src/platform/postgres/database.ts';
import { sql } from '../harness/rows.ts';
import { confirmStay, feedOf, june, openChannels, type TestChannels } from './calendars.ts';
import { importCalendar, listingFor } from '../harness/acts.ts';

let channels: TestChannels;
before(async () => {
  channels = await openChannels();
});
after(() => channels.drop());

const today = dayNumber(june(1)) - 30;

/** Applies a file with so many events, each with a night of its own. */
async function apply(executor: Executor, listing: string, events: number) {
  const { calendarId } = await insertCalendar(executor, listing, { fileName: 'large.ics' });
  const claim = (await claimCalendar(executor, calendarId, 60))!;
  const applied = await applyRead(executor, claim, {
    kind: 'whole',
    events: Array.from({ length: events }, (_, at) => {
      const from = today + 2 * at;
      return { uid: `event-${at}`, from, to: from + 1, summary: null, ignored: null };
    }),
    problems: [],
    atOnce: true,
    validators: { etag: null, lastModified: null },
    today,
    nextInSeconds: 0,
  });
  assert.ok(applied !== 'lost');
  return applied;
}

/** How many rows of nights, events and conflicts a second import of such a file reads and writes. */
const rowsTouched = async (listing: string, events: number): Promise<number> => {
  await changeNights(channels.database, (executor) => apply(executor, listing, events));
  const touched = async (executor: Executor): Promise<number> => {
    const [row] = await executor.query<{ rows: number }>({
      name: 'rows-touched-in-a-test',
      text: `SELECT sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0)
          + n_tup_ins + n_tup_upd + n_tup_del)::integer AS rows
        FROM pg_stat_xact_user_tables WHERE relname IN ('occupancies', 'channel_events', 'channel_conflicts')`,
    });
    return row!.rows;
  };
  return changeNights(channels.database, async (executor) => {
    // A connection may still have to report rows of its last transaction.
    const reported = await touched(executor);
    const { unchanged } = await apply(executor, listing, events);
    assert.equal(unchanged, events);
    await apply(executor, listing, events / 2);
    return (await touched(executor)) - reported;
  });
};

test('an import costs what it has: four times the events are four times the rows', async () => {
  const small = await rowsTouched(channels.nextHome(), 100);
  const large = await rowsTouched(channels.nextHome(), 400);
  assert.ok(small >= 100, 'it reads what is there');
  assert.ok(large <= small * 4 * 1.2, `${small} and ${large} rows`);
});

test('an import passes others, and others pass it: it holds the calendars of its home alone', async () => {
  const { database } = channels;
  const [home, other] = [channels.nextHome(), channels.nextHome()];
  const feed = Buffer.from(feedOf({ uid: 'a', from: june(1), to: june(3) }));

  // Somebody imports a catalog or blocks for long.
  const held = Promise.withResolvers<void>();
  const locked = Promise.withResolvers<void>();
  const long = database.transaction(async (executor) => {
    await lockCatalog(executor);
    locked.resolve();
    await held.promise;
  });
  await locked.promise;
  await importCalendar(database, 'test', { listing: home, name: 'a.ics', bytes: feed });
  held.resolve();
  await long;

  // A large calendar is imported for long: acts behind the lock of the catalog, other homes, bookings of this one.
  const open = Promise.withResolvers<void>();
  const applied = Promise.withResolvers<void>();
  const large = database.transaction(async (executor) => {
    await apply(executor, home, 300);
    applied.resolve();
    await open.promise;
  });
  await applied.promise;
  const csv = `listing,from,to\n${(await listingFor(database, other)).slug},${june(20)},${june(22)}\n`;
  const options = { actor: 'test', dryRun: false };
  const blocks = await importBlocks(database, Buffer.from(csv), options);
  assert.ok('added' in blocks && blocks.added === 1);
  await importCalendar(database, 'test', { listing: other, name: 'a.ics', bytes: feed });
  await confirmStay(database, home, { from: '2025-06-01', to: '2025-06-03' });
  open.resolve();
  await large;
  const rows = await sql<{ count: number }>(
    database,
    'SELECT count(*)::integer AS count FROM occupancies WHERE listing_id = $1',
    [home],
  );
  // One night of the large file was taken by then.
  assert.equal(rows[0]!.count, 301);
});
