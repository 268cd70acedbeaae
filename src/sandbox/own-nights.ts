/** Nights that are taken for one application alone. Spec: SANDBOX-3. */
import type { BookingContext } from '../bookings/index.ts';
import { dateText, dayNumber, type DayNumber, type Stay } from '../pricing/index.ts';
import { type OwnNights, readOwnNights } from './store/own-nights.ts';

interface Nights {
  listingId: string;
  from: DayNumber;
  to: DayNumber;
}

const nightsOf = ({ listingId, from, to }: OwnNights): Nights => ({
  listingId,
  from: dayNumber(from),
  to: dayNumber(to),
});

const overlaps = ({ from, to }: Nights, { checkIn, checkOut }: Stay): boolean =>
  from < checkOut && checkIn < to;

const taken = 0;

/** The dependencies of the operations for an application that has nights of its own. */
export function withOwnNights<Context extends BookingContext>(
  context: Context,
  applicationId: string,
): Context {
  const read = async (from: DayNumber, to: DayNumber): Promise<Nights[]> =>
    (await readOwnNights(context.executor, applicationId, dateText(from), dateText(to))).map(
      nightsOf,
    );

  /** The states of nights, with the application's own. */
  async function withOwn(
    listingId: string,
    first: DayNumber,
    count: number,
    states: Promise<Uint8Array>,
  ): Promise<Uint8Array> {
    const [own, found] = await Promise.all([read(first, first + count), states]);
    const changed = Uint8Array.from(found);
    for (const { from, to } of own.filter((one) => one.listingId === listingId)) {
      changed.fill(taken, Math.max(0, from - first), Math.max(0, to - first));
    }
    return changed;
  }

  const { supply, availability } = context;
  return {
    ...context,
    supply: {
      ...supply,
      openNights: (listingId, from, nights, signal) =>
        withOwn(listingId, from, nights, supply.openNights(listingId, from, nights, signal)),
    },
    availability: {
      ...availability,
      openNights: (listingId, from, nights, signal) =>
        withOwn(listingId, from, nights, availability.openNights(listingId, from, nights, signal)),
      async freeHomes(listings, stay, signal) {
        const free = await availability.freeHomes(listings, stay, signal);
        const own = await read(stay.checkIn, stay.checkOut);
        const hidden = new Set(
          own.filter((one) => overlaps(one, stay)).map(({ listingId }) => listingId),
        );
        const isOwn = (index: number) => hidden.has(listings[index]!.listing.listingId);
        const isFree = (index: number) => !isOwn(index) && free.isFree(index);
        return {
          isFree,
          isTaken: (index, night) =>
            free.isTaken(index, night) ||
            own.some(
              ({ listingId, from, to }) =>
                listingId === listings[index]!.listing.listingId && from <= night && night < to,
            ),
          nextFree(from) {
            let index = free.nextFree(from);
            while (index !== -1 && isOwn(index)) index = free.nextFree(index + 1);
            return index;
          },
          count: () => listings.filter((_, index) => isFree(index)).length,
        };
      },
    },
  };
}
