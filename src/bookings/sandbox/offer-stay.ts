/** Stays that an application could book now, for the tasks of conformance runs. */
import type { PublishedListing } from '../../catalog/index.ts';
import type { EpochMs } from '../../contract/time.ts';
import { type DayNumber, normaliseParty, partyRefusal } from '../../pricing/index.ts';
import type { BookingContext } from '../context.ts';
import { findAlternatives } from '../operations/alternatives.ts';

/** A stay with its price. */
export interface OfferedStay {
  listingId: string;
  checkIn: string;
  checkOut: string;
  adults: number;
  total: number;
  currency: string;
}

const fewNights = 2;

/** A stay of a home near a day; null: there is none, or the home takes no such party. */
export async function offerStay(
  context: BookingContext,
  { listing }: PublishedListing,
  wanted: { near: DayNumber; adults: number; adjustmentPercent: number; now: EpochMs },
): Promise<OfferedStay | null> {
  const { near, adults, adjustmentPercent, now } = wanted;
  const party = normaliseParty({ adults });
  if (partyRefusal(listing, party)) return null;
  const stay = { checkIn: near, checkOut: near + fewNights };
  const asked = { listing, stay, party, now, adjustmentPercent };
  const [found] = (await findAlternatives(context, asked)) ?? [];
  if (!found || found.total === 0) return null;
  return { listingId: listing.listingId, adults, ...found };
}

/** The largest party of adults that a home takes, and one more. */
export function tooManyAdults({ listing }: PublishedListing, most: number): number | null {
  for (let adults = 1; adults <= most; adults += 1) {
    if (partyRefusal(listing, normaliseParty({ adults }))) return adults;
  }
  return null;
}
