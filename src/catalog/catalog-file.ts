/** Reads a catalog file part by part and finds all its problems. */

import {
  CatalogBlock,
  CatalogHead,
  CatalogListing,
  CatalogPromotion,
  weekdays,
} from '../contract/catalog-file.ts';
import { limits } from '../contract/limits.ts';
import { type Listing, parseDate } from '../pricing/index.ts';
import {
  hasTwoDecimals,
  isCurrency,
  listingProblems,
  noSuchDate,
  rangeProblems,
  tooManyDecimals,
} from './listing-problems.ts';
import { schemaCheck, type Problem } from '../platform/schema-check.ts';

/** A listing of a file with defaults filled in; its ID is null if the file has none. */
export type ReadListing = Omit<Listing, 'listingId' | 'collectionId'> & {
  listingId: string | null;
  /** The slug of its collection. */
  collection: string | null;
};

/** A catalog file without problems. */
export interface ReadCatalog {
  catalog: CatalogHead['catalog'];
  listings: ReadListing[];
  blocks: CatalogBlock[];
  promotions: CatalogPromotion[];
}

/** The slugs that the installation already has; a file may refer to them. */
export interface KnownSlugs {
  listings: ReadonlySet<string>;
  collections: ReadonlySet<string>;
}

/** Reads the parts of a file in any order. */
interface CatalogReader {
  /** `format` and `catalog`. */
  head(value: unknown): void;
  listing(value: unknown): void;
  block(value: unknown): void;
  promotion(value: unknown): void;
  /** Returns the catalog, or all its problems. */
  end(): ReadCatalog | { problems: Problem[] };
}

/** Fills in the defaults; entries whose order has no meaning are sorted. */
const completeRates = ({
  dates = [],
  lengthDiscounts = [],
  ...rates
}: CatalogListing['rates']) => ({
  weekdays: {},
  seasons: [],
  ...rates,
  dates: dates.toSorted((a, b) => (a.from < b.from ? -1 : 1)),
  lengthDiscounts: lengthDiscounts.toSorted((a, b) => a.minNights - b.minNights),
});

/** Fills in the defaults of a listing. Spec: the catalog file. */
export function completeListing(listing: CatalogListing): ReadListing {
  const { rates, stayRules, payment, party, spaces = [] } = listing;
  const orNull = <T>(value: T | null | undefined): T | null => value ?? null;
  return {
    slug: listing.slug,
    listingId: listing.listingId?.toLowerCase() ?? null,
    name: listing.name,
    description: orNull(listing.description),
    blurb: orNull(listing.blurb),
    collection: orNull(listing.collection),
    timeZone: orNull(listing.timeZone),
    destination: orNull(listing.destination),
    sleeps: orNull(listing.sleeps),
    bedrooms: orNull(listing.bedrooms),
    bathrooms: orNull(listing.bathrooms),
    checkInFrom: orNull(listing.checkInFrom),
    checkOutUntil: orNull(listing.checkOutUntil),
    images: listing.images ?? [],
    amenities: listing.amenities ?? [],
    policies: listing.policies ?? [],
    spaces: spaces.map(({ type, name, isPrivate, beds }) => ({
      type,
      name: orNull(name),
      isPrivate: orNull(isPrivate),
      beds: beds ?? [],
    })),
    geo: orNull(listing.geo),
    indexable: listing.indexable ?? true,
    currency: listing.currency,
    rates: completeRates(rates),
    fees: listing.fees ?? [],
    taxes: listing.taxes ?? [],
    payment: { dueNowPercent: 100, balanceDaysBefore: 0, ...payment },
    stayRules: {
      minNights: limits.nightsPerStay.min,
      maxNights: limits.nightsPerStay.max,
      arrivalDays: [...weekdays],
      departureDays: [...weekdays],
      advanceNoticeDays: 0,
      bookingHorizonDays: limits.bookingHorizonDays,
      ...stayRules,
    },
    party: { children: true, infants: true, maxPets: 0, ...party },
    cancellation: (listing.cancellation ?? []).toSorted((a, b) => b.daysBefore - a.daysBefore),
  };
}

const dateProblems = (pointer: string, date: string | null | undefined): Problem[] =>
  typeof date === 'string' && parseDate(date) === null ? [{ pointer, message: noSuchDate }] : [];

function blockProblems({ from, to }: CatalogBlock): Problem[] {
  if (from === to) return [{ pointer: '/to', message: 'must be after from' }];
  return rangeProblems({ from, to }, '');
}

function promotionProblems(promotion: CatalogPromotion): Problem[] {
  const { percent, amount, currency, stayFrom, stayTo, bookFrom, bookTo } = promotion;
  const faults = [
    ...dateProblems('/stayFrom', stayFrom),
    ...dateProblems('/stayTo', stayTo),
    ...dateProblems('/bookFrom', bookFrom),
    ...dateProblems('/bookTo', bookTo),
  ];
  const failing = (isWrong: boolean, pointer: string, message: string) =>
    isWrong && faults.push({ pointer, message });
  failing((percent === undefined) === (amount === undefined), '', 'needs percent or amount');
  failing(
    (amount === undefined) !== (currency === undefined),
    '/currency',
    'must be given together with amount',
  );
  failing(currency !== undefined && !isCurrency(currency), '/currency', 'is not a currency');
  failing(!hasTwoDecimals(percent ?? 0), '/percent', tooManyDecimals);
  failing(!!stayFrom && !!stayTo && stayTo < stayFrom, '/stayTo', 'must not be before stayFrom');
  failing(!!bookFrom && !!bookTo && bookTo < bookFrom, '/bookTo', 'must not be before bookFrom');
  return faults;
}

