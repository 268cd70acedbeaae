/**
 * The home, the site and the price of the examples: those of the simulation, so that a pasted example
 * works there. A test compares them with the simulated catalog.
 */
import type { Static } from 'typebox';
import type { Calendar } from '../schemas/search.ts';
import type { Listing } from '../schemas/listing.ts';
import type { Party } from '../schemas/primitives.ts';
import type { Charges, Terms } from '../schemas/quote.ts';
import type { Site } from '../schemas/site.ts';

/** The site of the simulation. */
export const site: Site = {
  name: 'Temp',
  slug: 'temp',
  environment: 'simulation',
  discovery: 'brand',
  capabilities: ['catalog', 'search', 'quotes', 'checkout', 'signals'],
  collections: [],
  policies: [],
  standards: [],
};

/** The home that is booked. */
export const listing: Listing = {
  listingId: '01a406c5-1b00-7632-b245-3a45d3d9ea00',
  slug: 's',
  name: 'n',
  description: null,
  blurb: null,
  collectionId: null,
  timeZone: 'Europe/Lisbon',
  destination: null,
  sleeps: 6,
  bedrooms: 2,
  bathrooms: 1,
  images: [],
  amenities: [],
  policies: [
    {
      label: 'a',
      body: 'b',
    },
  ],
  spaces: [],
  geo: null,
  indexable: true,
};

/** A week, from one Saturday to the next. */
export const stay = { checkIn: '2027-08-14', checkOut: '2027-08-21', nights: 7 } as const;

/** Two adults and a child. */
export const party: Static<typeof Party> = {
  adults: 2,
  children: 1,
  infants: 0,
  pets: 0,
};

/** The dates of the week, the day of departure included. */
export const days: Calendar['days'] = [
  {
    date: '2027-08-14',
    available: true,
    minNights: 2,
    checkInAllowed: true,
    checkOutAllowed: true,
  },
  {
    date: '2027-08-15',
    available: true,
    minNights: 2,
    checkInAllowed: false,
    checkOutAllowed: false,
  },
  {
    date: '2027-08-16',
    available: true,
    minNights: 2,
    checkInAllowed: false,
    checkOutAllowed: false,
  },
  {
    date: '2027-08-17',
    available: true,
    minNights: 2,
    checkInAllowed: false,
    checkOutAllowed: false,
  },
  {
    date: '2027-08-18',
    available: true,
    minNights: 2,
    checkInAllowed: false,
    checkOutAllowed: false,
  },
  {
    date: '2027-08-19',
    available: true,
    minNights: 2,
    checkInAllowed: false,
    checkOutAllowed: false,
  },
  {
    date: '2027-08-20',
    available: true,
    minNights: 2,
    checkInAllowed: false,
    checkOutAllowed: false,
  },
  {
    date: '2027-08-21',
    available: true,
    minNights: 2,
    checkInAllowed: true,
    checkOutAllowed: true,
  },
];

/** What the week costs, quoted on 2027-03-02. */
export const charges: Charges = {
  currency: 'EUR',
  accommodation: 118800,
  fees: 9000,
  cleaning: 9000,
  taxes: 7128,
  total: 134928,
  dueNow: 67464,
  schedule: [
    {
      dueOn: '2027-03-02',
      amount: 67464,
    },
    {
      dueOn: '2027-07-15',
      amount: 67464,
    },
  ],
  lines: [
    {
      kind: 'accommodation',
      label: 'Accommodation',
      amount: 132000,
    },
    {
      kind: 'discount',
      label: 'Week',
      amount: -13200,
    },
    {
      kind: 'cleaning',
      label: 'Cleaning',
      amount: 9000,
    },
    {
      kind: 'tax',
      label: 'VAT',
      amount: 7128,
    },
  ],
  nights: [
    {
      date: '2027-08-14',
      amount: 21000,
    },
    {
      date: '2027-08-15',
      amount: 18000,
    },
    {
      date: '2027-08-16',
      amount: 18000,
    },
    {
      date: '2027-08-17',
      amount: 18000,
    },
    {
      date: '2027-08-18',
      amount: 18000,
    },
    {
      date: '2027-08-19',
      amount: 18000,
    },
    {
      date: '2027-08-20',
      amount: 21000,
    },
  ],
};

/** A code of the simulation that fits the week. */
export const promotionCode = 'EARLYBIRD';

/** What the week costs with that code. */
export const promotedCharges: Charges = {
  currency: 'EUR',
  accommodation: 106920,
  fees: 9000,
  cleaning: 9000,
  taxes: 6415,
  total: 122335,
  dueNow: 61168,
  schedule: [
    {
      dueOn: '2027-03-02',
      amount: 61168,
    },
    {
      dueOn: '2027-07-15',
      amount: 61167,
    },
  ],
  lines: [
    {
      kind: 'accommodation',
      label: 'Accommodation',
      amount: 132000,
    },
    {
      kind: 'discount',
      label: 'Week',
      amount: -13200,
    },
    {
      kind: 'promotion',
      label: 'Early bird',
      amount: -11880,
    },
    {
      kind: 'cleaning',
      label: 'Cleaning',
      amount: 9000,
    },
    {
      kind: 'tax',
      label: 'VAT',
      amount: 6415,
    },
  ],
  nights: [
    {
      date: '2027-08-14',
      amount: 21000,
    },
    {
      date: '2027-08-15',
      amount: 18000,
    },
    {
      date: '2027-08-16',
      amount: 18000,
    },
    {
      date: '2027-08-17',
      amount: 18000,
    },
    {
      date: '2027-08-18',
      amount: 18000,
    },
    {
      date: '2027-08-19',
      amount: 18000,
    },
    {
      date: '2027-08-20',
      amount: 21000,
    },
  ],
};

/** What the guest accepts. */
export const terms: Terms = {
  version: 'VDVvNjPon2hNRfA0eVg_aV',
  policies: [
    {
      label: 'a',
      body: 'b',
    },
  ],
  cancellation: [
    {
      before: '2027-07-14T23:00:00.000Z',
      refundAmount: 134928,
    },
    {
      before: '2027-08-06T23:00:00.000Z',
      refundAmount: 67464,
    },
  ],
};
