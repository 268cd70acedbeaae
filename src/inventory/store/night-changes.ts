/** The log of changed nights, and the taken nights of all homes. */

import type { EpochMs } from '../../contract/time.ts';
import type { DayNumber } from '../../pricing/index.ts';
import type { TakenPart } from '../night-states.ts';
import type { Executor, Statement } from '../../platform/postgres/database.ts';
import { countRows, manyRows, theRow } from '../../platform/postgres/statement-functions.ts';
import { reachedServer } from '../../platform/postgres/session.ts';

const epoch = `date '1970-01-01'`;

/** What a reader of the log has seen. */
export interface LogPosition {
  /** The snapshot of its last read: it contains the transactions whose changes are known. */
  snapshot: string;
  /**
   * The server and database of the read. After a restart, restore or failover the log can have lost
   * transactions and have others with the same numbers.
   */
  server: string;
}

/** A position, and the database's time of it: everything committed earlier is seen. */
export interface Reading extends LogPosition {
  now: EpochMs;
}

/** Changed nights of a home: `first` to `afterLast`, half-open. */
export type ChangedNights = [listingId: string, first: DayNumber, afterLast: DayNumber];

const server = `${reachedServer} AS server`;

/** The position after everything that is committed. */
export const readPosition = theRow<[], Reading>({
  name: 'night-changes-position',
  text: `SELECT pg_current_snapshot()::text AS snapshot, now() AS now, ${server}`,
});

/** What has changed since a position. */
export interface NightChanges extends Reading {
  /** Rows after the position have been removed from the log: everything must be read again. */
  areLost: boolean;
  /** The number of logged changes, counted up to `atMost` and a little more. */
  rows: number;
  /** The homes with changed nights, each once. */
  changes: ChangedNights[];
}

/** Reads what has changed since a position, if it is not more than `atMost` logged changes. */
export const readNightChanges = theRow<[logPosition: LogPosition, atMost: number], NightChanges>({
  name: 'read-night-changes',
  // The transactions that the earlier snapshot does not contain: those in progress then, and all later ones.
  // Rows with the number of a future transaction come from the dump of another server.
  text: `SELECT pg_current_snapshot()::text AS snapshot, now() AS now, ${server},
      EXISTS (SELECT FROM night_changes_kept WHERE only_row AND since > pg_snapshot_xmin($1::pg_snapshot)
        AND since <= pg_snapshot_xmin(pg_current_snapshot())) AS "areLost",
      coalesce(sum(changed.rows), 0)::integer AS rows,
      coalesce(json_agg(json_build_array(changed.listing_id, changed.first, changed.after_last)), '[]') AS changes
    FROM (
      SELECT listing_id, min(lower(nights) - ${epoch}) AS first, max(upper(nights) - ${epoch}) AS after_last,
        count(*) AS rows
      FROM (
        (SELECT listing_id, nights FROM night_changes
          WHERE xid >= pg_snapshot_xmax($1::pg_snapshot)
            AND xid < pg_snapshot_xmax(pg_current_snapshot()) LIMIT $2)
        UNION ALL
        (SELECT listing_id, nights FROM night_changes
          WHERE xid = ANY (ARRAY(SELECT pg_snapshot_xip($1::pg_snapshot))) LIMIT $2)
      ) logged GROUP BY listing_id) changed`,
  values: ({ snapshot }, atMost) => [snapshot, atMost + 1],
});

// As far as a preparation reaches.
const longestPreparation = 7;

const preparation = `CASE WHEN has_preparation(o.kind, o.source) THEN coalesce(m.preparation_nights, 0) ELSE 0 END`;

/** What has nights of one of the asked parts, or near it; `index`: that of the part. */
export const readTakenParts = manyRows<
  [parts: readonly ChangedNights[]],
  { index: number } & TakenPart
>({
  name: 'read-taken-nights',
  // The nights that something has, its preparation included; before them are nights that no partner's stay can have.
  text: `SELECT asked.ordinal::integer - 1 AS index, lower(o.nights) - ${epoch} AS from,
      upper(o.nights) - ${epoch} + o.preparation AS to, o.preparation AS lead
    FROM unnest($1::uuid[], $2::integer[], $3::integer[]) WITH ORDINALITY
      AS asked (listing_id, first, after_last, ordinal)
    LEFT JOIN listing_members m ON m.listing_id = asked.listing_id
    CROSS JOIN LATERAL (
      SELECT nights, ${preparation} AS preparation FROM occupancies o WHERE listing_id = asked.listing_id
        AND nights && daterange(${epoch} + asked.first - ${longestPreparation},
          ${epoch} + asked.after_last + ${longestPreparation}) OFFSET 0) o`,
  values: (parts) => [
    parts.map(([listingId]) => listingId),
    parts.map(([, first]) => first),
    parts.map(([, , afterLast]) => afterLast),
  ],
});

/** Copies all stays and blocks that end after a day, in PostgreSQL's binary format: see `TakenPart`. */
export const copyTakenNights = (day: DayNumber): string =>
  `COPY (SELECT listing_id, lower(o.nights) - ${epoch}, upper(o.nights) - ${epoch} + ${preparation}, ${preparation}
    FROM occupancies o LEFT JOIN listing_members m USING (listing_id)
    WHERE upper(o.nights) > ${epoch} + ${Math.trunc(day) - longestPreparation}) TO STDOUT (FORMAT binary)`;

const forgetStatement: Statement = {
  name: 'forget-night-changes',
  text: `UPDATE night_changes_kept SET since = least(next_since, horizon), next_since = horizon, next_at = now()
    FROM pg_snapshot_xmin(pg_current_snapshot()) AS horizon
    WHERE only_row AND next_at < now() - interval '10 minutes'`,
};

/** Removes one batch of the changes that a reader can no longer ask for. Returns how many. */
export const removeNightChanges = countRows<[atMost: number]>({
  name: 'remove-night-changes',
  // Committed before the rows are removed, so that a reader never misses them without knowing.
  text: `DELETE FROM night_changes WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM night_changes
      WHERE xid < (SELECT least(since, pg_snapshot_xmin(pg_current_snapshot()))
        FROM night_changes_kept WHERE only_row)
      ORDER BY xid LIMIT $1)) RETURNING 1`,
});

/** Removes one batch of changes that everybody who followed in the last ten minutes has seen. Returns how many. */
export async function sweepNightChanges(executor: Executor, atMost: number): Promise<number> {
  await executor.query(forgetStatement);
  return removeNightChanges(executor, atMost);
}
