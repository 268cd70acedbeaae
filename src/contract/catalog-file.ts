/**
 * The catalog file, `latchkey-catalog/1`: the operator's homes, prices and rules as one JSON document.
 * An external interface: names and meanings do not change; additions are possible.
 */
import Type from 'typebox';
import { Discovery } from './partner/schemas/site.ts';
import { patterns } from './patterns.ts';
import { KnownValue } from './partner/schemas/primitives.ts';
import { PropertyType } from './partner/schemas/listing.ts';
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
  Type.Number({ minimum: 0, maximum: 100, description: `${description} At most four decimals.` });
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

const CancellationText = Type.Object(
  { label: Name('Its title.'), body: Text('Its text.') },
  closed(
    'The cancellation policy in the words of the operator. It stands in place of the text that is made from the entries; that of a home goes before that of the catalog.',
  ),
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

const Trader = Type.Object(
  {
    name: Name('Its name.'),
    address: Type.String({ minLength: 1, maxLength: 1_000, description: 'Its address.' }),
    email: OrNull(Type.String({ minLength: 3, maxLength: 254, description: 'Its email address.' })),
    phone: OrNull(Type.String({ minLength: 1, maxLength: 50, description: 'Its phone number.' })),
    registrationNumber: OrNull(Name('Its number in a register of traders or taxes.')),
  },
  closed('Who sells the stays, as the law wants it shown.'),
);

const Catalog = Type.Object(
  {
    slug: Slug('Its identity in the installation.'),
    name: Name('The name that partners read.'),
    discovery: Discovery,
    policies: Type.Optional(Type.Array(Policy)),
    standards: Type.Optional(Type.Array(Policy)),
    trader: OrNull(Trader),
    cancellationText: OrNull(CancellationText),
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

const seasonDay = patterns.seasonDay.pattern;
const seasonDayText = '`MM-DD` applies every year, `YYYY-MM-DD` once.';
const firstDay = Type.String({ pattern: seasonDay, description: `First day. ${seasonDayText}` });
const lastDay = Type.String({
  pattern: seasonDay,
  description: `Last day, included. ${seasonDayText} Of the same form as \`from\`; an \`MM-DD\` before \`from\` spans the new year.`,
});

const Range = (description: string, largest: number) =>
  Type.Optional(
    Type.Object(
      {
        min: Type.Optional(Type.Integer({ minimum: 0, maximum: largest })),
        max: Type.Optional(Type.Integer({ minimum: 0, maximum: largest })),
      },
      closed(description),
    ),
  );

const stayNights = Range('The length of the stay, in nights. All or nothing.', 90);
const daysAhead = Range(
  "The days at the property from the quote's creation to arrival. All or nothing.",
  3_650,
);

const When = Type.Optional(
  Type.Object(
    {
      nights: Type.Optional(
        Type.Object(
          { from: firstDay, to: lastDay },
          closed(
            'Only these nights. What is not per night applies if the arrival night is one of them.',
          ),
        ),
      ),
      stayNights,
      daysAhead,
    },
    closed('When it applies. Absent: always.'),
  ),
);

const Age = Type.Optional(Type.Integer({ minimum: 0, maximum: 150 }));
const Who = Type.Optional(
  Type.Object(
    {
      ages: Type.Object(
        { from: Age, to: Age },
        closed(
          'From and to this age at check-in, included. Adults count as 18, infants as 0. A child whose age was not sent counts if the range holds an age from 2 to 17.',
        ),
      ),
    },
    closed('Whom it counts. Absent: adults and children.'),
  ),
);

const LineId = Type.Optional(Slug('A name within the listing, for `on` of later lines.'));
const On = Type.Optional(
  Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
    minItems: 1,
    maxItems: 200,
    uniqueItems: true,
    description:
      'What the percentage is of: `accommodation` (after discounts and promotion), `cleaning`, `fees` (every other fee that is not `taxed: false`), or the `id` of an earlier fee or tax. What is named twice counts once.',
  }),
);
const lineMembers = {
  id: LineId,
  label: Name('The label of its line.'),
  when: When,
  who: Who,
  maxNights: Type.Optional(
    Nights('Counts at most the first so many nights of the stay. Only with what is per night.'),
  ),
  fromNight: Type.Optional(
    Nights('Counts only from this night of the stay on. Only with what is per night.'),
  ),
  net: Type.Optional(
    Type.Boolean({
      description: 'true: the percentage is of the lines without the taxes that they contain.',
    }),
  ),
  payAt: Type.Optional(
    Type.Enum(['property'], {
      $id: 'PayAt',
      description: 'Due at the property on the day of arrival; Latchkey never collects it.',
    }),
  ),
};

const nightly = Type.Optional(Amount('The price of a night.'));
const weekdayPrices = Type.Optional(
  Type.Object(
    Object.fromEntries(
      weekdays.map((day) => [day, Type.Optional(Amount('The price of this night.'))]),
    ) as Record<(typeof weekdays)[number], typeof nightly>,
    closed('Prices of the nights of single weekdays, in place of `nightly`.'),
  ),
);

const Season = Type.Object(
  {
    name: Name('For the operator.'),
    from: firstDay,
    to: lastDay,
    changePercent: Type.Optional(
      Type.Number({
        minimum: -100,
        maximum: largestChangePercent,
        description:
          'Changes the base price of the weekday; rounded half away from zero. At most four decimals. Not together with prices.',
      }),
    ),
    nightly,
    weekdays: weekdayPrices,
    minNights: Type.Optional(Nights('Minimum nights for an arrival in the season.')),
    maxNights: Type.Optional(Nights('Maximum nights for an arrival in the season.')),
    minNightsThrough: Type.Optional(
      Nights('Minimum nights of every stay that contains a night of the season.'),
    ),
    arrivalDays: Type.Optional(Weekdays('Weekdays of arrival in the season.')),
    departureDays: Type.Optional(Weekdays('Weekdays of departure in the season.')),
    priority: Type.Optional(
      Type.Integer({
        minimum: -1_000,
        maximum: 1_000,
        description:
          'For each member, of the seasons that contain a day and state it, the one with the highest priority applies. Absent: 0.',
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
    maxNights: Type.Optional(Nights('Maximum nights for an arrival on these dates.')),
    minNightsThrough: Type.Optional(
      Nights('Minimum nights of every stay that contains one of these nights.'),
    ),
    arrivalDays: Type.Optional(Weekdays('Weekdays of arrival on these dates.')),
    departureDays: Type.Optional(Weekdays('Weekdays of departure on these dates.')),
  },
  closed(
    'A price, rules, or both for certain dates. What it states takes precedence over every season; what it does not state is decided by the seasons, then by the listing.',
  ),
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
            percent: Type.Optional(Percent('Discount on accommodation.')),
            amount: Type.Optional(
              Amount('Instead of `percent`: taken once for each full `minNights` of the stay.'),
            ),
          },
          closed(
            'A discount for long stays, either `percent` or `amount`. Of those that match, the one with the highest `minNights` applies.',
          ),
        ),
        { maxItems: 90 },
      ),
    ),
    discounts: Type.Optional(
      Type.Array(
        Type.Object(
          {
            label: Name('The label of its line.'),
            percent: Percent('Discount on accommodation after the discount for long stays.'),
            when: When,
          },
          closed(
            'A discount such as early bird or last minute. Of those whose condition holds, the one with the highest `percent` applies.',
          ),
        ),
        { maxItems: 100 },
      ),
    ),
  },
  closed('What a night costs.'),
);

