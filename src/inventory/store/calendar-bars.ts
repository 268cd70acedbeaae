import { manyRows } from '../../platform/postgres/statement-functions.ts';
import type { BlockSource } from './blocks.ts';

/** Nights of a home that are taken, as a calendar of many homes shows them. */
export interface CalendarBar {
  occupancyId: string;
  listingId: string;
  kind: 'held' | 'confirmed' | 'block';
  /** The first night, and the day after the last: `YYYY-MM-DD`. */
  from: string;
  to: string;
  /** Of a confirmed stay. */
  reference: string | null;
  /** Of a stay. */
  applicationId: string | null;
  /** Of a block. */
  source: BlockSource | null;
  reason: string | null;
}

/** Reads what has nights of these homes between two dates, by home and date. `to`: the day after the last night. */
export const readCalendarBars = manyRows<
  [listingIds: readonly string[], of: { from: string; to: string }],
  CalendarBar
>({
  name: 'read-calendar-bars',
  // `OFFSET 0`: always one probe of the index for each home, independent of the statistics.
  text: `SELECT o.occupancy_id AS "occupancyId", o.listing_id AS "listingId", o.kind,
      lower(o.nights) AS from, upper(o.nights) AS to, o.reference,
      o.application_id AS "applicationId", o.source, o.reason
    FROM unnest($1::uuid[]) AS asked (listing_id)
    CROSS JOIN LATERAL (
      SELECT * FROM occupancies WHERE listing_id = asked.listing_id
        AND nights && daterange($2::date, $3::date) OFFSET 0) o
    ORDER BY o.listing_id, lower(o.nights)`,
  values: (listingIds, { from, to }) => [listingIds, from, to],
});
