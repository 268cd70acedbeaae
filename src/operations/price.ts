import type { Charges } from '../contract/schemas/quote.ts';
import type { DayNumber, Listing, Party, Stay } from '../domain/listing.ts';
import { priceStay } from '../domain/pricing.ts';

/** The price of a stay, or null where the listing's rates do not give one that can be written down. */
export function priceIfTold(
  listing: Listing,
  stay: Stay,
  party: Party,
  today: DayNumber,
): Charges | null {
  try {
    return priceStay(listing, stay, party, { today });
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
