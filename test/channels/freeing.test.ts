/** A channel does not show events any more: when their nights become free, and what staff see and say. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { exportCalendar, secretFor } from '../../src/channels/own-calendar.ts';
import { sweepChannelEvents } from '../../src/channels/store/events.ts';
import { readExportedNights } from '../../src/channels/store/exports.ts';
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
  acceptShrunk,
  blockNights,
  changeOptions,
  importCalendar,
  keepNights,
  listConflictsOf,
  refusedBecause,
  showCalendar,
} from '../harness/acts.ts';

let channels: TestChannels;
let home: string;
let calendarId: string;
before(async () => {
  channels = await openChannels();
});
after(() => channels.drop());

const serve = (body: string, headers: Record<string, string> = {}): void => {
  channels.feeds.reply = (response) => void response.writeHead(200, headers).end(body);
};
const events: FeedEvent[] = [1, 5, 10, 15].map((day) => {
  return { uid: `e${day}`, from: june(day), to: june(day + 2) };
});
const nights = () => takenOf(channels.database, home);
const all = ['block 01–03 e1', 'block 05–07 e5', 'block 10–12 e10', 'block 15–17 e15'];
const show = () => showCalendar(channels.database, calendarId);
const states = async () => (await show()).events.map(({ uid, state }) => `${uid} ${state}`);

async function begin(): Promise<void> {
  home = channels.nextHome();
  serve(feedOf(...events), { etag: '"4"' });
  calendarId = await channels.add(home, channels.feeds.url(`/${home}.ics`));
  await channels.refresh(calendarId);
  assert.deepEqual(await nights(), all);
}

suite('what a calendar does not show any more', () => {
  // Spec: CHANNEL-3.
  test('is free at the second whole read ten minutes later, also if its content has not changed', async () => {
    await begin();
    serve(feedOf(...events.slice(1)), { etag: '"3"' });
    await channels.refresh(calendarId);
    assert.deepEqual(await nights(), all);
    assert.deepEqual((await states())[0], 'e1 missing');
    channels.feeds.reply = respond(304);
    await channels.refresh(calendarId);
    assert.deepEqual(await nights(), all, 'too soon');
    await channels.pass(calendarId, 10);
    await channels.refresh(calendarId);
    assert.deepEqual(await nights(), all.slice(1));
  });

  // Spec: CHANNEL-2.
  test('stays taken while reads are damaged, and damaged content is never asked for conditionally', async () => {
    await begin();
    const damaged = feedOf(...events.slice(1)).replace('END:VEVENT', 'END:VEVENT\r\nEND:VEVENT');
    serve(damaged, { etag: '"d"' });
    for (let times = 0; times < 3; times += 1) {
      assert.equal((await channels.refresh(calendarId)).outcome, 'damaged');
      assert.equal(
        channels.feeds.arrivals.at(-1)!.headers['if-none-match'],
        times === 0 ? '"4"' : undefined,
      );
      await channels.pass(calendarId, 600);
    }
    assert.deepEqual(await nights(), all);
    const shown = await show();
    assert.equal(shown.state, 'failing');
    assert.deepEqual(shown.problems, [
      { line: 10, uid: null, message: 'END:VEVENT has no BEGIN:VEVENT.' },
    ]);
    assert.ok(shown.lastWholeReadAt !== null);
  });

  test('of a damaged calendar its new nights are taken at once', async () => {
    await begin();
    serve(feedOf({ uid: 'new', from: june(20), to: june(22) }).replace('END:VCALENDAR', ''));
    await channels.refresh(calendarId);
    assert.deepEqual(await nights(), [...all, 'block 20–22 new']);
  });

  test('that the version before this one has blocked is not free at once either', async () => {
    await begin();
    await sql(channels.database, 'DELETE FROM channel_events WHERE calendar_id = $1', [calendarId]);
    serve(feedOf(...events.slice(1)));
    await channels.refresh(calendarId);
    assert.deepEqual(await nights(), all);
    assert.deepEqual(await states(), ['e1 missing', 'e5 taken', 'e10 taken', 'e15 taken']);
  });
});

suite('a shrunk calendar', () => {
  async function shrink(): Promise<void> {
    await begin();
    serve(feedOf(events[0]!));
    await channels.refresh(calendarId);
    assert.equal((await show()).state, 'shrunk');
  }

  // Spec: CHANNEL-5.
  test('frees nothing for six hours', async () => {
    await shrink();
    await channels.pass(calendarId, 350);
    await channels.refresh(calendarId);
    assert.deepEqual(await nights(), all);
    await channels.pass(calendarId, 10);
    await channels.refresh(calendarId);
    assert.deepEqual(await nights(), all.slice(0, 1));
    assert.equal((await show()).state, 'ok');
  });

  test('frees at once what staff accept, once', async () => {
    await shrink();
    channels.feeds.reply = respond(500);
    await channels.refresh(calendarId);
    assert.equal((await show()).state, 'failing', 'shown before shrunk');
    await acceptShrunk(channels.database, 'test', calendarId);
    assert.deepEqual(await nights(), all.slice(0, 1));
    assert.equal((await show()).state, 'failing', 'it still cannot be read');
    await refusedBecause(acceptShrunk(channels.database, 'test', calendarId), /is not shrunk/);
  });

  test('keeps its nights if staff say so, until the calendar shows them again', async () => {
    await shrink();
    await keepNights(channels.database, 'test', calendarId);
    await channels.pass(calendarId, 720);
    await channels.refresh(calendarId);
    assert.deepEqual(await nights(), all);
    assert.equal((await show()).kept, true);
    serve(feedOf(...events));
    await channels.refresh(calendarId);
    assert.equal((await show()).kept, false);
    await refusedBecause(keepNights(channels.database, 'test', calendarId), /is not shrunk/);
  });
});

suite('an echo', () => {
  /** The channel reads its own export of the home. */
  async function read(): Promise<void> {
    const { secret } = await secretFor(channels.database, home);
    const exported = await exportCalendar(channels.database, secret, calendarId);
    await exported!.wasRead();
  }

  // Spec: CHANNEL-6.
  test('is no conflict and blocks nothing, also after its stay has ended', async () => {
    await begin();
    const id = await confirmStay(channels.database, home, { from: june(20), to: june(23) });
    await read();
    serve(feedOf(...events, { uid: 'copy', from: june(20), to: june(23) }));
    await channels.refresh(calendarId);
    assert.deepEqual(await channels.conflicts(home), []);
    assert.equal((await states()).at(-1), 'copy echo');
    assert.match((await show()).events.at(-1)!.reason!, /copy.*LK-0000-0001/);
    await sql(channels.database, 'DELETE FROM occupancies WHERE occupancy_id = $1', [id]);
    await channels.refresh(calendarId);
    assert.deepEqual(await nights(), all);
  });

  test('is none of a stay that the channel has not read: a double sale, listed first', async () => {
    await begin();
    const { database } = channels;
    await blockNights(database, 'test', {
      listing: home,
      from: june(26),
      to: june(27),
      reason: null,
    });
    await read();
    // Not in the same millisecond.
    await sql(
      database,
      `UPDATE channel_calendars SET fetched_at = fetched_at - interval '1 second' WHERE calendar_id = $1`,
      [calendarId],
    );
    await confirmStay(database, home, { from: june(20), to: june(23) });
    serve(
      feedOf(
        ...events,
        { uid: 'block', from: june(26), to: june(27) },
        { uid: 'sold', from: june(20), to: june(23) },
      ),
    );
    await channels.refresh(calendarId);
    await read();
    await channels.refresh(calendarId);
    assert.deepEqual(await channels.conflicts(home), [
      '20–23 confirmed LK-0000-0001',
      '26–27 block',
    ]);
  });

  test('of another channel does not keep its nights when that channel frees them', async () => {
    await begin();
    const first = calendarId;
    calendarId = await channels.add(home, channels.feeds.url(`/${home}-other.ics`));
    await read();
    serve(feedOf(...events));
    await channels.refresh(calendarId);
    assert.deepEqual(await states(), ['e1 echo', 'e5 echo', 'e10 echo', 'e15 echo']);
    serve(feedOf(...events.slice(1)));
    await channels.readLater(first);
    assert.deepEqual(await nights(), all.slice(1));
  });

  test('of preparation takes no nights and has none of its own, also after the rule has ended', async () => {
    await begin();
    const { database } = channels;
    const prepare = (nightsAfter: number) =>
      sql(
        database,
        `INSERT INTO listing_members (listing_id, members, preparation_nights) VALUES ($1, '{}', $2)
          ON CONFLICT (listing_id) DO UPDATE SET preparation_nights = $2`,
        [home, nightsAfter],
      );
    await prepare(2);
    await confirmStay(database, home, { from: june(20), to: june(23) });
    const exported = async () =>
      (await readExportedNights(database, home, calendarId)).map(({ from, to }) =>
        [from, to].map((date) => date.slice(8)).join('–'),
      );
    const shown = await exported();
    assert.deepEqual(shown.slice(-2), ['20–23', '23–25']);
    await read();
    serve(
      feedOf(
        ...events,
        { uid: 'stay', from: june(20), to: june(23) },
        { uid: 'after', from: june(23), to: june(25) },
      ),
    );
    await channels.refresh(calendarId);
    assert.deepEqual((await states()).slice(-2), ['stay echo', 'after echo']);
    assert.deepEqual(await exported(), shown);
    // Its own event that nobody has read from us is a sale, and shortens the preparation.
    serve(feedOf(...events, { uid: 'sold', from: june(24), to: june(26) }));
    await channels.refresh(calendarId);
    assert.equal((await states()).at(-1), 'sold taken');
    assert.deepEqual((await exported()).slice(-3), ['20–23', '23–24', '26–28']);
    await prepare(0);
    assert.deepEqual((await exported()).slice(-1), ['20–23']);
  });

  test('with a name of ours, whose stay is lost, takes its nights', async () => {
    await begin();
    const { ownDomain } = await import('../../src/channels/icalendar/own-events.ts');
    const uid = `0190@${ownDomain(channels.database.vault)}`;
    serve(feedOf(...events, { uid, from: june(20), to: june(23) }));
    await channels.refresh(calendarId);
    assert.equal((await nights()).at(-1), `block 20–23 ${uid}`);
  });
});

