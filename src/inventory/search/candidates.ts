/** The homes that may be results of a search: free, with what the filter wants. Their rules come later. */

import {
  addPlace,
  chordOf,
  type Circle,
  distanceKm,
  hasPlace,
  isOpenFilter,
  keepPlaces,
  noPlaces,
  type PlaceSet,
  placesIn,
  ringsWithin,
  type Segment,
} from '../../catalog/index.ts';
import { staysLike } from '../../pricing/index.ts';
import type { FreeHomes } from '../availability.ts';
import type { HomeSearch, SearchSources } from './home-search.ts';
import { isBefore, type Keyed } from './keyed.ts';

/** A home that may be a result. */
export interface Candidate {
  index: number;
  /** Not above the key of the result. */
  least: number;
  /** The key of the result: 0 if results are in the order of the list, or the distance. Null: the total. */
  key: number | null;
}

/**
 * Candidates, ordered by `least`. Null: a part of the work is done without finding one, so that the caller can let
 * other work run.
 */
export type Candidates = Iterable<Candidate | null>;

/** Makes the function that returns lower bounds of the totals of the homes of a segment. */
function totalFloors({
  shifts,
  party,
  adjustmentPercent,
}: HomeSearch): (segment: Segment) => Float32Array {
  const stays = staysLike(
    shifts.map(({ nights }) => nights),
    party,
    adjustmentPercent,
  );
  return (segment) => segment.totalFloors(stays);
}

/** The homes whose lower bounds are not above `maxTotal`. */
function affordable(floors: Float32Array, maxTotal: number): PlaceSet {
  const set = noPlaces(floors.length);
  for (let place = 0; place < floors.length; place += 1) {
    if (floors[place]! <= maxTotal) addPlace(set, place);
  }
  return set;
}

const isFreeOnOne = (free: readonly FreeHomes[], index: number): boolean =>
  free.some((homes) => homes.isFree(index));

/** Makes the function that finds the homes of a segment with what a search wants. Null: all have it. */
function matcher(
  search: HomeSearch,
  filter = search.filter,
): (segment: Segment) => PlaceSet | null {
  const { maxTotal } = search;
  if (maxTotal === null) return (segment) => segment.matching(filter);
  const floorsOf = totalFloors(search);
  return (segment) => {
    const set = affordable(floorsOf(segment), maxTotal);
    const wanted = segment.matching(filter);
    if (wanted) keepPlaces(set, wanted);
    return set;
  };
}

const inOrder = (index: number): Candidate => ({ index, least: 0, key: 0 });

/** The homes from an index on that are free on one of the stays. */
function* freeFrom(free: readonly FreeHomes[], from: number): Generator<Candidate> {
  const nextOf = (homes: FreeHomes, start: number): number => {
    const next = homes.nextFree(start);
    return next === -1 ? Infinity : next;
  };
  const nexts = free.map((homes) => nextOf(homes, from));
  for (let index = Math.min(...nexts); index !== Infinity; index = Math.min(...nexts)) {
    yield inOrder(index);
    for (let at = 0; at < nexts.length; at += 1) {
      if (nexts[at] === index) nexts[at] = nextOf(free[at]!, index + 1);
    }
  }
}

/** Candidates in the order of the list, found segment by segment as far as they are taken. */
function* byPosition(
  search: HomeSearch,
  { view, free }: SearchSources,
  from: number,
): Generator<Candidate | null> {
  const matches = matcher(search);
  let start = 0;
  for (const segment of view.segments()) {
    const end = start + segment.listings.length;
    const places = end <= from ? [] : placesIn(matches(segment)!);
    for (const place of places) {
      const index = start + place;
      if (index >= from && isFreeOnOne(free, index)) yield inOrder(index);
    }
    yield null;
    start = end;
  }
}

/** A segment of a view: the index of its first home, and those that a search wants; null: all. */
interface Searched {
  segment: Segment;
  start: number;
  wanted: PlaceSet | null;
}

/** Divides a view into its segments, and finds what is wanted in each of them. */
function* searched(
  view: SearchSources['view'],
  matches: (segment: Segment) => PlaceSet | null,
): Generator<null, Searched[]> {
  const all: Searched[] = [];
  let start = 0;
  for (const segment of view.segments()) {
    all.push({ segment, start, wanted: matches(segment) });
    start += segment.listings.length;
    yield null;
  }
  return all;
}