const Fee = Type.Object(
  {
    ...lineMembers,
    kind: Type.Enum(['cleaning', 'fee']),
    per: Type.Optional(
      Type.Enum(['stay', 'night', 'guest', 'guest_night', 'pet', 'pet_night'], {
        description: 'Together with `amount`.',
      }),
    ),
    amount: Type.Optional(Amount('The amount per unit of `per`.')),
    percent: Type.Optional(
      Percent('In place of `per` and `amount`: a percentage of what `on` names.'),
    ),
    on: On,
    fromGuest: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1_000,
        description: 'The first guest that is charged. Only with `guest` and `guest_night`.',
      }),
    ),
    taxed: Type.Optional(
      Type.Boolean({
        description: 'false: not a part of `cleaning` and `fees` in `on`. Absent: true.',
      }),
    ),
  },
  closed(
    'A charge in addition to accommodation: `per` and `amount`, or `percent` and `on`. Guests are adults and children.',
  ),
);

const Tax = Type.Object(
  {
    ...lineMembers,
    on: On,
    percent: Type.Optional(
      Percent(
        'A percentage of what `on` names; with `per: guest_night` of the share of one guest in one night.',
      ),
    ),
    per: Type.Optional(
      Type.Enum(['stay', 'night', 'guest', 'guest_night'], {
        description: 'The unit of `amount`; with `percent` and `tiers` only `guest_night`.',
      }),
    ),
    amount: Type.Optional(Amount('The amount per unit of `per`.')),
    maxAmount: Type.Optional(Amount('With `percent` and `per`: the most for one guest and night.')),
    tiers: Type.Optional(
      Type.Array(
        Type.Object(
          {
            from: Amount('The least share of one guest in one night of the accommodation.'),
            amount: Amount('The amount for this guest and night.'),
          },
          closed('A step.'),
        ),
        {
          minItems: 1,
          maxItems: 100,
          description:
            'The amount of the last step that is not above the share of one guest in one night.',
        },
      ),
    ),
    included: Type.Optional(
      Type.Boolean({
        description: 'true: the prices contain this tax, so nothing is added. Only percentages.',
      }),
    ),
    adultsOnly: Type.Optional(
      Type.Boolean({
        description: 'The older form of `who`: from 18. Only with `guest` and `guest_night`.',
      }),
    ),
    fromGuest: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1_000,
        description: 'The first guest that is charged. Only with `guest` and `guest_night`.',
      }),
    ),
    staysUpToNights: Type.Optional(
      Nights('Not charged on longer stays. The older form of `when.stayNights.max`.'),
    ),
  },
  closed(
    'A tax: `on` and `percent`, or `per` and `amount`; for each guest and night also `per`, `on` and `percent`, or `per` and `tiers`.',
  ),
);

