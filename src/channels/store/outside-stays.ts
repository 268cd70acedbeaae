/** Nights that were sold elsewhere, as the system that sold them says. */
import type { EpochMs } from '../../contract/time.ts';
import type { Executor, Statement } from '../../platform/postgres/database.ts';
import { manyRows, noRows, oneRow, theValue } from '../../platform/postgres/statement-functions.ts';
import type { DayNumber } from '../../pricing/index.ts';

/** The name of an outside stay: the system that sold it, and its own name there. */
export interface OutsideName {
  source: string;
  externalId: string;
}

/** What the other system says of a stay. `from` is the first night, `to` the day after the last: `YYYY-MM-DD`. */
export interface OutsideNights {
  listingId: string;
  from: string;
  to: string;
  reason: string | null;
}

/** What has nights of an outside stay. */
export interface OutsideConflict {
  kind: 'reservation' | 'block' | 'channel' | 'outside_stay';
  /** Of a confirmed reservation, or the name of an outside stay. Null: it has none. */
  reference: string | null;
  from: string;
  to: string;
}

/** A stored outside stay. */
export interface OutsideStay extends OutsideName, OutsideNights {
  outsideStayId: string;
  /** The home's slug. */
  listing: string;
  createdAt: EpochMs;
  updatedAt: EpochMs;
  conflicts: OutsideConflict[];
}

/** Notes that a home has outside stays. Commit it before the first change, so that whoever frees nights sees it. */
export const openOutsideHome = noRows<[listingId: string]>({
  name: 'open-outside-home',
  text: 'INSERT INTO outside_homes (listing_id) VALUES ($1) ON CONFLICT DO NOTHING',
});

/** Waits for other changes of this stay, until the end of the transaction. */
export const lockOutsideName = noRows<[outsideName: OutsideName]>({
  name: 'lock-outside-name',
  text: `SELECT pg_advisory_xact_lock(hashtextextended('outside stay ' || $1 || '/' || $2, 0))`,
  values: ({ source, externalId }) => [source, externalId],
});

/** Locks homes until the end of the transaction: whoever frees nights of them waits, and sees what was changed. */
export const lockOutsideHomes = noRows<[listingIds: readonly string[]]>({
  name: 'lock-outside-homes',
  text: `SELECT FROM outside_homes WHERE listing_id = ANY ($1::uuid[])
    ORDER BY listing_id FOR UPDATE`,
});

/** What has nights of the outside stay `s` beside itself. Part of a statement. */
export const outsideHolder = `o.listing_id = s.listing_id AND o.nights && s.nights
        AND o.outside_stay_id IS DISTINCT FROM s.outside_stay_id`;

/** What has nights of the outside stay `s`, as JSON by date. Part of a statement. */
const conflictsOf = `(SELECT coalesce(json_agg(json_build_object('kind', k.kind, 'reference', k.reference,
        'from', lower(k.nights), 'to', upper(k.nights)) ORDER BY k.nights), '[]') FROM (
        SELECT o.nights * s.nights AS nights, CASE WHEN o.kind <> 'block' THEN 'reservation'
            WHEN o.source = 'channel' THEN 'channel' WHEN o.source = 'outside' THEN 'outside_stay' ELSE 'block' END AS kind,
          coalesce(o.reference, (SELECT other.source || '/' || other.external_id FROM outside_stays other
            WHERE other.outside_stay_id = o.outside_stay_id)) AS reference
        FROM occupancies o WHERE ${outsideHolder}) k) AS conflicts`;

const columns = `s.outside_stay_id AS "outsideStayId", s.source, s.external_id AS "externalId",
      s.listing_id AS "listingId", (SELECT slug FROM listings WHERE listing_id = s.listing_id) AS listing,
      lower(s.nights) AS from, upper(s.nights) AS to, s.reason,
      s.created_at AS "createdAt", s.updated_at AS "updatedAt", ${conflictsOf}`;

/** Finds an outside stay. Undefined: there is none. */
export const findOutsideStay = oneRow<[outsideName: OutsideName], OutsideStay>({
  name: 'find-outside-stay',
  text: `SELECT ${columns} FROM outside_stays s WHERE s.source = $1 AND s.external_id = $2`,
  values: ({ source, externalId }) => [source, externalId],
});

/** Writes what the other system says. Returns the ID of the stay. Its nights are taken by `takeOutsideNights`. */
export const writeOutsideStay = theValue<
  [outsideName: OutsideName, outsideNights: OutsideNights],
  string
>({
  name: 'write-outside-stay',
  // The oldest gets nights first, so its age begins when it may take them: not while it waits for another.
  text: `INSERT INTO outside_stays AS s (source, external_id, listing_id, nights, reason, created_at, updated_at)
    SELECT $1, $2, $3, daterange($4::date, $5::date), $6, told.at, told.at FROM (SELECT clock_timestamp() AS at) told
    ON CONFLICT (source, external_id) DO UPDATE SET listing_id = excluded.listing_id, nights = excluded.nights,
      reason = excluded.reason, updated_at = excluded.updated_at,
      moves = s.moves + ((s.listing_id, s.nights) IS DISTINCT FROM (excluded.listing_id, excluded.nights))::integer,
      moved_at = CASE WHEN (s.listing_id, s.nights) IS DISTINCT FROM (excluded.listing_id, excluded.nights)
        THEN now() ELSE s.moved_at END
    RETURNING outside_stay_id AS "outsideStayId"`,
  values: ({ source, externalId }, { listingId, from, to, reason }) => [
    source,
    externalId,
    listingId,
    from,
    to,
    reason,
  ],
});

