/**
 * The catalog file, `latchkey-catalog/1`: the operator's homes, prices and rules as one JSON document.
 * An external interface: names and meanings do not change; additions are possible.
 */
import Type from 'typebox';
import { Discovery } from './partner/schemas/site.ts';
import { patterns } from './patterns.ts';
import { weekdays } from './weekdays.ts';

/** The value of `format` in a catalog file. */
export const catalogFormat = 'latchkey-catalog/1';

const closed = (description: string) => ({ description, additionalProperties: false });

// Keeps every sum of a stay far below the largest exact integer of a JSON number.
export const largestAmount = 1_000_000_000_000;
/** The most entries that `rates.dates` of a home has. */
export const mostDates = 10_000;
const largestChangePercent = 1_000;

const Slug = (description: string) =>
  Type.String({ minLength: 1, maxLength: 100, pattern: patterns.slug.pattern, description });
const Uuid = (description: string) => Type.String({ pattern: patterns.uuid.pattern, description });
const Name = (description: string) => Type.String({ minLength: 1, maxLength: 200, description });
const Text = (description: string) => Type.String({ maxLength: 20_000, description });
const OrNull = <T extends Type.TSchema>(schema: T) =>
  Type.Optional(Type.Union([schema, Type.Null()]));
const Amount = (description: string) =>
  Type.Integer({
    minimum: 0,
    maximum: largestAmount,
    description: `${description} In minor units of the currency.`,
  });
const Percent = (description: string) =>
  Type.Number({ minimum: 0, maximum: 100, description: `${description} At most two decimals.` });
const Nights = (description: string) => Type.Integer({ minimum: 1, maximum: 90, description });
const Days = (description: string) => Type.Integer({ minimum: 0, maximum: 3_650, description });
const Date = (description: string) =>
  Type.String({ pattern: patterns.keptDate.pattern, description: `${description} YYYY-MM-DD.` });
const Time = (description: string) =>
  Type.String({ pattern: patterns.timeOfDay.pattern, description: `${description} HH:MM.` });
const Weekday = Type.Enum([...weekdays], { $id: 'Weekday' });
const Weekdays = (description: string) =>
  Type.Array(Weekday, { minItems: 1, uniqueItems: true, description });

const Policy = Type.Object(
  { label: Name('Its title.'), body: Text('Its text.') },
  closed('A text for guests.'),
);

const Collection = Type.Object(
  {
    slug: Slug('Its identity in the catalog.'),
    collectionId: Type.Optional(Uuid('Assigned at the first import and never changed.')),
    name: Name('Its name.'),
    description: OrNull(Text('Which homes belong to it.')),
  },
  closed('Homes that belong together.'),
);

const Catalog = Type.Object(
  {
    slug: Slug('Its identity in the installation.'),
    name: Name('The name that partners read.'),
    discovery: Discovery,
    policies: Type.Optional(Type.Array(Policy)),
    standards: Type.Optional(Type.Array(Policy)),
    collections: Type.Optional(Type.Array(Collection)),
  },
  closed('The catalog as partners see it.'),
);

const Image = Type.Union(
  [
    Type.Object(
      {
        url: Type.String({ pattern: patterns.secureUrl.pattern, format: 'uri', maxLength: 2_000 }),
        alt: Type.String({ maxLength: 500 }),
      },
      closed('A picture on the web.'),
    ),
    Type.Object(
      {
        file: Type.String({
          pattern: patterns.file.pattern,
          maxLength: 500,
          description: 'Relative to the catalog file.',
        }),
        alt: Type.String({ maxLength: 500 }),
      },
      closed('A picture stored with the catalog file.'),
    ),
  ],
  { description: 'A picture: either `url` or `file`.' },
);

const Space = Type.Object(
  {
    type: Name('The kind of room.'),
    name: OrNull(Type.String({ maxLength: 200 })),
    isPrivate: OrNull(Type.Boolean()),
    beds: Type.Optional(
      Type.Array(
        Type.Object(
          { type: Name('The kind of bed.'), quantity: Type.Integer({ minimum: 1 }) },
          closed('Beds of one kind.'),
        ),
      ),
    ),
  },
  closed('A room of the home.'),
);

