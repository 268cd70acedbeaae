/** The homes to which a reservation could move: free for its nights, with what it would cost there. */
import { staffActs } from '../../api/staff-acts.ts';
import { pricedMove, type PricedMove } from '../../bookings/index.ts';
import type { PublishedListing } from '../../catalog/index.ts';
import { isRefusal } from '../../contract/errors.ts';
import { operatorLimits } from '../../contract/operator/limits.ts';
import { stayInputRefusal, todayAt } from '../../pricing/index.ts';
import type { OperatorContext } from '../context.ts';

/** Homes that are priced at most: a price takes longer than finding a free home. */
const mostPriced = 500;

/** The free homes of the catalog with room for the party, those of the same collection first. */
async function freeHomes(
  { catalog, availability, now }: OperatorContext,
  { catalogId, listingId, stay, party }: PricedMove,
): Promise<PublishedListing[]> {
  // Which nights of the past were free is not known, and nobody moves there.
  if (stayInputRefusal(stay, todayAt(now(), null)).length > 0) return [];
  const view = [...catalog.views()].find((each) => each.catalogId === catalogId);
  if (!view) return [];
  const { listings } = view;
  const { signal } = new AbortController();
  const free = await availability.freeHomes(listings, stay, signal);
  const guests = party.adults + party.children;
  const found = listings.filter(
    ({ listing }, at) =>
      listing.listingId !== listingId &&
      (listing.sleeps === null || listing.sleeps >= guests) &&
      free.isFree(at),
  );
  const own = listings.find(({ listing }) => listing.listingId === listingId)?.listing;
  const nearness = ({ listing }: PublishedListing): number =>
    (listing.collectionId === own?.collectionId ? 0 : 2) +
    (listing.destination === own?.destination ? 0 : 1);
  return found.toSorted((one, other) => nearness(one) - nearness(other));
}

function homesAt(homes: readonly PublishedListing[], move: PricedMove) {
  return homes.slice(0, mostPriced).flatMap(({ listing }) => {
    const priced = move.priceAt(listing);
    if (!priced) return [];
    const { listingId, slug, name, destination, sleeps, bedrooms, currency } = listing;
    const { total, warnings } = priced;
    const difference = total - move.total;
    return [
      {
        listingId,
        listing: slug,
        name,
        destination,
        sleeps,
        bedrooms,
        currency,
        total,
        difference,
        warnings,
      },
    ];
  });
}

/** Where a reservation could move. */
export const freeHomeActs = staffActs<OperatorContext>()({
  'operator.reservation.freeHomes': async ({ context, params, query }) => {
    const { checkIn, checkOut, ...party } = query;
    const move = await pricedMove(context.bookings, params.reference, { checkIn, checkOut, party });
    if (isRefusal(move)) return move;
    const homes = await freeHomes(context, move);
    const priced = homesAt(homes, move);
    // Homes whose rules the stay keeps come first; otherwise the order stays.
    const kept = priced.toSorted(
      (one, other) => Number(one.warnings.length > 0) - Number(other.warnings.length > 0),
    );
    return {
      currency: move.currency,
      total: move.total,
      free: homes.length,
      items: kept.slice(0, operatorLimits.freeHomes),
    };
  },
});
