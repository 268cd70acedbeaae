/** The counts of the funnel, from search to reservation. Spec: SIGNAL-7. */
import type { Executor } from '../../platform/postgres/database.ts';
import { columnsOf } from '../../platform/postgres/columns.ts';
import { noRows, theRow } from '../../platform/postgres/statement-functions.ts';

/** Stands for all homes. */
export const allHomes = '00000000-0000-0000-0000-000000000000';

const week = `date_trunc('week', at AT TIME ZONE 'UTC')::date`;

/** Each home, and all homes together; a row without a home counts only for all. */
const byHome = (others: string): string =>
  `GROUP BY GROUPING SETS ((1, 2, listing_id${others}), (1, 2${others}))
      HAVING listing_id IS NOT NULL OR GROUPING(listing_id) = 1`;

// What is younger may not be committed yet: the statements of a call end within seconds.
const complete = `now() - interval '1 minute'`;

// What happens in it must be counted within the limit of a statement: one that exceeds it is never counted.
const pieceMinutes = 5;
const rowsOfPiece = 20_000;

/** The instant at which a source has had as many rows as a piece may have; null: it has fewer. */
const nth = (source: string, at: string, where = 'true'): string =>
  `(SELECT ${at} FROM ${source} WHERE ${at} >= counted_until AND ${where} ORDER BY ${at} OFFSET $2 LIMIT 1)`;

const countPiece = theRow<[atMost: number], { more: number }, number>({
  name: 'count-funnel',
  // Whoever locks the progress counts a piece of time, once. A quote counts when it has expired: until then it can
  // become a checkout. What becomes of it counts in its week.
  text: `WITH piece AS (
      SELECT counted_until AS since, greatest(counted_until + interval '1 microsecond', least(
        counted_until + interval '${pieceMinutes} minutes', ${complete},
        ${nth('signals', 'received_at')}, ${nth('quotes', 'expires_at')},
        ${nth('reservations', 'confirmed_at')},
        ${nth('bookings', 'resolved_at', 'failure_reason IS NOT NULL')})) AS until
      FROM funnel_progress WHERE counted_until < ${complete} LIMIT 1 FOR UPDATE SKIP LOCKED
    ),
    happened (at, application_id, listing_id, views, quotes, checkouts, submitted, confirmed) AS (
      SELECT s.* FROM piece CROSS JOIN LATERAL (
        SELECT received_at, application_id, listing_id, 1, 0, 0, 0, 0 FROM signals
        WHERE received_at >= piece.since AND received_at < piece.until AND name = 'listing_viewed') s
      UNION ALL
      SELECT q.created_at, q.application_id, q.listing_id, 0, 1, (b.booking_id IS NOT NULL)::integer,
        (b.submitted_at IS NOT NULL)::integer, coalesce(r.confirmed_at <= q.expires_at, false)::integer
      FROM piece CROSS JOIN LATERAL (
        SELECT created_at, application_id, quote_id, listing_id, expires_at FROM quotes
        WHERE expires_at >= piece.since AND expires_at < piece.until) q
      LEFT JOIN LATERAL (
        SELECT booking_id, submitted_at, reference FROM bookings
        WHERE application_id = q.application_id AND quote_id = q.quote_id OFFSET 0) b ON true
      LEFT JOIN LATERAL (
        SELECT confirmed_at FROM reservations WHERE reference = b.reference OFFSET 0) r ON true
      UNION ALL
      SELECT q.created_at, q.application_id, q.listing_id, 0, 0, 0, 0, 1
      FROM piece CROSS JOIN LATERAL (
        SELECT application_id, kind, booking_id, confirmed_at FROM reservations
        WHERE confirmed_at >= piece.since AND confirmed_at < piece.until) r
      CROSS JOIN LATERAL (
        SELECT quote_id FROM bookings
        WHERE application_id = r.application_id AND kind = r.kind AND booking_id = r.booking_id OFFSET 0) b
      CROSS JOIN LATERAL (
        SELECT created_at, application_id, listing_id, expires_at FROM quotes
        WHERE application_id = r.application_id AND quote_id = b.quote_id OFFSET 0) q
      WHERE r.confirmed_at > q.expires_at
    ),
    counted AS (
      INSERT INTO funnel_weeks AS f
      SELECT ${week}, application_id, coalesce(listing_id, $1::uuid), 0, sum(views), sum(quotes),
        sum(checkouts), sum(submitted), sum(confirmed)
      FROM happened ${byHome('')}
      ORDER BY 1, 2, 3
      ON CONFLICT (week, application_id, listing_id) DO UPDATE SET
        views = f.views + excluded.views,
        quotes = f.quotes + excluded.quotes, checkouts = f.checkouts + excluded.checkouts,
        submitted = f.submitted + excluded.submitted, confirmed = f.confirmed + excluded.confirmed
    ),
    failed (at, application_id, listing_id, reason) AS (
      SELECT q.created_at, q.application_id, q.listing_id, b.failure_reason
      FROM piece CROSS JOIN LATERAL (
        SELECT application_id, quote_id, failure_reason FROM bookings
        WHERE failure_reason IS NOT NULL AND resolved_at >= piece.since AND resolved_at < piece.until) b
      CROSS JOIN LATERAL (
        SELECT created_at, application_id, listing_id FROM quotes
        WHERE application_id = b.application_id AND quote_id = b.quote_id OFFSET 0) q
    ),
    refused AS (
      INSERT INTO funnel_refusals AS f
      SELECT ${week}, application_id, coalesce(listing_id, $1::uuid), 'confirm', reason, count(*)
      FROM failed ${byHome(', reason')}
      ORDER BY 1, 2, 3, 5
      ON CONFLICT (week, application_id, listing_id, step, reason)
        DO UPDATE SET refusals = f.refusals + excluded.refusals
    ),
    moved AS (
      UPDATE funnel_progress SET counted_until = piece.until FROM piece
    )
    SELECT count(*)::integer AS more FROM piece WHERE until < ${complete}`,
  values: (atMost) => [allHomes, atMost],
  result: ({ more }) => more,
});

