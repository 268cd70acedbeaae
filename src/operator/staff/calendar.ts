import { readApplicationNames } from '../../access/index.ts';
import { findHomes, type PublishedListing } from '../../catalog/index.ts';
import { isRefusal, type Refusal } from '../../contract/errors.ts';
import { refuseStaff } from '../../contract/operator/errors.ts';
import { operatorLimits } from '../../contract/operator/limits.ts';
import {
  arrivalRules,
  datedDay,
  dateText,
  dayNumber,
  nightPrices,
  stayInputRefusal,
  stayOf,
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
    sleeps: listing.sleeps,
    currency: listing.currency,
    today: dateText(todayAt(now, listing.timeZone)),
    prices: dated.map(nightPrices(listing, 0)),
    minNights: dated.map(({ day }) => arrivalRules(listing, day).minNights),
    bars,
  };
}

interface Wanted {
  collectionId?: string | undefined;
  freeFrom?: string | undefined;
  freeTo?: string | undefined;
  sleeps?: number | undefined;
}

/** The homes that are free from one day to another. */
async function freeListings(
  { catalog, availability }: OperatorContext,
  collectionId: string | undefined,
  stay: { checkIn: number; checkOut: number },
): Promise<ReadonlySet<string>> {
  const { signal } = new AbortController();
  const free = new Set<string>();
  for (const view of catalog.views()) {
    const listings = view.within(collectionId);
    const known = await availability.freeHomes(listings, stay, signal);
    listings.forEach(({ listing: { listingId } }, at) => known.isFree(at) && free.add(listingId));
  }
  return free;
}

/** Which homes are wanted by their nights and their size. Undefined: all. Spec: OPERATOR-18. */
async function wantedHomes(
  context: OperatorContext,
  { collectionId, freeFrom, freeTo, sleeps }: Wanted,
): Promise<((home: PublishedListing) => boolean) | undefined | Refusal<'invalid_input'>> {
  const isGiven = freeFrom !== undefined && freeTo !== undefined;
  if (!isGiven && (freeFrom ?? freeTo) !== undefined) {
    return badMember('freeTo', 'and freeFrom must both be there');
  }
  if (!isGiven && sleeps === undefined) return undefined;
  const stay = isGiven && stayOf({ checkIn: freeFrom, checkOut: freeTo });
  const [wrong] = stay ? stayInputRefusal(stay, todayAt(context.now(), null)) : [];
  if (wrong) return badMember(wrong.path === '/checkIn' ? 'freeFrom' : 'freeTo', wrong.message);
  const free = stay ? await freeListings(context, collectionId, stay) : null;
  return ({ listing }) =>
    (free === null || free.has(listing.listingId)) &&
    (sleeps === undefined || listing.sleeps === null || listing.sleeps >= sleeps);
}

const badMember = (path: string, message: string) =>
  refuseStaff('invalid_input', `${path} ${message}.`, { path: `/${path}`, message });

/** Some homes over some nights. */
export const nightActs = staffActs<OperatorContext>()({
  'operator.calendar.read': async ({ context, query }) => {
    const { calendarDays, pageSize } = operatorLimits;
    const { from, days = calendarDays.default, offset = 0, limit = pageSize.default } = query;
    const first = dayNumber(from);
    const isWanted = await wantedHomes(context, query);
    if (isRefusal(isWanted)) return isWanted;
    const { homes, total } = findHomes(context.catalog, query, { offset, limit }, isWanted);
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
