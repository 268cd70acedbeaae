import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import type { PublishedListing } from '../view.ts';
import type { Segment } from './segment.ts';
import { homesPerSegment, segmentsOf } from './segments.ts';

const home = (number: number): PublishedListing => {
  const listingId = String(number).padStart(6, '0');
  return {
    listing: { listingId },
    sortKey: { position: number % 7, listingId },
  } as PublishedListing;
};

const sorted = (homes: Iterable<PublishedListing>): PublishedListing[] =>
  [...homes].toSorted(
    (a, b) =>
      a.sortKey.position - b.sortKey.position ||
      (a.sortKey.listingId < b.sortKey.listingId ? -1 : 1),
  );

const listingsIn = (segments: readonly Segment[]) => segments.flatMap(({ listings }) => listings);

suite('segments', () => {
  test('hold the listings in order, and are used again where nothing has changed', () => {
    const changes = fc.array(
      fc.record({
        number: fc.nat(5_000),
        does: fc.constantFrom('add', 'change', 'remove'),
        count: fc.constantFrom(1, 1, 1, 2, 700),
      }),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(fc.constantFrom(0, 1, 255, 256, 257, 2_000), changes, (count, steps) => {
        const homes = new Map(Array.from({ length: count }, (_, n) => [n, home(n)] as const));
        let segments = segmentsOf(sorted(homes.values()), []);
        for (const { number, does, count: times } of steps) {
          const changed = Array.from({ length: times }, (_, at) => number + at);
          let touched = 0;
          for (const one of changed) {
            if (does !== 'add' && !homes.has(one)) continue;
            touched += 1;
            if (does === 'remove') homes.delete(one);
            else homes.set(one, home(one));
          }
          const listings = sorted(homes.values());
          const next = segmentsOf(listings, segments);
          assert.deepEqual(listingsIn(next), listings);
          assert.ok(listingsIn(next).every((one, at) => one === listings[at]));
          assert.ok(next.every(({ listings: { length } }) => length >= 1));
          assert.ok(next.every(({ listings: { length } }) => length <= homesPerSegment));
          assert.ok(next.length <= 3 * Math.ceil(listings.length / homesPerSegment));
          const known = new Set(segments);
          const fresh = next.filter((segment) => !known.has(segment));
          if (times <= 2) assert.ok(fresh.length <= 2 * touched || next.length < segments.length);
          segments = next;
        }
      }),
      { numRuns: 60 },
    );
  });
});
