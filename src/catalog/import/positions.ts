/** The order of listings and collections after an import. */

/**
 * The positions of the entries of a file, in its order; null: an entry that has no position yet.
 *
 * Together they take the positions that they have, and new ones at the end. So a file of everything orders
 * everything, a file of some entries moves no other, the same file again moves nothing, and nothing is
 * written for the rest when an entry was only withdrawn or appended.
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
