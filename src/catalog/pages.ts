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

/** The listings after a place (null: from the start). `listings` must be sorted by place. */
export function pageAfter(
  listings: readonly PublishedListing[],
  after: Place | null,
  atMost: number,
): Page {
  const start = after === null ? 0 : listings.findIndex(({ place }) => isAfter(place, after));
  if (start === -1) return { items: [], lastPlace: null };
  const items = listings.slice(start, start + atMost);
  const more = start + atMost < listings.length;
  return { items, lastPlace: more ? (items.at(-1)?.place ?? null) : null };
}
