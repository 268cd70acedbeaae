/** The one search: whatever somebody says on the phone. */
import { searchApplications } from '../../access/index.ts';
import { staffActs } from '../../api/staff-acts.ts';
import {
  type BookingsWanted,
  type FoundBooking,
  searchBookings,
  type SearchedFor,
  searchedFor,
} from '../../bookings/index.ts';
import { findHomes } from '../../catalog/index.ts';
import { operatorLimits } from '../../contract/operator/limits.ts';
import type { Executor } from '../../platform/postgres/database.ts';
import { dateText, todayAt } from '../../pricing/index.ts';
import type { OperatorContext } from '../context.ts';
import { indexGuests } from '../index-guests.ts';

const { searchItems } = operatorLimits;
const indexedWithinMs = 500;
// The stays of a home are shown if the text means one home, not a part of the list.
const homesWithStays = 3;

/** Each way to look for bookings that the text can mean, the most exact first. */
function waysTo(wanted: SearchedFor, listingIds: readonly string[]): BookingsWanted[] {
  const only = (value: string | null) => (value === null || value === '' ? [] : [value]);
  const ways: BookingsWanted[] = [
    { by: 'reference', values: only(wanted.reference) },
    { by: 'id', values: only(wanted.id) },
    { by: 'partnerReference', values: only(wanted.rest) },
    { by: 'email', values: only(wanted.email) },
    { by: 'phone', values: only(wanted.phone) },
    { by: 'guest', values: wanted.words.map((word) => `word ${word}`) },
    { by: 'home', values: listingIds },
  ];
  return ways.filter(({ values }) => values.length > 0);
}

type FoundStay = FoundBooking & { by: BookingsWanted['by'] };

async function findStays(
  executor: Executor,
  wanted: SearchedFor,
  listingIds: readonly string[],
  today: string,
): Promise<FoundStay[]> {
  const limits = { today, night: wanted.night, atMost: searchItems + 1 };
  const found = await Promise.all(
    waysTo(wanted, listingIds).map(async (way) => {
      const bookings = await searchBookings(executor, way, limits);
      return bookings.map((booking) => ({ ...booking, by: way.by }));
    }),
  );
  // Found in two ways, it is shown by the more exact one.
  const keyOf = ({ kind, applicationId, bookingId }: FoundBooking) =>
    `${kind} ${applicationId} ${bookingId}`;
  const byKey = new Map<string, FoundStay>();
  for (const stay of found.flat()) if (!byKey.has(keyOf(stay))) byKey.set(keyOf(stay), stay);
  return [...byKey.values()];
}

function notSearched(wanted: SearchedFor, isIndexed: boolean): string[] {
  return [
    wanted.isShortPhone && 'Phone numbers: enter at least the last six digits.',
    !isIndexed && 'Some guests: bookings of an earlier version are still being indexed.',
    wanted.night !== null &&
      wanted.rest === '' &&
      'Guests: a day alone names nobody. Open the day sheet, or add a home or a name.',
  ].filter((one) => one !== false);
}

const stayView = ({ bookingId, ...stay }: FoundStay) => ({ ...stay, checkoutId: bookingId });

/** What the one search finds. Spec: OPERATOR-17. */
export const searchActs = staffActs<OperatorContext>()({
  'operator.search.find': async ({ context, body: { text } }) => {
    const today = dateText(todayAt(context.now(), null));
    const wanted = searchedFor(text, today);
    const page = { offset: 0, limit: searchItems };
    const { homes, total } =
      wanted.rest === ''
        ? { homes: [], total: 0 }
        : findHomes(context.catalog, { text: wanted.rest }, page);
    const listingIds = total > homesWithStays ? [] : homes.map(({ listing }) => listing.listingId);
    const isIndexed = await indexGuests(context.database, indexedWithinMs);
    const [stays, partners] = await context.reads.run((from) =>
      Promise.all([
        findStays(from, wanted, listingIds, today),
        wanted.rest === '' ? [] : searchApplications(from, wanted.rest, searchItems),
      ]),
    );
    return {
      night: wanted.night,
      stays: stays.slice(0, searchItems).map(stayView),
      moreStays: stays.length > searchItems,
      homes: homes.map(({ listing: { listingId, slug, name, destination } }) => ({
        listingId,
        listing: slug,
        name,
        destination,
      })),
      moreHomes: total > homes.length,
      partners,
      notSearched: notSearched(wanted, isIndexed),
    };
  },
});
