/** A calendar of another channel is read: what it blocks, what it leaves, and what can go wrong. */
import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { after, before, suite, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { applyRead, type ReadToApply } from '../../src/channels/apply-nights.ts';
import { countConflicts } from '../../src/channels/index.ts';
import { claimCalendar } from '../../src/channels/store/claims.ts';
import { addBlocks, removeBlock } from '../../src/inventory/index.ts';
import { withDeadline } from '../../src/platform/postgres/deadline.ts';
import { dayNumber } from '../../src/pricing/index.ts';
import { eventually } from '../harness/eventually.ts';
import { respond, silence, type Reply } from '../harness/receiver.ts';
import { sql } from '../harness/rows.ts';
import {
  confirmStay,
  feedOf,
  june,
  openChannels,
  takenOf,
  type TestChannels,
} from './calendars.ts';
import {
  blockNights,
  importCalendar,
  refreshNow,
  refusedBecause,
  removeCalendar,
  unblockNights,
} from '../harness/acts.ts';

let channels: TestChannels;
let home: string;
let calendarId: string;
before(async () => {
  channels = await openChannels();
});
after(() => channels.drop());

const serve = (body: string | Buffer, headers: Record<string, string> = {}): void => {
  channels.feeds.reply = (response) => void response.writeHead(200, headers).end(body);
};

/** A home with a calendar that blocks nights 1 to 3 and 10 to 11. */
async function begin(): Promise<void> {
  home = channels.nextHome();
  serve(
    feedOf({ uid: 'a', from: june(1), to: june(4) }, { uid: 'b', from: june(10), to: june(12) }),
  );
  calendarId = await channels.add(home, channels.feeds.url(`/${home}.ics`));
  const { outcome } = await channels.refresh(calendarId);
  assert.equal(outcome, 'refreshed');
}

const nights = () => takenOf(channels.database, home);
const both = ['block 01–04 a', 'block 10–12 b'];

suite('a refresh', () => {
  test('blocks the nights of the events, and only changes what is different', async () => {
    await begin();
    assert.deepEqual(await nights(), both);
    const idsOf = () =>
      sql<{ id: string }>(
        channels.database,
        `SELECT occupancy_id AS id FROM occupancies WHERE calendar_id = $1 AND event_uid = 'b'`,
        [calendarId],
      );
    const unchanged = await idsOf();
    serve(
      feedOf(
        { uid: 'b', from: june(10), to: june(12) },
        { uid: 'a', from: june(2), to: june(5) },
        { uid: 'c', from: june(20), to: june(21) },
        { uid: 'ours', from: june(25), to: june(26) },
      ),
    );
    assert.deepEqual(await channels.refresh(calendarId), {
      outcome: 'refreshed',
      added: 3,
      removed: 0,
      unchanged: 2,
      conflicts: 0,
      newConflicts: 0,
      missing: 1,
      shrunk: false,
    });
    await channels.pass(calendarId, 10);
    await channels.refresh(calendarId);
    const moved = 'block 02–05 a';
    assert.deepEqual(await nights(), [moved, 'block 10–12 b', 'block 20–21 c', 'block 25–26 ours']);
    assert.deepEqual(await idsOf(), unchanged);
    const shown = await channels.shown(calendarId);
    assert.deepEqual([shown.problem, shown.blocks, shown.conflicts], [null, 4, 0]);
  });

  test('of a calendar without events frees its nights', async () => {
    await begin();
    serve(feedOf());
    await channels.readLater(calendarId);
    assert.deepEqual(await nights(), []);
  });

  // Spec: CHANNEL-10.
  test('asks only for what has changed', async () => {
    await begin();
    const last = () => channels.feeds.arrivals.at(-1)!.headers;
    const lastModified = 'Sun, 22 Nov 2026 10:00:00 GMT';
    serve(feedOf({ uid: 'a', from: june(1), to: june(4) }), {
      etag: '"1"',
      'last-modified': lastModified,
    });
    await channels.refresh(calendarId);
    assert.equal(last()['if-none-match'], undefined);
    await channels.readLater(calendarId);
    channels.feeds.reply = respond(304);
    assert.deepEqual(await channels.refresh(calendarId), { outcome: 'unchanged' });
    assert.deepEqual([last()['if-none-match'], last()['if-modified-since']], ['"1"', lastModified]);
    assert.deepEqual(await nights(), ['block 01–04 a']);
    await sql(
      channels.database,
      `UPDATE channel_calendars SET read_at = read_at - interval '25 hours' WHERE calendar_id = $1`,
      [calendarId],
    );
    serve(feedOf());
    await channels.refresh(calendarId);
    assert.equal(last()['if-none-match'], undefined, 'after a day the whole calendar');
  });

  test('asks for the whole calendar after the home has moved to another time zone', async () => {
    await begin();
    const stay = feedOf({ uid: 'a', from: june(1), to: june(4) });
    const inUtc = stay.replaceAll(/;VALUE=DATE(:\d{8})/g, '$1T230000Z');
    channels.feeds.reply = (response, arrival) => {
      const isKnown = arrival.headers['if-none-match'] === '"1"';
      respond(isKnown ? 304 : 200, { etag: '"1"' }, isKnown ? '' : inUtc)(response, arrival);
    };
    for (const [timeZone, expected] of [
      [null, 'block 01–04 a'],
      ['Asia/Tokyo', 'block 02–05 a'],
    ]) {
      const text = 'UPDATE listings SET time_zone = $2 WHERE listing_id = $1';
      await sql(channels.database, text, [home, timeZone]);
      assert.equal((await channels.readLater(calendarId)).outcome, 'refreshed');
      assert.deepEqual(await nights(), [expected]);
      assert.equal((await channels.refresh(calendarId)).outcome, 'unchanged');
    }
  });

  test('in a call, may take longer than the database work of a call', async () => {
    await begin();
    const body = feedOf({ uid: 'late', from: june(7), to: june(8) });
    channels.feeds.reply = (response) =>
      void setTimeout(() => response.writeHead(200).end(body), 1_050);
    const { database } = channels;
    const refreshing = { database, rules: { loopbackAllowed: true }, everySeconds: 1_800 };
    const { outcome } = await withDeadline(1_000, () =>
      refreshNow(refreshing, 'a test', calendarId),
    );
    assert.equal(outcome, 'refreshed');
    assert.deepEqual(await nights(), ['block 01–04 a', 'block 07–08 late', 'block 10–12 b']);
  });

  test('a 304 that nobody asked for is a failure', async () => {
    await begin();
    channels.feeds.reply = respond(304);
    const { problem } = (await channels.refresh(calendarId)) as { problem?: unknown };
    assert.deepEqual(problem, { problem: 'status', detail: '304' });
  });

  test('takes gzip, and names itself as staff want', async () => {
    await begin();
    const { headers } = channels.feeds.arrivals.at(-1)!;
    assert.equal(headers['accept-encoding'], 'gzip');
    assert.match(headers['user-agent']!, /^Mozilla\/5\.0 /);
    const agent = `UPDATE channel_calendars SET user_agent = 'Calendar of Ann' WHERE calendar_id = $1`;
    await sql(channels.database, agent, [calendarId]);
    const body = gzipSync(feedOf({ uid: 'z', from: june(2), to: june(3) }));
    channels.feeds.reply = (response) =>
      void response.writeHead(200, { 'content-encoding': 'gzip' }).end(body);
    assert.equal((await channels.readLater(calendarId)).outcome, 'refreshed');
    assert.deepEqual(
      (await nights()).filter((one) => one.endsWith(' z')),
      ['block 02–03 z'],
    );
    assert.equal(channels.feeds.arrivals.at(-1)!.headers['user-agent'], 'Calendar of Ann');
  });

  test('by command never puts off the reads by themselves', async () => {
    await begin();
    const soon = `UPDATE channel_calendars SET due_at = now() + interval '5 minutes' WHERE calendar_id = $1`;
    await sql(channels.database, soon, [calendarId]);
    const { nextAt: planned } = await channels.shown(calendarId);
    const { database } = channels;
    const refreshing = { database, rules: { loopbackAllowed: true }, everySeconds: 1_800 };
    await refreshNow(refreshing, 'test', calendarId);
    assert.equal((await channels.shown(calendarId)).nextAt, planned);
    channels.feeds.reply = respond(503, { 'retry-after': '7200' });
    for (let click = 1; click <= 5; click += 1) {
      await refusedBecause(refreshNow(refreshing, 'test', calendarId), /was not read/);
    }
    const { nextAt, failures } = await channels.shown(calendarId);
    assert.deepEqual([nextAt, failures], [planned, 1]);
  });

  test('of the same UID at another home is separate', async () => {
    await begin();
    const other = channels.nextHome();
    await channels.refresh(await channels.add(other, channels.feeds.url(`/${home}.ics`)));
    assert.deepEqual(await takenOf(channels.database, other), both);
  });
});

suite('a calendar', () => {
  test('that is added again is the same', async () => {
    await begin();
    assert.equal(await channels.add(home, channels.feeds.url(`/${home}.ics`)), calendarId);
  });

  test('its URL is not stored in clear', async () => {
    await begin();
    const stored = await sql(
      channels.database,
      `SELECT FROM channel_calendars c WHERE calendar_id = $1
        AND position('.ics'::bytea in url_sealed) = 0 AND c::text NOT LIKE '%.ics%'`,
      [calendarId],
    );
    assert.equal(stored.length, 1);
    assert.equal((await channels.shown(calendarId)).url, channels.feeds.url(`/${home}.ics`));
  });

  test('that is removed frees its nights, and nothing else', async () => {
    await begin();
    await confirmStay(channels.database, home, { from: june(20), to: june(22) });
    assert.deepEqual(await removeCalendar(channels.database, 'test', calendarId), {
      calendarId,
      freedBlocks: 2,
    });
    assert.deepEqual(await nights(), ['confirmed 20–22']);
    const [entry] = await sql(
      channels.database,
      `SELECT details->>'freedBlocks' AS freed FROM audit_entries
        WHERE action = 'channel-calendar.remove' AND details->>'calendarId' = $1`,
      [calendarId],
    );
    assert.deepEqual(entry, { freed: '2' });
    await refusedBecause(
      removeCalendar(channels.database, 'test', calendarId),
      /There is no channel calendar/,
    );
  });

  test('that is removed while it is read blocks nothing', async () => {
    await begin();
    channels.feeds.reply = (response) =>
      void removeCalendar(channels.database, 'test', calendarId).then(() =>
        response.writeHead(200).end(feedOf({ uid: 'a', from: june(1), to: june(4) })),
      );
    assert.deepEqual(await channels.refresh(calendarId), { outcome: 'lost' });
    assert.deepEqual(await nights(), []);
  });

  test('that another process claims while it is read is left to it', async () => {
    await begin();
    channels.feeds.reply = (response) =>
      void sql(
        channels.database,
        'UPDATE channel_calendars SET fence = fence + 1 WHERE calendar_id = $1',
        [calendarId],
      ).then(() => response.writeHead(200).end(feedOf()));
    assert.deepEqual(await channels.refresh(calendarId), { outcome: 'lost' });
    assert.deepEqual(await nights(), both);
  });

  test('its blocks are not removed one by one', async () => {
    await begin();
    const [{ id }] = (await sql<{ id: string }>(
      channels.database,
      'SELECT occupancy_id AS id FROM occupancies WHERE calendar_id = $1',
      [calendarId],
    )) as [{ id: string }];
    await refusedBecause(
      unblockNights(channels.database, 'test', id),
      /comes from the channel calendar/,
    );
    assert.deepEqual(await nights(), both);
  });
});

suite('a calendar that takes its whole time to read', () => {
  // No February has a 31st day. Each rule looks for one for some milliseconds.
  const event = { uid: 'a', from: june(1), to: june(4) };
  const endless = feedOf(...Array.from({ length: 10_000 }, () => event)).replaceAll(
    'SUMMARY',
    'RRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=31\r\nSUMMARY',
  );

  test('delays no other, once it has failed', async () => {
    const hostile = await channels.add(channels.nextHome(), channels.feeds.url('/hostile.ics'));
    channels.feeds.reply = respond(500);
    await channels.refresh(hostile);
    serve(endless);
    let isOver = false;
    const { length: earlier } = channels.feeds.arrivals;
    const reading = channels.refresh(hostile).finally(() => (isOver = true));
    await channels.feeds.receives(earlier + 1);
    await begin();
    assert.deepEqual(await nights(), both);
    assert.ok(!isOver);
    await channels.endReading();
    const problem = { problem: 'too_complex', detail: null };
    assert.deepEqual(await reading, { outcome: 'failed', problem });
  });
});

suite('a conflict', () => {
  // Spec: CHANNEL-12.
  test('with a stay: the stay is kept, the other nights are blocked, and its own as soon as it has ended', async () => {
    await begin();
    const stay = { from: june(21), to: june(23) };
    await confirmStay(channels.database, home, stay, 'LK-1234-5678');
    serve(feedOf({ uid: 'x', from: june(20), to: june(25) }), { etag: '"x"' });
    for (const newConflicts of [1, 0]) {
      const refreshed = await channels.refresh(calendarId);
      await channels.readLater(calendarId);
      assert.ok(refreshed.outcome === 'refreshed', JSON.stringify(refreshed));
      assert.deepEqual([refreshed.conflicts, refreshed.newConflicts], [1, newConflicts]);
      assert.deepEqual(await nights(), ['block 20–21 x', 'confirmed 21–23', 'block 23–25 x']);
      assert.deepEqual(await channels.conflicts(home), ['21–23 confirmed LK-1234-5678']);
    }
    assert.equal((await channels.shown(calendarId)).conflicts, 1);
    await sql(
      channels.database,
      `DELETE FROM occupancies WHERE listing_id = $1 AND kind = 'confirmed'`,
      [home],
    );
    assert.deepEqual(await nights(), ['block 20–21 x', 'block 21–23 x', 'block 23–25 x']);
    assert.deepEqual(await channels.conflicts(home), []);
    await channels.refresh(calendarId);
    assert.deepEqual(await nights(), ['block 20–25 x']);
    assert.deepEqual(await channels.conflicts(home), []);
  });

  test('of a file with a stay: its nights are blocked as soon as the stay has ended', async () => {
    home = channels.nextHome();
    const id = await confirmStay(channels.database, home, { from: june(21), to: june(23) });
    const bytes = Buffer.from(feedOf({ uid: 'f', from: june(22), to: june(25) }));
    await importCalendar(channels.database, 'test', { listing: home, name: 'a.ics', bytes });
    assert.deepEqual(await nights(), ['confirmed 21–23', 'block 23–25 f']);
    await sql(channels.database, 'DELETE FROM occupancies WHERE occupancy_id = $1', [id]);
    assert.deepEqual(await nights(), ['block 22–23 f', 'block 23–25 f']);
    assert.deepEqual(await channels.conflicts(home), []);
  });

  test('with a block that is replaced in one transaction: only the nights that stay free are blocked', async () => {
    home = channels.nextHome();
    const { database } = channels;
    const block = { listing: home, from: june(1), to: june(9), reason: null };
    const { blockId } = await blockNights(database, 'test', block);
    const bytes = Buffer.from(feedOf({ uid: 'f', from: june(5), to: june(8) }));
    await importCalendar(database, 'test', { listing: home, name: 'a.ics', bytes });
    await database.transaction(async (executor) => {
      await removeBlock(executor, blockId);
      const next = { from: june(1), to: june(7), reason: null, source: 'file' as const };
      const { outcome } = await addBlocks(executor, [{ listingId: home, ...next }]);
      assert.equal(outcome, 'added');
    });
    assert.deepEqual(await nights(), ['block 01–07', 'block 07–08 f']);
    assert.deepEqual(await channels.conflicts(home), ['05–07 block']);
  });

  test('that is found while the nights become free: they are blocked', async () => {
    home = channels.nextHome();
    const { database } = channels;
    const id = await confirmStay(database, home, { from: june(21), to: june(23) });
    calendarId = await channels.add(home, channels.feeds.url(`/${home}.ics`));
    let freeing: Promise<unknown> | undefined;
    const claim = (await claimCalendar(database, calendarId, 60))!;
    const nightsOfEvent = { from: dayNumber(june(21)), to: dayNumber(june(23)) };
    const read: ReadToApply = {
      kind: 'whole',
      events: [{ uid: 'x', ...nightsOfEvent, summary: null, ignored: null }],
      problems: [],
      atOnce: false,
      validators: { etag: null, lastModified: null },
      today: dayNumber(june(1)),
      nextInSeconds: 60,
    };
    await database.transaction(async (executor) => {
      await applyRead(executor, claim, read);
      freeing = sql(database, 'DELETE FROM occupancies WHERE occupancy_id = $1', [id]);
      await eventually(async () => {
        const text = `SELECT FROM pg_stat_activity WHERE datname = current_database()
          AND query LIKE 'DELETE FROM occupancies%' AND wait_event_type = 'Lock'`;
        return (await sql(database, text)).length > 0;
      });
    });
    await freeing;
    assert.deepEqual(await nights(), ['block 21–23 x']);
    assert.deepEqual(await channels.conflicts(home), []);
  });

  test('with a block for exactly its nights that staff add: the block stays when the event ends', async () => {
    await begin();
    const block = { listing: home, from: june(1), to: june(4), reason: 'Roof' };
    const { blockId } = await blockNights(channels.database, 'test', block);
    assert.deepEqual(await nights(), ['block 01–04', 'block 10–12 b']);
    assert.deepEqual(await blockNights(channels.database, 'test', block), { blockId });
    assert.deepEqual(await channels.conflicts(home), ['01–04 block']);
    await channels.refresh(calendarId);
    assert.deepEqual(await channels.conflicts(home), ['01–04 block']);
    serve(feedOf());
    await channels.readLater(calendarId);
    assert.deepEqual(await nights(), ['block 01–04']);
    assert.deepEqual(await channels.conflicts(home), []);
    assert.equal((await unblockNights(channels.database, 'test', blockId)).reason, 'Roof');
  });

  test('with such a block: it ends with the block, before the calendar is read', async () => {
    await begin();
    serve(feedOf({ uid: 'a', from: june(1), to: june(4) }), { etag: '"1"' });
    await channels.readLater(calendarId);
    const block = { listing: home, from: june(1), to: june(4), reason: null };
    const { blockId } = await blockNights(channels.database, 'test', block);
    await unblockNights(channels.database, 'test', blockId);
    assert.deepEqual(await nights(), ['block 01–04 a']);
    assert.deepEqual(await channels.conflicts(home), []);
    channels.feeds.reply = respond(304);
    assert.deepEqual(await channels.refresh(calendarId), { outcome: 'unchanged' });
    assert.deepEqual(await nights(), ['block 01–04 a']);
  });

  test('is shown until its nights are over, also if its calendar is not read again', async () => {
    await begin();
    await confirmStay(channels.database, home, { from: june(20), to: june(22) });
    serve(feedOf({ uid: 'x', from: june(20), to: june(22) }));
    await channels.refresh(calendarId);
    const all = await countConflicts(channels.database, 1_000);
    await sql(
      channels.database,
      `UPDATE channel_conflicts SET nights = daterange(current_date - 2, current_date)
        WHERE calendar_id = $1`,
      [calendarId],
    );
    assert.deepEqual(await channels.conflicts(home), []);
    assert.equal((await channels.shown(calendarId)).conflicts, 0);
    assert.equal(await countConflicts(channels.database, 1_000), all - 1);
  });

  test('with a block of another calendar: the first keeps the night', async () => {
    await begin();
    const other = await channels.add(home, channels.feeds.url(`/${home}-other.ics`));
    serve(feedOf({ uid: 'o', from: june(3), to: june(6) }));
    await channels.refresh(other);
    assert.deepEqual(await nights(), ['block 01–04 a', 'block 04–06 o', 'block 10–12 b']);
    assert.deepEqual(await channels.conflicts(home), ['03–04 block']);
    await removeCalendar(channels.database, 'test', calendarId);
    assert.deepEqual(await nights(), ['block 03–04 o', 'block 04–06 o']);
    assert.deepEqual(await channels.conflicts(home), []);
    await channels.refresh(other);
    assert.deepEqual(await nights(), ['block 03–06 o']);
    assert.deepEqual(await channels.conflicts(home), []);
  });

  test('an event that ends with a stay of ours changes nothing of ours', async () => {
    await begin();
    await confirmStay(channels.database, home, { from: june(20), to: june(22) });
    serve(feedOf({ uid: 'x', from: june(20), to: june(22) }));
    await channels.refresh(calendarId);
    serve(feedOf());
    await channels.readLater(calendarId);
    assert.deepEqual(await nights(), ['confirmed 20–22']);
    assert.deepEqual(await channels.conflicts(home), []);
  });

  test('overlapping events of one calendar are none', async () => {
    await begin();
    serve(
      feedOf({ uid: 'a', from: june(1), to: june(4) }, { uid: 'z', from: june(2), to: june(6) }),
    );
    await channels.readLater(calendarId);
    assert.deepEqual(await nights(), ['block 01–04 a', 'block 04–06 z']);
    assert.deepEqual(await channels.conflicts(home), []);
  });
});

const megabyte = Buffer.alloc(1_024 * 1_024, 'x');
let written = 0;

/** Writes 200 MB, as far as somebody reads them. */
const endless: Reply = (response: ServerResponse) => {
  response.writeHead(200);
  const write = (): void => {
    while (!response.destroyed && written < 200) {
      written += 1;
      if (!response.write(megabyte)) return void response.once('drain', write);
    }
    response.end();
  };
  write();
};

/** Writes a byte now and then, for ever. */
const drip: Reply = (response) => {
  response.writeHead(200);
  const timer = setInterval(() => response.write('B'), 50);
  response.once('close', () => clearInterval(timer));
};

/** A calendar of 64 MB, compressed. */
let compressed: Buffer | undefined;
const bomb = (): Buffer => (compressed ??= gzipSync(Buffer.alloc(64 * 1_024 * 1_024, '\n')));

const whole = feedOf({ uid: 'n', from: june(1), to: june(9) });
suite('a calendar that cannot be read changes nothing', () => {
  const faults: [name: string, reply: Reply, problem: string, detail?: string][] = [
    ['404', respond(404), 'status', '404'],
    ['500', respond(500), 'status', '500'],
    ['an empty answer', respond(200), 'not_a_calendar'],
    ['204', respond(204), 'status', '204'],
    ['a web page', respond(200, {}, '<html>Please sign in</html>'), 'not_a_calendar'],
    [
      'garbage',
      respond(200, {}, `${whole.slice(0, 60)}\r\n\u0001\u0002garbage\r\nEND:VCALENDAR`),
      'stray_line',
    ],
    ['a truncated calendar', respond(200, {}, whole.slice(0, -30)), 'incomplete'],
    [
      'an answer shorter than announced',
      (response) => {
        response.writeHead(200, { 'content-length': String(whole.length + 10) });
        response.write(whole, () => response.socket?.destroy());
      },
      'connection',
    ],
    ['compression', respond(200, { 'content-encoding': 'br' }, whole), 'compressed'],
    [
      'compression that is not gzip',
      respond(200, { 'content-encoding': 'gzip' }, whole),
      'compressed',
    ],
    [
      'compression that is cut off',
      (response) =>
        void response
          .writeHead(200, { 'content-encoding': 'gzip' })
          .end(gzipSync(whole).subarray(0, -12)),
      'compressed',
    ],
    [
      '64 MB in a few bytes',
      (response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb()),
      'too_large',
      '33554432',
    ],
    ['200 MB', endless, 'too_large', '33554432'],
    ['200 MB, announced', respond(200, { 'content-length': '209715200' }), 'too_large', '33554432'],
    [
      'a redirect to an inner address',
      respond(302, { location: 'https://10.0.0.7/a.ics' }),
      'forbidden_address',
    ],
    [
      'a redirect to a cloud host',
      respond(301, { location: 'http://169.254.169.254/' }),
      'forbidden_address',
    ],
    ['a redirect without a target', respond(302), 'status', '302'],
    ['a redirect to nothing', respond(302, { location: 'https://' }), 'redirects'],
    ['a slow drip', drip, 'timeout'],
    ['silence', silence, 'timeout'],
  ];
  before(begin);
  for (const [name, reply, problem, detail = null] of faults) {
    test(name, async () => {
      channels.feeds.reply = reply;
      const timeoutMs = problem === 'timeout' ? 300 : undefined;
      const refreshed = await channels.refresh(calendarId, timeoutMs);
      assert.deepEqual(refreshed, { outcome: 'failed', problem: { problem, detail } });
      assert.deepEqual(await nights(), both);
      const shown = await channels.shown(calendarId);
      assert.deepEqual(shown.problem, { problem, detail });
      assert.ok(shown.failingSince !== null && shown.nextAt! > Date.now());
    });
  }

  test('of 200 MB only the beginning was read', () => assert.ok(written < 100, `${written} MB`));

  test('failures are counted, and end with a success', async () => {
    const { failures, failingSince } = await channels.shown(calendarId);
    assert.ok(failures >= faults.length);
    serve(whole);
    await channels.readLater(calendarId);
    const shown = await channels.shown(calendarId);
    assert.deepEqual([shown.failures, shown.failingSince, shown.problem], [0, null, null]);
    assert.ok(failingSince !== null && shown.refreshedAt! >= failingSince);
    assert.deepEqual(await nights(), ['block 01–09 n']);
  });

  test('Retry-After is respected', async () => {
    channels.feeds.reply = respond(503, { 'retry-after': '7200' });
    const began = Date.now();
    await channels.refresh(calendarId);
    assert.ok((await channels.shown(calendarId)).nextAt! >= began + 7_100_000);
  });

  test('a URL that was sealed with another key', async () => {
    await sql(
      channels.database,
      `UPDATE channel_calendars SET url_sealed = '\\x00' WHERE calendar_id = $1`,
      [calendarId],
    );
    const refreshed = await channels.refresh(calendarId);
    assert.deepEqual(refreshed, {
      outcome: 'failed',
      problem: { problem: 'url_unreadable', detail: null },
    });
    assert.equal((await channels.shown(calendarId)).url, null);
  });

  for (const [url, reason] of [
    ['http://calendars.example/a.ics', /must begin with https/],
    ['https://10.0.0.1/a.ics', /not on the public internet/],
    ['https://user:secret@calendars.example/a.ics', /user name or password/],
  ] as const) {
    test(`it is not added: ${url}`, () => refusedBecause(channels.add(home, url), reason));
  }
});
