import { indexAfter, type SortKey } from '../sort-key.ts';
import { type SortedListing, Segment } from './segment.ts';

/** The homes of a new segment. Few enough that each part of it is made in a few milliseconds. */
export const homesPerSegment = 256;

/** The index of the first listing that is not before a sort key. */
function indexFrom(listings: readonly SortedListing[], sortKey: SortKey): number {
  const after = indexAfter(listings, sortKey);
  const last = listings[after - 1]?.sortKey;
  const isSame = last?.position === sortKey.position && last.listingId === sortKey.listingId;
  return isSame ? after - 1 : after;
}

const holds = (
  { listings: held }: Segment,
  listings: readonly SortedListing[],
  from: number,
  to: number,
): boolean => held.length === to - from && held.every((one, at) => one === listings[from + at]);

function newSegments(listings: readonly SortedListing[], from: number, to: number): Segment[] {
  const count = Math.ceil((to - from) / homesPerSegment);
  return Array.from({ length: count }, (_, at) => {
    const start = from + Math.floor((at * (to - from)) / count);
    const end = from + Math.floor(((at + 1) * (to - from)) / count);
    return new Segment(listings.slice(start, end));
  });
}

/**
 * Divides the listings of a view, sorted by sort key, into segments. Segments of an earlier view whose homes are
 * the same are used again: a change of one home makes one segment new.
 */
export function segmentsOf(
  listings: readonly SortedListing[],
  before: readonly Segment[],
): Segment[] {
  const starts = before.map((segment) => indexFrom(listings, segment.listings[0]!.sortKey));
  const ranges = before.map((segment, at) => ({
    segment,
    from: at === 0 ? 0 : starts[at]!,
    to: starts[at + 1] ?? listings.length,
  }));
  const next = ranges.flatMap(({ segment, from, to }) =>
    holds(segment, listings, from, to) ? [segment] : newSegments(listings, from, to),
  );
  // Most homes of the segments are gone: make larger ones.
  const isFragmented = next.length > 3 * Math.ceil(listings.length / homesPerSegment);
  return before.length === 0 || isFragmented ? newSegments(listings, 0, listings.length) : next;
}
