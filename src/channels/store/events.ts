/** The events of calendars of other channels: what they show, and what has become of it. */
import type { EpochMs } from '../../contract/time.ts';
import { columnsOf } from '../../platform/postgres/columns.ts';
import type { Executor, Statement } from '../../platform/postgres/database.ts';
import { countRows, manyRows, theValue } from '../../platform/postgres/statement-functions.ts';
import type { DayNumber } from '../../pricing/index.ts';
import type { KnownEvent } from '../rules/events.ts';
import { outsideStayOfEvent } from './outside-stays.ts';

/** An event with the text by which people know it. */
export interface StoredEvent extends KnownEvent {
  /** Null: it has none, or it was sealed with another key. */
  summary: string | null;
  lastSeenAt: EpochMs | null;
  /** The outside stay that it is, as `source/externalId`. Null: it is none. */
  outsideStay: string | null;
}

type EventRow = Omit<StoredEvent, 'summary'> & { summary_sealed: Buffer | null };

const day = (date: string): string => `${date} - date '1970-01-01'`;
const nightsOf = (first: string, afterLast: string): string =>
  `daterange(date '1970-01-01' + ${first}, date '1970-01-01' + ${afterLast})`;

// A conflict can end, and begin, between two reads: the nights become free, or staff block them.
const columns = `e.event_uid AS uid, ${day('lower(e.nights)')} AS from, ${day('upper(e.nights)')} AS to,
      CASE WHEN e.state NOT IN ('taken', 'conflict') THEN e.state WHEN EXISTS (
          SELECT FROM channel_conflicts k WHERE k.calendar_id = e.calendar_id AND k.nights && e.nights OFFSET 0)
        THEN 'conflict' ELSE 'taken' END AS state, e.reason, e.copy_of AS "copyOf", e.first_seen_at AS "firstSeenAt",
      e.last_seen_at AS "lastSeenAt", e.missing_since AS "missingSince", e.summary_sealed, (
        SELECT s.source || '/' || s.external_id FROM channel_calendars c CROSS JOIN LATERAL (
          SELECT s.source, s.external_id FROM ${outsideStayOfEvent} LIMIT 1) s
        WHERE c.calendar_id = e.calendar_id AND e.state IN ('taken', 'conflict')) AS "outsideStay"`;

const readStatement: Statement = {
  name: 'read-channel-events',
  text: `SELECT ${columns} FROM channel_events e
    WHERE e.calendar_id = $1 AND upper(e.nights) > date '1970-01-01' + $2::integer
    ORDER BY e.nights, e.event_uid LIMIT $3`,
};

function openSummary(
  { vault }: Executor,
  calendarId: string,
  sealed: Buffer | null,
): string | null {
  try {
    return sealed && vault.open('calendar', sealed, calendarId);
  } catch {
    return null;
  }
}

/** Reads the events of a calendar with a night from a day on, by date. */
export async function readEvents(
  executor: Executor,
  calendarId: string,
  from: DayNumber,
  atMost: number | null = null,
): Promise<StoredEvent[]> {
  const rows = await executor.query<EventRow>(readStatement, [calendarId, from, atMost]);
  return rows.map(({ summary_sealed: sealed, ...event }) => {
    return { ...event, summary: openSummary(executor, calendarId, sealed) };
  });
}

/** An event as it is written. */
export interface EventToWrite extends KnownEvent {
  /** Null: it has none. */
  summary: string | null;
  /** Null: the last read has shown it. */
  lastSeenAt: EpochMs | null;
}

const writeStatement: Statement = {
  name: 'write-channel-events',
  text: `INSERT INTO channel_events (calendar_id, nights, event_uid, summary_sealed, state, reason, copy_of,
      first_seen_at, last_seen_at, missing_since)
    SELECT $1, ${nightsOf('first', 'after_last')}, uid, summary, state, reason, copy_of, first_seen, last_seen,
      missing_since
    FROM unnest($2::integer[], $3::integer[], $4::text[], $5::bytea[], $6::text[], $7::text[], $8::text[],
        $9::timestamptz[], $10::timestamptz[], $11::timestamptz[])
      AS asked (first, after_last, uid, summary, state, reason, copy_of, first_seen, last_seen, missing_since)
    ON CONFLICT (calendar_id, nights, event_uid) DO UPDATE SET summary_sealed = excluded.summary_sealed,
      state = excluded.state, reason = excluded.reason, copy_of = excluded.copy_of,
      first_seen_at = excluded.first_seen_at, last_seen_at = excluded.last_seen_at,
      missing_since = excluded.missing_since`,
};

