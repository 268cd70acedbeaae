/** Homes of the operator's own, for the partners of one workload: few, so that guests want the same nights. */
import assert from 'node:assert/strict';
import type { CatalogFile, CatalogListing } from '../../src/contract/catalog-file.ts';
import { blockImport } from '../../src/inventory/index.ts';
import type { Database } from '../../src/platform/postgres/database.ts';
import { plusDays } from '../harness/catalog.ts';
import { importFile } from '../harness/import-file.ts';
import { daysAhead } from '../harness/partner.ts';
import { sql } from '../harness/rows.ts';
import type { Selling } from './guests.ts';
import type { Nights } from './history.ts';
import type { Chance } from '../harness/chance.ts';

const names = ['cabin', 'loft', 'barn'] as const;
const firstDay = daysAhead(40);
const days = 28;
// Blocks of staff and of files have other lengths, so that no block belongs to both.
const lengths = { stay: [1, 2, 3, 4], staff: [2, 4], file: [1, 3] } as const;
const longestNights = 4;
const party = { adults: 2 };

/** A home in the database. */
interface Home {
  slug: string;
  listingId: string;
}

/** The homes of one workload, and the catalog that sells them. */
export interface OwnHomes {
  catalogId: string;
  homes: readonly Home[];
  selling: Selling;
  /** Some nights of some home: for a stay, or a block by staff or in a file. */
  nights(chance: Chance, by?: keyof typeof lengths): Nights & { slug: string };
  /** A catalog file: the last home and the blocks may be absent, and the first home has one of two prices. */
  file(chance: Chance): CatalogFile;
  /** Imports the homes as they were at the start. */
  sellAll(): Promise<void>;
  /** The dates of all nights, first and last. */
  range: { startDate: string; endDate: string };
}

const listing = (slug: string, nightly: number): CatalogListing => ({
  slug,
  name: `The ${slug}`,
  timeZone: null,
  sleeps: 4,
  currency: 'EUR',
  rates: { nightly },
  cancellation: [{ daysBefore: 7, refundPercent: 50 }],
});

/** Imports new homes into a catalog of their own. */
export async function openOwnHomes(database: Database, name: string): Promise<OwnHomes> {
  const catalog = { slug: name, name: `Homes of ${name}`, discovery: 'brand' } as const;
  const slugs = names.map((home) => `${home}-${name}`);
  const fileOf = (listings: CatalogListing[], blocks: CatalogFile['blocks'] = []): CatalogFile => ({
    format: 'latchkey-catalog/1',
    catalog,
    listings,
    promotions: [{ code: codeOf(name), label: 'Ten off', percent: 10 }],
    blocks,
  });
  async function sellAll(): Promise<void> {
    const file = fileOf(slugs.map((slug) => listing(slug, 10_000)));
    const result = await importFile(database, file, { blocks: blockImport });
    assert.ok('difference' in result, JSON.stringify(result));
  }

  await sellAll();
  const homes = await sql<Home>(
    database,
    'SELECT slug, listing_id AS "listingId" FROM listings WHERE slug = ANY ($1) ORDER BY slug',
    [slugs],
  );
  const [row] = await sql<{ id: string }>(
    database,
    'SELECT catalog_id AS id FROM catalogs WHERE slug = $1',
    [name],
  );

  function nights(chance: Chance, by: keyof typeof lengths = 'stay'): Nights & { slug: string } {
    const checkIn = plusDays(firstDay, chance.below(days - longestNights));
    const checkOut = plusDays(checkIn, chance.pick<number>(lengths[by]));
    return { ...chance.pick(homes), checkIn, checkOut };
  }

  return {
    catalogId: row!.id,
    homes,
    range: { startDate: firstDay, endDate: plusDays(firstDay, days) },
    nights,
    sellAll,
    selling: {
      stay(chance) {
        const { listingId, checkIn, checkOut } = nights(chance);
        return { listingId, checkIn, checkOut, party };
      },
      suffixes: [undefined],
      code: codeOf(name),
      // Others have the nights; the home is withdrawn; its rates have changed since the quote.
      refusals: new Set(['conflict', 'not_found', 'policy_restricted']),
    },
    file(chance) {
      const first = listing(slugs[0]!, chance.pick([10_000, 11_000]));
      const sold = chance.happens(0.2) ? slugs.slice(1, -1) : slugs.slice(1);
      const blocks = chance.happens(0.7) ? [nights(chance, 'file')] : [];
      const listed = new Set([first.slug, ...sold]);
      return fileOf(
        [first, ...sold.map((slug) => listing(slug, 10_000))],
        blocks
          .filter(({ slug }) => listed.has(slug))
          .map(({ slug, checkIn, checkOut }) => ({ listing: slug, from: checkIn, to: checkOut })),
      );
    },
  };
}

// A code is unique in the installation.
const codeOf = (name: string): string => `TEN-${name.toUpperCase()}`;
