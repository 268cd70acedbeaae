import { isRefusal, refuse, type InvalidField } from '../../contract/errors.ts';
import { limits } from '../../contract/limits.ts';
import { dayNumber } from '../../pricing/index.ts';
import { catalogOf, completeMeta, metBy } from '../../catalog/index.ts';
import { read } from '../context.ts';
import { followIfOld, knownUntil } from '../freshness.ts';
import { calendarsOf, rangeRefusal } from './calendar-view.ts';

const repeatedIds = (ids: readonly string[]): InvalidField[] =>
  ids.flatMap((id, index) =>
    ids.indexOf(id) < index
      ? [{ path: `/listingIds/${index}`, message: 'must not be named twice' }]
      : [],
  );

/** Spec: CALENDAR-6. */
export const listCalendars = read('inventory.calendar.list', {
  async load(call) {
    const { context, actor, body } = call;
    const listingIds = body.listingIds.map((id) => id.toLowerCase());
    const range = { start: dayNumber(body.startDate), end: dayNumber(body.endDate) };
    const fields = [...repeatedIds(listingIds), ...rangeRefusal(range, '/')];
    if (fields.length > 0) return refuse('invalid_input', { fields });
    const tooOld = await followIfOld(context, limits.calendarAgeSeconds);
    if (tooOld) return tooOld;
    const catalog = catalogOf(call);
    const found = listingIds.map((listingId) => ({ listingId, home: catalog.find(listingId) }));
    return {
      ...range,
      listings: found.flatMap(({ home }) => (home ? [metBy(actor, home).listing] : [])),
      missing: found.flatMap(({ listingId, home }) => (home ? [] : [listingId])),
      asOf: knownUntil(context),
    };
  },
  async reply({ context, actor }, { listings, missing, ...range }) {
    const adjustmentPercent = actor.application.adjustPercent;
    const items = await calendarsOf(context, listings, { ...range, adjustmentPercent });
    if (isRefusal(items)) return items;
    return { status: 200, body: { items, missing, meta: completeMeta(context, range.asOf) } };
  },
});