const Payment = Type.Object(
  {
    dueNowPercent: Type.Optional(
      Percent('Percentage of the total that is due at booking. Absent: 100.'),
    ),
    balanceDaysBefore: Type.Optional(
      Days('Days before arrival on which the rest is due. Absent: 0.'),
    ),
    schedule: Type.Optional(
      Type.Array(
        Type.Object(
          {
            daysBefore: Type.Optional(
              Days(
                'Days before arrival on which it is due. Absent in the first entry: at booking.',
              ),
            ),
            percent: Type.Optional(Percent('Of the total without what is paid at the property.')),
            amount: Type.Optional(Amount('An amount.')),
            nights: Type.Optional(Nights('The price of the first so many nights.')),
          },
          closed(
            'A payment: `percent`, `amount` or `nights`, never more than what is left. The last one has none of them and is the rest.',
          ),
        ),
        {
          minItems: 1,
          maxItems: 20,
          description: 'In place of the other members. `daysBefore` falls from entry to entry.',
        },
      ),
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
    preparationNights: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 7,
        description:
          'Nights after each stay, and after each event of another channel, that partners do not get. Absent: 0.',
      }),
    ),
    gapMinNights: Type.Optional(
      Nights(
        'A shorter stay than the minimum is allowed if it has at least so many nights and fills a gap exactly.',
      ),
    ),
    advanceNotice: Type.Optional(
      Type.Object(
        {
          days: Days('Whole days at the property between booking and arrival.'),
          until: Type.Optional(
            Time(
              'The hour at the property until which it can be booked on that day. Absent: 24:00.',
            ),
          ),
        },
        closed('The long form of `advanceNoticeDays`.'),
      ),
    ),
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

