/** The homes that may be results of a search: free, with what the filter wants. Their rules come later. */

import {
  addPlace,
  type ByFloor,
  hasPlace,
  keepPlaces,
  noPlaces,
  type PlaceSet,
  placesIn,
  type Segment,
} from '../../catalog/index.ts';
import { staysLike, totalFloor } from '../../pricing/index.ts';
import type { FreeHomes } from '../availability.ts';
import type { HomeSearch, SearchSources } from './home-search.ts';
import type { Pace } from './pace.ts';
import { SmallestFirst, type Keyed } from './smallest-first.ts';

/**
 * Candidates in order. A candidate's key is never above its final key: it is 0 if results are in the order of
 * the list, the distance, or a lower bound of the total.
 */
export interface Candidates {
  /** The next candidates, at most `count`; none: there are no more. */
  take(count: number): Promise<Keyed[]>;
  /** No candidate that is left comes before this one. Undefined: none is left. */
  next(): Keyed | undefined;
}

/** Homes of a segment in the order of lower bounds of their totals. */
interface Bounded {
  byFloor: ByFloor;
  /** The bound of the home at an index of `byFloor`. */
  boundAt(at: number): number;
}

/** Makes the function that orders the homes of a segment by the lower bounds of their totals. */
function bounding({ shifts, adjustmentPercent }: HomeSearch): (segment: Segment) => Bounded {
  const stays = staysLike(shifts.map(({ nights }) => nights));
  return (segment) => {
    const byFloor = segment.byFloor(stays);
    const boundAt = (at: number): number =>
      totalFloor(byFloor.floors[at]!, byFloor.rounding, adjustmentPercent);
    return { byFloor, boundAt };
  };
}

/** The homes of a segment that are free on one of the stays. */
function freePlaces({ listings }: Segment, start: number, free: readonly FreeHomes[]): PlaceSet {
  const set = noPlaces(listings.length);
  const end = start + listings.length;
  for (const homes of free) {
    let index = homes.nextFree(start);
    for (; index !== -1 && index < end; index = homes.nextFree(index + 1)) {
      addPlace(set, index - start);
    }
  }
  return set;
}

/** The homes of a segment whose lower bounds are not above `maxTotal`. */
function affordable({ byFloor, boundAt }: Bounded, maxTotal: number): PlaceSet {
  const { places } = byFloor;
  const set = noPlaces(places.length);
  for (let at = 0; at < places.length && boundAt(at) <= maxTotal; at += 1)
    addPlace(set, places[at]!);
  return set;
}

const isFreeOnOne = (free: readonly FreeHomes[], index: number): boolean =>
  free.some((homes) => homes.isFree(index));

/** Makes the function that finds the candidates of a segment, in order, whose first home has the index `start`. */
function matcher(
  search: HomeSearch,
  free: readonly FreeHomes[],
): (segment: Segment, start: number) => number[] {
  const { filter, maxTotal } = search;
  const bounded = maxTotal === null ? null : bounding(search);
  return (segment, start) => {
    const wanted = segment.matching(filter);
    if (!wanted && !bounded) return placesIn(freePlaces(segment, start, free));
    const set = bounded ? affordable(bounded(segment), maxTotal!) : wanted!;
    if (wanted && bounded) keepPlaces(set, wanted);
    return placesIn(set).filter((place) => isFreeOnOne(free, start + place));
  };
}

/** Candidates in the order of the list, found segment by segment as far as they are taken. */
class ByPosition implements Candidates {
  readonly #segments: readonly Segment[];
  readonly #matches: ReturnType<typeof matcher>;
  readonly #pace: Pace;
  readonly #from: number;
  #segment = 0;
  /** The index of the segment's first home. */
  #start = 0;
  /** The candidates of the segment that have not been taken. */
  #left: readonly number[] | null = null;

  constructor(search: HomeSearch, { view, free }: SearchSources, from: number, pace: Pace) {
    this.#segments = view.segments();
    this.#matches = matcher(search, free);
    this.#from = from;
    this.#pace = pace;
  }

