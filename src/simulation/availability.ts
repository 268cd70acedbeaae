import type { Availability } from '../inventory/index.ts';
import { openNights } from './pattern.ts';

/** The free nights of the simulation: a fixed pattern, so it is never old. */
export const simulatedAvailability: Availability = {
  openNights: async (listingId, from, nights) => openNights(listingId, from, nights),
  async freeHomes(listings, { checkIn, checkOut }) {
    const isFree = ({ listing }: (typeof listings)[number]): boolean =>
      openNights(listing.listingId, checkIn, checkOut - checkIn).every((night) => night === 1);
    return {
      nextFree: (from) => listings.findIndex((listing, index) => index >= from && isFree(listing)),
      count: () => listings.filter(isFree).length,
    };
  },
  knownUntil: () => Infinity,
  follow: async () => undefined,
  took: () => undefined,
};
