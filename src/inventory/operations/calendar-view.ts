import { createHash } from 'node:crypto';
import { canonicalJson } from '../../api/identity.ts';
import { isRefusal, type InvalidField, type Refusal } from '../../contract/errors.ts';
import { limits } from '../../contract/limits.ts';
import type { Calendar } from '../../contract/partner/schemas/search.ts';
import type { EpochMs } from '../../contract/time.ts';
import { completeMeta } from '../../catalog/index.ts';
import {
  arrivalRules,
  dateText,
  datedDay,
  type DayNumber,
  departureAllowed,
  earliestCheckIn,
  latestCheckIn,
  type Listing,
  nightPrices,
  todayAt,
} from '../../pricing/index.ts';
import type { InventoryContext } from '../context.ts';
import { isAvailable, isLead } from '../night-states.ts';

type Day = Calendar['days'][number];

/** The range of a calendar, both ends included. */
export interface CalendarRange {
  start: DayNumber;
  end: DayNumber;
}

/** What is wrong with a range; `place` says where its members stand. */
export function rangeRefusal({ start, end }: CalendarRange, place: string): InvalidField[] {
  const path = `${place}endDate`;
  if (end < start) return [{ path, message: 'must not be before startDate' }];
  if (end - start + 1 > limits.calendarDays) {
    const message = `must be at most ${limits.calendarDays} days from startDate, both included`;
    return [{ path, message }];
  }
  return [];
}

/** Makes the entry of a day from whether its night is free, and whether a stay may leave. Spec: CALENDAR-2. */
function dayWriter(
  listing: Listing,
  now: EpochMs,
  adjustmentPercent: number,
): (day: DayNumber, night: { isOpen: boolean; canDepart: boolean }) => Day {
  const today = todayAt(now, listing.timeZone);
  const earliest = earliestCheckIn(listing, now);
  const priceOf = nightPrices(listing, adjustmentPercent);
  return (day, { isOpen, canDepart }) => {
    const arrival = arrivalRules(listing, day);
    const withinHorizon = day <= latestCheckIn(listing, today);
    const inTime = day >= earliest && withinHorizon;
    return {
      date: dateText(day),
      available: isOpen && day >= today && withinHorizon,
      minNights: arrival.minNights,
      checkInAllowed: arrival.checkInAllowed && inTime,
      checkOutAllowed: departureAllowed(listing, day) && day > today && canDepart,
      price: priceOf(datedDay(day)),
      maxNights: arrival.maxNights,
    };
  };
}

/** The digest by which a partner compares a copy. Spec: CALENDAR-5. */
const calendarDigest = (content: Pick<Calendar, 'currency' | 'days'>): string =>
  createHash('sha256').update(canonicalJson(content)).digest('base64url');

/** What a calendar is made of besides the home. */
export interface CalendarInput extends CalendarRange {
  /** The time up to which all changes are in it. */
  asOf: EpochMs;
  adjustmentPercent: number;
}

/** The calendars of homes, in their order. Their nights are read together, as one live read. Spec: CALENDAR-4. */
export async function calendarsOf(
  context: InventoryContext,
  listings: readonly Listing[],
  { start, end, asOf, adjustmentPercent }: CalendarInput,
): Promise<Calendar[] | Refusal<'unavailable'>> {
  const now = context.now();
  const nights = await context.liveReads((signal) =>
    Promise.all(
      listings.map(({ listingId }) =>
        context.availability.openNights(listingId, start - 1, end - start + 2, signal),
      ),
    ),
  );
  if (isRefusal(nights)) return nights;
  return listings.map((listing, index) => {
    const dayOf = dayWriter(listing, now, adjustmentPercent);
    const states = nights[index]!;
    // The first is the night before, after which a stay may have to leave.
    const days = Array.from(states.subarray(1), (night, at) =>
      dayOf(start + at, { isOpen: isAvailable(night), canDepart: !isLead(states[at]!) }),
    );
    const content = { currency: listing.currency, days };
    return {
      listingId: listing.listingId,
      timeZone: listing.timeZone,
      startDate: dateText(start),
      endDate: dateText(end),
      ...content,
      digest: calendarDigest(content),
      meta: completeMeta(context, asOf),
    };
  });
}
