const offsetsAtMost = 2 ** 16;

/** Lower bounds of the totals of the homes of a segment. */
export class TotalFloors {
  /** Not negative; Infinity: the home has no price. */
  readonly byOffset: Float32Array;
  /** The lowest of them. */
  readonly least: number;
  #order: Uint16Array | null = null;

  constructor(byOffset: Float32Array) {
    this.byOffset = byOffset;
    let least = Infinity;
    for (const floor of byOffset) if (floor < least) least = floor;
    this.least = least;
  }

  /** The offsets from the lowest bound to the highest, and equal ones in order. */
  order(): Uint16Array {
    return (this.#order ??= sortedOffsets(this.byOffset));
  }
}

/** Sorts offsets as numbers, which is much faster than to compare two of them with a function. */
function sortedOffsets(floors: Float32Array): Uint16Array {
  // The bits of numbers that are not negative are in the order of the numbers.
  const bits = new Uint32Array(floors.buffer, floors.byteOffset, floors.length);
  const sorted = new Float64Array(floors.length);
  for (let offset = 0; offset < sorted.length; offset += 1) {
    sorted[offset] = bits[offset]! * offsetsAtMost + offset;
  }
  sorted.sort();
  const offsets = new Uint16Array(sorted.length);
  for (let at = 0; at < offsets.length; at += 1) offsets[at] = sorted[at]! % offsetsAtMost;
  return offsets;
}
