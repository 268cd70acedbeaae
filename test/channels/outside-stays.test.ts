/** Nights that another system has sold: who has them, and that they are the same as events of a channel. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { removeOutsideStay } from '../../src/channels/outside-stays.ts';
import { exportCalendar, secretFor } from '../../src/channels/own-calendar.ts';
import { eventually } from '../harness/eventually.ts';
import { respond } from '../harness/receiver.ts';
import { sql } from '../harness/rows.ts';
import {
  confirmStay,
  feedOf,
  june,
  openChannels,
  takenOf,
  type FeedEvent,
  type TestChannels,
} from './calendars.ts';
import {
  blockNights,
  changeOptions,
  listConflictsOf,
  putOutsideStay,
  refusedBecause,
  showCalendar,
  unblockNights,
} from '../harness/acts.ts';

let channels: TestChannels;
before(async () => {
  channels = await openChannels();
});
after(() => channels.drop());

const serve = (...events: FeedEvent[]): void => {
  channels.feeds.reply = respond(200, {}, feedOf(...events));
};

const name = (externalId: string) => ({ source: 'pms', externalId });

/** Tells of a stay from one day of June to another. */
async function put(listing: string, externalId: string, from: number, to: number) {
  const nights = { listing, from: june(from), to: june(to), reason: null };
  const { stay, change } = await putOutsideStay(
    channels.database,
    'test',
    name(externalId),
    nights,
  );
  const conflicts = stay.conflicts.map(({ kind, reference, ...one }) =>
    [`${one.from.slice(8)}–${one.to.slice(8)}`, kind, reference ?? ''].join(' ').trim(),
  );
  return { change, conflicts };
}
const remove = (externalId: string) =>
  removeOutsideStay(channels.database, 'test', name(externalId));
const nights = (home: string) => takenOf(channels.database, home);
const free = (occupancyId: string) =>
  sql(channels.database, 'DELETE FROM occupancies WHERE occupancy_id = $1', [occupancyId]);