const nightly = Type.Optional(Amount('The price of a night.'));
const weekdayPrices = Type.Optional(
  Type.Object(
    Object.fromEntries(
      weekdays.map((day) => [day, Type.Optional(Amount('The price of this night.'))]),
    ) as Record<(typeof weekdays)[number], typeof nightly>,
    closed('Prices of the nights of single weekdays, in place of `nightly`.'),
  ),
);

const seasonDay = patterns.seasonDay.pattern;
const seasonDayText = '`MM-DD` applies every year, `YYYY-MM-DD` once.';

const Season = Type.Object(
  {
    name: Name('For the operator.'),
    from: Type.String({ pattern: seasonDay, description: `First day. ${seasonDayText}` }),
    to: Type.String({
      pattern: seasonDay,
      description: `Last day, included. ${seasonDayText} Of the same form as \`from\`; an \`MM-DD\` before \`from\` spans the new year.`,
    }),
    changePercent: Type.Optional(
      Type.Number({
        minimum: -100,
        maximum: largestChangePercent,
        description:
          'Changes the base price of the weekday; rounded half away from zero. At most two decimals. Not together with prices.',
      }),
    ),
    nightly,
    weekdays: weekdayPrices,
    minNights: Type.Optional(Nights('Minimum nights for an arrival in the season.')),
    arrivalDays: Type.Optional(Weekdays('Weekdays of arrival in the season.')),
    priority: Type.Optional(
      Type.Integer({
        minimum: -1_000,
        maximum: 1_000,
        description:
          'If several seasons contain a night, the one with the highest priority applies. Absent: 0.',
      }),
    ),
  },
  closed('A part of the year with its own price, its own rules, or both.'),
);

const DatedRate = Type.Object(
  {
    from: Date('First night.'),
    to: Date('Last night, included.'),
    nightly,
    minNights: Type.Optional(Nights('Minimum nights for an arrival on these dates.')),
    arrivalDays: Type.Optional(Weekdays('Weekdays of arrival on these dates.')),
  },
  closed('A price, rules, or both for certain dates. It takes precedence over every season.'),
);

const Rates = Type.Object(
  {
    nightly: Type.Optional(
      Amount(
        'The price of a night without a more specific price. Absent: such a night has no price.',
      ),
    ),
    weekdays: weekdayPrices,
    seasons: Type.Optional(Type.Array(Season, { maxItems: 1_000 })),
    dates: Type.Optional(Type.Array(DatedRate, { maxItems: mostDates })),
    lengthDiscounts: Type.Optional(
      Type.Array(
        Type.Object(
          {
            label: Name('The label of its line.'),
            minNights: Nights('For stays of at least this many nights.'),
            percent: Percent('Discount on accommodation.'),
          },
          closed(
            'A discount for long stays. Of those that match, the one with the highest `minNights` applies.',
          ),
        ),
        { maxItems: 90 },
      ),
    ),
  },
  closed('What a night costs.'),
);

const Fee = Type.Object(
  {
    label: Name('The label of its line.'),
    kind: Type.Enum(['cleaning', 'fee']),
    per: Type.Enum(['stay', 'night', 'guest', 'guest_night', 'pet', 'pet_night']),
    amount: Amount('The amount per unit of `per`.'),
    fromGuest: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1_000,
        description: 'The first guest that is charged. Only with `guest` and `guest_night`.',
      }),
    ),
    taxed: Type.Optional(
      Type.Boolean({ description: 'false: no tax is charged on it. Absent: true.' }),
    ),
  },
  closed('A charge in addition to accommodation. Guests are adults and children.'),
);

const staysUpToNights = Type.Optional(Nights('Not charged on longer stays.'));

