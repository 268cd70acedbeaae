/** A home by its index in the view, with the key by which it is sorted. */
export interface SortedHome {
  key: number;
  index: number;
}

/** Compares by key, then by index. Keys may be Infinity. */
export const isBefore = (one: SortedHome, other: SortedHome): boolean =>
  one.key < other.key || (one.key === other.key && one.index < other.index);
