/** One generated home. */

import type { CatalogListing, Season } from '../../contract/catalog-file.ts';
import type { Random } from './random.ts';
import { names, type Climate, type Region } from './regions.ts';

const plain = (text: string): string =>
  text
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll('ø', 'o')
    .replaceAll('Ø', 'O')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');

/** A price that people would set: two digits, in the smallest coins that are used. */
function rounded(amount: number): number {
  if (amount < 100) return Math.max(1, Math.round(amount));
  const step = 10 ** (Math.floor(Math.log10(amount)) - 1) / 2;
  return Math.round(amount / step) * step;
}

const season = (name: string, from: string, to: string, changePercent: number): Season => ({
  name,
  from,
  to,
  changePercent,
});

const seasonsOf: Readonly<Record<Climate, readonly Season[]>> = {
  'northern summer': [
    season('Winter', '11-05', '03-14', -20),
    season('Summer', '06-15', '09-10', 35),
    season('Spring', '04-01', '05-31', 5),
  ],
  'southern summer': [
    season('Summer', '12-10', '02-28', 40),
    season('Winter', '05-15', '08-31', -25),
    season('Spring', '09-15', '11-30', 5),
  ],
  snow: [
    season('Snow', '12-18', '04-05', 45),
    season('Between', '04-06', '06-15', -30),
    season('Walking', '06-25', '09-20', 10),
    season('Late autumn', '10-20', '12-10', -25),
  ],
  'winter sun': [season('Winter', '12-15', '04-15', 30), season('Heat', '06-01', '08-31', -25)],
};

const amenities = [
  'wifi',
  'dishwasher',
  'washing machine',
  'wood stove',
  'parking',
  'garden',
  'terrace',
  'sea view',
  'workspace',
  'cot',
  'high chair',
  'air conditioning',
  'barbecue',
  'bicycles',
  'pool',
  'sauna',
  'hot tub',
  'charger for cars',
];

const setting = [
  'above the harbour',
  'at the end of a lane',
  'beside the old mill',
  'on the square',
  'among terraces',
  'five minutes from the beach',
  'at the edge of the wood',
  'in a quiet courtyard',
  'behind the church',
  'on a working farm',
];
const feature = [
  'a long table under the vine',
  'a stove that heats the whole house',
  'windows on three sides',
  'a kitchen made for cooking together',
  'thick walls that stay cool in August',
  'a terrace with the evening sun',
  'a garden with fruit trees',
  'a bath with a view',
  'shelves full of books',
  'a boat that you may use',
];

function bedrooms(random: Random, count: number) {
  return Array.from({ length: count }, (_, at) => ({
    type: 'bedroom',
    name: null,
    isPrivate: true,
    beds:
      at === 0 || random.chance(0.5)
        ? [{ type: 'double', quantity: 1 }]
        : [{ type: 'single', quantity: 2 }],
  }));
}

/** The days on which guests of some homes come and leave. */
const weekEnds = ['mon', 'fri', 'sat'] as const;
const weekendDays = ['fri', 'sat'] as const;

function ratesOf(random: Random, climate: Climate, nightly: number): CatalogListing['rates'] {
  const weekend = random.chance(0.6) ? rounded(nightly * (1.1 + random.next() / 5)) : null;
  const byWeek = random.chance(0.3);
  return {
    nightly,
    weekdays: weekend === null ? {} : Object.fromEntries(weekendDays.map((day) => [day, weekend])),
    seasons: [
      ...seasonsOf[climate].map((one) =>
        one.changePercent! > 20
          ? {
              ...one,
              minNights: byWeek ? 7 : random.integer(3, 5),
              ...(byWeek ? { arrivalDays: ['sat' as const], departureDays: ['sat' as const] } : {}),
            }
          : one,
      ),
      { ...season('New Year', '12-28', '01-02', 60), minNights: 4, priority: 2 },
    ],
    lengthDiscounts: [
      ...(random.chance(0.7)
        ? [{ label: 'A week', minNights: 7, percent: random.integer(5, 12) }]
        : []),
      ...(random.chance(0.4)
        ? [{ label: 'A month', minNights: 28, percent: random.integer(20, 35) }]
        : []),
    ],
  };
}

