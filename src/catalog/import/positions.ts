/** The order of listings and collections after an import. */

/**
 * The positions of the entries of a file, in its order; null: an entry that has no position yet.
 *
 * The entries share the positions that they already have, and new positions at the end. So a complete file orders
 * all entries, and a file of some entries moves no others. Importing the same file again moves nothing. If an
 * entry was only withdrawn or appended, nothing is written for the others.
 *
 * `next`: the position after all others.
 */
export function positionsOf(known: readonly (number | null)[], next: number): number[] {
  let end = next;
  const taken = known.map((position) => position ?? end++).toSorted((a, b) => a - b);
  let last = -1;
  return taken.map((position) => (last = Math.max(position, last + 1)));
}

/** The position after all others. */
export function positionAfter(placed: Iterable<{ position: number }>): number {
  let next = 0;
  for (const { position } of placed) next = Math.max(next, position + 1);
  return next;
}
