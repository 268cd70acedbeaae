import type { EventType } from '../../contract/events.ts';
import { type EpochMs, instant } from '../../contract/time.ts';
import type { Executor, Statement } from '../../platform/postgres/database.ts';
import { manyRows, oneRow, theValue } from '../../platform/postgres/statement-functions.ts';
import { isWrongTime } from '../../platform/postgres/wrong-times.ts';

/** A stored event; `sequence` orders the events of an application. */
export interface StoredEvent {
  sequence: number;
  eventId: string;
  type: EventType;
  data: Record<string, unknown>;
  createdAt: EpochMs;
}

/** A page of the feed, from one read. */
export interface FeedPage {
  events: StoredEvent[];
  /** The sequence of the newest event; 0: none was ever written. */
  lastSequence: number;
  /** The sequence of the oldest event in the window; null: there is none. */
  oldestSequence: number | null;
  /** The event after which the page begins; null: it is deleted, or this is the first page. */
  afterEventId: string | null;
  /** The last event compared with the type; without a type, the newest. */
  lookedUntil: { sequence: number; eventId: string | null };
  /** The time that decides what is in the window; null: there is no feed. */
  now: EpochMs | null;
}

const columns = `sequence, event_id AS "eventId", type, data, created_at AS "createdAt"`;

/** A row of a page; the page has one without an event if it has none. */
type EventRow = StoredEvent | (Omit<StoredEvent, 'sequence'> & { sequence: null });

const eventsOf = (rows: readonly EventRow[]): StoredEvent[] =>
  rows.flatMap(({ sequence, eventId, type, data, createdAt }) =>
    sequence === null ? [] : [{ sequence, eventId, type, data, createdAt }],
  );

type FeedRow = EventRow &
  Omit<FeedPage, 'events' | 'lookedUntil'> & {
    lookedUntil: number;
    lookedUntilEventId: string | null;
  };

// Uses the index on the creation time, so older events are not scanned. An event with a wrong time does not begin the
// window by it, but is in it.
// Spec: EVENT-8.
const oldestInWindow = (days: string): string => `least(
        (SELECT sequence FROM events
          WHERE application_id = c.application_id AND created_at > now() - make_interval(days => ${days})
            AND NOT ${isWrongTime('created_at', days)}
          ORDER BY created_at, sequence LIMIT 1),
        (SELECT min(e.sequence) FROM wrong_times w JOIN events e ON e.application_id = c.application_id
            AND e.created_at BETWEEN w.shown_from AND w.shown_until
          WHERE w.noticed_at > now() - make_interval(days => ${days})))`;

/** Builds the statement of the feed from the last sequence of the page and a filter. */
const feedText = (until: string, filter: string): string =>
  `SELECT now() AS now, c.last_sequence AS "lastSequence", o.oldest_sequence AS "oldestSequence",
      u.sequence AS "lookedUntil",
      (SELECT event_id FROM events
        WHERE application_id = c.application_id AND sequence = u.sequence) AS "lookedUntilEventId",
      (SELECT event_id FROM events
        WHERE application_id = c.application_id AND sequence = $2) AS "afterEventId",
      e.*
    FROM event_counters c
    CROSS JOIN LATERAL (SELECT ${oldestInWindow('$4')} AS oldest_sequence) o
    CROSS JOIN LATERAL (SELECT ${until} AS sequence) u
    LEFT JOIN LATERAL (
      SELECT ${columns} FROM events
      WHERE application_id = c.application_id AND sequence > $2 AND sequence >= o.oldest_sequence
        AND sequence <= u.sequence${filter}
      ORDER BY sequence LIMIT $3) e ON true
    WHERE c.application_id = $1
    ORDER BY e.sequence`;

const feedStatement: Statement = {
  name: 'read-feed',
  text: feedText('c.last_sequence', ''),
};

// Sequences have no gaps, so a range of sequences bounds the number of events.
const feedOfTypeStatement: Statement = {
  name: 'read-feed',
  variant: 'type',
  text: feedText(
    `least(c.last_sequence,
        greatest($2, coalesce(o.oldest_sequence - 1, c.last_sequence)) + $6::integer)`,
    ' AND type = $5',
  ),
};

