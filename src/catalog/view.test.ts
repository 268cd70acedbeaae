import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import type { CatalogRecord } from './store/catalogs.ts';
import { makeView, type ListingChanges, type PublishedListing } from './view.ts';

const record = {
  catalogId: 'c',
  revision: 1,
  changedAt: 0,
  collections: [],
} as unknown as CatalogRecord;
const installation = { environment: 'test', baseUrl: '' } as const;

const listingAt = (listingId: string, position: number): PublishedListing =>
  ({
    listing: { listingId, collectionId: null },
    place: { position, listingId },
  }) as PublishedListing;

type Change = readonly [listingId: string, position: number | null];

const changesOf = (changes: readonly Change[]): ListingChanges =>
  new Map(
    changes.map(([id, position]) => [id, position === null ? null : listingAt(id, position)]),
  );

const ids = fc.integer({ min: 0, max: 400 }).map((n) => `listing-${n}`);
const positions = fc.option(fc.integer({ min: -5, max: 20 }), { nil: null });
const someChanges = (maxLength: number) => fc.array(fc.tuple(ids, positions), { maxLength });

suite('a view of a catalog', () => {
  test('changes one after the other give the listings of the last state, in order', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(someChanges(6), someChanges(250)), { maxLength: 8 }),
        (steps) => {
          let view = makeView(record, undefined, new Map(), installation);
          const expected = new Map<string, PublishedListing>();
          for (const step of steps) {
            const changes = changesOf(step);
            for (const [id, changed] of changes) {
              if (changed) expected.set(id, changed);
              else expected.delete(id);
            }
            view = makeView(record, view, changes, installation);
          }
          const sorted = [...expected.values()].toSorted(
            (one, other) =>
              one.place.position - other.place.position ||
              (one.place.listingId < other.place.listingId ? -1 : 1),
          );
          assert.deepEqual(view.listings, sorted);
          for (const [id, listing] of expected) assert.equal(view.find(id), listing);
          assert.equal(view.byId.size, expected.size);
        },
      ),
      { numRuns: 300 },
    );
  });

  test('a view stays as it was when the next one is made from it', () => {
    const first = makeView(
      record,
      undefined,
      changesOf([
        ['a', 1],
        ['b', 2],
      ]),
      installation,
    );
    const before = [...first.listings];
    makeView(
      record,
      first,
      changesOf([
        ['a', null],
        ['c', 0],
      ]),
      installation,
    );
    assert.deepEqual(first.listings, before);
  });

  test('all unknown collections have the same empty list', () => {
    const view = makeView(record, undefined, changesOf([['a', 1]]), installation);
    assert.deepEqual(view.within('one'), []);
    assert.equal(view.within('one'), view.within('other'));
  });
});