// Spec: OUTSIDE-1, OUTSIDE-2.
suite('an outside stay', () => {
  test('takes what is free at once, and the rest as soon as it is free', async () => {
    const home = channels.nextHome();
    const { database } = channels;
    const stay = await confirmStay(database, home, { from: june(4), to: june(6) });
    const block = { listing: home, from: june(8), to: june(9), reason: null };
    const { blockId } = await blockNights(database, 'test', block);
    await put(home, 'first', 1, 3);
    assert.deepEqual(await put(home, 'second', 2, 10), {
      change: 'added',
      conflicts: ['02–03 outside_stay pms/first', '04–06 reservation LK-0000-0001', '08–09 block'],
    });
    assert.deepEqual(await nights(home), [
      'block 01–03',
      'block 03–04',
      'confirmed 04–06',
      'block 06–08',
      'block 08–09',
      'block 09–10',
    ]);
    await free(stay);
    await unblockNights(database, 'test', blockId);
    await remove('first');
    assert.deepEqual((await put(home, 'second', 2, 10)).conflicts, []);
    const taken = await sql<{ nights: string }>(
      database,
      `SELECT range_agg(nights)::text AS nights FROM occupancies WHERE listing_id = $1`,
      [home],
    );
    assert.deepEqual(taken, [{ nights: `{[${june(2)},${june(10)})}` }]);
  });

  test('gets what becomes free whatever the day is: a clock may be wrong', async () => {
    const listing = channels.nextHome();
    const { database } = channels;
    const past = { listing, from: '2024-06-01', to: '2024-06-03', reason: null };
    const { blockId } = await blockNights(database, 'test', past);
    await putOutsideStay(database, 'test', name('long over'), past);
    await unblockNights(database, 'test', blockId);
    const [had] = await sql<{ nights: string }>(
      database,
      `SELECT nights FROM occupancies WHERE listing_id = $1 AND source = 'outside'`,
      [listing],
    );
    assert.equal(had?.nights, '[2024-06-01,2024-06-03)');
  });

  test('told again the same way changes nothing', async () => {
    const home = channels.nextHome();
    await put(home, 'same', 1, 3);
    const rows = () =>
      sql(
        channels.database,
        `SELECT (SELECT count(*) FROM night_changes) AS changes, (SELECT count(*) FROM audit_entries) AS entries,
          (SELECT updated_at::text FROM outside_stays WHERE external_id = 'same') AS at`,
      );
    const earlier = await rows();
    assert.deepEqual(await put(home, 'same', 1, 3), { change: 'unchanged', conflicts: [] });
    assert.deepEqual(await rows(), earlier);
  });

  test('moves to other nights and another home in one step, and keeps its name in our calendars', async () => {
    const [home, other] = [channels.nextHome(), channels.nextHome()];
    await put(home, 'moved', 1, 5);
    const id = async () =>
      (
        await sql<{ id: string; moves: number }>(
          channels.database,
          `SELECT occupancy_id AS id, moves FROM occupancies WHERE listing_id = ANY ($1)`,
          [[home, other]],
        )
      )[0]!;
    const first = await id();
    assert.equal((await put(home, 'moved', 3, 8)).change, 'changed');
    assert.deepEqual(await nights(home), ['block 03–08']);
    assert.deepEqual(await id(), { id: first.id, moves: 1 });
    await put(other, 'moved', 3, 8);
    assert.deepEqual([await nights(home), await nights(other)], [[], ['block 03–08']]);
    assert.deepEqual(await id(), { id: first.id, moves: 2 });
  });

  test('is removed once; its block cannot be removed, nor taken for a block of staff', async () => {
    const home = channels.nextHome();
    const { database } = channels;
    await put(home, 'kept', 1, 5);
    const [row] = await sql<{ id: string }>(
      database,
      'SELECT occupancy_id AS id FROM occupancies WHERE listing_id = $1',
      [home],
    );
    await refusedBecause(unblockNights(database, 'test', row!.id), /There is no block/);
    const block = { listing: home, from: june(1), to: june(5), reason: null };
    await refusedBecause(blockNights(database, 'test', block), /overlaps an outside stay/);
    assert.deepEqual([await remove('kept'), await remove('kept')], [true, false]);
    assert.deepEqual(await nights(home), []);
  });

  test('has the nights that become free while it is told', async () => {
    const { database } = channels;
    const home = channels.nextHome();
    // Somebody frees nights, and the stay is told before that is committed; and the other way round.
    for (const [id, day] of [
      ['frees-first', 1],
      ['told-first', 11],
    ] as const) {
      const stay = await confirmStay(database, home, { from: june(day), to: june(day + 2) });
      let freed: Promise<unknown> = Promise.resolve();
      if (id === 'frees-first') {
        freed = database.transaction(async (executor) => {
          await sql(executor, 'DELETE FROM occupancies WHERE occupancy_id = $1', [stay]);
          await sql(executor, 'SELECT pg_sleep(0.2)');
        });
        await eventually(async () => {
          const waiting = await sql(
            database,
            `SELECT FROM pg_stat_activity WHERE query LIKE '%pg_sleep(0.2)%' AND state = 'active' AND pid <> pg_backend_pid()`,
          );
          return waiting.length > 0;
        });
      }
      const told = put(home, id, day, day + 2);
      if (id === 'told-first') freed = free(stay);
      await Promise.all([freed, told]);
      const held = await sql<{ external_id: string }>(
        database,
        `SELECT s.external_id FROM occupancies o JOIN outside_stays s USING (outside_stay_id)
          WHERE o.listing_id = $1 AND o.nights = daterange($2, $3)`,
        [home, june(day), june(day + 2)],
      );
      assert.deepEqual(held, [{ external_id: id }]);
    }
  });

  test('that was told first gets what becomes free, also after it has moved', async () => {
    const home = channels.nextHome();
    const stay = await confirmStay(channels.database, home, { from: june(4), to: june(8) });
    const held = () =>
      sql<{ name: string; nights: string }>(
        channels.database,
        `SELECT s.external_id AS name, range_agg(o.nights)::text AS nights
          FROM occupancies o JOIN outside_stays s USING (outside_stay_id)
          WHERE o.listing_id = $1 GROUP BY s.external_id ORDER BY s.external_id`,
        [home],
      );
    const has = (of: string, from: number, to: number) => ({
      name: of,
      nights: `{[${june(from)},${june(to)})}`,
    });
    await put(home, 'z', 5, 6);
    await put(home, 'a', 4, 8);
    await put(home, 'm', 5, 8);
    await put(home, 'z', 4, 6);
    assert.deepEqual(await held(), []);
    await free(stay);
    assert.deepEqual(await held(), [has('a', 6, 8), has('z', 4, 6)]);
    await remove('z');
    assert.deepEqual(await held(), [has('a', 4, 8)]);
    await remove('a');
    assert.deepEqual(await held(), [has('m', 5, 8)]);
  });

  test('is listed with what has its nights, before what only a block has', async () => {
    const home = channels.nextHome();
    const { database } = channels;
    const block = { listing: home, from: june(1), to: june(2), reason: null };
    await blockNights(database, 'test', block);
    await confirmStay(database, home, { from: june(4), to: june(6) });
    await put(home, 'listed', 1, 6);
    const found = await listConflictsOf(database, { listing: home, atMost: 10 });
    assert.deepEqual(
      found.map(({ outsideId, kind, from }) => [outsideId, kind, from.slice(8)]),
      [
        ['listed', 'confirmed', '04'],
        ['listed', 'block', '01'],
      ],
    );
  });
});