/** Counts a piece of time with at most so many rows of each kind, or what is left until a minute ago. Returns 1 if more is left. */
export const countFunnel = (executor: Executor, atMost = rowsOfPiece): Promise<number> =>
  countPiece(executor, atMost);

/** How many searches of an application were answered. */
export interface AnsweredSearches {
  applicationId: string;
  calls: number;
}

/** Counts searches that were answered, in one statement. Whether a guest may be observed makes no difference. */
export const countAnsweredSearches = noRows<[answered: readonly AnsweredSearches[]]>({
  name: 'count-answered-searches',
  text: `INSERT INTO funnel_weeks AS f
    SELECT ${week}, application_id, $1::uuid, sum(calls), 0, 0, 0, 0, 0
    FROM (SELECT now() AS at, * FROM unnest($2::uuid[], $3::integer[])
      AS answered (application_id, calls)) answered
    GROUP BY 1, 2 ORDER BY 1, 2
    ON CONFLICT (week, application_id, listing_id) DO UPDATE SET searches = f.searches + excluded.searches`,
  values: (answered) => [allHomes, ...columnsOf(answered, 'applicationId', 'calls')],
});

/** The steps at which a call or a booking is refused. */
export type RefusedStep = 'search' | 'quote' | 'checkout' | 'submit' | 'confirm';

/** Calls that were refused for the same reason. */
export interface RefusedCalls {
  applicationId: string;
  /** Null: it names no home that there is. */
  listingId: string | null;
  step: RefusedStep;
  reason: string;
  calls: number;
}

/** Counts refused calls, in one statement. */
export const countRefusedCalls = noRows<[refused: readonly RefusedCalls[]]>({
  name: 'count-refused-calls',
  text: `INSERT INTO funnel_refusals AS f
    SELECT ${week}, application_id, coalesce(listing_id, $1::uuid), step, reason, sum(calls)
    FROM (SELECT now() AS at, * FROM unnest($2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::integer[])
      AS refused (application_id, listing_id, step, reason, calls)) refused
    ${byHome(', step, reason')}
    ORDER BY 1, 2, 3, 4, 5
    ON CONFLICT (week, application_id, listing_id, step, reason)
      DO UPDATE SET refusals = f.refusals + excluded.refusals`,
  values: (refused) => [
    allHomes,
    ...columnsOf(refused, 'applicationId', 'listingId', 'step', 'reason', 'calls'),
  ],
});
