/** The nights that are taken, as the database has them, and what must hold of them at every commit. */
import assert from 'node:assert/strict';
import type { Executor } from '../../src/platform/postgres/database.ts';
import { sql } from './rows.ts';

/** A stay or block. */
export interface Taken {
  id: string;
  kind: 'held' | 'confirmed' | 'block';
  listingId: string;
  from: string;
  to: string;
  reference: string | null;
}

/** Everything that is taken, by home and date. */
export const takenNights = (database: Executor): Promise<Taken[]> =>
  sql<Taken>(
    database,
    `SELECT occupancy_id AS id, kind, listing_id AS "listingId", lower(nights) AS from,
      upper(nights) AS to, reference
    FROM occupancies ORDER BY listing_id, lower(nights)`,
  );

const overlapText = `SELECT one.occupancy_id FROM occupancies one JOIN occupancies other
    ON one.listing_id = other.listing_id AND one.occupancy_id < other.occupancy_id
      AND lower(one.nights) < upper(other.nights) AND lower(other.nights) < upper(one.nights)`;

// A booking on its way may not have come to its nights yet, so it is not looked for.
const wrongText = `SELECT 'reservation ' || r.reference || ' has no nights of its own' AS wrong
    FROM reservations r JOIN bookings b ON b.reference = r.reference
    LEFT JOIN occupancies o ON o.occupancy_id = b.attempt_id
    WHERE r.state <> 'cancelled' AND (o.kind, o.listing_id, o.nights, o.reference) IS DISTINCT FROM
      ('confirmed', r.listing_id, daterange(r.check_in, r.check_out), r.reference)
  UNION ALL
  SELECT 'the nights ' || o.occupancy_id || ' are ' || o.kind || ' for a booking that is '
      || coalesce(b.state, 'gone') || ', its reservation ' || coalesce(r.state, 'none')
    FROM occupancies o LEFT JOIN bookings b ON b.attempt_id = o.occupancy_id
    LEFT JOIN reservations r ON r.reference = b.reference
    WHERE CASE o.kind
      WHEN 'held' THEN b.state IN ('pending', 'requires_action', 'uncertain', 'unresolved')
      WHEN 'confirmed' THEN b.state = 'confirmed' AND r.state <> 'cancelled'
      ELSE true END IS NOT TRUE`;

/** Asserts that no two stays or blocks share a night, and that nights are taken exactly for the bookings that need them. */
export async function assertNightsFit(database: Executor): Promise<void> {
  assert.deepEqual(await sql(database, overlapText), []);
  assert.deepEqual(await sql(database, wrongText), []);
}

/** The deadlocks that PostgreSQL has counted in this database, on every connection of the pool. */
export async function deadlocks(database: Executor, connections = 10): Promise<number> {
  const flush = 'SELECT pg_stat_force_next_flush(), pg_sleep(0.05)';
  await Promise.all(Array.from({ length: connections }, () => sql(database, flush)));
  const text = `SELECT pg_stat_clear_snapshot(), deadlocks::integer AS deadlocks FROM pg_stat_database
    WHERE datname = current_database()`;
  const [row] = await sql<{ deadlocks: number }>(database, text);
  return row!.deadlocks;
}
