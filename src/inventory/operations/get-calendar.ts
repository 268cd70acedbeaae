import { isRefusal, refuse } from '../../contract/errors.ts';
import { limits } from '../../contract/limits.ts';
import { dayNumber } from '../../pricing/index.ts';
import { catalogOf, metBy } from '../../catalog/index.ts';
import { read } from '../context.ts';
import { followIfOld, knownUntil } from '../freshness.ts';
import { calendarsOf, rangeRefusal } from './calendar-view.ts';

/** Spec: CALENDAR-1. */
export const getCalendar = read('inventory.calendar.get', {
  notFound: 'There is no home with this listingId.',
  async load(call) {
    const { context, actor, params, query } = call;
    const range = { start: dayNumber(query.startDate), end: dayNumber(query.endDate) };
    const fields = rangeRefusal(range, 'query/');
    if (fields.length > 0) return refuse('invalid_input', { fields });
    const tooOld = await followIfOld(context, limits.calendarAgeSeconds);
    if (tooOld) return tooOld;
    const published = catalogOf(call).find(params.listingId);
    return (
      published && {
        ...range,
        listing: metBy(actor, published).listing,
        // The nights are read later, so they include more.
        asOf: knownUntil(context),
      }
    );
  },
  async reply({ context, actor }, { listing, ...range }) {
    const adjustmentPercent = actor.application.adjustPercent;
    const calendars = await calendarsOf(context, [listing], { ...range, adjustmentPercent });
    if (isRefusal(calendars)) return calendars;
    return { status: 200, body: calendars[0]! };
  },
});
