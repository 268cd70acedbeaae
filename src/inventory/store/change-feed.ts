/** The feed of changes: of an application, and of the installation. */

import type { ChangeKind } from '../../contract/changes.ts';
import type { EpochMs } from '../../contract/time.ts';
import { nilUuid } from '../../platform/uuid.ts';
import type { Executor, Statement } from '../../platform/postgres/database.ts';
import { theValue } from '../../platform/postgres/statement-functions.ts';
import { sweepByAge } from '../../platform/postgres/sweep-by-age.ts';
import { isOlderThan, isYoungerThan } from '../../platform/postgres/wrong-times.ts';

/** An entry of the feed. */
export interface FeedChange {
  sequence: number;
  /** Tells it from an entry that had its number before a restore. */
  mark: string;
  changedAt: EpochMs;
  kind: ChangeKind;
  /** Null: every home of the catalog. */
  listingId: string | null;
  listing: string | null;
  from: string | null;
  to: string | null;
}

/** A part of the feed, from one read. */
export interface FeedPart {
  /** The time that decides what is in the window; null: there is no feed. */
  now: EpochMs | null;
  /** The number of the newest entry that is told; 0: none is. */
  last: number;
  /** From the asked number on, that one included; oldest first. */
  changes: FeedChange[];
}

// What a row of the feed tells; the mark is the instant with all its digits.
const told = `i.sequence, (extract(epoch FROM i.changed_at) * 1000000)::bigint::text AS mark, i.changed_at AS "changedAt",
      i.kind, i.listing_id AS "listingId", l.slug AS listing, lower(i.nights)::text AS "from", upper(i.nights)::text AS "to"`;

const inWindow = (days: string): string => isYoungerThan('changed_at', days);

// The entries of the application's catalogs stand between its own: those after a segment's `catalog_sequence` follow its
// `sequence`. Nothing is numbered per application.
const segments = `segments AS (
      SELECT s.sequence, s.changed_at, s.kind, s.catalog_id, s.catalog_sequence,
        coalesce(lead(s.sequence) OVER (ORDER BY s.sequence) - 1,
          s.sequence + coalesce(c.told, 0) - s.catalog_sequence) AS last
      FROM change_feed f JOIN application_changes s ON s.application_id = $1 AND s.run <= f.told_run
      LEFT JOIN change_counters c ON c.catalog_id = s.catalog_id
      WHERE f.only_row
    )`;

/** The entries of the segments from a number on, some of each. */
const entriesFrom = (first: string, atMost: string, days: string): string => `(
        SELECT sequence, changed_at, kind, NULL::uuid AS listing_id, NULL::daterange AS nights FROM segments
        WHERE kind IS NOT NULL AND sequence >= ${first} AND ${inWindow(days)}
        UNION ALL
        SELECT s.sequence + c.sequence - s.catalog_sequence, c.changed_at, c.kind, c.listing_id, c.nights
        FROM segments s CROSS JOIN LATERAL (
          SELECT sequence, changed_at, kind, listing_id, nights FROM inventory_changes
          WHERE catalog_id = s.catalog_id AND sequence > s.catalog_sequence
            AND sequence >= s.catalog_sequence + ${first} - s.sequence
            AND sequence <= s.catalog_sequence + s.last - s.sequence AND ${inWindow(days)}
          ORDER BY sequence LIMIT ${atMost}) c
        WHERE s.last >= ${first}
        ORDER BY sequence LIMIT ${atMost})`;

const ofApplicationStatement: Statement = {
  name: 'read-changes-of-application',
  text: `WITH ${segments}
    SELECT now() AS now, e.last, ${told}
    FROM (SELECT max(last) AS last FROM segments) e
    LEFT JOIN LATERAL ${entriesFrom('$2', '$3', '$4')} i ON true
    LEFT JOIN listings l ON l.listing_id = i.listing_id
    ORDER BY i.sequence`,
};

const ofInstallationStatement: Statement = {
  name: 'read-changes-of-installation',
  text: `SELECT now() AS now, e.told AS last, ${told}
    FROM change_counters e
    LEFT JOIN LATERAL (
      SELECT installation_sequence AS sequence, changed_at, kind, listing_id, nights FROM inventory_changes
      WHERE installation_sequence >= $1 AND installation_sequence <= e.told AND ${inWindow('$3')}
      ORDER BY installation_sequence LIMIT $2) i ON true
    LEFT JOIN listings l ON l.listing_id = i.listing_id
    WHERE e.catalog_id = '${nilUuid}'
    ORDER BY i.sequence`,
};

type FeedRow = { now: EpochMs; last: number | null } & (FeedChange | { sequence: null });

const hasEntry = <R extends FeedRow>(row: R): row is R & FeedChange => row.sequence !== null;

const partOf = (rows: readonly FeedRow[]): FeedPart => ({
  now: rows[0]?.now ?? null,
  last: rows[0]?.last ?? 0,
  changes: rows.filter(hasEntry).map(({ now: _now, last: _last, ...change }): FeedChange => change),
});

/** Reads a feed from a number on. */
export type ReadChanges = (from: number, atMost: number, days: number) => Promise<FeedPart>;

/** The feed of an application. */
export const changesOfApplication =
  (executor: Executor, applicationId: string): ReadChanges =>
  async (from, atMost, days) =>
    partOf(
      await executor.query<FeedRow>(ofApplicationStatement, [applicationId, from, atMost, days]),
    );

/** The feed of the installation. */
export const changesOfInstallation =
  (executor: Executor): ReadChanges =>
  async (from, atMost, days) =>
    partOf(await executor.query<FeedRow>(ofInstallationStatement, [from, atMost, days]));

const sweepSegments = theValue<[days: number, atMost: number], number>({
  name: 'sweep-application-changes',
  // A segment is kept while it may have entries that are kept: until the one after it is old. Each is looked at once, in
  // the order of age, and what its application had before goes.
  text: `WITH mark AS (
      SELECT looked_until FROM application_changes_sweep FOR UPDATE SKIP LOCKED
    ), looked AS (
      SELECT s.* FROM mark CROSS JOIN LATERAL (
        SELECT application_id, sequence, changed_at FROM application_changes
        WHERE changed_at > mark.looked_until AND ${isOlderThan('changed_at', '$1')}
        ORDER BY changed_at FETCH FIRST ($2::integer) ROWS WITH TIES) s
    ), swept AS (
      DELETE FROM application_changes WHERE ctid = ANY (ARRAY(
        SELECT before.row_id
        FROM (SELECT application_id, max(sequence) AS sequence FROM looked GROUP BY application_id) latest
        CROSS JOIN LATERAL (
          SELECT ctid AS row_id FROM application_changes
          WHERE application_id = latest.application_id AND sequence < latest.sequence
            AND ${isOlderThan('changed_at', '$1')} OFFSET 0) before))
    ), marked AS (
      UPDATE application_changes_sweep SET looked_until = last.changed_at
      FROM (SELECT max(changed_at) AS changed_at FROM looked) last
      WHERE last.changed_at IS NOT NULL
    )
    SELECT count(*)::integer AS looked FROM looked`,
});

/** Deletes one batch of entries that are no longer told. Returns how many it has looked at or deleted, of the kind that has more. */
export async function sweepChanges(
  executor: Executor,
  days: number,
  atMost: number,
): Promise<number> {
  const looked = await sweepSegments(executor, days, atMost);
  return Math.max(looked, await sweepByAge(executor, 'inventory_changes', days, atMost));
}
