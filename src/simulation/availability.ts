import type { Availability } from '../inventory/index.ts';
import { openNights } from './pattern.ts';

/** The free nights of the simulation: a fixed pattern, so it is never old. */
export const simulatedAvailability: Availability = {
  prepare: async () => undefined,
  openNights: async (listingId, from, nights) => openNights(listingId, from, nights),
  async freeHomes(listings, { checkIn, checkOut }) {
    const isFree = (index: number): boolean => {
      const { listingId } = listings[index]!.listing;
      return openNights(listingId, checkIn, checkOut - checkIn).every((night) => night === 1);
    };
    return {
      isFree,
      isTaken: (index, night) => openNights(listings[index]!.listing.listingId, night, 1)[0] === 0,
      nextFree(from) {
        for (let index = from; index < listings.length; index += 1) if (isFree(index)) return index;
        return -1;
      },
      count: () => listings.filter((_, index) => isFree(index)).length,
    };
  },
  knownUntil: () => Infinity,
  follow: async () => undefined,
  size: () => ({ homes: 0, bytes: 0 }),
  took: () => undefined,
  changed: () => undefined,
};
