/** Reads the parts of a catalog file: checks their form and their rules, and fills in defaults. */

import {
  CatalogBlock,
  CatalogHead,
  CatalogListing,
  CatalogPromotion,
} from '../../contract/catalog-file.ts';
import { limits } from '../../contract/limits.ts';
import { weekdays } from '../../contract/weekdays.ts';
import { isShortForm, type Listing, parseDate } from '../../pricing/index.ts';
import {
  hasFourDecimals,
  listingProblems,
  noSuchDate,
  tooManyDecimals,
  timeZoneName,
  rangeProblems,
} from './listing-problems.ts';
import { currencyProblem, isCurrency } from './currencies.ts';
import {
  schemaCheck,
  type Problem,
  type SchemaCheck,
  type Synonyms,
} from '../../platform/schema-check.ts';

/** A listing of a file with defaults filled in; its ID is null if the file has none. */
export type ReadListing = Omit<Listing, 'listingId' | 'collectionId'> & {
  listingId: string | null;
  /** The slug of its collection. */
  collection: string | null;
};

/** Fills in the defaults; entries whose order has no meaning are sorted. */
const completeRates = ({
  dates = [],
  lengthDiscounts = [],
  discounts = [],
  ...rates
}: CatalogListing['rates']) => ({
  weekdays: {},
  seasons: [],
  ...rates,
  dates: dates.toSorted((a, b) => (a.from < b.from ? -1 : 1)),
  lengthDiscounts: lengthDiscounts.toSorted((a, b) => a.minNights - b.minNights),
  ...(discounts.length > 0 && { discounts }),
});

/** Fills in the defaults of a listing. Spec: FILE-8. */
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
    timeZone: listing.timeZone ? timeZoneName(listing.timeZone) : null,
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
    payment: completePlan(payment),
    stayRules: {
      minNights: limits.nightsPerStay.min,
      maxNights: limits.nightsPerStay.max,
      arrivalDays: [...weekdays],
      departureDays: [...weekdays],
      ...(stayRules?.advanceNotice === undefined && { advanceNoticeDays: 0 }),
      bookingHorizonDays: limits.bookingHorizonDays,
      ...statedRules(stayRules),
    },
    party: { children: true, infants: true, maxPets: 0, ...party },
    cancellation: completeRules(listing.cancellation ?? []),
    ...statedMembers(listing),
  };
}

const completePlan = ({ schedule, ...plan }: CatalogListing['payment'] = {}): Listing['payment'] =>
  schedule ? { schedule } : { dueNowPercent: 100, balanceDaysBefore: 0, ...plan };

// The order of the short form has no meaning.
const completeRules = (rules: Listing['cancellation']): Listing['cancellation'] =>
  rules.every(isShortForm) ? rules.toSorted((a, b) => b.daysBefore - a.daysBefore) : rules;

/** No preparation is the same as none stated. */
function statedRules({
  preparationNights,
  ...rules
}: NonNullable<CatalogListing['stayRules']> = {}) {
  return preparationNights ? { ...rules, preparationNights } : rules;
}

const furtherMembers = [
  'propertyType',
  'registration',
  'address',
  'arrivalInstructions',
  'securityDeposit',
  'cancellationGrace',
  'cancellationAlwaysRefunds',
  'cancellationText',
] as const satisfies (keyof CatalogListing & keyof Listing)[];

/** The members that are absent from a home that says nothing of them; null and an empty list say nothing. */
const statedMembers = (listing: CatalogListing): Pick<Listing, (typeof furtherMembers)[number]> =>
  Object.fromEntries(
    furtherMembers.flatMap((name) => {
      const value = listing[name];
      const isStated = value != null && !(Array.isArray(value) && value.length === 0);
      return isStated ? [[name, value]] : [];
    }),
  );

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
  failing((percent === undefined) === (amount === undefined), '', 'needs either percent or amount');
  failing(
    (amount === undefined) !== (currency === undefined),
    '/currency',
    'must be given together with amount',
  );
  failing(currency !== undefined && !isCurrency(currency), '/currency', currencyProblem(currency!));
  failing(!hasFourDecimals(percent ?? 0), '/percent', tooManyDecimals);
  failing(!!stayFrom && !!stayTo && stayTo < stayFrom, '/stayTo', 'must not be before stayFrom');
  failing(!!bookFrom && !!bookTo && bookTo < bookFrom, '/bookTo', 'must not be before bookFrom');
  return faults;
}

