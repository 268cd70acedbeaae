import { indexAfter, type SortKey } from './sort-key.ts';
import type { PublishedListing } from './view.ts';

/** A page of a list, and where the next one begins. */
export interface Page {
  items: readonly PublishedListing[];
  /** The sort key of the last item; null: there is no next page. */
  lastSortKey: SortKey | null;
}

/** The listings after a sort key (null: from the start). `listings` must be sorted by sort key. */
export function pageAfter(
  listings: readonly PublishedListing[],
  after: SortKey | null,
  atMost: number,
): Page {
  const start = indexAfter(listings, after);
  const items = listings.slice(start, start + atMost);
  const more = start + atMost < listings.length;
  return { items, lastSortKey: more ? (items.at(-1)?.sortKey ?? null) : null };
}
