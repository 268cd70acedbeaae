import { columnsOf } from '../../platform/postgres/columns.ts';
import type { Executor, Statement } from '../../platform/postgres/database.ts';
import { noRows, oneValue } from '../../platform/postgres/statement-functions.ts';
import type { DayNumber, Stay } from '../../pricing/index.ts';
import { type Occupied, statesOf } from '../night-states.ts';
import { dateOf, dayOf } from './sql-dates.ts';
import { lockHomes } from './lock-homes.ts';

/** The nights of preparation that follow the occupancy `o` of the listing `id`. Part of a statement. */
const preparationOf = (id: string): string =>
  `CASE WHEN has_preparation(o.kind, o.source) THEN coalesce((SELECT m.preparation_nights
        FROM listing_members m WHERE m.listing_id = ${id}), 0) ELSE 0 END`;

const longestPreparation = 7;

const takenStatement: Statement = {
  name: 'find-taken-nights',
  text: `SELECT ${dayOf('lower(o.nights)')} AS from, ${dayOf('upper(o.nights)')} AS to,
      ${preparationOf('$1')} AS preparation, NOT has_preparation(o.kind, o.source) AS "isBlock"
    FROM occupancies o
    WHERE o.listing_id = $1 AND o.nights && daterange(${dateOf('$2')}, ${dateOf('$3')})
      AND o.occupancy_id IS DISTINCT FROM $4::uuid`,
};

/** For each night of a listing from `from` on, what has it: see `nightState`. What the attempt `without` has is free. */
export async function readOpenNights(
  executor: Executor,
  listingId: string,
  from: DayNumber,
  nights: number,
  without: string | null = null,
): Promise<Uint8Array> {
  const occupied = await executor.query<Occupied>(takenStatement, [
    listingId,
    from - longestPreparation,
    from + nights + longestPreparation,
    without,
  ]);
  return statesOf(occupied, from, nights);
}

// `OFFSET 0`: always one probe of the index for each listing, independent of the statistics.
const freeStatement: Statement = {
  name: 'find-free-listings',
  text: `SELECT asked.listing_id FROM unnest($1::uuid[]) AS asked (listing_id)
    WHERE NOT EXISTS (
      SELECT FROM occupancies o
      WHERE o.listing_id = asked.listing_id
        AND o.nights && daterange(${dateOf('$2::integer')} - ${longestPreparation}, ${dateOf('$3::integer')} + ${longestPreparation})
        AND daterange(lower(o.nights) - ${preparationOf('asked.listing_id')},
          upper(o.nights) + ${preparationOf('asked.listing_id')})
          && daterange(${dateOf('$2::integer')}, ${dateOf('$3::integer')}) OFFSET 0)`,
};

/** Which of these listings are free for every night of the stay. One probe of an index for each. */
export async function readFreeListings(
  executor: Executor,
  listingIds: readonly string[],
  stay: Stay,
): Promise<ReadonlySet<string>> {
  const free = await executor.query<{ listing_id: string }>(freeStatement, [
    listingIds,
    stay.checkIn,
    stay.checkOut,
  ]);
  return new Set(free.map(({ listing_id: listingId }) => listingId));
}

/** Whether the nights of an attempt are held or confirmed. Undefined: neither. */
export const findStay = oneValue<[attemptId: string], 'held' | 'confirmed'>({
  name: 'find-occupancy',
  text: 'SELECT kind FROM occupancies WHERE occupancy_id = $1',
});

/**
 * Inserts a hold for each row of `asked`, which has the columns `attempt_id`, `listing_id`, `nights`,
 * `application_id`, `kind` and `booking_id`. Inserts no row whose nights are taken. Part of a statement.
 */
export const insertHolds = (asked: string): string => `
      INSERT INTO occupancies
        (occupancy_id, listing_id, nights, kind, application_id, booking_kind, booking_id)
      SELECT attempt_id, listing_id, nights, 'held', application_id, kind, booking_id FROM ${asked}
      ORDER BY listing_id, lower(nights)
      ON CONFLICT DO NOTHING
      RETURNING occupancy_id`;

/** Whether the nights of the attempt of the booking `b` are taken for it. Part of a statement. */
export const hasNights = `EXISTS (
          SELECT FROM occupancies o WHERE o.occupancy_id = b.attempt_id OFFSET 0)`;

/**
 * The parts of a statement that confirm the nights of bookings with a reference and free those of bookings
 * that are resolved without one. They are `held` until then, so no plan needs the index of all holds. `moved` has
 * the columns `attempt_id`, `reference` and `resolved_at`.
 */
