import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { listings as anyListings } from '../../test/harness/arbitraries.ts';
import type { StoredCatalog } from './store/catalogs.ts';
import {
  changedListings,
  changeFound,
  type KnownView,
  type ListingChanges,
  makeView,
  type PublishedListing,
  publish,
  withCatalogText,
} from './view.ts';

const storedCatalog = {
  catalogId: 'c',
  revision: 1,
  changedAt: 0,
  collections: [],
} as unknown as StoredCatalog;
const installation = { environment: 'test', baseUrl: '' } as const;

const listingAt = (listingId: string, position: number): PublishedListing =>
  ({
    listing: { listingId, collectionId: null },
    sortKey: { position, listingId },
  }) as PublishedListing;

type Change = readonly [listingId: string, position: number | null];

const changesOf = (changes: readonly Change[]): ListingChanges =>
  new Map(
    changes.map(([id, position]) => [id, position === null ? null : listingAt(id, position)]),
  );

/** The view after changes. */
async function viewAfter(
  known: KnownView | undefined,
  changes: ListingChanges,
): Promise<KnownView> {
  const listings = await changedListings(known, changes);
  const view = makeView(storedCatalog, known, listings, installation);
  await changeFound(view, changes);
  return view;
}

const ids = fc.integer({ min: 0, max: 400 }).map((n) => `listing-${n}`);
const positions = fc.option(fc.integer({ min: -5, max: 20 }), { nil: null });
const someChanges = (maxLength: number) => fc.array(fc.tuple(ids, positions), { maxLength });

suite('a view of a catalog', () => {
  test('changes one after the other give the listings of the last state, in order', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(someChanges(6), someChanges(250)), { maxLength: 8 }),
        async (steps) => {
          let view = await viewAfter(undefined, new Map());
          const expected = new Map<string, PublishedListing>();
          for (const step of steps) {
            const changes = changesOf(step);
            for (const [id, changed] of changes) {
              if (changed) expected.set(id, changed);
              else expected.delete(id);
            }
            view = await viewAfter(view, changes);
          }
          const sorted = [...expected.values()].toSorted(
            (one, other) =>
              one.sortKey.position - other.sortKey.position ||
              (one.sortKey.listingId < other.sortKey.listingId ? -1 : 1),
          );
          assert.deepEqual(view.listings, sorted);
          for (const [id, listing] of expected) assert.equal(view.find(id), listing);
          assert.equal(view.byId.size, expected.size);
        },
      ),
      { numRuns: 300 },
    );
  });

  test('many thousand changes in any order give the listings in order', async () => {
    const count = 20_011;
    const many = Array.from({ length: count }, (_, at): Change => [`listing-${at}`, at * 2]);
    const first = await viewAfter(undefined, changesOf(many.slice(0, 1_000)));
    const others = many.slice(500).map((_, at) => many[500 + ((at * 7_919) % (count - 500))]!);
    const { listings } = await viewAfter(first, changesOf(others));
    assert.deepEqual(
      listings.map(({ sortKey }) => [sortKey.listingId, sortKey.position]),
      many,
    );
  });

  test('the next view uses the segments again whose homes are the same', async () => {
    const many = Array.from({ length: 2_000 }, (_, at): Change => [`listing-${at}`, at]);
    const first = await viewAfter(undefined, changesOf(many));
    const segments = first.segments();
    assert.equal(first.segments(), segments);
    const second = await viewAfter(first, changesOf([['listing-700', 700]]));
    const changed = second.segments().filter((segment) => !segments.includes(segment));
    assert.equal(changed.length, 1);
    assert.ok(changed[0]!.listings.includes(second.find('listing-700')!));
    const held = second.segments().flatMap(({ listings }) => listings);
    assert.deepEqual(held, second.listings);
  });

  test('a view stays as it was when the next one is made from it', async () => {
    const twoHomes = changesOf([
      ['a', 1],
      ['b', 2],
    ]);
    const first = await viewAfter(undefined, twoHomes);
    const before = [...first.listings];
    const next = changesOf([
      ['a', null],
      ['c', 0],
    ]);
    await viewAfter(first, next);
    assert.deepEqual(first.listings, before);
  });

  test('a new cancellation policy publishes all homes again, a few at a time', async () => {
    const [home] = fc.sample(anyListings(), { numRuns: 1, seed: 36 });
    const homes = Array.from({ length: 1_000 }, (_, at) => {
      const one = { ...home!, listingId: `listing-${at}`, cancellationText: null };
      return publish({ home: one }, { collectionId: null, position: at }, '');
    });
    const view = await viewAfter(
      undefined,
      new Map(homes.map((one) => [one.sortKey.listingId, one])),
    );
    const cancellationText = { label: 'Cancellation', body: 'None.' };
    let turns = 0;
    const turn = setInterval(() => (turns += 1), 0);
    const next = { ...storedCatalog, cancellationText };
    const texts = new Map([[storedCatalog.catalogId, cancellationText]]);
    const changed = await withCatalogText(next, view, texts, new Map(), '');
    clearInterval(turn);
    assert.equal(changed.size, 1_000);
    assert.ok(
      [...changed.values()].every(
        (one) => one!.listing.cancellationText?.body === cancellationText.body,
      ),
    );
    assert.ok(turns >= 5, `${turns} turns`);
  });

  test('all unknown collections have the same empty list', async () => {
    const view = await viewAfter(undefined, changesOf([['a', 1]]));
    assert.deepEqual(view.within('one'), []);
    assert.equal(view.within('one'), view.within('other'));
  });
});
