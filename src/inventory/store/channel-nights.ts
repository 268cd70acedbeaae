/** The blocks that come from calendars of other channels, and what is exported to them. */

import type { EpochMs } from '../../contract/time.ts';
import { columnsOf } from '../../platform/postgres/columns.ts';
import {
  countRows,
  manyRows,
  noRows,
  oneValue,
} from '../../platform/postgres/statement-functions.ts';
import type { DayNumber } from '../../pricing/index.ts';
import { dateOf, dayOf } from './sql-dates.ts';

/** Nights of a home that are taken, half-open. */
export interface NightsForChannel {
  occupancyId: string;
  kind: 'held' | 'confirmed' | 'block';
  from: DayNumber;
  to: DayNumber;
  /** Of a confirmed stay. */
  reference: string | null;
  /** Since when it has had exactly these nights, and our calendars have shown them. */
  exportedFrom: EpochMs;
  /** The calendar and event of a channel's block. */
  calendarId: string | null;
  eventUid: string | null;
  /** The outside stay that has the nights, as `source/externalId`. */
  outsideStay: string | null;
}

/** Since when a stay or block is in our calendars with the nights that it has now. Part of a statement. */
export const exportedFrom = 'greatest(created_at, confirmed_at, moved_at)';

/** Reads everything that has nights of a home from a day on, by date. */
export const readNightsForChannel = manyRows<
  [listingId: string, from: DayNumber],
  NightsForChannel
>({
  name: 'read-nights-for-channel',
  text: `SELECT occupancy_id AS "occupancyId", kind, ${dayOf('lower(nights)')} AS from,
      ${dayOf('upper(nights)')} AS to, reference, ${exportedFrom} AS "exportedFrom",
      calendar_id AS "calendarId", event_uid AS "eventUid", (
        SELECT s.source || '/' || s.external_id FROM outside_stays s
        WHERE s.outside_stay_id = occupancies.outside_stay_id) AS "outsideStay"
    FROM occupancies
    WHERE listing_id = $1 AND nights && daterange(${dateOf('$2')}, NULL)
    ORDER BY lower(nights)`,
});

/** Nights of an event, half-open. */
export interface ChannelNights {
  uid: string;
  from: DayNumber;
  to: DayNumber;
}

/** Blocks the nights of events that are free. Returns how many of them. */
export const blockChannelNights = countRows<
  [of: { listingId: string; calendarId: string }, nights: readonly ChannelNights[]]
>({
  name: 'block-channel-nights',
  text: `INSERT INTO occupancies (listing_id, nights, kind, source, calendar_id, event_uid)
    SELECT $1, daterange(${dateOf('first')}, ${dateOf('after_last')}), 'block', 'channel', $2, uid
    FROM unnest($3::integer[], $4::integer[], $5::text[]) AS asked (first, after_last, uid)
    ORDER BY first
    ON CONFLICT DO NOTHING
    RETURNING occupancy_id`,
  values: ({ listingId, calendarId }, nights) => [
    listingId,
    calendarId,
    ...columnsOf(nights, 'from', 'to', 'uid'),
  ],
});

/** Frees blocks of calendars. */
export const unblockChannelNights = noRows<[blockIds: readonly string[]]>({
  name: 'unblock-channel-nights',
  // A condition on the calendar lets a plan read all of its blocks instead.
  text: `DELETE FROM occupancies WHERE occupancy_id = ANY ($1::uuid[]) AND event_uid IS NOT NULL`,
});

/** Frees everything that a calendar has blocked. Returns the number of blocks. */
export const freeCalendar = countRows<[calendarId: string]>({
  name: 'free-calendar',
  text: 'DELETE FROM occupancies WHERE calendar_id = $1 RETURNING occupancy_id',
});

/** Finds the channel's calendar that a block comes from. Undefined: there is no such block. */
export const findCalendarOfBlock = oneValue<[blockId: string], string>({
  name: 'find-calendar-of-block',
  text: `SELECT calendar_id AS "calendarId" FROM occupancies
    WHERE occupancy_id = $1 AND calendar_id IS NOT NULL`,
});