/** Visits the homes of a segment whose keys are in a band. */
type Band = (segment: Segment, visit: (key: number, place: number) => void) => void;

const byKey = (one: Keyed, other: Keyed): number => (isBefore(one, other) ? -1 : 1);

/** The free homes of segments, sorted by key, band by band: as a rule, the first bands are enough. */
function* inBands(
  segments: readonly Searched[],
  free: readonly FreeHomes[],
  bands: Iterable<Band>,
): Generator<Keyed | null> {
  for (const band of bands) {
    const found: Keyed[] = [];
    for (const { segment, start, wanted } of segments) {
      band(segment, (key, place) => {
        if (wanted && !hasPlace(wanted, place)) return;
        const index = start + place;
        if (isFreeOnOne(free, index)) found.push({ key, index });
      });
      yield null;
    }
    yield* found.toSorted(byKey);
  }
}

// Far above the errors of computed distances, and far below a millimetre.
const inexact = 1e-9;

/** Bands of squared distances from the nearest, from a great-circle distance on. */
function* bandsOfDistance({ center, radiusKm }: Circle, fromKm: number): Generator<Band> {
  const least = chordOf(Math.max(0, fromKm)) ** 2 * (1 - inexact);
  for (const ring of ringsWithin(radiusKm)) {
    if (ring.chord ** 2 < least) continue;
    yield (segment, visit) =>
      segment.visitNear(center, ring, (place, squared) => {
        if (squared >= least) visit(squared, place);
      });
  }
}

/** Candidates by distance. */
function* byDistance(
  search: HomeSearch,
  { view, free }: SearchSources,
  after: Keyed,
): Generator<Candidate | null> {
  const { near, ...filter } = search.filter;
  const segments = yield* searched(view, matcher(search, filter));
  for (const next of inBands(segments, free, bandsOfDistance(near!, after.key))) {
    const key = next && distanceKm(next.key);
    yield next && { index: next.index, least: key! * (1 - inexact), key };
  }
}

// More than a page needs, if few of the homes are refused by their rules.
const firstAtOnce = 256;
const growth = 4;
// A home of so many shows where a band should end.
const homesPerSample = 32;

/** Where bands end that have about 256 homes, then four times as many: estimated from some of the homes. */
function limitsOf(floors: readonly Float32Array[]): number[] {
  const some: number[] = [];
  for (const one of floors) {
    for (let place = 0; place < one.length; place += homesPerSample) some.push(one[place]!);
  }
  const sample = Float32Array.from(some).toSorted();
  const limits = [];
  for (let at = firstAtOnce / homesPerSample; at < sample.length; at *= growth) {
    limits.push(sample[at]!);
  }
  return [...limits, Infinity];
}

/** Candidates by the lower bound of their total. */
function* byTotal(search: HomeSearch, { view, free }: SearchSources): Generator<Candidate | null> {
  const floorsOf = totalFloors(search);
  const segments = yield* searched(view, matcher(search));
  const limits = limitsOf(segments.map(({ segment }) => floorsOf(segment)));
  const bands = limits.map((limit, at): Band => {
    const above = limits[at - 1] ?? -Infinity;
    return (segment, visit) => {
      const floors = floorsOf(segment);
      for (let place = 0; place < floors.length; place += 1) {
        const floor = floors[place]!;
        if (floor > above && floor <= limit) visit(floor, place);
      }
    };
  });
  for (const next of inBands(segments, free, bands)) {
    yield next && { index: next.index, least: next.key, key: null };
  }
}

/** The candidates of a search that can come after a key and index, and perhaps others. */
export function candidatesOf(search: HomeSearch, sources: SearchSources, after: Keyed): Candidates {
  const { sort, filter, maxTotal } = search;
  if (sort === 'distance') return byDistance(search, sources, after);
  // A lower bound says nothing about what comes before a total.
  if (sort === 'total') return byTotal(search, sources);
  const from = after.index + 1;
  const isOpen = maxTotal === null && isOpenFilter(filter);
  return isOpen ? freeFrom(sources.free, from) : byPosition(search, sources, from);
}