const removeStatement: Statement = {
  name: 'remove-channel-events',
  text: `DELETE FROM channel_events WHERE calendar_id = $1 AND (nights, event_uid) IN (
      SELECT ${nightsOf('first', 'after_last')}, uid
      FROM unnest($2::integer[], $3::integer[], $4::text[]) AS asked (first, after_last, uid))`,
};

type Key = Pick<KnownEvent, 'uid' | 'from' | 'to'>;

const keys = (events: readonly Key[]) => [...columnsOf(events, 'from', 'to', 'uid')];

const dateOf = (at: EpochMs | null): Date | null => (at === null ? null : new Date(at));

/** Writes events of a calendar, and removes others. */
export async function writeEvents(
  executor: Executor,
  calendarId: string,
  { written, removed }: { written: readonly EventToWrite[]; removed: readonly Key[] },
): Promise<void> {
  const { vault } = executor;
  if (removed.length > 0) await executor.query(removeStatement, [calendarId, ...keys(removed)]);
  if (written.length === 0) return;
  await executor.query(writeStatement, [
    calendarId,
    ...keys(written),
    written.map(({ summary }) => summary && vault.seal('calendar', summary, calendarId)),
    ...columnsOf(written, 'state', 'reason', 'copyOf'),
    written.map(({ firstSeenAt }) => dateOf(firstSeenAt)),
    written.map(({ lastSeenAt }) => dateOf(lastSeenAt)),
    written.map(({ missingSince }) => dateOf(missingSince)),
  ]);
}

/** Nights that another channel's event holds, and since when we show them. */
export interface OtherEvent {
  from: DayNumber;
  to: DayNumber;
  exportedFrom: EpochMs;
}

/** Reads the events that hold nights in the other calendars of a home. */
export const readEventsOfOthers = manyRows<
  [of: { listingId: string; calendarId: string }, from: DayNumber],
  OtherEvent
>({
  name: 'read-events-of-other-calendars',
  text: `SELECT ${day('lower(e.nights)')} AS from, ${day('upper(e.nights)')} AS to,
      e.first_seen_at AS "exportedFrom"
    FROM channel_calendars c JOIN channel_events e ON e.calendar_id = c.calendar_id
    WHERE c.listing_id = $1 AND c.calendar_id <> $2 AND e.state IN ('taken', 'conflict', 'missing')
      AND upper(e.nights) > date '1970-01-01' + $3::integer
    ORDER BY e.nights`,
  values: ({ listingId, calendarId }, from) => [listingId, calendarId, from],
});

/** Removes one batch of events whose last night was this number of days ago. Returns how many. Spec: CHANNEL-9. */
export const sweepChannelEvents = theValue<[days: number, atMost: number], number>({
  name: 'sweep-channel-events',
  text: `WITH swept AS (
      DELETE FROM channel_events WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM channel_events WHERE upper(nights) < current_date - $1::integer
        ORDER BY upper(nights) LIMIT $2)) RETURNING 1
    )
    SELECT count(*)::integer AS swept FROM swept`,
});

/** Erases the texts of a home's channels over these nights. Returns how many. */
export const eraseSummaries = countRows<
  [of: { listingId: string; checkIn: string; checkOut: string }]
>({
  name: 'erase-summaries-of-events',
  text: `UPDATE channel_events e SET summary_sealed = NULL FROM channel_calendars c
    WHERE c.listing_id = $1 AND e.calendar_id = c.calendar_id AND e.nights && daterange($2::date, $3::date)
      AND e.summary_sealed IS NOT NULL
    RETURNING e.event_uid`,
  values: ({ listingId, checkIn, checkOut }) => [listingId, checkIn, checkOut],
});

/** Reads the texts of a home's channels over these nights. */
export const readSummaries = manyRows<
  [of: { listingId: string; checkIn: string; checkOut: string }],
  { calendarId: string; uid: string; from: string; to: string; sealed: Buffer },
  { uid: string; from: string; to: string; summary: string | null }
>({
  name: 'read-summaries-of-nights',
  text: `SELECT e.calendar_id AS "calendarId", e.event_uid AS uid, lower(e.nights)::text AS from,
      upper(e.nights)::text AS to, e.summary_sealed AS sealed
    FROM channel_calendars c JOIN channel_events e ON e.calendar_id = c.calendar_id
    WHERE c.listing_id = $1 AND e.nights && daterange($2::date, $3::date) AND e.summary_sealed IS NOT NULL
    ORDER BY e.nights, e.event_uid`,
  values: ({ listingId, checkIn, checkOut }) => [listingId, checkIn, checkOut],
  result: ({ calendarId, sealed, ...event }, executor) => ({
    ...event,
    summary: openSummary(executor, calendarId, sealed),
  }),
});