const cancellations = [
  [{ daysBefore: 1, refundPercent: 100 }],
  [{ daysBefore: 7, refundPercent: 100 }],
  [
    { daysBefore: 30, refundPercent: 100 },
    { daysBefore: 7, refundPercent: 50 },
  ],
  [
    { daysBefore: 60, refundPercent: 100 },
    { daysBefore: 30, refundPercent: 50 },
    { daysBefore: 14, refundPercent: 25 },
  ],
  [],
];

const propertyTypes = ['house', 'house', 'apartment', 'cabin', 'villa', 'other'] as const;

type Fees = NonNullable<CatalogListing['fees']>;
type Taxes = NonNullable<CatalogListing['taxes']>;

const serviceFees: readonly Fees[] = [5, 8, 12].map((percent) => [
  { id: 'service', label: 'Service', kind: 'fee', percent, on: ['accommodation'] },
]);

const shortStay = (amount: number): Fees => [
  { label: 'Short stay', kind: 'fee', per: 'stay', amount, when: { stayNights: { max: 3 } } },
];

const touristTaxes = (most: number): readonly Taxes[] => [
  [
    {
      id: 'tourist',
      label: 'Tourist tax',
      per: 'guest_night',
      percent: 5,
      on: ['accommodation'],
      maxAmount: most,
      who: { ages: { from: 18 } },
      payAt: 'property',
    },
    { label: 'Regional tourist tax', on: ['tourist'], percent: 10, payAt: 'property' },
  ],
  [
    {
      label: 'Summer tax',
      per: 'guest_night',
      amount: most,
      who: { ages: { from: 12 } },
      maxNights: 7,
      when: { nights: { from: '05-01', to: '10-31' } },
    },
  ],
  [
    {
      label: 'Stay tax',
      per: 'guest_night',
      tiers: [
        { from: 0, amount: most },
        { from: most * 25, amount: most * 2 },
      ],
    },
  ],
];

const bookingDiscounts: NonNullable<CatalogListing['rates']['discounts']> = [
  { label: 'Early bird', percent: 10, when: { daysAhead: { min: 120 } } },
  { label: 'Last minute', percent: 15, when: { daysAhead: { max: 4 } } },
];

const keptCancellations: readonly NonNullable<CatalogListing['cancellation']>[] = [
  [{ until: { hoursBefore: 48, of: 'check_in' }, keep: { percent: 0 } }, { keep: { nights: 1 } }],
  [
    { until: { daysBefore: 60 }, keep: { percent: 20 } },
    { until: { daysBefore: 14 }, keep: { percent: 60 } },
    { keep: { percent: 90 } },
  ],
];

/** A tax that is added as one that the prices contain, if it is a percentage without conditions. */
const containedInPrice = (tax: Taxes[number]): Taxes[number] =>
  Object.keys(tax).toSorted().join() === 'label,on,percent' ? { ...tax, included: true } : tax;

/** Adds what only some homes have: other fees, taxes, discounts, payments and rules. */
function withFurtherRules(
  random: Random,
  listing: CatalogListing,
  nightly: number,
): CatalogListing {
  const { rates, fees = [], taxes = [], stayRules = {} } = listing;
  const { advanceNoticeDays = 0, ...rules } = stayRules;
  const hasHour = random.chance(0.1);
  const notice = hasHour
    ? { advanceNotice: { days: advanceNoticeDays, until: random.pick(['12:00', '18:00']) } }
    : { advanceNoticeDays };
  const hasKept = random.chance(0.12);
  return {
    ...listing,
    propertyType: random.pick(propertyTypes),
    ...(random.chance(0.3) && {
      registration: { number: `REG-${random.integer(100_000, 999_999)}` },
    }),
    rates: { ...rates, ...(random.chance(0.12) && { discounts: bookingDiscounts }) },
    fees: [
      ...fees,
      ...(random.chance(0.12) ? random.pick(serviceFees) : []),
      ...(random.chance(0.08) ? shortStay(rounded(nightly * 0.2)) : []),
    ],
    taxes: [
      ...(random.chance(0.1) ? taxes.map(containedInPrice) : taxes),
      ...(random.chance(0.1) ? random.pick(touristTaxes(rounded(nightly * 0.02))) : []),
    ],
    ...(random.chance(0.08) && {
      payment: {
        schedule: [{ percent: 25 }, { daysBefore: 60, percent: 25 }, { daysBefore: 21 }],
      },
    }),
    ...(random.chance(0.1) && {
      securityDeposit: { amount: rounded(nightly * 2), dueDaysBefore: 1, returnedDaysAfter: 7 },
    }),
    stayRules: {
      ...rules,
      ...notice,
      ...(random.chance(0.08) && { preparationNights: 1 }),
      ...(random.chance(0.08) && { gapMinNights: 2 }),
    },
    ...(hasKept && { cancellation: random.pick(keptCancellations) }),
    ...(random.chance(0.06) && { cancellationGrace: { hours: 48, ifDaysAhead: 14 } }),
  };
}