/** The lists of a catalog file, and what their items are once they are read. */
export interface Entries {
  listings: ReadListing;
  promotions: CatalogPromotion;
  blocks: CatalogBlock;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** An object without the members that contain problems; of a member that is an object, only its own. */
function withoutMembers(value: object, problems: readonly Problem[]): Record<string, unknown> {
  const sound: Record<string, unknown> = { ...value };
  for (const { pointer } of problems) {
    const [, member = '', inner] = pointer.split('/');
    const at = sound[member];
    if (inner === undefined || !isObject(at)) delete sound[member];
    else sound[member] = Object.fromEntries(Object.entries(at).filter(([name]) => name !== inner));
  }
  return sound;
}

interface EntryKind<Written, Read> {
  check: SchemaCheck;
  /** Rules that the schema cannot express. */
  problems(written: Written): Problem[];
  /** Which of these rules the members that match the schema break. */
  problemsInPart?(written: object, wrong: readonly Problem[]): Problem[];
  complete(written: Written): Read;
}

/** What operators write in place of a member, as other systems call it. */
const synonyms: Synonyms = {
  licence: 'registration',
  license: 'registration',
  permit: 'registration',
  registrationnumber: 'registration',
  deposit: 'securityDeposit',
  damagedeposit: 'securityDeposit',
  type: 'propertyType',
  checkininstructions: 'arrivalInstructions',
  price: 'nightly',
  rate: 'nightly',
  minstay: 'minNights',
  minimumstay: 'minNights',
  maxstay: 'maxNights',
  maximumstay: 'maxNights',
  turnover: 'preparationNights',
  buffer: 'preparationNights',
  notice: 'advanceNotice',
  leadtime: 'advanceNotice',
  checkin: 'checkInFrom',
  checkout: 'checkOutUntil',
  photos: 'images',
  pictures: 'images',
  guests: 'sleeps',
  maxguests: 'sleeps',
  percentage: 'percent',
  cap: 'maxAmount',
  age: 'who',
  ages: 'who',
};

const asWritten = <T>(written: T): T => written;

const kinds: {
  [List in keyof Entries]: EntryKind<never, Entries[List]>;
} = {
  listings: {
    check: schemaCheck(CatalogListing, synonyms),
    problems: listingProblems,
    problemsInPart: (listing, wrong) =>
      listingProblems({ currency: 'EUR', rates: {}, ...withoutMembers(listing, wrong) } as never),
    complete: completeListing,
  } satisfies EntryKind<CatalogListing, ReadListing>,
  promotions: {
    check: schemaCheck(CatalogPromotion),
    problems: promotionProblems,
    complete: asWritten,
  } satisfies EntryKind<CatalogPromotion, CatalogPromotion>,
  blocks: {
    check: schemaCheck(CatalogBlock),
    problems: blockProblems,
    complete: asWritten,
  } satisfies EntryKind<CatalogBlock, CatalogBlock>,
};

/** Reads an item of a list: the item, and what is wrong with it. Null: it does not have the right form. */
export function readEntry<List extends keyof Entries>(
  list: List,
  value: unknown,
): { entry: Entries[List] | null; problems: Problem[] } {
  const { check, problems, problemsInPart, complete } = kinds[list];
  const wrong = check(value);
  if (wrong.length > 0) {
    const isInPart = isObject(value) && wrong.every(({ pointer }) => pointer !== '');
    const others = isInPart ? problemsInPart?.(value, wrong) : [];
    return { entry: null, problems: [...wrong, ...(others ?? [])] };
  }
  return { entry: complete(value as never), problems: problems(value as never) };
}

const checkHead = schemaCheck(CatalogHead, synonyms);

/** Finds names that a list has more than once. */
function repeatedNames(kind: string, names: readonly (readonly [pointer: string, name: string])[]) {
  const places = new Map<string, string>();
  return names.flatMap(([pointer, name]): Problem[] => {
    const first = places.get(name);
    if (first === undefined) places.set(name, pointer);
    return first === undefined ? [] : [{ pointer, message: `repeats the ${kind} of ${first}` }];
  });
}

/** Reads the head: `format` and `catalog`, and any other members that the file has beside its lists. */
export function readHead(value: Record<string, unknown>): {
  head: CatalogHead['catalog'] | null;
  problems: Problem[];
} {
  const wrong = checkHead(value);
  if (wrong.length > 0) return { head: null, problems: wrong };
  const { catalog } = value as CatalogHead;
  const { collections = [] } = catalog;
  const pointer = (at: number) => `/catalog/collections/${at}`;
  return {
    head: catalog,
    problems: [
      ...repeatedNames(
        'slug',
        collections.map(({ slug }, at) => [`${pointer(at)}/slug`, slug] as const),
      ),
      ...repeatedNames(
        'ID',
        collections.flatMap(({ collectionId }, at) =>
          collectionId === undefined
            ? []
            : [[`${pointer(at)}/collectionId`, collectionId.toLowerCase()] as const],
        ),
      ),
    ],
  };
}
