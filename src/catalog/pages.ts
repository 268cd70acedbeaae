import type { Place, SoldListing } from './snapshot.ts';

/** A part of a list, and where the next one begins. */
export interface Page {
  items: readonly SoldListing[];
  /** The place of the last item; null: the list ends here. */
  lastPlace: Place | null;
}

const isAfter = (place: Place, other: Place): boolean =>
  place.position === other.position
    ? place.listingId > other.listingId
    : place.position > other.position;

/** The listings after a place (null: from the beginning), in order. `listings` is sorted by place. */
export function pageAfter(
  listings: readonly SoldListing[],
  after: Place | null,
  atMost: number,
): Page {
  const start = after === null ? 0 : listings.findIndex(({ place }) => isAfter(place, after));
  if (start === -1) return { items: [], lastPlace: null };
  const items = listings.slice(start, start + atMost);
  const more = start + atMost < listings.length;
  return { items, lastPlace: more ? (items.at(-1)?.place ?? null) : null };
}
