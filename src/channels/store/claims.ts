/** Who reads a calendar: a process claims it until its lease ends. */
import type { EpochMs } from '../../contract/time.ts';
import type { Executor } from '../../platform/postgres/database.ts';
import { manyRows, oneRow } from '../../platform/postgres/statement-functions.ts';
import type { Validators } from '../../platform/sending/download.ts';
import type { ReadOptions } from '../icalendar/read-calendar.ts';
import { openUrl } from './sealed-url.ts';

/** A calendar that this process reads until the lease ends. */
export interface CalendarClaim {
  calendarId: string;
  listingId: string;
  slug: string;
  /** Of the URL. Null: it is a file. */
  host: string | null;
  /** Of the home. */
  timeZone: string | null;
  fence: number;
  /** Null: it is a file, or the URL cannot be decrypted. */
  url: string | null;
  /** Null members: the whole content is needed. */
  validators: Validators;
  /** Whether what the content means can change without the content. */
  hasOpenFindings: boolean;
  /** How the channel means what it writes. */
  options: ReadOptions;
  /** The `User-Agent` of the request; null: the usual one. */
  userAgent: string | null;
  /** The system whose outside stays its events are. Null: they are no such stays. */
  source: string | null;
  /** Attempts that failed since the last success. */
  failures: number;
  /** The next read is due at this time at the latest, whatever the result. Null: the result decides. */
  nextBy: EpochMs | null;
  now: EpochMs;
}

/** A row of a claim. */
export type ClaimRow = Omit<CalendarClaim, 'url' | 'validators' | 'options'> &
  ReadOptions & {
    url_sealed: Buffer | null;
    etag: string | null;
    last_modified: string | null;
    /** Whether the content matters even if it has not changed. */
    whole: boolean;
  };

/** A statement that claims calendars for `$2` seconds. `nextBy`: when the next read is due at the latest. */
// The content is needed at least once a day, because the horizon moves, and after a change of the home's time zone,
// because events with times may have other nights. Without it, conflicts may have ended or be copies by now, and what
// is missing may be over.
export const claim = (rows: string, nextBy: string): string => `WITH claimed AS (
      UPDATE channel_calendars c SET fence = c.fence + 1, reading_until = now() + make_interval(secs => $2),
        due_at = CASE WHEN c.due_at < now() + make_interval(secs => $2) THEN now() + make_interval(secs => $2)
          ELSE c.due_at END
      WHERE c.calendar_id = ANY (ARRAY(${rows})) RETURNING c.*, ${nextBy} AS next_by
    )
    SELECT c.next_by AS "nextBy", c.user_agent AS "userAgent", c.host, c.calendar_id AS "calendarId", c.listing_id AS "listingId", l.slug,
      l.time_zone AS "timeZone", c.fence, c.url_sealed, c.etag, c.last_modified, c.failures,
      coalesce(c.read_at < now() - interval '1 day', true)
        OR c.read_time_zone IS DISTINCT FROM l.time_zone AS whole, EXISTS (
        SELECT FROM channel_conflicts k WHERE k.calendar_id = c.calendar_id OFFSET 0) OR EXISTS (
        SELECT FROM channel_events e WHERE e.calendar_id = c.calendar_id AND e.state = 'missing' OFFSET 0)
        AS "hasOpenFindings",
      c.ignored_summaries AS ignore, c.event_end AS "end", c.free_events AS free, c.outside_source AS source, now() AS now
    FROM claimed c JOIN listings l ON l.listing_id = c.listing_id`;

/** The claim of a row. */
export function claimOf(executor: Executor, row: ClaimRow): CalendarClaim {
  const {
    url_sealed: _,
    etag,
    last_modified: lastModified,
    whole,
    ignore,
    end,
    free,
    ...rest
  } = row;
  const known = { etag, lastModified };
  const validators = whole ? { etag: null, lastModified: null } : known;
  return { ...rest, url: openUrl(executor, row), validators, options: { ignore, end, free } };
}

/**
 * Claims due calendars of hosts, at most so many of each; no other process gets them until the lease ends.
 *
 * @param chosen the number of calendars by host
 */
export const claimDueCalendars = manyRows<
  [chosen: ReadonlyMap<string, number>, leaseSeconds: number],
  ClaimRow,
  CalendarClaim
>({
  name: 'claim-channel-calendars',
  // Those that were read before go first: what hangs at a host does not delay what answers there. Of each kind no more
  // than are wanted are read, however many of a host are due.
  text: claim(
    `SELECT due.calendar_id FROM unnest($1::text[], $3::integer[]) AS chosen (host, slots)
      CROSS JOIN LATERAL (
        SELECT one.calendar_id FROM unnest('{false,true}'::boolean[]) AS kind (is_later) CROSS JOIN LATERAL (
          SELECT calendar_id, due_at FROM channel_calendars
          WHERE host = chosen.host AND (failures > 0 OR refreshed_at IS NULL) = kind.is_later AND due_at <= now()
          ORDER BY due_at LIMIT chosen.slots FOR UPDATE SKIP LOCKED) one
        ORDER BY kind.is_later, one.due_at LIMIT chosen.slots
      ) due`,
    'NULL::timestamptz',
  ),
  values: (chosen, leaseSeconds) => [[...chosen.keys()], leaseSeconds, [...chosen.values()]],
  result: (row, executor) => claimOf(executor, row),
});

/**
 * Claims a calendar, also if another process has claimed it. Its next read by itself is not later for it. Undefined:
 * there is none.
 */
export const claimCalendar = oneRow<
  [calendarId: string, leaseSeconds: number],
  ClaimRow,
  CalendarClaim
>({
  name: 'claim-channel-calendar',
  text: claim('SELECT $1::uuid', 'old.due_at'),
  result: (row, executor) => claimOf(executor, row),
});
