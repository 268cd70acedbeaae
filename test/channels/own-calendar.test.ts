/** The calendar of a home at its secret address, over HTTP. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import ical, { type VEvent } from 'node-ical';
import { calendarAddress, importCalendar, removeCalendar } from '../../src/channels/index.ts';
import { blockNights } from '../../src/inventory/index.ts';
import { moveNights } from '../../src/inventory/index.ts';
import { dayNumber } from '../../src/pricing/index.ts';
import { homesOf } from '../harness/catalog.ts';
import { sql } from '../harness/rows.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { refusedBecause } from '../harness/staff.ts';
import { confirmStay, feedOf, june } from './calendars.ts';

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
  more: { calendarId?: string; rotate?: boolean; listing?: string } = {},
) => {
  const { calendarId, rotate = false } = more;
  const input = { listing: more.listing ?? listing, calendarId, rotate };
  return (await calendarAddress(service.database, 'test', baseUrl, input)).url;
};
const get = (url: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(url.replace('https://homes.example', service.origin), { headers });

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

  test('nothing else is an address', async () => {
    const url = await addressOf();
    const secret = /calendars\/(.+)\.ics/.exec(url)![1]!;
    for (const wrong of [
      url.replace('.ics', ''),
      url.replace(secret, 'A'.repeat(43)),
      url.replace(secret, 'short'),
      url.replace(secret, listing),
      `${url}?without=1`,
      `${url}?other=1`,
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
