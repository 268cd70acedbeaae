import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import type { PublishedListing } from '../catalog/index.ts';
import type { FreeHomes } from './availability.ts';
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

/** Each nth listing of so many is free. */
const eachNth = (count: number, nth: number): FreeHomes => ({
  nextFree(from) {
    const next = Math.ceil(from / nth) * nth;
    return next < count ? next : -1;
  },
  count: () => Math.ceil(count / nth),
});

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
        const found = await findFree(listings, {
          from,
          atMost,
          allows: ({ place }) => place.position % allowed === 0,
          free: eachNth(count, free),
          signal: never,
        });
        const expected = listings
          .slice(from)
          .filter(({ place: { position } }) => position % allowed === 0 && position % free === 0)
          .slice(0, atMost);
        assert.deepEqual(found, expected);
      }),
    );
  });

  test('reads no further than necessary', async () => {
    let read = 0;
    await findFree(listingsOf(100_000), {
      from: 50_000,
      atMost: 51,
      allows() {
        read += 1;
        return true;
      },
      free: eachNth(100_000, 2),
      signal: never,
    });
    assert.equal(read, 51);
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
      free: eachNth(100_000, 1),
      signal: never,
    });
    waiting = false;
    assert.ok(ticks > 190, `other work ran ${ticks} times`);
  });

  test('stops when it is aborted', async () => {
    const ending = new AbortController();
    let checked = 0;
    const finding = findFree(listingsOf(100_000), {
      from: 0,
      atMost: 21,
      allows() {
        checked += 1;
        ending.abort();
        return false;
      },
      free: eachNth(100_000, 1),
      signal: ending.signal,
    });
    await assert.rejects(finding, { name: 'AbortError' });
    assert.equal(checked, 500);
  });
});