const checks = {
  head: schemaCheck(CatalogHead),
  listing: schemaCheck(CatalogListing),
  block: schemaCheck(CatalogBlock),
  promotion: schemaCheck(CatalogPromotion),
};

type Names = 'collection slug' | 'collection ID' | 'listing slug' | 'listing ID' | 'code';

/** A reference of the file to a listing or collection, and its place. */
interface Reference {
  to: keyof KnownSlugs;
  slug: string;
  pointer: string;
}

/** Creates a reader of one file. */
function createCatalogReader(known: KnownSlugs): CatalogReader {
  const faults: Problem[] = [];
  const places = new Map<string, string>();
  const references: Reference[] = [];
  const invalidSlugs = { listings: new Set<string>(), collections: new Set<string>() };
  const counts = { listing: 0, block: 0, promotion: 0 };
  const read: ReadCatalog = {
    catalog: { slug: '', name: '', discovery: 'brand' },
    listings: [],
    blocks: [],
    promotions: [],
  };

  /** Remembers the slugs of invalid parts, so that references to them are not reported as well. */
  function rememberInvalid(to: keyof KnownSlugs, parts: unknown): void {
    const slugs = [parts].flat().map((part) => (part as { slug?: unknown } | null)?.slug);
    for (const slug of slugs) if (typeof slug === 'string') invalidSlugs[to].add(slug);
  }

  /** Records a name and reports it if it is not unique. */
  function recordName(kind: Names, value: string, pointer: string): void {
    const key = `${kind} ${value}`;
    const first = places.get(key);
    if (first === undefined) places.set(key, pointer);
    else faults.push({ pointer, message: `repeats the ${kind} of ${first}` });
  }

  const refer = (to: keyof KnownSlugs, slugs: readonly string[] | null, place: string) =>
    references.push(...(slugs ?? []).map((slug, at) => ({ to, slug, pointer: `${place}/${at}` })));

  function report(place: string, more: readonly Problem[]): void {
    for (const { pointer, message } of more) {
      faults.push({ pointer: `${place}${pointer}`, message });
    }
  }

  const isMissing = ({ to, slug }: Reference): boolean =>
    !known[to].has(slug) &&
    !invalidSlugs[to].has(slug) &&
    !places.has(`${to.slice(0, -1)} slug ${slug}`);

  return {
    head(value) {
      const wrong = checks.head(value);
      report('', wrong);
      if (wrong.length > 0) {
        const { catalog } = value as { catalog?: { collections?: unknown } | null };
        return rememberInvalid('collections', catalog?.collections);
      }
      read.catalog = (value as CatalogHead).catalog;
      (read.catalog.collections ?? []).forEach(({ slug, collectionId }, at) => {
        const place = `/catalog/collections/${at}`;
        recordName('collection slug', slug, `${place}/slug`);
        if (collectionId)
          recordName('collection ID', collectionId.toLowerCase(), `${place}/collectionId`);
      });
    },
    listing(value) {
      const place = `/listings/${counts.listing++}`;
      const wrong = checks.listing(value);
      report(place, wrong);
      if (wrong.length > 0) return rememberInvalid('listings', value);
      const listing = value as CatalogListing;
      report(place, listingProblems(listing));
      const complete = completeListing(listing);
      recordName('listing slug', listing.slug, `${place}/slug`);
      if (complete.listingId) recordName('listing ID', complete.listingId, `${place}/listingId`);
      if (complete.collection !== null) {
        const pointer = `${place}/collection`;
        references.push({ to: 'collections', slug: complete.collection, pointer });
      }
      read.listings.push(complete);
    },
    block(value) {
      const place = `/blocks/${counts.block++}`;
      const wrong = checks.block(value);
      report(place, wrong);
      if (wrong.length > 0) return;
      const block = value as CatalogBlock;
      report(place, blockProblems(block));
      references.push({ to: 'listings', slug: block.listing, pointer: `${place}/listing` });
      read.blocks.push(block);
    },
    promotion(value) {
      const place = `/promotions/${counts.promotion++}`;
      const wrong = checks.promotion(value);
      report(place, wrong);
      if (wrong.length > 0) return;
      const promotion = value as CatalogPromotion;
      report(place, promotionProblems(promotion));
      recordName('code', promotion.code.toLowerCase(), `${place}/code`);
      refer('listings', promotion.listings ?? null, `${place}/listings`);
      refer('collections', promotion.collections ?? null, `${place}/collections`);
      read.promotions.push(promotion);
    },
    end() {
      for (const reference of references.filter(isMissing)) {
        const { to, slug, pointer } = reference;
        faults.push({ pointer, message: `there is no ${to.slice(0, -1)} ${slug}` });
      }
      return faults.length > 0 ? { problems: faults } : read;
    },
  };
}

const lists = { listings: 'listing', blocks: 'block', promotions: 'promotion' } as const;

/** Reads a parsed catalog file. */
export function readCatalogFile(
  document: unknown,
  known: KnownSlugs,
): ReadCatalog | { problems: Problem[] } {
  if (typeof document !== 'object' || document === null || Array.isArray(document)) {
    return { problems: [{ pointer: '', message: 'must be an object' }] };
  }
  const reader = createCatalogReader(known);
  const members = Object.entries(document);
  const isList = (name: string): name is keyof typeof lists => Object.hasOwn(lists, name);
  // The check of the head refuses unknown members.
  reader.head(Object.fromEntries(members.filter(([name]) => !isList(name))));
  const faults: Problem[] = [];
  for (const [name, value] of members) {
    if (!isList(name)) continue;
    if (Array.isArray(value)) value.forEach(reader[lists[name]]);
    else faults.push({ pointer: `/${name}`, message: 'must be an array' });
  }
  const read = reader.end();
  if ('problems' in read) return { problems: [...faults, ...read.problems] };
  return faults.length > 0 ? { problems: faults } : read;
}
