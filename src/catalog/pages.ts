import type { Place, PublishedListing } from './view.ts';

/** A page of a list, and where the next one begins. */
export interface Page {
  items: readonly PublishedListing[];
  /** The place of the last item; null: there is no next page. */
  lastPlace: Place | null;
}

const isAfter = (place: Place, other: Place): boolean =>
  place.position === other.position
    ? place.listingId > other.listingId
    : place.position > other.position;

/** The index of the first listing after a place (null: 0). `listings` must be sorted by place. */
export function indexAfter(listings: readonly PublishedListing[], after: Place | null): number {
  if (after === null) return 0;
  let low = 0;
  let high = listings.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isAfter(listings[middle]!.place, after)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The listings after a place (null: from the start). `listings` must be sorted by place. */
export function pageAfter(
  listings: readonly PublishedListing[],
  after: Place | null,
  atMost: number,
): Page {
  const start = indexAfter(listings, after);
  const items = listings.slice(start, start + atMost);
  const more = start + atMost < listings.length;
  return { items, lastPlace: more ? (items.at(-1)?.place ?? null) : null };
}
