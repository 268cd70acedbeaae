/** The nights of preparation of a home, as other channels see them. Spec: STAY-8. */

import type { EpochMs } from '../../contract/time.ts';
import { manyRows } from '../../platform/postgres/statement-functions.ts';
import type { DayNumber } from '../../pricing/index.ts';
import { exportedFrom } from './channel-nights.ts';
import { dateOf, dayOf } from './sql-dates.ts';

/** Nights of preparation that nothing else has, half-open; those that touch are one. */
export interface PreparationNights {
  from: DayNumber;
  to: DayNumber;
  /** Since when our calendars have shown them: after the stay was taken, and under the rule of now. */
  exportedFrom: EpochMs;
}

const longestPreparation = 7;

/** Reads the nights of preparation of a home from a day on, by date; null: those that are not over anywhere. */
export const readPreparation = manyRows<
  [listingId: string, from: DayNumber | null],
  PreparationNights
>({
  name: 'read-preparation',
  // Nights that are only held are in no calendar, nor is their preparation.
  text: `WITH first AS (SELECT coalesce(${dateOf('$2')}, current_date - 1) AS day),
    taken AS MATERIALIZED (
      SELECT nights, has_preparation(kind, source) AS has_preparation, ${exportedFrom} AS since
      FROM occupancies, first
      WHERE listing_id = $1 AND nights && daterange(day - ${longestPreparation}, NULL) AND kind <> 'held'
    ), after AS MATERIALIZED (
      SELECT daterange(upper(t.nights), upper(t.nights) + m.preparation_nights) AS nights,
        greatest(t.since, m.preparation_since) AS since
      FROM listing_members m, taken t
      WHERE m.listing_id = $1 AND m.preparation_nights > 0 AND t.has_preparation
    ), parts AS (
      SELECT unnest((SELECT range_agg(nights) FROM after) - (SELECT range_agg(nights) FROM taken)) AS part
    )
    SELECT ${dayOf('lower(part)')} AS from, ${dayOf('upper(part)')} AS to,
      (SELECT max(since) FROM after WHERE nights && part) AS "exportedFrom"
    FROM parts, first WHERE upper(part) > day ORDER BY lower(part)`,
});