/** The name of a home. */
function nameOf(random: Random, region: Region): string {
  const [forms, words] = names[region.tongue];
  return random.pick(forms).replace('%', random.pick(words));
}

/** Generates a home; seed and place make its slug unique. */
export function generateListing(
  random: Random,
  region: Region,
  seed: number,
  at: number,
): CatalogListing {
  const name = nameOf(random, region);
  const [town, latitude, longitude] = random.pick(region.towns);
  const rooms = random.pick([1, 1, 2, 2, 2, 3, 3, 4, 5]);
  const sleeps = rooms * 2 + (random.chance(0.3) ? 1 : 0);
  const nightly = rounded(region.nightly * (0.55 + rooms * 0.28) * (0.8 + random.next() * 0.5));
  const pets = random.chance(0.4) ? random.integer(1, 2) : 0;
  const scattered = (center: number) => Number((center + (random.next() - 0.5) / 12).toFixed(5));
  const blurb = `${name} is a home for ${sleeps} in ${town}, ${random.pick(setting)}.`;
  const listing: CatalogListing = {
    slug: `${plain(name)}-${seed}-${at + 1}`,
    name,
    description: `${blurb} It has ${random.pick(feature)} and ${random.pick(feature)}.\n\n${region.name} begins at the door: ask the people next door for the way.`,
    blurb,
    collection: region.slug,
    timeZone: region.timeZone,
    destination: `${town}, ${region.name}`,
    sleeps,
    bedrooms: rooms,
    bathrooms: random.pick([1, 1, 1.5, 2, 2.5]),
    checkInFrom: random.pick(['14:00', '15:00', '16:00', '17:00']),
    checkOutUntil: random.pick(['10:00', '10:30', '11:00']),
    amenities: random.some(amenities, 0.45),
    policies: [
      {
        label: 'House rules',
        body: 'No smoking indoors. Quiet after ten in the evening. No parties.',
      },
    ],
    spaces: bedrooms(random, rooms),
    geo: { latitude: scattered(latitude), longitude: scattered(longitude) },
    currency: region.currency,
    rates: ratesOf(random, region.climate, nightly),
    fees: [
      {
        label: 'Cleaning',
        kind: 'cleaning',
        per: 'stay',
        amount: rounded(region.nightly * (0.3 + rooms * 0.12)),
      },
      ...(sleeps > 4 && random.chance(0.5)
        ? [
            {
              label: 'Extra guests',
              kind: 'fee' as const,
              per: 'guest_night' as const,
              fromGuest: 5,
              amount: rounded(region.nightly * 0.12),
            },
          ]
        : []),
      ...(pets > 0
        ? [
            {
              label: 'Pet',
              kind: 'fee' as const,
              per: 'pet' as const,
              amount: rounded(region.nightly * 0.25),
            },
          ]
        : []),
    ],
    taxes: region.taxes,
    payment: random.pick([
      { dueNowPercent: 100 },
      { dueNowPercent: 30, balanceDaysBefore: 30 },
      { dueNowPercent: 25, balanceDaysBefore: 60 },
    ]),
    stayRules: {
      minNights: random.pick([1, 2, 2, 2, 3]),
      maxNights: random.pick([28, 60, 90]),
      advanceNoticeDays: random.pick([0, 0, 1, 2]),
      bookingHorizonDays: random.pick([365, 540, 730]),
      ...(random.chance(0.1)
        ? {
            arrivalDays: [...weekEnds],
            departureDays: [...weekEnds],
          }
        : {}),
    } satisfies CatalogListing['stayRules'],
    party: { children: !random.chance(0.08), infants: !random.chance(0.08), maxPets: pets },
    cancellation: random.pick(cancellations),
  };
  return withFurtherRules(random, listing, nightly);
}
