import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { greatCircleKm, type PublishedListing } from '../../catalog/index.ts';
import { dateText } from '../../pricing/index.ts';
import { simulatedCatalog } from '../../../test/harness/simulated-catalog.ts';
import type { FoundHome } from './find-homes.ts';
import { type ItemMembers, pageBytes } from './page-bytes.ts';

const [anyHome] = simulatedCatalog().listings;
const place = { position: 1, listingId: 'a' };
const geo = { latitude: 46.5, longitude: 7.9 };

const published = (name: string, hasGeo = true): PublishedListing => ({
  listing: { ...anyHome!, currency: 'EUR', geo: hasGeo ? geo : null },
  place,
  bytes: Buffer.from(JSON.stringify({ name })),
  etag: name,
  termsVersion: '1',
});

const home: FoundHome = {
  key: 0,
  place,
  published: published('Hütte'),
  stay: { checkIn: 20_000, checkOut: 20_002 },
  total: 10_000,
};
const other: FoundHome = { ...home, published: published('Chalet €', false), total: null };

/** Pages that differ in one thing. */
const pages: readonly (readonly FoundHome[])[] = [
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
  test('after any other page of the same search, they are those of its own homes, totals and dates', () => {
    const all = pages.flatMap((results) => members.map((asked) => ({ results, asked })));
    const others = { nextCursor: 'ü' };

    function assertOwn({ results, asked }: (typeof all)[number]): void {
      const text = Buffer.concat(pageBytes('the search', results, asked, others)).toString();
      const expected = { items: results.map((result) => itemOf(asked, result)), ...others };
      assert.equal(text, JSON.stringify(expected));
    }

    for (const before of all) {
      for (const page of all) {
        assertOwn(before);
        assertOwn(page);
        assertOwn(page);
      }
    }
  });
});