suite('options', () => {
  // Spec: CHANNEL-7.
  test('take effect at once with the next whole read', async () => {
    await begin();
    const notice = feedOf(...events).replace('Ann Guest', 'Not  available');
    serve(notice, { etag: '"n"' });
    await channels.refresh(calendarId);
    const changes = { ignore: ['not AVAILABLE'], end: 'night' as const };
    const options = await changeOptions(channels.database, 'test', calendarId, { changes });
    assert.partialDeepStrictEqual(options, {
      calendarId,
      ...changes,
      free: 'ignore',
      userAgent: null,
      source: null,
    });
    await channels.refresh(calendarId);
    assert.equal(channels.feeds.arrivals.at(-1)!.headers['if-none-match'], undefined);
    assert.deepEqual(await nights(), ['block 05–08 e5', 'block 10–13 e10', 'block 15–18 e15']);
    assert.match((await show()).events[0]!.reason!, /takes no nights/);
    await changeOptions(channels.database, 'test', calendarId, {
      changes: { ignore: [''], end: 'checkout' },
    });
    await channels.refresh(calendarId);
    assert.deepEqual(await nights(), all);
  });
});

suite('a file', () => {
  const importFile = async (content: string) => {
    const bytes = Buffer.from(content);
    return importCalendar(channels.database, 'test', { listing: home, name: 'a.ics', bytes });
  };

  // Spec: CHANNEL-8.
  test('that is damaged adds, frees nothing, and tells its problems', async () => {
    home = channels.nextHome();
    await importFile(feedOf(...events));
    const damaged = feedOf({ uid: 'x', from: june(20), to: june(21) }).replace('END:VCALENDAR', '');
    const { problems } = await importFile(damaged);
    assert.deepEqual(problems, [
      { line: 1, uid: null, message: 'It is incomplete: its end is missing.' },
    ]);
    assert.deepEqual(await nights(), [...all, 'block 20–21 x']);
    await importFile(feedOf(...events.slice(2)));
    assert.deepEqual(await nights(), all.slice(2));
    await refusedBecause(importFile('<html>'), /nothing in it can be read/);
  });
});

