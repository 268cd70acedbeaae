/** The homes of many segments by the lower bound of their total, but only as many as the caller takes. */
import { hasHome, type HomeSet, type Segment, type TotalFloors } from '../../catalog/index.ts';
import { isBefore, type SortedHome } from './sort-key.ts';

/** What decides which homes of a segment are candidates, and in which order. */
interface SearchedHomes {
  floorsOf(segment: Segment): TotalFloors;
  /** Null: all. */
  matches(segment: Segment): HomeSet | null;
  isFree(index: number): boolean;
}

/** The remaining homes of a segment, cheapest first. */
class HomesLeft implements SortedHome {
  readonly #segment: Segment;
  readonly #start: number;
  readonly #floors: TotalFloors;
  #wanted: HomeSet | null = null;
  #taken = -1;
  /** Those of the next home; while it is not known, a key and index before all homes of the segment. */
  key: number;
  index: number;

  constructor(segment: Segment, start: number, floors: TotalFloors) {
    this.#segment = segment;
    this.#start = start;
    this.#floors = floors;
    this.key = floors.least;
    this.index = start;
  }

  /** Whether the next home is known. Most segments are never opened. */
  get isOpen(): boolean {
    return this.#taken >= 0;
  }

  /** Goes to the next home; false: none is left. */
  advance({ matches, isFree }: SearchedHomes): boolean {
    if (!this.isOpen) {
      this.#wanted = matches(this.#segment);
      this.#taken = 0;
    }
    const order = this.#floors.order();
    while (this.#taken < order.length) {
      const offset = order[this.#taken]!;
      this.#taken += 1;
      if (this.#wanted && !hasHome(this.#wanted, offset)) continue;
      this.index = this.#start + offset;
      this.key = this.#floors.byOffset[offset]!;
      if (isFree(this.index)) return true;
    }
    return false;
  }
}

/** Restores a binary heap whose element at an offset may be after those below it. */
function sink(heap: SortedHome[], at: number): void {
  const sinking = heap[at]!;
  for (;;) {
    let below = 2 * at + 1;
    if (below >= heap.length) break;
    if (below + 1 < heap.length && isBefore(heap[below + 1]!, heap[below]!)) below += 1;
    if (!isBefore(heap[below]!, sinking)) break;
    heap[at] = heap[below]!;
    at = below;
  }
  heap[at] = sinking;
}

/**
 * The free homes of segments by their lower bounds. Looks only into the segments whose lowest bound is not above
 * that of the last home that is taken. Null: a part of the work is done.
 */
export function* cheapestFirst(
  segments: readonly Segment[],
  sources: SearchedHomes,
): Generator<SortedHome | null> {
  const heap: HomesLeft[] = [];
  let start = 0;
  for (const segment of segments) {
    heap.push(new HomesLeft(segment, start, sources.floorsOf(segment)));
    start += segment.listings.length;
    yield null;
  }
  for (let at = (heap.length >> 1) - 1; at >= 0; at -= 1) sink(heap, at);
  while (heap.length > 0) {
    const first = heap[0]!;
    yield first.isOpen ? first : null;
    if (!first.advance(sources)) {
      const last = heap.pop()!;
      if (last === first) continue;
      heap[0] = last;
    }
    sink(heap, 0);
  }
}