export const endHolds = (moved: string): string => `nights_confirmed AS (
      UPDATE occupancies o SET kind = 'confirmed', reference = m.reference, confirmed_at = now()
      FROM ${moved} m
      WHERE o.occupancy_id = ANY (ARRAY(SELECT attempt_id FROM ${moved} WHERE reference IS NOT NULL))
        AND o.occupancy_id = m.attempt_id
    ), nights_freed AS (
      DELETE FROM occupancies o
      WHERE o.occupancy_id = ANY (ARRAY(SELECT attempt_id FROM ${moved}
          WHERE reference IS NULL AND resolved_at IS NOT NULL))
    )`;

/** The IDs of holds that no booking needs, at most `$1`. `isNeeded` is a condition on the hold `o`. Part of a statement. */
export const abandonedHolds = (
  isNeeded: string,
): string => `SELECT o.occupancy_id FROM occupancies o
      WHERE o.kind = 'held' AND NOT (${isNeeded})
      ORDER BY o.created_at LIMIT $1 FOR UPDATE OF o SKIP LOCKED`;

/** Deletes the holds of a list of IDs. Part of a statement. */
export const freeHolds = (ids: string): string => `DELETE FROM occupancies
    WHERE occupancy_id = ANY (ARRAY(${ids})) RETURNING occupancy_id`;

/** Frees the nights of a stay; in the simulation there are none. */
export const freeNights = noRows<[attemptId: string]>({
  name: 'free-nights',
  text: 'DELETE FROM occupancies WHERE occupancy_id = $1',
});

interface PlacedStay extends Stay {
  listingId: string;
}

const lockStatement: Statement = {
  name: 'lock-stay',
  text: `SELECT listing_id AS "listingId", ${dayOf('lower(nights)')} AS "checkIn",
      ${dayOf('upper(nights)')} AS "checkOut"
    FROM occupancies WHERE occupancy_id = $1 FOR UPDATE`,
};

/** The nights of `next` that a stay does not have yet: none, or one or two parts in order. */
function nightsToTake(now: PlacedStay, next: PlacedStay): Stay[] {
  const { checkIn, checkOut } = next;
  if (now.listingId !== next.listingId) return [{ checkIn, checkOut }];
  return [
    { checkIn, checkOut: Math.min(checkOut, now.checkIn) },
    { checkIn: Math.max(checkIn, now.checkOut), checkOut },
  ].filter((part) => part.checkIn < part.checkOut);
}

const extendStatement: Statement = {
  name: 'extend-stay',
  text: `INSERT INTO occupancies
      (listing_id, nights, kind, application_id, booking_kind, booking_id, reference)
    SELECT $2, daterange(${dateOf('part.first')}, ${dateOf('part.after_last')}), o.kind,
      o.application_id, o.booking_kind, o.booking_id, o.reference
    FROM occupancies o, unnest($3::integer[], $4::integer[]) AS part (first, after_last)
    WHERE o.occupancy_id = $1 ORDER BY part.first
    ON CONFLICT DO NOTHING RETURNING occupancy_id`,
};

const dropStatement: Statement = {
  name: 'drop-occupancies',
  text: 'DELETE FROM occupancies WHERE occupancy_id = ANY ($1::uuid[])',
};

const moveStatement: Statement = {
  name: 'move-stay',
  text: `UPDATE occupancies SET listing_id = $2, nights = daterange(${dateOf('$3')}, ${dateOf('$4')}),
      moves = moves + 1, moved_at = now()
    WHERE occupancy_id = $1`,
};

/**
 * Moves a stay to other nights or another listing. `taken`: another stay or a block has some of them, and
 * nothing has changed. `none`: the stay has no nights.
 *
 * Call it in a transaction. It first takes only the nights that the stay does not have yet, with
 * ON CONFLICT DO NOTHING, so that two stays that exchange their nights do not wait for each other.
 */
export async function moveNights(
  executor: Executor,
  attemptId: string,
  listingId: string,
  nights: Stay,
): Promise<'moved' | 'taken' | 'none'> {
  const [now] = await executor.query<PlacedStay>(lockStatement, [attemptId]);
  if (!now) return 'none';
  const parts = nightsToTake(now, { listingId, ...nights });
  if (parts.length > 1) await lockHomes(executor, [listingId]);
  const rows = await executor.query<{ occupancy_id: string }>(extendStatement, [
    attemptId,
    listingId,
    ...columnsOf(parts, 'checkIn', 'checkOut'),
  ]);
  // All nights are taken by now, in parts. They become one row.
  await executor.query(dropStatement, [rows.map(({ occupancy_id: id }) => id)]);
  if (rows.length < parts.length) return 'taken';
  await executor.query(moveStatement, [attemptId, listingId, nights.checkIn, nights.checkOut]);
  return 'moved';
}