/** The part of the feed to read. */
export interface FeedQuery {
  after: number;
  type: EventType | undefined;
  atMost: number;
  windowDays: number;
}

// Bounds the events compared with a type per request (some milliseconds), so that a rare type does not
// scan a whole month.
// Spec: EVENT-5.
const lookAtMost = 10_000;

/** Reads the feed after a sequence, oldest first, in one statement and so from one database snapshot. */
export async function readFeed(
  executor: Executor,
  applicationId: string,
  { after, type, atMost, windowDays }: FeedQuery,
): Promise<FeedPage> {
  const values = [applicationId, after, atMost, windowDays];
  const rows = await (type === undefined
    ? executor.query<FeedRow>(feedStatement, values)
    : executor.query<FeedRow>(feedOfTypeStatement, [...values, type, lookAtMost]));
  const [first] = rows;
  return {
    events: eventsOf(rows),
    lastSequence: first?.lastSequence ?? 0,
    oldestSequence: first?.oldestSequence ?? null,
    afterEventId: first?.afterEventId ?? null,
    lookedUntil: {
      sequence: first?.lookedUntil ?? 0,
      eventId: first?.lookedUntilEventId ?? null,
    },
    now: first?.now ?? null,
  };
}

const startStatement: Statement = {
  name: 'find-feed-start',
  text: `SELECT now() AS now, c.last_sequence AS "lastSequence",
      (SELECT event_id FROM events
        WHERE application_id = c.application_id AND sequence = c.last_sequence) AS "lastEventId",
      (SELECT sequence FROM events
        WHERE application_id = c.application_id AND created_at >= $2::timestamptz
          AND created_at > now() - make_interval(days => $3) AND NOT ${isWrongTime('created_at', '$3')}
        ORDER BY created_at, sequence LIMIT 1) AS "firstSequence",
      coalesce(o.oldest_sequence, c.last_sequence + 1) > 1
        AND $2::timestamptz < now() - make_interval(days => $3) AS "isBeforeWindow"
    FROM event_counters c
    CROSS JOIN LATERAL (SELECT ${oldestInWindow('$3')} AS oldest_sequence) o
    WHERE c.application_id = $1`,
};

/** Where a reader begins who has no cursor. */
export interface FeedStart {
  lastSequence: number;
  lastEventId: string | null;
  /** The first event at or after the instant; null: there is none yet. */
  firstSequence: number | null;
  /** The instant is before the window, and events before it have been dropped. */
  isBeforeWindow: boolean;
  /** The time that decides what is in the window; null: there is no feed. */
  now: EpochMs | null;
}

/** Finds the end of the feed and, with an instant, the first event at or after it. */
export async function findFeedStart(
  executor: Executor,
  applicationId: string,
  from: string | null,
  windowDays: number,
): Promise<FeedStart> {
  const values = [applicationId, from, windowDays];
  const [row] = await executor.query<FeedStart>(startStatement, values);
  return (
    row ?? {
      lastSequence: 0,
      lastEventId: null,
      firstSequence: null,
      isBeforeWindow: false,
      now: null,
    }
  );
}

/** Builds the statement of the newest events from the first sequence of the page and a filter. */
const newestText = (from: string, filter: string): string =>
  `SELECT f.sequence AS "lookedFrom", o.sequence AS "oldestSequence",
      e.*
    FROM event_counters c
    CROSS JOIN LATERAL (SELECT ${oldestInWindow('$4')} AS sequence) o
    CROSS JOIN LATERAL (SELECT ${from} AS sequence) f
    LEFT JOIN LATERAL (
      SELECT ${columns} FROM events
      WHERE application_id = c.application_id AND sequence < $2 AND sequence >= f.sequence${filter}
      ORDER BY sequence DESC LIMIT $3) e ON true
    WHERE c.application_id = $1
    ORDER BY e.sequence DESC`;

