/** The homes that may be results of a search: free, with what the filter wants. Their rules come later. */

import { type BoundedStay, type Places, placesIn, type Segment } from '../../catalog/index.ts';
import { floorFactors, nightGroups } from '../../pricing/index.ts';
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

/** The candidates of a segment, by their place in it, with lower bounds if totals matter. */
interface Matches {
  places: Places;
  floors: Float64Array | null;
}

function boundedStays({ shifts, party, adjustmentPercent }: HomeSearch): BoundedStay[] {
  return shifts.map(({ nights }) => ({
    nights: nights.length,
    groups: nightGroups(nights),
    factors: floorFactors(nights.length, party, adjustmentPercent),
  }));
}

/** The places of the homes of a segment that are free on one of the stays. */
function freePlaces({ listings }: Segment, start: number, free: readonly FreeHomes[]): Places {
  const isFree = new Uint8Array(listings.length);
  const end = start + listings.length;
  for (const homes of free) {
    let index = homes.nextFree(start);
    for (; index !== -1 && index < end; index = homes.nextFree(index + 1))
      isFree[index - start] = 1;
  }
  return placesIn(isFree);
}

/** Makes the function that finds the candidates of a segment, whose first home has the index `start`. */
function matcher(
  search: HomeSearch,
  free: readonly FreeHomes[],
): (segment: Segment, start: number) => Matches {
  const { filter, maxTotal, sort } = search;
  const stays = maxTotal === null && sort !== 'total' ? null : boundedStays(search);
  return (segment, start) => {
    const places = segment.matching(filter, freePlaces(segment, start, free));
    if (!stays) return { places, floors: null };
    const floors = segment.totalFloors(stays, places);
    if (maxTotal === null) return { places, floors };
    return {
      places: places.filter((_, at) => floors[at]! <= maxTotal),
      floors: floors.filter((floor) => floor <= maxTotal),
    };
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
  #left: Places | null = null;

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
      const next = this.#left.subarray(0, count - taken.length);
      for (const place of next) taken.push({ key: 0, index: this.#start + place });
      this.#left = this.#left.subarray(next.length);
      if (this.#left.length === 0) this.#leaveSegment();
      if (this.#pace.isDue()) await this.#pace.pause();
    }
    return taken;
  }

  #candidates(): Places {
    const segment = this.#segments[this.#segment]!;
    if (this.#start + segment.listings.length <= this.#from) return new Uint16Array();
    const { places } = this.#matches(segment, this.#start);
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

/** Candidates by distance or by the lower bound of their total. All are found at once. */
class BySmallestKey implements Candidates {
  readonly #left: SmallestFirst;

  constructor(all: SmallestFirst) {
    this.#left = all;
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

async function allCandidates(
  search: HomeSearch,
  { view, free }: SearchSources,
  after: Keyed,
  pace: Pace,
): Promise<SmallestFirst> {
  const matches = matcher(search, free);
  const center = search.filter.near?.center;
  const all = new SmallestFirst(view.listings.length);
  let start = 0;
  for (const segment of view.segments()) {
    const { places, floors } = matches(segment, start);
    for (let at = 0; at < places.length; at += 1) {
      const index = start + places[at]!;
      if (search.sort === 'total') all.add(floors![at]!, index);
      else addAfter(all, after, segment.distanceKm(center!, places[at]!), index);
    }
    start += segment.listings.length;
    if (pace.isDue()) await pace.pause();
  }
  return all;
}

// Only for keys that are final: the bound of a total says nothing about what comes before it.
function addAfter(all: SmallestFirst, after: Keyed, key: number, index: number): void {
  if (key > after.key || (key === after.key && index > after.index)) all.add(key, index);
}

/** The candidates of a search that can come after a key and index. */
export async function candidatesOf(
  search: HomeSearch,
  sources: SearchSources,
  after: Keyed,
  pace: Pace,
): Promise<Candidates> {
  return search.sort === 'position'
    ? new ByPosition(search, sources, after.index + 1, pace)
    : new BySmallestKey(await allCandidates(search, sources, after, pace));
}
