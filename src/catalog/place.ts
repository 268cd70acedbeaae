/** The sort key of a listing. It does not change when other listings are added or removed. */
export interface Place {
  position: number;
  listingId: string;
}

const isAfter = (place: Place, other: Place): boolean =>
  place.position === other.position
    ? place.listingId > other.listingId
    : place.position > other.position;

/** The index of the first listing after a place (null: 0). `listings` must be sorted by place. */
export function indexAfter(listings: readonly { place: Place }[], after: Place | null): number {
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