const Tax = Type.Union(
  [
    Type.Object(
      {
        label: Name('The label of its line.'),
        on: Type.Array(Type.Enum(['accommodation', 'cleaning', 'fees']), {
          minItems: 1,
          uniqueItems: true,
          description: '`accommodation` after discounts and promotion; `fees` without cleaning.',
        }),
        percent: Percent('Percentage of the sum of `on`.'),
        staysUpToNights,
      },
      closed('A percentage.'),
    ),
    Type.Object(
      {
        label: Name('The label of its line.'),
        per: Type.Enum(['stay', 'night', 'guest', 'guest_night']),
        amount: Amount('The amount per unit of `per`.'),
        adultsOnly: Type.Optional(
          Type.Boolean({
            description: 'Counts only adults. Only with `guest` and `guest_night`.',
          }),
        ),
        maxNights: Type.Optional(
          Nights('Counts at most this many nights. Only with `night` and `guest_night`.'),
        ),
        staysUpToNights,
      },
      closed('An amount.'),
    ),
  ],
  { description: 'A tax: either `on` and `percent`, or `per` and `amount`.' },
);

const Payment = Type.Object(
  {
    dueNowPercent: Type.Optional(
      Percent('Percentage of the total that is due at booking. Absent: 100.'),
    ),
    balanceDaysBefore: Type.Optional(
      Days('Days before arrival on which the rest is due. Absent: 0.'),
    ),
  },
  closed('When the total is due.'),
);

const StayRules = Type.Object(
  {
    minNights: Type.Optional(Nights('Minimum nights. Absent: 1.')),
    maxNights: Type.Optional(Nights('Maximum nights. Absent: 90.')),
    arrivalDays: Type.Optional(Weekdays('Absent: every weekday.')),
    departureDays: Type.Optional(Weekdays('Absent: every weekday.')),
    advanceNoticeDays: Type.Optional(
      Days('Whole days at the property between booking and arrival. Absent: 0.'),
    ),
    bookingHorizonDays: Type.Optional(
      Days('Latest day of arrival, in days from today. Absent: 730.'),
    ),
  },
  closed('When a stay may begin and end.'),
);

const PartyRules = Type.Object(
  {
    children: Type.Optional(Type.Boolean({ description: 'Absent: true.' })),
    infants: Type.Optional(Type.Boolean({ description: 'Absent: true.' })),
    maxPets: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 99, description: 'Absent: 0, no pets.' }),
    ),
  },
  closed('Who may stay.'),
);

const CancellationRule = Type.Object(
  {
    daysBefore: Days('A cancellation at least this many days before arrival …'),
    refundPercent: Percent('… refunds this percentage of the amount collected so far.'),
  },
  closed('Of the entries that still apply, the one with the highest `daysBefore` is used.'),
);

/** A home in a catalog file. */
export const CatalogListing = Type.Object(
  {
    slug: Slug('Its identity in the installation.'),
    listingId: Type.Optional(Uuid('Assigned at the first import and never changed.')),
    name: Name('Its name.'),
    description: OrNull(Text('Its description.')),
    blurb: OrNull(Text('The description in one sentence.')),
    collection: OrNull(Slug('The collection that it belongs to.')),
    timeZone: OrNull(Name('IANA time zone of its dates. Absent: UTC.')),
    destination: OrNull(Name('Where it is.')),
    sleeps: OrNull(Type.Integer({ minimum: 1, maximum: 1_000 })),
    bedrooms: OrNull(Type.Number({ minimum: 0, maximum: 1_000 })),
    bathrooms: OrNull(Type.Number({ minimum: 0, maximum: 1_000 })),
    checkInFrom: OrNull(Time('When guests may arrive.')),
    checkOutUntil: OrNull(Time('When guests leave.')),
    images: Type.Optional(Type.Array(Image)),
    amenities: Type.Optional(Type.Array(Name('An amenity.'))),
    policies: Type.Optional(
      Type.Array(Policy, {
        description:
          'Policies that the guest accepts. Latchkey adds the policy "Cancellation", made from `cancellation`.',
      }),
    ),
    spaces: Type.Optional(Type.Array(Space)),
    geo: OrNull(
      Type.Object(
        {
          latitude: Type.Number({ minimum: -90, maximum: 90 }),
          longitude: Type.Number({ minimum: -180, maximum: 180 }),
        },
        closed('Where it is.'),
      ),
    ),
    indexable: Type.Optional(
      Type.Boolean({ description: 'Whether search engines may index it. Absent: true.' }),
    ),
    currency: Type.String({ pattern: patterns.currency.pattern, description: 'ISO 4217.' }),
    rates: Rates,
    fees: Type.Optional(Type.Array(Fee, { maxItems: 100 })),
    taxes: Type.Optional(Type.Array(Tax, { maxItems: 100 })),
    payment: Type.Optional(Payment),
    stayRules: Type.Optional(StayRules),
    party: Type.Optional(PartyRules),
    cancellation: Type.Optional(Type.Array(CancellationRule, { maxItems: 100 })),
  },
  { $id: 'CatalogListing', ...closed('A home, its prices and its rules.') },
);

