/** Sets of homes of a segment, by their place in it: one bit for each home. */

const bits = 32;

/** A set of places. So small that it needs no memory outside the heap. */
export type PlaceSet = Int32Array;

/** No place of a segment with this number of homes. */
export const noPlaces = (homes: number): PlaceSet => new Int32Array(Math.ceil(homes / bits));

/** All places of a segment with this number of homes. */
export function allPlaces(homes: number): PlaceSet {
  const all = noPlaces(homes).fill(-1);
  const last = homes % bits;
  if (last !== 0) all[all.length - 1] = (1 << last) - 1;
  return all;
}

/** Adds a place. */
export function addPlace(set: PlaceSet, place: number): void {
  set[place >>> 5] = set[place >>> 5]! | (1 << (place & 31));
}

/** Whether a set has a place. */
export const hasPlace = (set: PlaceSet, place: number): boolean =>
  (set[place >>> 5]! & (1 << (place & 31))) !== 0;

/** Removes the places that another set does not have. */
export function keepPlaces(set: PlaceSet, other: PlaceSet): void {
  for (let word = 0; word < set.length; word += 1) set[word] = set[word]! & other[word]!;
}

/** The places of a set, in order. */
export function placesIn(set: PlaceSet): number[] {
  const places: number[] = [];
  for (let word = 0; word < set.length; word += 1) {
    for (let left = set[word]!; left !== 0; left &= left - 1) {
      places.push(word * bits + 31 - Math.clz32(left & -left));
    }
  }
  return places;
}
