import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import type { PublishedListing } from '../catalog/index.ts';
import { findFree } from './find-free.ts';

const listingsOf = (count: number): PublishedListing[] =>
  Array.from(
    { length: count },
    (_, at) =>
      ({
        listing: { listingId: `home ${at}` },
        place: { position: at, listingId: `home ${at}` },
      }) as PublishedListing,
  );

const never = new AbortController().signal;

suite('findFree', () => {
  test('finds the first listings that are allowed and free, in their order', async () => {
    const input = fc.record({
      count: fc.nat(3_000),
      from: fc.nat(3_000),
      atMost: fc.integer({ min: 1, max: 200 }),
      allowed: fc.constantFrom(1, 2, 7, 1_000),
      free: fc.constantFrom(1, 3, 50, 5_000),
    });
    await fc.assert(
      fc.asyncProperty(input, async ({ count, from, atMost, allowed, free }) => {
        const listings = listingsOf(count);
        const asked: string[] = [];
        const found = await findFree(listings, {
          from,
          atMost,
          allows: ({ place }) => place.position % allowed === 0,
          async free(listingIds) {
            asked.push(...listingIds);
            return new Set(listingIds.filter((id) => Number(id.slice(5)) % free === 0));
          },
          signal: never,
        });
        const expected = listings
          .slice(from)
          .filter(({ place: { position } }) => position % allowed === 0 && position % free === 0)
          .slice(0, atMost);
        assert.deepEqual(found, expected);
        assert.equal(new Set(asked).size, asked.length, 'no listing is read twice');
      }),
    );
  });

  test('reads no further than necessary', async () => {
    let read = 0;
    await findFree(listingsOf(100_000), {
      from: 50_000,
      atMost: 51,
      allows: () => true,
      async free(listingIds) {
        read += listingIds.length;
        return new Set(listingIds);
      },
      signal: never,
    });
    assert.ok(read <= 64, `${read} were read`);
  });

  test('lets other work run while it checks many rules', async () => {
    let waiting = true;
    let ticks = 0;
    setImmediate(function count() {
      ticks += 1;
      if (waiting) setImmediate(count);
    });
    await findFree(listingsOf(100_000), {
      from: 0,
      atMost: 21,
      allows: () => false,
      free: async () => new Set(),
      signal: never,
    });
    waiting = false;
    assert.ok(ticks > 190, `other work ran ${ticks} times`);
  });

  test('stops when it is aborted', async () => {
    const ending = new AbortController();
    let reads = 0;
    const finding = findFree(listingsOf(100_000), {
      from: 0,
      atMost: 21,
      allows: () => true,
      async free() {
        reads += 1;
        if (reads === 2) ending.abort();
        return new Set();
      },
      signal: ending.signal,
    });
    await assert.rejects(finding, { name: 'AbortError' });
    assert.equal(reads, 2);
  });
});
