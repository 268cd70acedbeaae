/** Calendars of other channels in tests: what they contain, and a database whose homes have them. */
import assert from 'node:assert/strict';
import type { ListedCalendar } from '../../src/channels/index.ts';
import { openRefreshing } from '../../src/channels/poller.ts';
import { refreshCalendar, type Refreshed } from '../../src/channels/refresh-calendar.ts';
import { claimCalendar } from '../../src/channels/store/claims.ts';
import type { DownloadContext } from '../../src/platform/sending/download.ts';
import type { Database } from '../../src/platform/postgres/database.ts';
import { homesOf } from '../harness/catalog.ts';
import { createTestDatabase, type TestDatabase } from '../harness/postgres.ts';
import { Receiver } from '../harness/receiver.ts';
import { sql } from '../harness/rows.ts';
import { addCalendar, listCalendarsOf, listConflictsOf, listingFor } from '../harness/acts.ts';

/** An event of another channel: nights as `YYYY-MM-DD`, half-open. */
export interface FeedEvent {
  uid: string;
  from: string;
  to: string;
}

/** A calendar with these events, as other channels write it. */
export const feedOf = (...events: FeedEvent[]): string =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Another channel//EN',
    ...events.flatMap(({ uid, from, to }) => [
      'BEGIN:VEVENT',
      `UID:${uid}`,
      `DTSTART;VALUE=DATE:${from.replaceAll('-', '')}`,
      `DTEND;VALUE=DATE:${to.replaceAll('-', '')}`,
      'SUMMARY:Ann Guest',
      'END:VEVENT',
    ]),
    'END:VCALENDAR',
    '',
  ].join('\r\n');

/** A night of next year's June, so that no test depends on today. */
export const june = (day: number): string =>
  `${new Date().getUTCFullYear() + 1}-06-${String(day).padStart(2, '0')}`;

/** Taken nights of a home: `kind first–last uid`, by date. */
export const takenOf = async (database: Database, listingId: string): Promise<string[]> => {
  const rows = await sql<{ kind: string; from: string; to: string; uid: string | null }>(
    database,
    `SELECT kind, lower(nights) AS from, upper(nights) AS to, event_uid AS uid FROM occupancies
      WHERE listing_id = $1 ORDER BY nights`,
    [listingId],
  );
  return rows.map(({ kind, from, to, uid }) =>
    [kind, `${from.slice(8)}–${to.slice(8)}`, ...(uid === null ? [] : [uid])].join(' '),
  );
};

/** Takes nights as a confirmed stay does. Returns the ID of the occupancy. */
export const confirmStay = async (
  database: Database,
  listingId: string,
  nights: { from: string; to: string },
  reference = 'LK-0000-0001',
): Promise<string> => {
  const rows = await sql<{ id: string }>(
    database,
    `INSERT INTO occupancies (listing_id, nights, kind, reference, application_id, booking_kind, booking_id)
      VALUES ($1, daterange($2, $3), 'confirmed', $4, $1, 'checkout', $1) RETURNING occupancy_id AS id`,
    [listingId, nights.from, nights.to, reference],
  );
  return rows[0]!.id;
};

/** A database and everything to read calendars into it. */
export interface TestChannels extends TestDatabase {
  /** The other channel. */
  feeds: Receiver;
  /** IDs of homes; each call returns another one. */
  nextHome(): string;
  add(listingId: string, url: string): Promise<string>;
  /** Reads a calendar now, as a worker does; `timeoutMs`: the time of its download. */
  refresh(calendarId: string, timeoutMs?: number): Promise<Refreshed>;
  /** Reads a calendar until what it does not show any more is free: twice, with some minutes between. */
  readLater(calendarId: string, minutes?: number): Promise<Refreshed>;
  /** Passes time for what calendars do not show any more. */
  pass(calendarId: string, minutes: number): Promise<void>;
  /** Ends what is being read. */
  endReading(): Promise<unknown>;
  shown(calendarId: string): Promise<ListedCalendar>;
  /** The conflicts of a home: `first–last kind reference`. */
  conflicts(listingId: string): Promise<string[]>;
}

/** Opens a database. Calendars may be on loopback. */
export async function openChannels(remote: Partial<DownloadContext> = {}): Promise<TestChannels> {
  const db = await createTestDatabase();
  const { database } = db;
  const homes = (await homesOf(db)).map(({ listingId }) => listingId);
  const rules = { loopbackAllowed: true };
  const feeds = await Receiver.start();
  const { context, close } = openRefreshing({ database, rules, everySeconds: 1_800, remote });
  const channels: TestChannels = {
    ...db,
    feeds,
    nextHome() {
      const home = homes.pop();
      assert.ok(home);
      return home;
    },
    async add(listingId, url) {
      const { slug } = await listingFor(database, listingId);
      return (await addCalendar(database, 'test', { listing: slug, url }, rules)).calendarId;
    },
    async refresh(calendarId, timeoutMs = 15_000) {
      const asked = await claimCalendar(database, calendarId, 60);
      assert.ok(asked);
      const claim = { ...asked, nextBy: null };
      const limited = { ...context.remote, timeoutMs };
      return refreshCalendar({ ...context, remote: limited }, claim, new AbortController().signal);
    },
    async readLater(calendarId, minutes = 10) {
      await channels.refresh(calendarId);
      await channels.pass(calendarId, minutes);
      return channels.refresh(calendarId);
    },
    async pass(calendarId, minutes) {
      const earlier = (column: string) => `${column} = ${column} - make_interval(mins => $2)`;
      await sql(
        database,
        `UPDATE channel_events SET ${earlier('missing_since')}, ${earlier('first_seen_at')}
          WHERE calendar_id = $1`,
        [calendarId, minutes],
      );
      await sql(
        database,
        `UPDATE channel_calendars SET ${earlier('shrunk_since')} WHERE calendar_id = $1`,
        [calendarId, minutes],
      );
    },
    endReading: () => Promise.all([context.reader.close(), context.readerOfFailing.close()]),
    async shown(calendarId) {
      const listed = await listCalendarsOf(database, { atMost: 1_000 });
      return listed.find((one) => one.calendarId === calendarId)!;
    },
    async conflicts(listing) {
      const found = await listConflictsOf(database, { listing, atMost: 1_000 });
      return found.map(({ from, to, kind, reference }) =>
        [`${from.slice(8)}–${to.slice(8)}`, kind, ...(reference === null ? [] : [reference])].join(
          ' ',
        ),
      );
    },
    async drop() {
      await close();
      await feeds.close();
      await db.drop();
    },
  };
  return channels;
}