suite('stored events', () => {
  // Spec: CHANNEL-9.
  test('hold their texts encrypted, and are gone 30 days after their last night', async () => {
    await begin();
    const { database } = channels;
    assert.equal((await show()).events[0]!.summary, 'Ann Guest');
    const clear = `SELECT FROM channel_events e WHERE calendar_id = $1 AND e::text LIKE '%Guest%'`;
    assert.deepEqual(await sql(database, clear, [calendarId]), []);
    await sql(
      database,
      `UPDATE channel_events SET nights = daterange(current_date - 40, current_date - CASE event_uid
        WHEN 'e1' THEN 30 WHEN 'e5' THEN 31 ELSE 32 END) WHERE calendar_id = $1`,
      [calendarId],
    );
    while ((await sweepChannelEvents(database, 30, 1)) > 0);
    const left = await sql(
      database,
      'SELECT event_uid FROM channel_events WHERE calendar_id = $1',
      [calendarId],
    );
    assert.deepEqual(left, [{ event_uid: 'e1' }]);
  });
});

suite('a conflict of which parts become free in two transactions at once', () => {
  test('is shown no more, and of what remains who has it now', async () => {
    home = channels.nextHome();
    const { database } = channels;
    const stay = (from: number, to: number, reference: string) =>
      confirmStay(database, home, { from: june(from), to: june(to) }, reference);
    const ids = [await stay(1, 3, 'LK-0000-0001'), await stay(3, 5, 'LK-0000-0002')];
    await stay(5, 7, 'LK-0000-0003');
    const event = { uid: 'f', from: june(1), to: june(7) };
    await importCalendar(database, 'test', {
      listing: home,
      name: 'a.ics',
      bytes: Buffer.from(feedOf(event)),
    });
    // As one row, as if one stay had all of the nights.
    await sql(database, 'DELETE FROM channel_conflicts WHERE lower(nights) > $1::date', [june(1)]);
    await sql(
      database,
      'UPDATE channel_conflicts SET nights = daterange($1, $2) WHERE lower(nights) = $1',
      [june(1), june(7)],
    );
    const free = (id: string) =>
      database.transaction(async (executor) => {
        await executor.query(
          { name: 'free-in-a-test', text: 'DELETE FROM occupancies WHERE occupancy_id = $1' },
          [id],
        );
      });
    await Promise.all(ids.map(free));
    assert.deepEqual(await channels.conflicts(home), ['05–07 confirmed LK-0000-0003']);
    assert.equal((await nights()).filter((one) => one.endsWith(' f')).length, 2);
    const [shown] = await listConflictsOf(database, { listing: home, atMost: 10 });
    assert.equal(shown!.reference, 'LK-0000-0003');
  });
});
