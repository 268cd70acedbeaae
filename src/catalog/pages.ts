import { indexAfter, type Place } from './place.ts';
import type { PublishedListing } from './view.ts';

/** A page of a list, and where the next one begins. */
export interface Page {
  items: readonly PublishedListing[];
  /** The place of the last item; null: there is no next page. */
  lastPlace: Place | null;
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