  next(): Keyed | undefined {
    if (this.#segment === this.#segments.length) return undefined;
    return { key: 0, index: Math.max(this.#from, this.#start + (this.#left?.[0] ?? 0)) };
  }

  async take(count: number): Promise<Keyed[]> {
    const taken: Keyed[] = [];
    while (taken.length < count && this.#segment < this.#segments.length) {
      this.#left ??= this.#candidates();
      const next = this.#left.slice(0, count - taken.length);
      for (const place of next) taken.push({ key: 0, index: this.#start + place });
      this.#left = this.#left.slice(next.length);
      if (this.#left.length === 0) this.#leaveSegment();
      if (this.#pace.isDue()) await this.#pace.pause();
    }
    return taken;
  }

  #candidates(): number[] {
    const segment = this.#segments[this.#segment]!;
    if (this.#start + segment.listings.length <= this.#from) return [];
    const places = this.#matches(segment, this.#start);
    return this.#start < this.#from
      ? places.filter((place) => this.#start + place >= this.#from)
      : places;
  }

  #leaveSegment(): void {
    this.#start += this.#segments[this.#segment]!.listings.length;
    this.#segment += 1;
    this.#left = null;
  }
}

/** Candidates by distance. All are found at once. */
class ByDistance implements Candidates {
  readonly #left: SmallestFirst;

  private constructor(all: SmallestFirst) {
    this.#left = all;
  }

  static async open(
    search: HomeSearch,
    { view, free }: SearchSources,
    after: Keyed,
    pace: Pace,
  ): Promise<ByDistance> {
    const matches = matcher(search, free);
    const { center } = search.filter.near!;
    const all = new SmallestFirst(view.listings.length);
    let start = 0;
    for (const segment of view.segments()) {
      for (const place of matches(segment, start)) {
        const [key, index] = [segment.distanceKm(center, place), start + place];
        // Distances are final keys.
        const isAfter = key > after.key || (key === after.key && index > after.index);
        if (isAfter) all.add(key, index);
      }
      start += segment.listings.length;
      if (pace.isDue()) await pace.pause();
    }
    return new ByDistance(all);
  }

  next(): Keyed | undefined {
    return this.#left.peek();
  }

  async take(count: number): Promise<Keyed[]> {
    const taken: Keyed[] = [];
    while (taken.length < count) {
      const next = this.#left.take();
      if (!next) break;
      taken.push(next);
    }
    return taken;
  }
}

/** The candidates of a segment by the lower bound of their total, as far as they have been taken. */
interface Cursor extends Bounded {
  start: number;
  wanted: PlaceSet | null;
  /** The index in `byFloor` of the next candidate. */
  at: number;
}

/** Candidates by the lower bound of their total: those of all segments, merged as far as they are taken. */
class ByTotal implements Candidates {
  readonly #free: readonly FreeHomes[];
  readonly #maxTotal: number;
  readonly #pace: Pace;
  readonly #cursors: Cursor[] = [];
  /** The next candidate of each segment that has one. Its index is that of the cursor. */
  readonly #next: SmallestFirst;

  private constructor({ maxTotal }: HomeSearch, { free, view }: SearchSources, pace: Pace) {
    this.#free = free;
    this.#maxTotal = maxTotal ?? Infinity;
    this.#pace = pace;
    this.#next = new SmallestFirst(view.segments().length);
  }

  static async open(search: HomeSearch, sources: SearchSources, pace: Pace): Promise<ByTotal> {
    const candidates = new ByTotal(search, sources, pace);
    const bounded = bounding(search);
    let start = 0;
    for (const segment of sources.view.segments()) {
      const wanted = segment.matching(search.filter);
      candidates.#add({ ...bounded(segment), start, wanted, at: -1 });
      start += segment.listings.length;
      if (pace.isDue()) await pace.pause();
    }
    return candidates;
  }

  #add(cursor: Cursor): void {
    if (this.#advance(cursor)) this.#next.add(cursor.boundAt(cursor.at), this.#cursors.length);
    this.#cursors.push(cursor);
  }

  /** Moves a cursor to its next candidate. False: it has no more. */
  #advance(cursor: Cursor): boolean {
    const { places } = cursor.byFloor;
    for (cursor.at += 1; cursor.at < places.length; cursor.at += 1) {
      const place = places[cursor.at]!;
      const isWanted = cursor.wanted === null || hasPlace(cursor.wanted, place);
      if (isWanted && isFreeOnOne(this.#free, cursor.start + place)) break;
    }
    return cursor.at < places.length && cursor.boundAt(cursor.at) <= this.#maxTotal;
  }

  next(): Keyed | undefined {
    const next = this.#next.peek();
    return next && { key: next.key, index: this.#indexAt(this.#cursors[next.index]!) };
  }

  #indexAt({ start, byFloor, at }: Cursor): number {
    return start + byFloor.places[at]!;
  }

  async take(count: number): Promise<Keyed[]> {
    const taken: Keyed[] = [];
    while (taken.length < count) {
      const next = this.#next.peek();
      if (!next) break;
      const cursor = this.#cursors[next.index]!;
      taken.push({ key: next.key, index: this.#indexAt(cursor) });
      if (this.#advance(cursor)) this.#next.replaceFirst(cursor.boundAt(cursor.at), next.index);
      else this.#next.take();
      if (this.#pace.isDue()) await this.#pace.pause();
    }
    return taken;
  }
}

/** The candidates of a search that can come after a key and index. */
export async function candidatesOf(
  search: HomeSearch,
  sources: SearchSources,
  after: Keyed,
  pace: Pace,
): Promise<Candidates> {
  const { sort } = search;
  if (sort === 'position') return new ByPosition(search, sources, after.index + 1, pace);
  // A lower bound says nothing about what comes before a total.
  if (sort === 'total') return ByTotal.open(search, sources, pace);
  return ByDistance.open(search, sources, after, pace);
}
