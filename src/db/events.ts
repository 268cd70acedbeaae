import type { EventType } from '../contract/events.ts';
import type { EpochMs } from '../domain/booking.ts';
import type { Executor, Statement } from './database.ts';

/** An event in its application's order. */
export interface StoredEvent {
  sequence: number;
  eventId: string;
  type: EventType;
  data: Record<string, unknown>;
  createdAt: EpochMs;
}

/** A page of the feed, read in one moment. */
export interface FeedPage {
  events: StoredEvent[];
  /** Of the newest event there is; 0: none was ever written. */
  lastSequence: number;
  /** Of the oldest event in the window; null: there is none. */
  oldestSequence: number | null;
}

interface FeedRow {
  last_sequence: number;
  oldest_sequence: number | null;
  sequence: number | null;
  event_id: string;
  type: EventType;
  data: Record<string, unknown>;
  created_at: EpochMs;
}

const eventOf = (row: FeedRow & { sequence: number }): StoredEvent => ({
  sequence: row.sequence,
  eventId: row.event_id,
  type: row.type,
  data: row.data,
  createdAt: row.created_at,
});

const hasEvent = (row: FeedRow): row is FeedRow & { sequence: number } => row.sequence !== null;

const feedStatement: Statement = {
  name: 'read-feed',
  text: `SELECT c.last_sequence, o.oldest_sequence, e.sequence, e.event_id, e.type, e.data, e.created_at
    FROM event_counters c
    CROSS JOIN LATERAL (
      SELECT (SELECT sequence FROM events
        WHERE application_id = c.application_id AND created_at > now() - make_interval(days => $5)
        ORDER BY sequence LIMIT 1) AS oldest_sequence) o
    LEFT JOIN LATERAL (
      SELECT * FROM events
      WHERE application_id = c.application_id AND sequence > $2 AND sequence >= o.oldest_sequence
        AND ($3::text IS NULL OR type = $3)
      ORDER BY sequence LIMIT $4) e ON true
    WHERE c.application_id = $1
    ORDER BY e.sequence`,
};

/** Reads the feed after a sequence, oldest first; one statement, so that the page is of one moment. */
export async function readFeed(
  executor: Executor,
  applicationId: string,
  page: { after: number; type: EventType | undefined; atMost: number; windowDays: number },
): Promise<FeedPage> {
  const rows = await executor.query<FeedRow>(feedStatement, [
    applicationId,
    page.after,
    page.type,
    page.atMost,
    page.windowDays,
  ]);
  return {
    events: rows.filter(hasEvent).map(eventOf),
    lastSequence: rows[0]?.last_sequence ?? 0,
    oldestSequence: rows[0]?.oldest_sequence ?? null,
  };
}

const newestStatement: Statement = {
  name: 'list-newest-events',
  text: `SELECT sequence, event_id, type, data, created_at FROM events
    WHERE application_id = $1 AND sequence < $2 AND ($3::text IS NULL OR type = $3)
      AND created_at > now() - make_interval(days => $5)
    ORDER BY sequence DESC LIMIT $4`,
};

/** Events newest first, before a sequence: the feed as people read it. */
export async function listNewestEvents(
  executor: Executor,
  applicationId: string,
  page: { before: number; type: EventType | undefined; atMost: number; windowDays: number },
): Promise<StoredEvent[]> {
  const rows = await executor.query<FeedRow & { sequence: number }>(newestStatement, [
    applicationId,
    page.before,
    page.type,
    page.atMost,
    page.windowDays,
  ]);
  return rows.map(eventOf);
}

const sweepStatement: Statement = {
  name: 'sweep-events',
  text: `DELETE FROM events WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM events WHERE created_at < now() - make_interval(days => $1)
      ORDER BY created_at LIMIT $2)) RETURNING sequence`,
};

/** Drops events that have left the window, a batch at a time. */
export async function sweepEvents(
  executor: Executor,
  days: number,
  atMost: number,
): Promise<number> {
  return (await executor.query(sweepStatement, [days, atMost])).length;
}
