/** Sets of homes of a segment, by their offset in it: one bit for each home. */

const bits = 32;

/** A set of offsets. So small that it needs no memory outside the heap. */
export type HomeSet = Int32Array;

/** No offset of a segment with this number of homes. */
export const noHomes = (homes: number): HomeSet => new Int32Array(Math.ceil(homes / bits));

/** All offsets of a segment with this number of homes. */
export function allHomes(homes: number): HomeSet {
  const all = noHomes(homes).fill(-1);
  const last = homes % bits;
  if (last !== 0) all[all.length - 1] = (1 << last) - 1;
  return all;
}

/** Adds an offset. */
export function addHome(set: HomeSet, offset: number): void {
  set[offset >>> 5] = set[offset >>> 5]! | (1 << (offset & 31));
}

/** Whether a set has an offset. */
export const hasHome = (set: HomeSet, offset: number): boolean =>
  (set[offset >>> 5]! & (1 << (offset & 31))) !== 0;

/** Removes the offsets that another set does not have. */
export function keepHomes(set: HomeSet, other: HomeSet): void {
  for (let word = 0; word < set.length; word += 1) set[word] = set[word]! & other[word]!;
}

/** The offsets of a set, in order. */
export function offsetsIn(set: HomeSet): number[] {
  const offsets: number[] = [];
  for (let word = 0; word < set.length; word += 1) {
    for (let left = set[word]!; left !== 0; left &= left - 1) {
      offsets.push(word * bits + 31 - Math.clz32(left & -left));
    }
  }
  return offsets;
}
