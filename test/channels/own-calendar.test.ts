/** The calendar of a home at its secret address, over HTTP. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import ical, { type VEvent } from 'node-ical';
import { moveNights } from '../../src/inventory/index.ts';
import { dayNumber } from '../../src/pricing/index.ts';
import { homesOf } from '../harness/catalog.ts';
import { sql } from '../harness/rows.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { confirmStay, feedOf, june } from './calendars.ts';
import {
  blockNights,
  calendarAddress,
  importCalendar,
  refusedBecause,
  removeCalendar,
} from '../harness/acts.ts';

const baseUrl = 'https://homes.example/booking';
let service: TestService;
let listing: string;
let other: string;
before(async () => {
  service = await startTestService({ LATCHKEY_ENVIRONMENT: 'test', BASE_URL: baseUrl });
  const homes = await homesOf(service);
  [listing, other] = [homes[0]!.listingId, homes[1]!.listingId];
});
after(() => service.stop());

const addressOf = async (
  more: { calendarId?: string; rotate?: boolean; listing?: string | undefined } = {},
) => {
  const { calendarId, rotate = false } = more;
  const input = { listing: 'listing' in more ? more.listing : listing, calendarId, rotate };
  return (await calendarAddress(service.database, 'test', baseUrl, input)).url;
};
const get = (
  url: string,
  headers: Record<string, string> = {},
  method = 'GET',
): Promise<Response> =>
  fetch(url.replace('https://homes.example', service.origin), { headers, method });

/** The events, by date: `from to summary`. */
async function eventsAt(url: string): Promise<string[]> {
  const response = await get(url);
  assert.equal(response.status, 200);
  const events = Object.values(ical.sync.parseICS(await response.text()));
  return events
    .filter((part): part is VEvent => part?.type === 'VEVENT')
    .map(({ start, end, summary }) => {
      const date = (at: Date) => at.toLocaleDateString('sv-SE').slice(8);
      return `${date(start)}–${date(end!)} ${String(summary)}`;
    })
    .toSorted();
}

suite('the export for a channel', () => {
  /** Homes whose calendars nobody else reads. */
  let homes: string[];
  before(async () => {
    homes = (await homesOf(service)).slice(2).map(({ listingId }) => listingId);
  });

  const importOf = async (home: string, name: string, ...events: Parameters<typeof feedOf>) => {
    const bytes = Buffer.from(feedOf(...events));
    const file = { listing: home, name: `${name}.ics`, bytes };
    return (await importCalendar(service.database, 'test', file)).calendarId;
  };
  const eventsFor = async (calendarId: string): Promise<string[]> => {
    const events = await eventsAt(await addressOf({ calendarId, listing: undefined }));
    return events.map((event) => event.replace(' Not available', ''));
  };
  const exportedAt = async (calendarId: string): Promise<number | null> => {
    const rows = await sql<{ at: number | null }>(
      service.database,
      'SELECT exported_at AS at FROM channel_calendars WHERE calendar_id = $1',
      [calendarId],
    );
    return rows[0]!.at;
  };

  // Spec: CHANNEL-13.
  test('leaves out only what that channel alone has told, also where events overlap', async () => {
    const home = homes.pop()!;
    const a = await importOf(home, 'a', { uid: 'a', from: june(10), to: june(14) });
    const b = await importOf(home, 'b', { uid: 'b', from: june(12), to: june(16) });
    const c = await importOf(
      home,
      'c',
      { uid: 'c', from: june(11), to: june(13) },
      { uid: 'd', from: june(20), to: june(21) },
    );
    assert.deepEqual(await eventsFor(a), ['11–14', '14–16', '20–21']);
    assert.deepEqual(await eventsFor(b), ['10–14', '20–21']);
    assert.deepEqual(await eventsFor(c), ['10–14', '14–16']);
  });

  test('names the nights of other channels without the names that these give', async () => {
    const home = homes.pop()!;
    const uids = async () => {
      const url = await addressOf({ listing: home });
      return (await (await get(url)).text()).split('\r\n').filter((line) => line.startsWith('UID'));
    };
    await importOf(home, 'a', { uid: 'one', from: june(10), to: june(14) });
    const [first] = await uids();
    await importOf(home, 'a', { uid: 'another', from: june(10), to: june(14) });
    assert.deepEqual(await uids(), [first]);
    await importOf(home, 'a', { uid: 'another', from: june(10), to: june(15) });
    const [moved] = await uids();
    assert.ok(moved && moved !== first);
  });

  test('has no nights that a booking only holds', async () => {
    const home = homes.pop()!;
    const stay = await confirmStay(service.database, home, { from: june(3), to: june(5) });
    await sql(
      service.database,
      `UPDATE occupancies SET kind = 'held', reference = NULL WHERE occupancy_id = $1`,
      [stay],
    );
    const url = await addressOf({ listing: home });
    assert.deepEqual(await eventsAt(url), []);
    assert.match(await (await get(url)).text(), /BEGIN:VTIMEZONE/);
  });

  test('remembers that the channel has read it by GET, also with 304, and nothing else', async () => {
    const home = homes.pop()!;
    const a = await importOf(home, 'a', { uid: 'a', from: june(10), to: june(14) });
    const b = await importOf(home, 'b', { uid: 'b', from: june(20), to: june(21) });
    const url = await addressOf({ calendarId: a, listing: undefined });
    assert.equal((await get(url, {}, 'HEAD')).status, 200);
    assert.equal((await get(await addressOf({ listing: home }))).status, 200);
    assert.equal(await exportedAt(a), null);
    const got = await get(url);
    const first = await exportedAt(a);
    assert.ok(first !== null);
    const etag = got.headers.get('etag')!;
    assert.equal((await get(url, { 'if-none-match': etag })).status, 304);
    assert.ok((await exportedAt(a))! > first);
    assert.equal(await exportedAt(b), null);
  });

  test('does not count as read what a transaction had not committed by then', async () => {
    const home = homes.pop()!;
    const a = await importOf(home, 'a', { uid: 'a', from: june(10), to: june(14) });
    const url = await addressOf({ calendarId: a, listing: undefined });
    let taken = 0;
    await service.database.transaction(async (executor) => {
      const [{ now } = { now: 0 }] = await executor.query<{ now: number }>({
        name: 'test-now',
        text: 'SELECT now() AS now',
      });
      taken = now;
      assert.equal((await get(url)).status, 200);
    });
    assert.ok((await exportedAt(a))! <= taken);
    assert.equal((await get(url)).status, 200);
    assert.ok((await exportedAt(a))! > taken);
  });
});

