/** Generates believable catalogs of any size. */

import { writeCatalogFile } from '../../catalog/index.ts';
import type {
  CatalogBlock,
  CatalogListing,
  CatalogPromotion,
} from '../../contract/catalog-file.ts';
import { dayNumber } from '../../pricing/index.ts';
import { generateListing } from './listing.ts';
import { takenNights } from './nights.ts';
import { createRandom, type Random } from './random.ts';
import { regions, type Region } from './regions.ts';

/** What to generate. */
export interface GeneratedCatalog {
  listings: number;
  seed: number;
  /** The first night that can be taken, as `YYYY-MM-DD`. */
  from: string;
}

/** The largest catalog: what an import takes. */
export const mostGenerated = 1_000_000;

/** Topics of random choices. Each has its own sequence of random numbers. */
const topic = { region: 1, home: 2, nights: 3, promotion: 4 } as const;

const perBatch = 200;

const regionOf = (seed: number, at: number): Region =>
  createRandom(seed, topic.region, at).pick(regions);

const listingAt = (seed: number, at: number): CatalogListing =>
  generateListing(createRandom(seed, topic.home, at), regionOf(seed, at), seed, at);

/** Batches of the items at each place of the catalog. */
function* batches<T>(count: number, itemsAt: (at: number) => T[]): Generator<T[]> {
  for (let first = 0; first < count; first += perBatch) {
    const places = Array.from({ length: Math.min(perBatch, count - first) }, (_, at) => first + at);
    yield places.flatMap(itemsAt);
  }
}

function blocksAt({ seed, from }: GeneratedCatalog, at: number): CatalogBlock[] {
  const { slug: listing } = listingAt(seed, at);
  const random = createRandom(seed, topic.nights, at);
  return takenNights(random, regionOf(seed, at).climate, dayNumber(from)).map((taken) => ({
    listing,
    ...taken,
  }));
}

function promotion(
  random: Random,
  at: number,
  { seed, listings }: GeneratedCatalog,
): CatalogPromotion {
  const code = `${random.pick(['SPRING', 'EARLY', 'WEEK', 'FRIENDS', 'QUIET', 'RETURN'])}-${seed}-${at + 1}`;
  const region = regionOf(seed, random.integer(0, listings - 1));
  const limits = [
    {},
    { minNights: 7 },
    { maxUses: random.integer(10, 500) },
    { collections: [region.slug] },
    { listings: [listingAt(seed, random.integer(0, listings - 1)).slug] },
  ];
  return {
    code,
    label: `Promotion ${code}`,
    ...(random.chance(0.7)
      ? { percent: random.integer(5, 25) }
      : { amount: Math.round(region.nightly / 4), currency: region.currency }),
    ...random.pick(limits),
  };
}

/** Generates a catalog file, in pieces. The same input gives the same text. */
export function generateCatalog(input: GeneratedCatalog): AsyncGenerator<string> {
  const { listings, seed } = input;
  const used = new Set<Region>();
  for (let at = 0; at < listings && used.size < regions.length; at += 1)
    used.add(regionOf(seed, at));
  const random = createRandom(seed, topic.promotion);
  const promotions = Math.min(listings, 200, 3 + Math.floor(listings / 50));
  return writeCatalogFile({
    catalog: {
      slug: `generated-${seed}`,
      name: `Generated homes ${seed}`,
      discovery: 'portfolio',
      policies: [
        {
          label: 'Booking and payment',
          body: 'The price of your quote is the whole price, with taxes and cleaning.',
        },
      ],
      standards: [
        {
          label: 'Clean and checked',
          body: 'Every home is checked by a second person before you arrive.',
        },
      ],
      collections: regions
        .filter((region) => used.has(region))
        .map(({ slug, name }) => ({ slug, name, description: `Homes in ${name}.` })),
    },
    listings: batches(listings, (at) => [listingAt(seed, at)]),
    promotions: Array.from({ length: promotions }, (_, at) => promotion(random, at, input)),
    blocks: batches(listings, (at) => blocksAt(input, at)),
  });
}
