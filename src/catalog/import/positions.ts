/** The order of listings and collections after an import. */

/** `merge`: what the file does not name stays. `replace`: it is withdrawn from sale. */
export type ImportMode = 'merge' | 'replace';

const ascending = (positions: readonly number[]): boolean =>
  positions.every((position, at) => at === 0 || positions[at - 1]! < position);

/**
 * The positions of the entries of a file, in its order; null: an entry that has no position yet.
 *
 * A merge lets the known entries keep their positions as a set, in the order of the file, and puts new ones
 * at the end. So a file of some entries moves no other. A replacement orders everything; positions that are
 * in order already stay, so that nothing is written for an entry that was only withdrawn or appended.
 *
 * `next`: the position after all others.
 */
export function positionsOf(
  mode: ImportMode,
  known: readonly (number | null)[],
  next: number,
): number[] {
  const kept = known.filter((position) => position !== null).toSorted((a, b) => a - b);
  let used = 0;
  let end = next;
  const merged = known.map((position) => (position === null ? end++ : kept[used++]!));
  if (mode === 'merge' || ascending(merged)) return merged;
  return known.map((_, at) => at);
}

/** The position after all others. */
export function positionAfter(placed: Iterable<{ position: number }>): number {
  let next = 0;
  for (const { position } of placed) next = Math.max(next, position + 1);
  return next;
}
