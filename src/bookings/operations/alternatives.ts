import type { Alternative } from '../../contract/errors.ts';
import { isRefusal } from '../../contract/errors.ts';
import { limits } from '../../contract/limits.ts';
import { DatabaseUnavailableError } from '../../platform/postgres/database-errors.ts';
import {
  arrivalWindow,
  dateText,
  type DayNumber,
  type Listing,
  nearestStays,
  type Party,
  priceStay,
  type Stay,
} from '../../pricing/index.ts';
import type { BookingContext } from '../context.ts';

const atMost = 3;

/** A stay that an application wants at a home today. */
export interface WantedStay {
  listing: Listing;
  stay: Stay;
  party: Party;
  today: DayNumber;
  adjustmentPercent: number;
}

async function readOpenNights(context: BookingContext, { listing, today }: WantedStay) {
  const { first, last } = arrivalWindow(listing, today);
  const count = Math.max(last - first, 0) + limits.nightsPerStay.max;
  const nights = await context.liveReads((signal) =>
    context.supply.openNights(listing.listingId, first, count, signal),
  );
  return isRefusal(nights) ? null : { from: first, nights };
}

/**
 * Up to three stays of the home that this party could book now. Null: they could not be found in time, which must
 * not hide the refusal that they belong to.
 * Spec: decisions, Refusals say what would have been allowed (`alternatives`).
 */
export async function findAlternatives(
  context: BookingContext,
  wanted: WantedStay,
): Promise<Alternative[] | null> {
  const { listing, stay, party, today, adjustmentPercent } = wanted;
  try {
    const open = await readOpenNights(context, wanted);
    return (
      open &&
      nearestStays(listing, stay, today, open, atMost, (near) => {
        const price = priceStay(listing, near, party, { today, adjustmentPercent });
        if (price === null) return null;
        const { total, currency } = price;
        return {
          checkIn: dateText(near.checkIn),
          checkOut: dateText(near.checkOut),
          total,
          currency,
        };
      })
    );
  } catch (error) {
    if (error instanceof DatabaseUnavailableError) return null;
    throw error;
  }
}
