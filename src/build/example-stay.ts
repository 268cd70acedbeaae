/** The site, the home and the prices of the examples: what the simulation says of one stay. */
import { makeView, publish, type PublishedListing } from '../catalog/index.ts';
import { calendarDigest } from '../inventory/index.ts';
import {
  acceptedPolicies,
  arrivalRules,
  cancellationInstants,
  dateText,
  datedDay,
  dayNumber,
  departureAllowed,
  type Listing,
  nightPrices,
  priceStay,
  todayAt,
} from '../pricing/index.ts';
import { openNights } from '../simulation/index.ts';
import { simulatedCatalog } from './simulated-catalog.ts';

// One week, from Saturday to Saturday, and what is asked of it.
const bookedSlug = 'casa-do-sobreiro';
const stay = { checkIn: '2027-08-14', checkOut: '2027-08-21', nights: 7 };
const party = { adults: 2, children: 1, infants: 0, pets: 0 };
const promotionCode = 'WELCOME10';
const quotedAt = '2027-03-02T15:04:05.120Z';

const installation = {
  environment: 'simulation',
  baseUrl: 'https://sandbox.latchkey.invalid',
} as const;

const catalog = simulatedCatalog();

const published = catalog.listings.map(({ collectionId, ...home }, position) =>
  publish({ home }, { collectionId, position }, installation.baseUrl),
);

function siteOf(): unknown {
  const { collections = [], policies = [], standards = [], trader, ...rest } = catalog.catalog;
  const view = makeView(
    {
      ...rest,
      trader: trader ?? null,
      cancellationText: null,
      policies,
      standards,
      catalogId: '0193a5c4-2f00-7000-8000-000000000001',
      revision: 1,
      changedAt: 0,
      collections: collections.map(({ collectionId, slug, name, description = null }) => ({
        collectionId: collectionId!,
        slug,
        name,
        description,
      })),
    },
    undefined,
    published,
    installation,
  );
  const { bytes } = view.site(['catalog', 'search', 'quotes', 'checkout', 'signals']);
  return JSON.parse(bytes.toString());
}

/** The days of the stay, that of departure included. */
function daysOf(listing: Listing) {
  const first = dayNumber(stay.checkIn);
  const priceOf = nightPrices(listing, 0);
  return [...openNights(listing.listingId, first, stay.nights + 1)].map((open, at) => {
    const day = first + at;
    const { minNights, maxNights, checkInAllowed } = arrivalRules(listing, day);
    return {
      date: dateText(day),
      available: open === 1,
      minNights,
      checkInAllowed,
      checkOutAllowed: departureAllowed(listing, day),
      price: priceOf(datedDay(day)),
      maxNights,
    };
  });
}

function promotionOf(code: string) {
  const { label, percent = 0 } = catalog.promotions.find((one) => one.code === code)!;
  const always = { stayFrom: null, stayTo: null, bookFrom: null, bookTo: null };
  const everywhere = { listingIds: null, collectionIds: null, minNights: 1, maxUses: null };
  return { code, label, kind: 'percent', percent, ...always, ...everywhere } as const;
}

/** The charges of the stay, and the terms that follow from them. */
function quoteOf({ listing, termsVersion }: PublishedListing, code: string | null) {
  const asked = { checkIn: dayNumber(stay.checkIn), checkOut: dayNumber(stay.checkOut) };
  const at = Date.parse(quotedAt);
  const charges = priceStay(listing, asked, party, {
    today: todayAt(at, listing.timeZone),
    adjustmentPercent: 0,
    ...(code !== null && { promotion: promotionOf(code) }),
  });
  if (charges === null) throw new Error('The stay of the examples has no price.');
  const terms = {
    version: termsVersion,
    policies: acceptedPolicies(listing),
    cancellation: cancellationInstants(listing, asked, charges, { from: at, quotedAt: at }),
    securityDeposit: null,
  };
  return { charges, terms };
}

interface Constant {
  name: string;
  comment: string;
  type?: string;
  value: unknown;
}

function constants(): Constant[] {
  const sold = published.find(({ listing }) => listing.slug === bookedSlug)!;
  const days = daysOf(sold.listing);
  const { currency } = sold.listing;
  const plain = quoteOf(sold, null);
  const promoted = quoteOf(sold, promotionCode);
  return [
    { name: 'site', type: 'Site', value: siteOf(), comment: 'The site of the simulation.' },
    {
      name: 'listing',
      type: 'Listing',
      value: JSON.parse(sold.bytes.toString()),
      comment: 'The home that is booked.',
    },
    { name: 'stay', value: stay, comment: 'One week, from Saturday to Saturday.' },
    { name: 'party', type: 'Static<typeof Party>', value: party, comment: 'Who stays.' },
    { name: 'quotedAt', value: quotedAt, comment: 'When the week is quoted.' },
    {
      name: 'days',
      type: "Calendar['days']",
      value: days,
      comment: 'The dates of the week, the day of departure included.',
    },
    {
      name: 'calendarDigest',
      value: calendarDigest({ currency, days }),
      comment: 'The digest of the currency and these days.',
    },
    { name: 'charges', type: 'Charges', value: plain.charges, comment: 'The charges of the week.' },
    {
      name: 'promotionCode',
      value: promotionCode,
      comment: 'A promotion code of the simulation that applies to the week.',
    },
    {
      name: 'promotedCharges',
      type: 'Charges',
      value: promoted.charges,
      comment: 'The charges of the week with that code.',
    },
    { name: 'terms', type: 'Terms', value: plain.terms, comment: 'The terms of the quote.' },
    {
      name: 'promotedTerms',
      type: 'Terms',
      value: promoted.terms,
      comment: 'The terms with the promotion: refunds follow the lower charges.',
    },
  ];
}

const heading = `/**
 * Home, site and price of the examples, so that a pasted example works in the simulation. Generated from its homes by
 * \`npm run generate\`: src/build/example-stay.ts says which stay.
 */
import type { Static } from 'typebox';
import type { Calendar } from '../schemas/search.ts';
import type { Listing } from '../schemas/listing.ts';
import type { Party } from '../schemas/primitives.ts';
import type { Charges, Terms } from '../schemas/quote.ts';
import type { Site } from '../schemas/site.ts';
`;

const written = ({ name, type, value, comment }: Constant): string =>
  `/** ${comment} */\nexport const ${name}${type ? `: ${type}` : ''} = ${JSON.stringify(value, null, 2)};\n`;

/** The module with the values of the examples. */
export const exampleStay = (): string => [heading, ...constants().map(written)].join('\n');
