const placesAtMost = 2 ** 16;

/** Lower bounds of the totals of the homes of a segment. */
export class TotalFloors {
  /** Not negative; Infinity: the home has no price. */
  readonly byPlace: Float32Array;
  /** The lowest of them. */
  readonly least: number;
  #order: Uint16Array | null = null;

  constructor(byPlace: Float32Array) {
    this.byPlace = byPlace;
    let least = Infinity;
    for (const floor of byPlace) if (floor < least) least = floor;
    this.least = least;
  }

  /** The places from the lowest bound to the highest, and equal ones in order. */
  order(): Uint16Array {
    return (this.#order ??= sortedPlaces(this.byPlace));
  }
}

/** Sorts places as numbers, which is much faster than to compare two of them with a function. */
function sortedPlaces(floors: Float32Array): Uint16Array {
  // The bits of numbers that are not negative are in the order of the numbers.
  const bits = new Uint32Array(floors.buffer, floors.byteOffset, floors.length);
  const sorted = new Float64Array(floors.length);
  for (let place = 0; place < sorted.length; place += 1) {
    sorted[place] = bits[place]! * placesAtMost + place;
  }
  sorted.sort();
  const places = new Uint16Array(sorted.length);
  for (let at = 0; at < places.length; at += 1) places[at] = sorted[at]! % placesAtMost;
  return places;
}