const newestStatement: Statement = {
  name: 'list-newest-events',
  text: newestText('o.sequence', ''),
};

const newestOfTypeStatement: Statement = {
  name: 'list-newest-events',
  variant: 'type',
  text: newestText(
    'greatest(o.sequence, least($2, c.last_sequence + 1) - $6::integer)',
    ' AND type = $5',
  ),
};

/** A page of the newest events. */
export interface NewestPage {
  events: StoredEvent[];
  /** The oldest sequence compared with the type, if older events may match; null: all were compared. */
  lookedUntil: number | null;
}

type NewestRow = EventRow & Record<'lookedFrom' | 'oldestSequence', number | null>;

/** Lists events before a sequence, newest first. */
export async function listNewestEvents(
  executor: Executor,
  applicationId: string,
  { before, type, atMost, windowDays }: Omit<FeedQuery, 'after'> & { before: number },
): Promise<NewestPage> {
  const values = [applicationId, before, atMost, windowDays];
  const rows = await (type === undefined
    ? executor.query<NewestRow>(newestStatement, values)
    : executor.query<NewestRow>(newestOfTypeStatement, [...values, type, lookAtMost]));
  const { lookedFrom: from = null, oldestSequence: oldest = null } = rows[0] ?? {};
  return {
    events: eventsOf(rows),
    lookedUntil: from !== null && oldest !== null && from > oldest ? from : null,
  };
}

/** Reads an event of the application. */
export const findEvent = oneRow<[applicationId: string, eventId: string], StoredEvent>({
  name: 'find-event',
  text: `SELECT ${columns} FROM events
    WHERE event_id = $2 AND application_id = $1`,
});

/** A booking with an outcome, as its events name it. */
export interface ResolvedBooking {
  applicationId: string;
  bookingId: string;
  reference: string | null;
  resolvedAt: EpochMs;
}

/** Reads the events of a booking and of its reservation that are still kept, oldest first. */
export const listEventsOfBooking = manyRows<[resolvedBooking: ResolvedBooking], StoredEvent>({
  name: 'events-of-booking',
  // The outcome of a booking is written soon after it is decided; later changes have an index of their own.
  text: `(SELECT ${columns} FROM events
      WHERE application_id = $1 AND created_at >= $4::timestamptz - interval '1 second'
        AND created_at < $4::timestamptz + interval '5 minutes' AND data ->> 'checkoutId' = $2
        AND type IN ('checkout.resolved', 'reservation.confirmed')
      ORDER BY created_at, sequence LIMIT 2)
    UNION ALL
    (SELECT ${columns} FROM events
      WHERE data ->> 'reference' = $3
        AND type IN ('reservation.changed', 'reservation.cancelled') AND application_id = $1)
    ORDER BY sequence`,
  values: ({ applicationId, bookingId, reference, resolvedAt }) => [
    applicationId,
    bookingId,
    reference,
    instant(resolvedAt),
  ],
});

/** Counts the events of all applications since the installation began. */
export const countEvents = theValue<[], number>({
  name: 'count-events',
  text: 'SELECT coalesce(sum(last_sequence), 0)::bigint AS events FROM event_counters',
});

/** Deletes one batch of events before the window. Returns how many. */
export const sweepEvents = theValue<[days: number, atMost: number], number>({
  name: 'sweep-events',
  // Only from the beginning: a gap after an event that is kept for its wrong time would be hidden from readers.
  // Spec: EVENT-6.
  text: `WITH swept AS (
      DELETE FROM events WHERE ctid = ANY (ARRAY(
        SELECT e.row_id FROM event_counters c
        CROSS JOIN LATERAL (SELECT ${oldestInWindow('$1')} AS sequence) o
        CROSS JOIN LATERAL (
          SELECT ctid AS row_id FROM events
          WHERE application_id = c.application_id AND sequence < coalesce(o.sequence, c.last_sequence + 1)
          ORDER BY sequence LIMIT $2) e
        LIMIT $2)) RETURNING 1
    )
    SELECT count(*)::integer AS swept FROM swept`,
});