suite("a home's own calendar", () => {
  test('has its stays and blocks, and nothing about guests', async () => {
    const { database } = service;
    await confirmStay(database, listing, { from: june(1), to: june(4) }, 'LK-SECR-ET00');
    await blockNights(database, 'test', {
      listing,
      from: june(10),
      to: june(12),
      reason: 'Ann Guest broke the roof',
    });
    const { calendarId } = await importCalendar(database, 'test', {
      listing,
      name: 'channel.ics',
      bytes: Buffer.from(feedOf({ uid: 'foreign-uid', from: june(20), to: june(22) })),
    });
    const url = await addressOf();
    assert.match(url, /^https:\/\/homes\.example\/booking\/calendars\/[\w-]{43}\.ics$/);
    assert.deepEqual(await eventsAt(url), [
      '01–04 Reserved',
      '10–12 Not available',
      '20–22 Not available',
    ]);
    const response = await get(url);
    assert.equal(response.headers.get('content-type'), 'text/calendar; charset=utf-8');
    const content = await response.text();
    for (const hidden of ['LK-', 'Ann', 'roof', 'foreign-uid', listing])
      assert.ok(!content.includes(hidden), hidden);
    const forChannel = await addressOf({ calendarId });
    assert.deepEqual(await eventsAt(forChannel), ['01–04 Reserved', '10–12 Not available']);
    await refusedBecause(addressOf({ calendarId, listing: other }), /is not one of/);
    await refusedBecause(addressOf({ calendarId: other }), /There is no channel calendar/);
  });

  test('the same nights are the same bytes, and need not be sent again', async () => {
    const url = await addressOf();
    const first = await get(url);
    const etag = first.headers.get('etag')!;
    const again = await get(url);
    assert.equal(await again.text(), await first.text());
    for (const tag of [etag, `W/${etag}`, `"x", ${etag}`]) {
      const response = await get(url, { 'if-none-match': tag });
      assert.deepEqual([response.status, await response.text()], [304, '']);
    }
    const moved = 'SELECT occupancy_id AS id FROM occupancies WHERE listing_id = $1 AND kind = $2';
    const [stay] = await sql<{ id: string }>(service.database, moved, [listing, 'confirmed']);
    const nights = { checkIn: dayNumber(june(2)), checkOut: dayNumber(june(5)) };
    await service.database.transaction((executor) =>
      moveNights(executor, stay!.id, listing, nights),
    );
    const changed = await get(url, { 'if-none-match': etag });
    assert.equal(changed.status, 200);
    const event = (content: string) =>
      Object.values(ical.sync.parseICS(content)).find(
        (part): part is VEvent => part?.type === 'VEVENT' && part.uid.startsWith(stay!.id),
      )!;
    const [old, now] = [event(await (await get(url)).text()), event(await changed.text())];
    assert.equal(old.uid, now.uid);
    assert.equal(Number(now.sequence), 1);
    assert.ok(now.dtstamp.getTime() > Date.now() - 3_600_000);
  });

  test('keeps its address until it is rotated', async () => {
    const url = await addressOf();
    assert.equal(await addressOf(), url);
    const rotated = await addressOf({ rotate: true });
    assert.notEqual(rotated, url);
    assert.equal((await get(url)).status, 404);
    assert.equal((await get(rotated)).status, 200);
    assert.equal(await addressOf(), rotated);
    const entries = await sql(
      service.database,
      `SELECT action, details::text LIKE '%.ics%' AS leaks FROM audit_entries
        WHERE action LIKE 'channel-calendar.%' ORDER BY entry_id`,
    );
    assert.deepEqual(entries.slice(-4), [
      { action: 'channel-calendar.address', leaks: false },
      { action: 'channel-calendar.address', leaks: false },
      { action: 'channel-calendar.rotate', leaks: false },
      { action: 'channel-calendar.address', leaks: false },
    ]);
  });

  test('an address without the nights of a calendar ends with that calendar', async () => {
    const { database } = service;
    const bytes = Buffer.from(feedOf({ uid: 'x', from: june(25), to: june(27) }));
    const file = { listing, name: 'other.ics', bytes };
    const { calendarId } = await importCalendar(database, 'test', file);
    const url = await addressOf({ calendarId });
    assert.equal((await get(url)).status, 200);
    await removeCalendar(database, 'test', calendarId);
    // The channel's nights are those of another calendar now.
    const again = await importCalendar(database, 'test', file);
    assert.equal((await get(url)).status, 404);
    assert.equal((await get(await addressOf(again))).status, 200);
    const ofOther = await importCalendar(database, 'test', { ...file, listing: other });
    assert.equal((await get(`${await addressOf()}?without=${ofOther.calendarId}`)).status, 404);
  });

  test('an address of a calendar needs no home, and one of an earlier version still works', async () => {
    const bytes = Buffer.from(feedOf({ uid: 'own', from: june(27), to: june(28) }));
    const file = { listing, name: 'mine.ics', bytes };
    const { calendarId } = await importCalendar(service.database, 'test', file);
    const url = await addressOf({ calendarId, listing: undefined });
    assert.ok(url.endsWith(`/${calendarId}.ics`));
    assert.equal(url, await addressOf({ calendarId }));
    const earlier = `${await addressOf()}?without=${calendarId}`;
    assert.deepEqual(await eventsAt(earlier), await eventsAt(url));
    assert.ok(!(await eventsAt(url)).includes('27–28 Not available'));
    await refusedBecause(addressOf({ listing: undefined }), /Name a home/);
    await removeCalendar(service.database, 'test', calendarId);
  });

  test('HEAD is as GET, and parameters that we did not give are ignored', async () => {
    const url = await addressOf();
    const [got, head] = [await get(url), await get(url, {}, 'HEAD')];
    assert.equal(head.status, 200);
    for (const name of ['etag', 'content-type', 'cache-control', 'content-length'])
      assert.equal(head.headers.get(name), got.headers.get(name), name);
    assert.equal(await head.text(), '');
    const etag = got.headers.get('etag')!;
    assert.equal((await get(url, { 'if-none-match': etag }, 'HEAD')).status, 304);
    assert.equal((await get(url.replace(/.{4}\.ics/, 'AAAA.ics'), {}, 'HEAD')).status, 404);
    for (const more of ['t=1', 'x=1&x=2', 'broken=%zz', '=', 'without_=1&Without=2'])
      assert.equal((await get(`${url}?${more}`)).headers.get('etag'), etag, more);
  });

  test('nothing else is an address', async () => {
    const url = await addressOf();
    const secret = /calendars\/(.+)\.ics/.exec(url)![1]!;
    for (const wrong of [
      url.replace('.ics', ''),
      url.replace(secret, 'A'.repeat(43)),
      url.replace(secret, 'short'),
      url.replace(secret, listing),
      `${url}?without=1`,
      `${url}?without=${other}&without=${listing}`,
      url.replace('.ics', '/short.ics'),
      `${url}?without=%zz`,
    ]) {
      const response = await get(wrong);
      assert.equal(response.status, 404, wrong);
      assert.equal(
        ((await response.json()) as { error: { code: string } }).error.code,
        'not_found',
      );
    }
  });

  test('is read 60 times a minute; unknown addresses are refused after 60', async () => {
    const url = await addressOf({ listing: other });
    const statuses = async (address: (at: number) => string, count: number) => {
      const responses = await Promise.all(
        Array.from({ length: count }, (_, at) => get(address(at))),
      );
      return responses.map(({ status }) => status);
    };
    const own = await statuses(() => url, 80);
    assert.ok(own.filter((status) => status === 200).length >= 60);
    assert.ok(own.includes(429));
    const refused = await get(url);
    if (refused.status === 429) assert.ok(Number(refused.headers.get('retry-after')) >= 1);
    const address = (at: number): string =>
      `${baseUrl}/calendars/${String(at).padStart(43, 'x')}.ics`;
    const guesses = [];
    for (let round = 0; round < 4; round += 1)
      guesses.push(...(await statuses((at) => address(round * 30 + at), 30)));
    assert.ok(guesses.includes(404) && guesses.includes(429));
    assert.ok(!guesses.includes(200));
  });
});
