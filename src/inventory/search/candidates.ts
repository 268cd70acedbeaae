/** The homes that may be results of a search: free, with what the filter wants. Their rules come later. */

import {
  addPlace,
  type ByFloor,
  chordOf,
  distanceKm,
  growingReach,
  hasPlace,
  isOpenFilter,
  keepPlaces,
  noPlaces,
  type PlaceSet,
  placesIn,
  type Segment,
} from '../../catalog/index.ts';
import { staysLike, totalFloor } from '../../pricing/index.ts';
import type { FreeHomes } from '../availability.ts';
import type { HomeSearch, SearchSources } from './home-search.ts';
import { FirstFew } from './first-few.ts';
import { SmallestFirst, type Keyed } from './smallest-first.ts';

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

/** Makes the function that finds the homes of a segment with what a search wants. Null: all have it. */
function matcher(
  search: HomeSearch,
  filter = search.filter,
): (segment: Segment) => PlaceSet | null {
  const { maxTotal } = search;
  if (maxTotal === null) return (segment) => segment.matching(filter);
  const bounded = bounding(search);
  return (segment) => {
    const set = affordable(bounded(segment), maxTotal);
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

// Far above the errors of computed distances, and far below a millimetre.
const inexact = 1e-9;

// More than a page needs, if few of them are refused by their rules.
const nearestAtFirst = 256;
const growth = 8;

/**
 * Candidates by distance: first those near the center, then those further and further away. All homes within a
 * reach are compared, but only the nearest are kept and sorted.
 */
function* byDistance(
  search: HomeSearch,
  { view, free }: SearchSources,
  after: Keyed,
): Generator<Candidate | null> {
  const { near, ...others } = search.filter;
  const { center, radiusKm } = near!;
  const matches = matcher(search, others);
  const segments: { segment: Segment; start: number; wanted: PlaceSet | null }[] = [];
  let start = 0;
  for (const segment of view.segments()) {
    segments.push({ segment, start, wanted: matches(segment) });
    start += segment.listings.length;
    yield null;
  }
  let last: Keyed = { key: chordOf(Math.max(0, after.key)) ** 2 * (1 - inexact), index: -1 };
  for (const reach of growingReach(radiusKm)) {
    if (reach.chord ** 2 < last.key) continue;
    for (let most = nearestAtFirst; ; most *= growth) {
      const nearest = new FirstFew(most);
      for (const { segment, start: first, wanted } of segments) {
        segment.visitNear(center, reach, (place, squared) => {
          const index = first + place;
          const isNear = squared >= last.key && squared < nearest.below;
          if (!isNear || (squared === last.key && index <= last.index)) return;
          if (wanted && !hasPlace(wanted, place)) return;
          if (isFreeOnOne(free, index)) nearest.add(squared, index);
        });
        yield null;
      }
      const found = nearest.inOrder();
      for (const { key: squared, index } of found) {
        const key = distanceKm(squared);
        yield { index, least: key * (1 - inexact), key };
      }
      last = found.at(-1) ?? last;
      if (found.length < most) break;
    }
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
function* byTotal(search: HomeSearch, { view, free }: SearchSources): Generator<Candidate | null> {
  const mostTotal = search.maxTotal ?? Infinity;
  const bounded = bounding(search);
  const cursors: Cursor[] = [];
  // The next candidate of each segment that has one, by the index of its cursor.
  const nexts = new SmallestFirst();

  const indexAt = ({ start, byFloor, at }: Cursor): number => start + byFloor.places[at]!;

  /** Moves a cursor to its next candidate. False: it has no more. */
  function advance(cursor: Cursor): boolean {
    const { places } = cursor.byFloor;
    for (cursor.at += 1; cursor.at < places.length; cursor.at += 1) {
      const isWanted = cursor.wanted === null || hasPlace(cursor.wanted, places[cursor.at]!);
      if (isWanted && isFreeOnOne(free, indexAt(cursor))) break;
    }
    return cursor.at < places.length && cursor.boundAt(cursor.at) <= mostTotal;
  }

  let start = 0;
  for (const segment of view.segments()) {
    const wanted = segment.matching(search.filter);
    const cursor = { ...bounded(segment), start, wanted, at: -1 };
    if (advance(cursor)) nexts.add(cursor.boundAt(cursor.at), cursors.length);
    cursors.push(cursor);
    start += segment.listings.length;
    yield null;
  }
  for (let next = nexts.peek(); next; next = nexts.peek()) {
    const cursor = cursors[next.index]!;
    yield { index: indexAt(cursor), least: next.key, key: null };
    if (advance(cursor)) nexts.replaceFirst(cursor.boundAt(cursor.at), next.index);
    else nexts.take();
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