/** Releases the nights that an outside stay has. */
export const releaseOutsideNights = noRows<[outsideStayId: string]>({
  name: 'release-outside-nights',
  text: 'DELETE FROM occupancies WHERE outside_stay_id = $1',
});

const takeStatement: Statement = {
  name: 'take-outside-nights',
  text: `SELECT take_outside_nights(outside_stay_id, nights) FROM outside_stays WHERE outside_stay_id = $1`,
};

// Nobody can take nights of a stay later: those that were free are its own. So the mark is never set too late.
const markStatement: Statement = {
  name: 'mark-contested-stay',
  text: `UPDATE outside_stays s SET contested = EXISTS (SELECT FROM occupancies o WHERE ${outsideHolder})
    WHERE s.outside_stay_id = $1`,
};

/** Takes the nights of an outside stay that nothing else has. */
export async function takeOutsideNights(executor: Executor, outsideStayId: string): Promise<void> {
  await executor.query(takeStatement, [outsideStayId]);
  // A separate statement: it sees what was committed while the first one waited.
  await executor.query(markStatement, [outsideStayId]);
}

/** Gives the nights of an outside stay its reason. */
export const writeOutsideReason = noRows<[outsideStayId: string]>({
  name: 'write-outside-reason',
  text: `UPDATE occupancies o SET reason = s.reason FROM outside_stays s
    WHERE o.outside_stay_id = $1 AND s.outside_stay_id = $1`,
});

/** Deletes an outside stay, which must have no nights any more. */
export const deleteOutsideStay = noRows<[outsideStayId: string]>({
  name: 'delete-outside-stay',
  text: 'DELETE FROM outside_stays WHERE outside_stay_id = $1',
});

/**
 * The outside stay that the event `e` of the calendar `c` is: its source tells us what this channel has sold. Part of
 * a statement.
 *
 * Spec: CHANNEL-15.
 */
// `OFFSET 0`: always one probe of an index for each event.
export const outsideStayOfEvent = `outside_stays s
      WHERE s.source = c.outside_source AND s.listing_id = c.listing_id AND s.nights = e.nights OFFSET 0`;

/** Gives outside stays of a home the nights that channels hold for events that are these stays. */
export const yieldToOutsideStays = noRows<[listingId: string]>({
  name: 'yield-to-outside-stays',
  // Like a block that staff add for the nights of an event: the event wants them again when the stay ends.
  text: `WITH same AS (
      SELECT e.calendar_id, e.event_uid, s.outside_stay_id, s.nights, s.reason
      FROM channel_calendars c
      JOIN channel_events e ON e.calendar_id = c.calendar_id AND e.state IN ('taken', 'conflict', 'missing')
      CROSS JOIN LATERAL (SELECT s.outside_stay_id, s.nights, s.reason FROM ${outsideStayOfEvent}) s
      WHERE c.listing_id = $1 AND c.outside_source IS NOT NULL
    ), yielded AS (
      UPDATE occupancies o SET source = 'outside', outside_stay_id = same.outside_stay_id, reason = same.reason,
        calendar_id = NULL, event_uid = NULL
      FROM same WHERE o.calendar_id = same.calendar_id AND o.event_uid = same.event_uid AND o.nights <@ same.nights
      RETURNING o.occupancy_id, o.nights, same.calendar_id, same.event_uid
    )
    INSERT INTO channel_conflicts (calendar_id, nights, event_uid, occupancy_id, kind)
    SELECT calendar_id, nights, event_uid, occupancy_id, 'block' FROM yielded ON CONFLICT DO NOTHING`,
});

/** Reads the nights of the outside stays of a home and source that are not over anywhere. */
export const readOutsideStayNights = manyRows<
  [listingId: string, source: string],
  { from: DayNumber; to: DayNumber }
>({
  name: 'read-outside-nights',
  text: `SELECT lower(nights) - date '1970-01-01' AS from, upper(nights) - date '1970-01-01' AS to
    FROM outside_stays WHERE listing_id = $1 AND source = $2 AND nights && daterange(current_date - 1, NULL)`,
});

const page = (filter: string): string => `SELECT ${columns} FROM outside_stays s
    WHERE (s.source, s.external_id) > ($1, $2)${filter} ORDER BY s.source, s.external_id LIMIT $3`;

const listStatement: Statement = { name: 'list-outside-stays', text: page('') };
const listOfSourceStatement: Statement = {
  name: 'list-outside-stays-of-source',
  text: page(' AND s.source = $4'),
};
// The home is chosen first, so that no plan reads the stays of all homes in the order of the list.
const listOfHomeStatement: Statement = {
  name: 'list-outside-stays-of-home',
  text: `SELECT ${columns} FROM (
      SELECT * FROM outside_stays WHERE listing_id = $4 OFFSET 0) s
    WHERE (s.source, s.external_id) > ($1, $2) AND ($5::text IS NULL OR s.source = $5)
    ORDER BY s.source, s.external_id LIMIT $3`,
};

/** Which outside stays to list. Null members: of all. */
export interface OutsideFilter {
  source: string | null;
  listingId: string | null;
}

/** Lists outside stays by source and name there. */
export function listOutsideStays(
  executor: Executor,
  { source, listingId }: OutsideFilter,
  after: OutsideName | null,
  atMost: number,
): Promise<OutsideStay[]> {
  const position = [after?.source ?? '', after?.externalId ?? '', atMost];
  if (listingId !== null) {
    return executor.query<OutsideStay>(listOfHomeStatement, [...position, listingId, source]);
  }
  if (source !== null)
    return executor.query<OutsideStay>(listOfSourceStatement, [...position, source]);
  return executor.query<OutsideStay>(listStatement, position);
}