/** Nights that are not for sale. */
export const CatalogBlock = Type.Object(
  {
    listing: Slug('The home.'),
    from: Date('First night.'),
    to: Date('The day after the last night.'),
    reason: Type.Optional(Type.String({ maxLength: 500, description: 'For the operator.' })),
  },
  closed('Nights that are not for sale.'),
);

/** A promotion in a catalog file. */
export const CatalogPromotion = Type.Object(
  {
    code: Type.String({
      minLength: 1,
      maxLength: 64,
      pattern: patterns.word.pattern,
      description: 'The code that the guest enters.',
    }),
    label: Name('The label of its line.'),
    percent: Type.Optional(
      Type.Number({
        exclusiveMinimum: 0,
        maximum: 100,
        description: 'Discount on accommodation. At most two decimals.',
      }),
    ),
    amount: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: largestAmount,
        description:
          'Discount on accommodation, in minor units of `currency`. Either this or `percent`.',
      }),
    ),
    currency: Type.Optional(
      Type.String({ pattern: patterns.currency.pattern, description: 'ISO 4217. With `amount`.' }),
    ),
    stayFrom: OrNull(Date('Earliest night of a stay.')),
    stayTo: OrNull(Date('Latest night of a stay.')),
    bookFrom: OrNull(Date('First day on which it can be used, in UTC.')),
    bookTo: OrNull(Date('Last day on which it can be used, in UTC.')),
    minNights: Type.Optional(Nights('Absent: 1.')),
    maxUses: OrNull(Type.Integer({ minimum: 1, maximum: 2_147_483_647 })),
    listings: OrNull(Type.Array(Slug('A home to which it applies.'), { minItems: 1 })),
    collections: OrNull(Type.Array(Slug('A collection to which it applies.'), { minItems: 1 })),
  },
  {
    $id: 'CatalogPromotion',
    ...closed('A code that lowers the price: either `percent`, or `amount` and `currency`.'),
  },
);

/** The head of a catalog file: everything except its lists. */
export const CatalogHead = Type.Object(
  { format: Type.Literal(catalogFormat), catalog: Catalog },
  closed('Format and catalog.'),
);

/** The whole catalog file. */
export const CatalogFile = Type.Object(
  {
    ...CatalogHead.properties,
    listings: Type.Optional(Type.Array(CatalogListing)),
    blocks: Type.Optional(Type.Array(CatalogBlock)),
    promotions: Type.Optional(Type.Array(CatalogPromotion)),
  },
  {
    $id: 'CatalogFile',
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: catalogFormat,
    ...closed('The homes of an operator, with prices and rules.'),
  },
);

/** The JSON Schema of a catalog file as `GET /catalog.schema.json` publishes it: in one piece, without names. */
export const catalogSchema = (): string =>
  JSON.stringify(CatalogFile, (key, value: unknown) => (key === '$id' ? undefined : value), 2);

export type CatalogHead = Type.Static<typeof CatalogHead>;
export type CatalogListing = Type.Static<typeof CatalogListing>;
export type CatalogBlock = Type.Static<typeof CatalogBlock>;
export type CatalogPromotion = Type.Static<typeof CatalogPromotion>;
export type CatalogFile = Type.Static<typeof CatalogFile>;
export type Season = Type.Static<typeof Season>;
export type DatedRate = Type.Static<typeof DatedRate>;
export type Rates = Type.Static<typeof Rates>;
export type Fee = Type.Static<typeof Fee>;
export type Tax = Type.Static<typeof Tax>;
