/** What the calendars of homes show other channels, and when a channel has read its own. */
import type { EpochMs } from '../../contract/time.ts';
import { exportedFrom, readPreparation } from '../../inventory/index.ts';
import type { Executor, Statement } from '../../platform/postgres/database.ts';
import { noRows, oneRow } from '../../platform/postgres/statement-functions.ts';
import { dateText } from '../../pricing/index.ts';

/** A home whose calendar is read. */
export interface ExportedHome {
  listingId: string;
  name: string;
  /** Everything that was taken before this instant is seen by a statement that begins now. */
  completeTo: EpochMs;
}

/** Finds the home with this address. Undefined: there is none, or the calendar `reader` is not one of it. */
export const findHomeByAddress = oneRow<[digest: Buffer, reader: string | null], ExportedHome>({
  name: 'find-calendar-address',
  // `now()` in other transactions is their start. What one that is in progress has taken may be seen only later.
  text: `SELECT listing_id AS "listingId", name, least(now(), (
        SELECT min(xact_start) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'
      )) AS "completeTo"
    FROM listings
    WHERE listing_id = (SELECT listing_id FROM calendar_addresses WHERE digest = $1)
      AND ($2::uuid IS NULL OR listing_id = (
        SELECT listing_id FROM channel_calendars WHERE calendar_id = $2))`,
});

/** A stay or block, as other channels may see it: without guest, reason and reference. */
export interface ExportedNights {
  /** Null: the nights are another channel's, however it names their events, or a preparation. */
  occupancyId: string | null;
  isStay: boolean;
  /** The first night, and the day after the last: `YYYY-MM-DD`. */
  from: string;
  to: string;
  /** How often it was moved, and when it was last changed. */
  moves: number;
  changedAt: EpochMs;
}

/** Whether the outside stay `s` is what the reader's own calendar, `$2`, has reported. Part of a statement. */
const isOfReader = `EXISTS (
        SELECT FROM (SELECT * FROM channel_calendars WHERE calendar_id = $2 OFFSET 0) c
        CROSS JOIN LATERAL (SELECT FROM channel_events WHERE calendar_id = c.calendar_id
          AND nights = s.nights AND state IN ('taken', 'conflict') OFFSET 0) e
        WHERE c.outside_source = s.source AND c.listing_id = s.listing_id OFFSET 0)`;

// The second part: nights that other channels or systems have sold too, and that only blocks of the reader hold.
const nightsStatement: Statement = {
  name: 'export-nights',
  text: `SELECT CASE WHEN calendar_id IS NULL THEN occupancy_id END AS "occupancyId", kind <> 'block' OR source = 'outside' AS "isStay",
      lower(nights) AS from, upper(nights) AS to, moves, ${exportedFrom} AS "changedAt"
    FROM occupancies
    WHERE listing_id = $1 AND nights && daterange(current_date - 1, NULL) AND kind <> 'held'
      AND (calendar_id = $2) IS NOT TRUE
      AND (outside_stay_id IS NULL OR $2::uuid IS NULL OR NOT EXISTS (
        SELECT FROM (SELECT * FROM outside_stays WHERE outside_stay_id = occupancies.outside_stay_id OFFSET 0) s
        WHERE ${isOfReader} OFFSET 0))
    UNION ALL
    SELECT NULL, false, lower(part), upper(part), 0, "changedAt"
    FROM (
      SELECT unnest(range_agg(k.nights * o.nights)) AS part, max(k.found_at) AS "changedAt"
      FROM (
        SELECT k.nights, k.found_at FROM (
          SELECT calendar_id FROM channel_calendars WHERE listing_id = $1 AND calendar_id <> $2 OFFSET 0
        ) c
        CROSS JOIN LATERAL (
          SELECT nights, found_at FROM channel_conflicts WHERE calendar_id = c.calendar_id OFFSET 0
        ) k
        UNION ALL
        SELECT s.nights, s.updated_at FROM (SELECT * FROM outside_stays WHERE listing_id = $1 OFFSET 0) s
        WHERE NOT ${isOfReader}
      ) k
      JOIN occupancies o ON o.listing_id = $1 AND o.nights && k.nights AND o.calendar_id = $2
    ) sold_too
    WHERE part && daterange(current_date - 1, NULL)
    ORDER BY 3`,
};

const byDate = (one: ExportedNights, other: ExportedNights): number =>
  one.from < other.from ? -1 : 1;

/**
 * Reads the taken nights of a home that are not over anywhere in the world, by date, with the nights of preparation
 * after them. Held nights are not taken yet.
 *
 * @param reader the calendar of the channel that reads them, which does not get back what only itself has reported;
 *   null: none
 */
export async function readExportedNights(
  executor: Executor,
  listingId: string,
  reader: string | null,
): Promise<ExportedNights[]> {
  const taken = await executor.query<ExportedNights>(nightsStatement, [listingId, reader]);
  const preparation = (await readPreparation(executor, listingId, null)).map(
    ({ from, to, exportedFrom: changedAt }): ExportedNights => ({
      occupancyId: null,
      isStay: false,
      from: dateText(from),
      to: dateText(to),
      moves: 0,
      changedAt,
    }),
  );
  return preparation.length === 0 ? taken : [...taken, ...preparation].toSorted(byDate);
}

/** Remembers that a channel has read its own export of the home, complete up to this instant. */
export const recordExport = noRows<[calendarId: string, completeTo: EpochMs]>({
  name: 'record-export',
  // A row that a refresh has locked is left: what the channel has read counts from its next read on.
  text: `WITH reader AS (
      SELECT calendar_id FROM channel_calendars WHERE calendar_id = $1 FOR NO KEY UPDATE SKIP LOCKED
    )
    UPDATE channel_calendars c SET exported_at = greatest(c.exported_at, $2), fetched_at = now()
    FROM reader WHERE c.calendar_id = reader.calendar_id`,
  values: (calendarId, completeTo) => [calendarId, new Date(completeTo)],
});
