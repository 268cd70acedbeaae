import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { greatCircleKm, type PublishedListing } from '../../catalog/index.ts';
import { openVault } from '../../platform/vault.ts';
import { dateText } from '../../pricing/index.ts';
import { simulatedCatalog } from '../../build/simulated-catalog.ts';
import type { FoundHome } from './find-homes.ts';
import { type ItemMembers, pageBytes, type ResultPage } from './page-bytes.ts';

const [anyHome] = simulatedCatalog().listings;
const sortKey = { position: 1, listingId: 'a' };
const geo = { latitude: 46.5, longitude: 7.9 };

const published = (name: string, hasGeo = true): PublishedListing => ({
  home: anyHome!,
  listing: { ...anyHome!, currency: 'EUR', geo: hasGeo ? geo : null },
  sortKey,
  bytes: Buffer.from(JSON.stringify({ name })),
  etag: name,
  termsVersion: '1',
});

const home: FoundHome = {
  key: 0,
  sortKey,
  published: published('Hütte'),
  stay: { checkIn: 20_000, checkOut: 20_002 },
  total: 10_000,
};
const other: FoundHome = { ...home, published: published('Chalet €', false), total: null };

/** Results that differ in one thing. */
const results: readonly (readonly FoundHome[])[] = [
  [],
  [home],
  [{ ...home, published: published('Hütte am See') }],
  [{ ...home, total: 10_001 }],
  [{ ...home, total: null }],
  [{ ...home, stay: { checkIn: 19_999, checkOut: 20_002 } }],
  [{ ...home, stay: { checkIn: 20_000, checkOut: 20_003 } }],
  [home, other],
  [other, home],
];
const pages: readonly ResultPage[] = results.flatMap((each, at) => [
  { results: each, nextCursor: null },
  { results: each, nextCursor: () => `after-${at}` },
]);

const near = { latitude: 46, longitude: 7, radiusKm: 100 };

const members: readonly ItemMembers[] = [
  {},
  { near },
  { near: { ...near, latitude: 46.4 } },
  { near: { ...near, longitude: 8 } },
  { flexDays: 3 },
];

const distanceOf = ({ listing }: PublishedListing, center: ItemMembers['near']) =>
  center && listing.geo
    ? { distanceKm: Math.round(greatCircleKm(center, listing.geo) * 10) / 10 }
    : {};

const itemOf = (asked: ItemMembers, { published: of, stay, total }: FoundHome) => ({
  listing: JSON.parse(of.bytes.toString()) as object,
  total,
  currency: total === null ? null : of.listing.currency,
  ...distanceOf(of, asked.near),
  ...(asked.flexDays !== undefined && {
    checkIn: dateText(stay.checkIn),
    checkOut: dateText(stay.checkOut),
  }),
});

suite('the bytes of a page', () => {
  const vaults = [1, 2].map((byte) => openVault(Buffer.alloc(32, byte)));

  for (const asked of members) {
    test(`${JSON.stringify(asked)} › after any other page of the same search, they are those of its own homes, totals, dates and cursor`, () => {
      const others = { searchObservationId: 'ü' };
      const search = JSON.stringify(asked);

      function assertOwn(page: ResultPage): void {
        for (const [at, vault] of vaults.entries()) {
          // The cursor depends on the vault.
          const nextCursor = page.nextCursor && (() => `${page.nextCursor!()}-${at}`);
          const bytes = pageBytes(vault, search, { ...page, nextCursor }, asked, others);
          const items = page.results.map((result) => itemOf(asked, result));
          const expected = { items, nextCursor: nextCursor?.() ?? null, ...others };
          assert.equal(Buffer.concat(bytes).toString(), JSON.stringify(expected));
        }
      }

      for (const before of pages) {
        for (const page of pages) {
          assertOwn(before);
          assertOwn(page);
          assertOwn(page);
        }
      }
    });
  }

  test('stay as they are while other pages are written', () => {
    const many = Array.from({ length: 1_500 }, (_, at) => {
      const name = `${at}`.repeat(400);
      const page = { results: [{ ...home, published: published(name) }], nextCursor: null };
      return { name, bytes: pageBytes(vaults[0]!, name, page, {}, { meta: at }) };
    });
    for (const { name, bytes } of many) {
      const { items } = JSON.parse(Buffer.concat(bytes).toString()) as {
        items: { listing: { name: string } }[];
      };
      assert.equal(items[0]!.listing.name, name);
    }
  });
});
