import type { SoldListing } from './snapshot.ts';

/** A part of a list, and where the next one begins. */
export interface Page {
  items: readonly SoldListing[];
  /** The place of the last item; null: the list ends here. */
  lastPlace: number | null;
}

/** The listings after a place, in order. `listings` is sorted by place. */
export function pageAfter(listings: readonly SoldListing[], after: number, atMost: number): Page {
  const start = listings.findIndex(({ place }) => place > after);
  if (start === -1) return { items: [], lastPlace: null };
  const items = listings.slice(start, start + atMost);
  const more = start + atMost < listings.length;
  return { items, lastPlace: more ? (items.at(-1)?.place ?? null) : null };
}