// Spec: CHANNEL-15.
suite('an outside stay and a channel', () => {
  let home: string;
  let calendarId: string;
  const sold = { uid: 'sold', from: june(10), to: june(13) };

  async function begin(source: string | null, ...events: FeedEvent[]): Promise<void> {
    home = channels.nextHome();
    serve(...events);
    calendarId = await channels.add(home, channels.feeds.url(`/${home}.ics`));
    await changeOptions(channels.database, 'test', calendarId, { changes: { source } });
  }
  const refresh = async () => {
    const refreshed = await channels.refresh(calendarId);
    assert.ok(refreshed.outcome === 'refreshed');
    return refreshed;
  };
  const events = async () =>
    (await showCalendar(channels.database, calendarId)).events.map(({ uid, state, reason }) =>
      [uid, state, reason ?? ''].join(' ').trim(),
    );
  const exported = async (reader: string | null): Promise<string[]> => {
    const { secret } = await secretFor(channels.database, home);
    const { content } = (await exportCalendar(channels.database, secret, reader))!;
    const values = (property: string) =>
      content
        .split('\r\n')
        .filter((line) => line.startsWith(property))
        .map((line) => line.slice(line.indexOf(':') + 1));
    const summaries = values('SUMMARY');
    return values('DTSTART;VALUE=DATE').map((date, at) => `${date.slice(6)} ${summaries[at]}`);
  };

  for (const [order, tell] of [
    ['that is told before the channel is read', ['put', 'read']],
    ['that is told after the channel was read', ['read', 'put']],
  ] as const) {
    test(`${order} is the channel's event with exactly its nights`, async () => {
      await begin('pms', sold);
      let refreshed = { conflicts: 0, newConflicts: 0 };
      for (const step of tell) {
        if (step === 'read') refreshed = await refresh();
        else assert.deepEqual((await put(home, `${order} ${step}`, 10, 13)).conflicts, []);
      }
      const { conflicts, newConflicts } = refreshed;
      assert.deepEqual([conflicts, newConflicts], [0, 0]);
      assert.deepEqual(await channels.conflicts(home), []);
      assert.equal((await channels.shown(calendarId)).conflicts, 0);
      assert.deepEqual(await nights(home), ['block 10–13']);
      assert.deepEqual(await events(), [`sold echo It is the outside stay pms/${order} put.`]);
      // What the system does not sell any more, the channel may still have sold.
      await remove(`${order} put`);
      assert.deepEqual(await nights(home), ['block 10–13 sold']);
      assert.deepEqual(await events(), ['sold taken']);
      serve();
      await channels.readLater(calendarId);
      assert.deepEqual(await nights(home), []);
    });
  }

  test('are one as soon as the calendar has the source, with the next read', async () => {
    await begin(null, sold);
    await refresh();
    assert.deepEqual((await put(home, 'late', 10, 13)).conflicts, ['10–13 channel']);
    await changeOptions(channels.database, 'test', calendarId, { changes: { source: 'pms' } });
    await refresh();
    assert.deepEqual(await channels.conflicts(home), []);
    assert.deepEqual((await put(home, 'late', 10, 13)).conflicts, []);
  });

  test('are two without that source, or with other nights: a double sale', async () => {
    await begin('another', sold, { uid: 'longer', from: june(20), to: june(23) });
    await put(home, 'not-its-source', 10, 13);
    await put(home, 'shorter', 20, 22);
    const { conflicts, newConflicts } = await refresh();
    assert.deepEqual([conflicts, newConflicts], [2, 2]);
    assert.deepEqual(await channels.conflicts(home), ['10–13 block', '20–22 block']);
    assert.deepEqual(await events(), [
      'sold conflict Something else has some of its nights.',
      'longer conflict Something else has some of its nights.',
    ]);
  });

  test('is an echo where the channel has read our calendar, as a stay is', async () => {
    await begin(null);
    await put(home, 'copied', 10, 13);
    const { secret } = await secretFor(channels.database, home);
    await (await exportCalendar(channels.database, secret, calendarId))!.wasRead();
    serve(sold);
    await refresh();
    assert.deepEqual(await channels.conflicts(home), []);
    assert.match((await events())[0]!, /^sold echo .*pms\/copied/);
  });

  test('the export for a channel leaves out what it has told itself, and nothing else', async () => {
    await begin('pms', sold);
    await put(home, 'told', 10, 13);
    await put(home, 'untold', 20, 23);
    await refresh();
    assert.deepEqual(await exported(calendarId), ['20 Reserved']);
    assert.deepEqual(await exported(null), ['10 Reserved', '20 Reserved']);
  });

  test('the export for a channel has what a system has sold too, where only its own block is', async () => {
    await begin(null, sold);
    await refresh();
    await put(home, 'double', 11, 15);
    assert.deepEqual(await exported(calendarId), ['11 Not available', '13 Reserved']);
  });
});
