/** What a calendar of many homes shows of reservations. */
import type { Executor, Statement } from '../../platform/postgres/database.ts';
import type { Party } from '../../pricing/index.ts';

/** A reservation, as a calendar of many homes shows it. */
export interface CalendarStay {
  reference: string;
  listingId: string;
  checkIn: string;
  checkOut: string;
  party: Party;
  applicationId: string;
}

const columns = `reference, listing_id AS "listingId", check_in AS "checkIn", check_out AS "checkOut",
      party, application_id AS "applicationId"`;

const namedStatement: Statement = {
  name: 'read-calendar-stays',
  text: `SELECT ${columns} FROM reservations WHERE reference = ANY ($1)`,
};

/** Reads the reservations with these references. */
export const readCalendarStays = (
  executor: Executor,
  references: readonly string[],
): Promise<CalendarStay[]> => executor.query<CalendarStay>(namedStatement, [references]);

const ofHomesStatement: Statement = {
  name: 'read-calendar-stays-of-homes',
  // No stay is longer than 90 nights.
  text: `SELECT ${columns} FROM unnest($1::uuid[]) AS asked (id) CROSS JOIN LATERAL (
      SELECT * FROM reservations WHERE listing_id = asked.id AND check_in < $3::date
        AND check_in > $2::date - 90 AND check_out > $2::date AND state <> 'cancelled' OFFSET 0) r
    ORDER BY listing_id, check_in`,
};

/** Reads the reservations that have nights of these homes: for the simulation, which keeps no nights. */
export const readCalendarStaysOfHomes = (
  executor: Executor,
  listingIds: readonly string[],
  { from, to }: { from: string; to: string },
): Promise<CalendarStay[]> =>
  executor.query<CalendarStay>(ofHomesStatement, [listingIds, from, to]);
