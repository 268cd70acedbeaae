/** Homes of many segments sorted by a key, but only as many as the caller takes. */
import { type CatalogView, hasHome, type HomeSet, type Segment } from '../../catalog/index.ts';
import { isBefore, type SortedHome } from './sort-key.ts';

/** A segment of a view: the index of its first home, and those that a search wants; null: all. */
export interface Searched {
  segment: Segment;
  start: number;
  wanted: HomeSet | null;
}

// The first band has more than a page needs, if few of its homes are refused by their rules. A band of the
// most homes is sorted within some milliseconds.
const homesOfFirstBand = 256;
const mostHomesOfBand = 4_096;
const growth = 4;
// One home in 32 is sampled to find where the bands should end.
const homesPerSample = 32;

/** Where bands end, by the keys of some homes; the last band has all other homes. */
function limitsOf(sample: readonly number[]): number[] {
  const keys = Float64Array.from(sample.filter((key) => !Number.isNaN(key))).toSorted();
  const limits = new Set<number>();
  let homes = homesOfFirstBand;
  for (let at = homes / homesPerSample; at < keys.length; at = homes / homesPerSample) {
    limits.add(keys[at]!);
    homes += Math.min(homes * (growth - 1), mostHomesOfBand);
  }
  return [...limits.add(Infinity)];
}

/**
 * Prepares the segments of a view, and yields null after each: finds the wanted homes in them, and where bands of
 * the keys should end. A key is NaN if the home has none.
 */
export function* prepared(
  view: CatalogView,
  matches: (segment: Segment) => HomeSet | null,
  keysOf: (segment: Segment) => (offset: number) => number,
): Generator<null, { segments: Searched[]; limits: number[] }> {
  const segments: Searched[] = [];
  const sample: number[] = [];
  let start = 0;
  for (const segment of view.segments()) {
    const homes = segment.listings.length;
    segments.push({ segment, start, wanted: matches(segment) });
    const keyAt = keysOf(segment);
    for (let offset = 0; offset < homes; offset += homesPerSample) sample.push(keyAt(offset));
    start += homes;
    yield null;
  }
  return { segments, limits: limitsOf(sample) };
}

/** Visits the homes of a segment whose keys are above one number and not above another. */
type VisitBand = (
  segment: Segment,
  above: number,
  upTo: number,
  visit: (key: number, offset: number) => void,
) => void;

const byKey = (one: SortedHome, other: SortedHome): number => (isBefore(one, other) ? -1 : 1);

/** The free homes of segments, sorted by key, band by band: usually the first is enough. */
export function* inBands(
  segments: readonly Searched[],
  limits: readonly number[],
  isFree: (index: number) => boolean,
  visitBand: VisitBand,
): Generator<SortedHome | null> {
  let above = -Infinity;
  for (const upTo of limits) {
    const found: SortedHome[] = [];
    for (const { segment, start, wanted } of segments) {
      visitBand(segment, above, upTo, (key, offset) => {
        if (wanted && !hasHome(wanted, offset)) return;
        const index = start + offset;
        if (isFree(index)) found.push({ key, index });
      });
      yield null;
    }
    yield* found.toSorted(byKey);
    above = upTo;
  }
}
