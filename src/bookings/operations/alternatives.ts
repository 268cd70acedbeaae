import type { Alternative } from '../../contract/errors.ts';
import { isRefusal } from '../../contract/errors.ts';
import { limits } from '../../contract/limits.ts';
import type { EpochMs } from '../../contract/time.ts';
import { isTaken } from '../../inventory/index.ts';
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
  todayAt,
} from '../../pricing/index.ts';
import type { BookingContext } from '../context.ts';
import type { OwnNights } from '../ports/supply.ts';

const atMost = 3;

/** A stay that an application wants at a home today. */
export interface WantedStay {
  listing: Listing;
  stay: Stay;
  party: Party;
  now: EpochMs;
  adjustmentPercent: number;
  /** The nights of the reservation that is about to change; absent: it is a new stay. */
  own?: OwnNights;
}

// The night before the first arrival, which may fill a gap, and the longest preparation.
const nightsBefore = 1;
const nightsAfter = 8;

async function readOpenNights(context: BookingContext, { listing, now, own }: WantedStay) {
  const { first, last } = arrivalWindow(listing, now);
  const from = first - nightsBefore;
  const count = nightsBefore + Math.max(last - first, 0) + limits.nightsPerStay.max + nightsAfter;
  const states = await context.liveReads((signal) =>
    context.supply.openNights(listing.listingId, from, count, signal, own),
  );
  if (isRefusal(states)) return null;
  return { from, nights: states, isTaken: (night: DayNumber) => isTaken({ from, states }, night) };
}

/**
 * Up to three stays of the home that this party could book now. Null: they could not be found in time, which must
 * not hide the refusal that they belong to.
 * Spec: ERROR-8.
 */
export async function findAlternatives(
  context: BookingContext,
  wanted: WantedStay,
): Promise<Alternative[] | null> {
  const { listing, stay, party, now, adjustmentPercent, own } = wanted;
  const today = todayAt(now, listing.timeZone);
  try {
    const open = await readOpenNights(context, wanted);
    return (
      open &&
      nearestStays(listing, stay, now, open, atMost, (near) => {
        // The stay as it is would be no change.
        if (near.checkIn === own?.stay.checkIn && near.checkOut === own.stay.checkOut) return null;
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
