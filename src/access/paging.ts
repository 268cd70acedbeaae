/** What the pages of all lists have in common. */

/** A page of a read that asked for one item more than `size`. `last`: its last item if others follow, else null. */
export function cutPage<Item>(
  found: readonly Item[],
  size: number,
): { items: Item[]; last: Item | null } {
  const items = found.slice(0, size);
  return { items, last: found.length > size ? items.at(-1)! : null };
}

/** The text of a position in a list that is ordered by a number, then an ID. */
export const positionText = (number: number, id: string): string => `${number} ${id}`;

/** Reads the text of such a position. */
export function positionAt(text: string): [number: number, id: string] {
  const [number, id = ''] = text.split(' ');
  return [Number(number), id];
}