const KeepRule = Type.Object(
  {
    until: Type.Optional(
      Type.Object(
        {
          daysBefore: Type.Optional(Days('The end of the day so many days before arrival.')),
          hoursBefore: Type.Optional(
            Type.Integer({
              minimum: 0,
              maximum: 8_760,
              description: 'So many hours before check-in: `checkInFrom`, or 15:00.',
            }),
          ),
          of: Type.Optional(Type.Enum(['check_in'], { description: 'With `hoursBefore`.' })),
        },
        closed('Either `daysBefore`, or `hoursBefore` and `of`. Absent: until check-in.'),
      ),
    ),
    keep: Type.Object(
      {
        percent: Type.Optional(Percent('A percentage of `of`.')),
        of: Type.Optional(
          Type.Enum(['total', 'accommodation', 'collected'], { description: 'Absent: `total`.' }),
        ),
        nights: Type.Optional(Nights('The price of the first so many nights.')),
      },
      closed('What the operator keeps: either `percent`, or `nights`.'),
    ),
  },
  closed('Until this instant the operator keeps this; after the last one, everything.'),
);

const Address = Type.Object(
  {
    lines: Type.Array(Name('A line.'), { maxItems: 10 }),
    postalCode: OrNull(Name('The postal code.')),
    city: OrNull(Name('The town.')),
    region: OrNull(Name('The region.')),
    country: Type.String({
      pattern: patterns.country.pattern,
      description: 'ISO 3166-1, two letters.',
    }),
  },
  closed('Where it is. Guests read it from the confirmation of their stay on.'),
);

const SecurityDeposit = Type.Object(
  {
    amount: Amount('The amount.'),
    dueDaysBefore: Type.Optional(Days('Days before arrival on which it is due. Absent: 0.')),
    returnedDaysAfter: Type.Optional(
      Days('Days after departure until which it is returned. Absent: 0.'),
    ),
  },
  closed('Told in the terms; no part of the total, and never collected by Latchkey.'),
);

/** A home in a catalog file. */
export const CatalogListing = Type.Object(
  {
    slug: Slug('Its identity in the installation.'),
    listingId: Type.Optional(Uuid('Assigned at the first import and never changed.')),
    name: Name('Its name.'),
    propertyType: OrNull(KnownValue(PropertyType)),
    registration: OrNull(
      Type.Object(
        { number: Name('The number that the law wants shown with an offer.') },
        closed('Its registration.'),
      ),
    ),
    address: OrNull(Address),
    arrivalInstructions: OrNull(
      Text('For guests, from the confirmation of their stay on: keys, parking, the way.'),
    ),
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
          'Policies that the guest accepts. Latchkey adds the policy "Cancellation", made from `cancellation`, or `cancellationText` in its place.',
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
    securityDeposit: OrNull(SecurityDeposit),
    cancellation: Type.Optional(
      Type.Array(Type.Union([CancellationRule, KeepRule]), {
        maxItems: 100,
        description: 'Entries of one form only.',
      }),
    ),
    cancellationGrace: OrNull(
      Type.Object(
        {
          hours: Type.Integer({ minimum: 1, maximum: 8_760 }),
          ifDaysAhead: Type.Optional(
            Days('Only if arrival is at least so many days ahead of the quote. Absent: 0.'),
          ),
        },
        closed("Within so many hours of the quote's creation everything is refunded."),
      ),
    ),
    cancellationAlwaysRefunds: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
        maxItems: 200,
        uniqueItems: true,
        description:
          'Lines of which nothing is ever kept: `cleaning`, `fees`, `taxes`, or an `id`.',
      }),
    ),
    cancellationText: OrNull(CancellationText),
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
export type When = NonNullable<Type.Static<typeof When>>;
export type Trader = Type.Static<typeof Trader>;
export type KeepRule = Type.Static<typeof KeepRule>;
export type CancellationRule = Type.Static<typeof CancellationRule>;
