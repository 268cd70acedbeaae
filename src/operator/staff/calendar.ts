import { readApplicationNames } from '../../access/index.ts';
import { findHomes, type PublishedListing } from '../../catalog/index.ts';
import { operatorLimits } from '../../contract/operator/limits.ts';
import {
  arrivalRules,
  datedDay,
  dateText,
  dayNumber,
  nightPrices,
  todayAt,
} from '../../pricing/index.ts';
import { barsOf, type Bar } from '../calendar-bars.ts';
import { staffActs } from '../../api/staff-acts.ts';
import type { OperatorContext } from '../context.ts';

interface Nights {
  first: number;
  days: number;
}

function homeOf({ listing }: PublishedListing, { first, days }: Nights, now: number, bars: Bar[]) {
  const dated = Array.from({ length: days }, (_, at) => datedDay(first + at));
  return {
    listingId: listing.listingId,
    slug: listing.slug,
    name: listing.name,
    destination: listing.destination,
    currency: listing.currency,
    today: dateText(todayAt(now, listing.timeZone)),
    prices: dated.map(nightPrices(listing, 0)),
    minNights: dated.map(({ day }) => arrivalRules(listing, day).minNights),
    bars,
  };
}

/** Some homes over some nights. */
export const nightActs = staffActs<OperatorContext>()({
  'operator.calendar.read': async ({ context, query }) => {
    const { calendarDays, pageSize } = operatorLimits;
    const { from, days = calendarDays.default, offset = 0, limit = pageSize.default } = query;
    const first = dayNumber(from);
    const { homes, total } = findHomes(context.catalog, query, { offset, limit });
    const nights = { from, to: dateText(first + days) };
    const ids = homes.map(({ listing }) => listing.listingId);
    const { bars, names } = await context.reads.run(async (server) => {
      const found = await barsOf({ ...context, database: server }, ids, nights);
      return { bars: found, names: await readApplicationNames(server, found.applicationIds) };
    });
    const now = context.now();
    return {
      from,
      days,
      offset,
      total,
      homes: homes.map((home) =>
        homeOf(home, { first, days }, now, bars.ofHome(home.listing.listingId, names)),
      ),
    };
  },
});
