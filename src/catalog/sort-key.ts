/** The sort key of a listing. It does not change when other listings are added or removed. */
export interface SortKey {
  position: number;
  listingId: string;
}

const isAfter = (sortKey: SortKey, other: SortKey): boolean =>
  sortKey.position === other.position
    ? sortKey.listingId > other.listingId
    : sortKey.position > other.position;

/** The index of the first listing after a sort key (null: 0). `listings` must be sorted by sort key. */
export function indexAfter(
  listings: readonly { sortKey: SortKey }[],
  after: SortKey | null,
): number {
  if (after === null) return 0;
  let low = 0;
  let high = listings.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isAfter(listings[middle]!.sortKey, after)) high = middle;
    else low = middle + 1;
  }
  return low;
}
