/** The homes that may be results of a search: free, and matching the filter. Their rules are checked later. */

import {
  addHome,
  chordOf,
  distanceKm,
  isOpenFilter,
  keepHomes,
  noHomes,
  type HomeSet,
  offsetsIn,
  reachOf,
  type Segment,
  type TotalFloors,
} from '../../catalog/index.ts';
import { staysLike } from '../../pricing/index.ts';
import type { FreeHomes } from '../availability.ts';
import type { HomeSearch, SearchSources } from './home-search.ts';
import { inBands, prepared } from './bands.ts';
import { cheapestFirst } from './cheapest-first.ts';
import type { SortedHome } from './sort-key.ts';

/** A home that may be a result. */
export interface Candidate {
  index: number;
  /** A lower bound of the key of the result. */
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
}: HomeSearch): (segment: Segment) => TotalFloors {
  const stays = staysLike(
    shifts.map(({ nights }) => nights),
    party,
    adjustmentPercent,
  );
  return (segment) => segment.totalFloors(stays);
}

/** The homes whose lower bounds are not above `maxTotal`. Spec: SEARCH-6. */
function affordable({ byOffset: floors }: TotalFloors, maxTotal: number): HomeSet {
  const set = noHomes(floors.length);
  for (let offset = 0; offset < floors.length; offset += 1) {
    if (floors[offset]! <= maxTotal) addHome(set, offset);
  }
  return set;
}

const isFreeOnOne = (free: readonly FreeHomes[], index: number): boolean =>
  free.some((homes) => homes.isFree(index));

/** Makes the function that finds the homes of a segment with what a search wants. Null: all have it. */
function matcher(search: HomeSearch, filter = search.filter): (segment: Segment) => HomeSet | null {
  const { maxTotal } = search;
  if (maxTotal === null) return (segment) => segment.matching(filter);
  const floorsOf = totalFloors(search);
  return (segment) => {
    const set = affordable(floorsOf(segment), maxTotal);
    const wanted = segment.matching(filter);
    if (wanted) keepHomes(set, wanted);
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

/** Candidates in the order of the list. The next segment is searched only when the caller needs more. */
function* byPosition(
  search: HomeSearch,
  { view, free }: SearchSources,
  from: number,
): Generator<Candidate | null> {
  const matches = matcher(search);
  let start = 0;
  for (const segment of view.segments()) {
    const end = start + segment.listings.length;
    const offsets = end <= from ? [] : offsetsIn(matches(segment)!);
    for (const offset of offsets) {
      const index = start + offset;
      if (index >= from && isFreeOnOne(free, index)) yield inOrder(index);
    }
    yield null;
    start = end;
  }
}

// Far above the errors of computed distances, and far below a millimetre.
const inexact = 1e-9;

/** Candidates by distance. */
function* byDistance(
  search: HomeSearch,
  { view, free }: SearchSources,
  after: SortedHome,
): Generator<Candidate | null> {
  const { near, ...filter } = search.filter;
  const { center, radiusKm } = near!;
  const squaresOf = (segment: Segment) => (offset: number) => segment.squaredTo(center, offset);
  const { segments, limits } = yield* prepared(view, matcher(search, filter), squaresOf);
  const circle = reachOf(radiusKm);
  const least = chordOf(Math.max(0, after.key)) ** 2 * (1 - inexact);
  const within = limits.filter((limit) => limit >= least && limit < circle.chord ** 2);
  const squares = inBands(
    segments,
    [...within, Infinity],
    (index) => isFreeOnOne(free, index),
    (segment, above, upTo, visit) => {
      const chord = Math.min(circle.chord, Math.sqrt(upTo) * (1 + inexact));
      segment.visitNear(center, chord, (offset, squared) => {
        const isInBand = squared > above && squared <= upTo && squared >= least;
        if (isInBand && circle.includes(squared)) visit(squared, offset);
      });
    },
  );
  for (const next of squares) {
    const key = next && distanceKm(next.key);
    yield next && { index: next.index, least: key! * (1 - inexact), key };
  }
}

/** Candidates by the lower bound of their total. */
function* byTotal(search: HomeSearch, { view, free }: SearchSources): Generator<Candidate | null> {
  const floors = cheapestFirst(view.segments(), {
    floorsOf: totalFloors(search),
    matches: matcher(search),
    isFree: (index) => isFreeOnOne(free, index),
  });
  for (const next of floors) yield next && { index: next.index, least: next.key, key: null };
}

/** The candidates of a search that can come after a key and index, and perhaps others. */
export function candidatesOf(
  search: HomeSearch,
  sources: SearchSources,
  after: SortedHome,
): Candidates {
  const { sort, filter, maxTotal } = search;
  if (sort === 'distance') return byDistance(search, sources, after);
  // A lower bound says nothing about what comes before a total.
  if (sort === 'total') return byTotal(search, sources);
  const from = after.index + 1;
  const isOpen = maxTotal === null && isOpenFilter(filter);
  return isOpen ? freeFrom(sources.free, from) : byPosition(search, sources, from);
}
