import { isRefusal, refuse, type InvalidField } from '../../contract/errors.ts';
import { limits } from '../../contract/limits.ts';
import type { Calendar } from '../../contract/partner/schemas/search.ts';
import {
  arrivalRules,
  dateText,
  type DayNumber,
  dayNumber,
  departureAllowed,
  earliestCheckIn,
  latestCheckIn,
  type Listing,
  todayAt,
} from '../../pricing/index.ts';
import { catalogOf, completeMeta } from '../../catalog/index.ts';
import { read } from '../context.ts';
import { isAvailable, isLead } from '../night-states.ts';
import { followIfOld, knownUntil } from '../freshness.ts';

function rangeRefusal(start: DayNumber, end: DayNumber): InvalidField[] {
  if (end < start) return [{ path: 'query/endDate', message: 'must not be before startDate' }];
  if (end - start + 1 > limits.calendarDays) {
    const message = `must be at most ${limits.calendarDays} days from startDate, both included`;
    return [{ path: 'query/endDate', message }];
  }
  return [];
}

function dayOfCalendar(
  listing: Listing,
  { today, earliest }: { today: DayNumber; earliest: DayNumber },
  day: DayNumber,
  { isOpen, canDepart }: { isOpen: boolean; canDepart: boolean },
): Calendar['days'][number] {
  const arrival = arrivalRules(listing, day);
  const withinHorizon = day <= latestCheckIn(listing, today);
  const inTime = day >= earliest && withinHorizon;
  return {
    date: dateText(day),
    available: isOpen && day >= today && withinHorizon,
    minNights: arrival.minNights,
    checkInAllowed: arrival.checkInAllowed && inTime,
    checkOutAllowed: departureAllowed(listing, day) && day > today && canDepart,
  };
}

/** Spec: Per-operation shapes, calendar. */
export const getCalendar = read('inventory.calendar.get', {
  notFound: 'There is no home with this listingId.',
  async load(call) {
    const { context, params, query } = call;
    const start = dayNumber(query.startDate);
    const end = dayNumber(query.endDate);
    const fields = rangeRefusal(start, end);
    if (fields.length > 0) return refuse('invalid_input', { fields });
    const tooOld = await followIfOld(context, limits.calendarAgeSeconds);
    if (tooOld) return tooOld;
    const published = catalogOf(call).find(params.listingId);
    return (
      published && {
        listing: published.listing,
        // The nights are read later, so they include more.
        asOf: knownUntil(context),
        start,
        end,
      }
    );
  },
  async reply({ context, query }, { listing, asOf, start, end }) {
    const now = context.now();
    const moment = {
      today: todayAt(now, listing.timeZone),
      earliest: earliestCheckIn(listing, now),
    };
    const open = await context.liveReads((signal) =>
      context.availability.openNights(listing.listingId, start - 1, end - start + 2, signal),
    );
    if (isRefusal(open)) return open;
    return {
      status: 200,
      body: {
        listingId: listing.listingId,
        timeZone: listing.timeZone,
        startDate: query.startDate,
        endDate: query.endDate,
        // The first is the night before, after which a stay may have to leave.
        days: Array.from(open.subarray(1), (night, offset) =>
          dayOfCalendar(listing, moment, start + offset, {
            isOpen: isAvailable(night),
            canDepart: !isLead(open[offset]!),
          }),
        ),
        meta: completeMeta(context, asOf),
      },
    };
  },
});
