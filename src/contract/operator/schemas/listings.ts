import Type from 'typebox';
import { CatalogListing } from '../../catalog-file.ts';
import {
  Flag,
  Instant,
  Integer,
  Nullable,
  optional,
  PartyInput,
  RequestObject,
  ResponseObject,
  Text,
  Uuid,
} from '../../partner/schemas/primitives.ts';
import { operatorLimits } from '../limits.ts';
import { Weekdays } from '../../catalog-file/values.ts';
import { Charges, Terms } from '../../partner/schemas/quote.ts';
import { expectedVersion, PageOf, pageQuery, KeptDate } from './shared.ts';
import { MemberChange } from './catalogs.ts';
import { homeFilter } from './calendar.ts';
import { patterns } from '../../patterns.ts';
import { AllowUnusual, CatalogSlug, CsvImport, ListingName } from './homes.ts';

export const ListingsQuery = RequestObject({ limit: pageQuery.limit, ...homeFilter });

const Place = ResponseObject(
  'ListingPlace',
  'A catalog that sells the home, and its collection there.',
  { catalog: Type.String(), collection: Nullable(Type.String()) },
);

const ListedHome = ResponseObject('ListedHome', {
  listingId: Uuid('Its ID.'),
  slug: Type.String(),
  name: Type.String(),
  destination: Nullable(Type.String()),
  sleeps: Nullable(Type.Integer()),
  bedrooms: Nullable(Type.Number()),
  currency: Text('ISO 4217.'),
  nightly: Nullable(Integer('The base price in minor units.')),
  pictures: Integer('How many pictures it has.'),
  picture: Nullable(Text('The address of the first.')),
});

export const HomePage = ResponseObject('HomePage', 'Homes that a catalog sells, in its order.', {
  items: Type.Array(ListedHome),
  offset: Type.Integer(),
  total: Integer('How many homes the filter finds.'),
});

export const ListingQuery = RequestObject({
  catalog: Type.Optional(CatalogSlug('The catalog whose collection is shown.')),
});

export const ListingDetail = ResponseObject('ListingDetail', 'A home with everything about it.', {
  listingId: Uuid('Its ID.'),
  version: Integer('Rises with each change. Send it with the next change.'),
  catalog: Nullable(Text('The catalog of `listing.collection`; null: none sells it.')),
  listing: CatalogListing,
  places: Type.Array(Place, { description: 'The catalogs that sell it.' }),
});

export const NewListing = RequestObject({
  catalog: Type.Optional(CatalogSlug('The catalog that sells it. Absent: the only one.')),
  draft: Type.Optional(
    Flag(
      'Do not sell it yet: it is listed with the homes that the catalog does not sell, until it is offered.',
    ),
  ),
  listing: CatalogListing,
});

export const ChangedListing = RequestObject({
  version: Type.Integer({ minimum: 0, description: 'The version that was read.' }),
  catalog: Type.Optional(CatalogSlug('The catalog of `listing.collection`, as it was read.')),
  allowUnusual: AllowUnusual,
  listing: CatalogListing,
});

const { offset: _offset, ...homesOfList } = homeFilter;

export const TextReplacement = RequestObject({
  ...homesOfList,
  find: Type.String({
    minLength: 1,
    maxLength: operatorLimits.reasonLength,
    pattern: patterns.line.pattern,
    description: 'The text as it is; upper and lower case count.',
  }),
  replaceWith: Type.String({
    maxLength: operatorLimits.reasonLength,
    description: 'What is there instead. Empty: nothing.',
  }),
  ...expectedVersion,
});

export const ReplacedText = ResponseObject(
  'ReplacedText',
  'What a replacement changes, or would change.',
  {
    dryRun: Flag('Nothing was changed.'),
    changeId: Nullable(Uuid('Undoes it for a day; null: nothing was written.')),
    version: Integer(
      'A number for what is replaced: send that of the preview as `expectedVersion`.',
    ),
    changed: Integer('How many homes have changed.'),
    changes: Type.Array(
      ResponseObject('HomeWithReplacedText', {
        listing: Type.String(),
        name: Text('Of the home, as it was.'),
        members: Type.Array(MemberChange),
      }),
      { description: 'The first two hundred homes.' },
    ),
  },
);

export const TextsUndone = ResponseObject('TextsUndone', {
  changed: Integer('How many homes have their texts back.'),
});

export const WithdrawnListing = RequestObject({
  catalog: Type.Optional(CatalogSlug('The catalog. Absent: the only one.')),
});

export const WithdrawnQuery = RequestObject({
  catalog: Type.Optional(CatalogSlug('The catalog. Absent: the only one.')),
  ...pageQuery,
});

export const WithdrawnPage = PageOf(
  ResponseObject('WithdrawnHome', {
    listingId: Uuid('Its ID.'),
    slug: Type.String(),
    name: Type.String(),
    destination: Nullable(Type.String()),
    catalog: Text('The catalog that sold it.'),
    collection: Nullable(Text('Its collection there.')),
    withdrawnAt: Instant('Since when it is not sold there.'),
  }),
  'WithdrawnPage',
  'Homes that the catalog no longer sells, the latest first.',
);

export const OfferedListing = RequestObject({
  catalog: Type.Optional(CatalogSlug('The catalog. Absent: the only one.')),
  collection: Type.Optional(
    Nullable(
      Type.String({
        maxLength: 100,
        description: 'Absent: its previous collection in this catalog.',
      }),
    ),
  ),
});

export const PricedDraft = RequestObject({
  listing: CatalogListing,
  checkIn: KeptDate('The first night.'),
  checkOut: KeptDate('The day after the last night.'),
  party: PartyInput,
  adjustPercent: Type.Optional(
    Type.Number({
      minimum: -100,
      maximum: 1_000,
      description: "An application's channel adjustment. Absent: 0.",
    }),
  ),
});

const amount = (description: string) => Integer(description);

const ExplainedNight = ResponseObject('ExplainedNight', {
  date: Type.String(),
  amount: amount('What it costs, after the channel adjustment.'),
  layer: Type.Enum(['dates', 'season', 'listing'], { description: 'What states the price.' }),
  name: Nullable(Text('The name of the season.')),
  member: Type.Enum(['nightly', 'weekdays', 'changePercent'], {
    description: 'The member that states it.',
  }),
  changePercent: Nullable(Type.Number({ description: 'Changes `base`.' })),
  base: Nullable(amount('The price that `changePercent` changes.')),
});

const ExplainedLine = ResponseObject('ExplainedLine', 'null: it does not depend on that.', {
  kind: Charges.properties.lines.items.properties.kind,
  label: Type.String(),
  amount: amount('In minor units.'),
  rule: Nullable(Text('The fee or tax within the home.')),
  percent: Nullable(Type.Number()),
  base: Nullable(amount('What the percentage is of.')),
  per: Nullable(Text('The unit of `unit`.')),
  unit: Nullable(amount('The amount for each unit.')),
  maxAmount: Nullable(amount('The most for one guest and night.')),
  nights: Nullable(Integer('How many nights it counts.')),
  guests: Nullable(Integer('How many guests it counts.')),
  pets: Nullable(Integer('How many pets it counts.')),
  isIncluded: Flag('The prices contain it: it adds nothing.'),
  atProperty: Flag('It is paid at the property.'),
  notCharged: Nullable(
    Type.Enum(['nights_of_stay', 'days_ahead', 'no_night', 'no_guest', 'no_pet', 'nothing'], {
      description: 'Why its amount is 0.',
    }),
  ),
});

export const DraftPrice = ResponseObject(
  'DraftPrice',
  'The price of a stay; `charges` is null if a night has no price.',
  {
    charges: Nullable(Charges),
    explained: Nullable(
      ResponseObject(
        'ExplainedPrice',
        'How the price came about, also the fees and taxes that are not charged; null with `charges`.',
        { nights: Type.Array(ExplainedNight), lines: Type.Array(ExplainedLine) },
      ),
    ),
    cancellation: Terms.properties.cancellation,
    securityDeposit: Terms.properties.securityDeposit,
    broken: Type.Array(
      ResponseObject('BrokenRule', { rule: Type.String(), message: Type.String() }),
      { description: 'The rules of the home that the stay breaks.' },
    ),
  },
);

const nightlyText = 'In minor units. Null: removes the price of the dates. Absent: keeps it.';
const minNightsText = 'Null: removes the rule of the dates. Absent: keeps it.';
const mostOfNight = 1_000_000_000_000;

const ruleNights = Type.Optional(
  Nullable(Type.Integer({ minimum: 1, maximum: 90, description: minNightsText })),
);
const ruleDays = Type.Optional(
  Nullable(Weekdays('Null: removes the rule of the date. Absent: keeps it.')),
);

export const NewRates = RequestObject({
  listings: Type.Array(ListingName, {
    minItems: 1,
    maxItems: operatorLimits.homesOfRates,
    uniqueItems: true,
    description: 'The homes, by slug or ID.',
  }),
  from: KeptDate('The first night.'),
  to: KeptDate('The last night, included.'),
  ...optional({
    weekdays: Weekdays('Only nights of these weekdays. Absent: all.'),
    nightly: Nullable(Type.Integer({ minimum: 0, maximum: mostOfNight, description: nightlyText })),
    changePercent: Type.Number({
      minimum: -100,
      maximum: 1_000,
      description: 'Changes the price that each night has now. Not with another price.',
    }),
    changeAmount: Type.Integer({
      minimum: -mostOfNight,
      maximum: mostOfNight,
      description:
        'In minor units: added to the price that each night has now. Not with another price.',
    }),
    roundTo: Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      description:
        'In minor units: a changed price becomes the nearest multiple of it. Absent: nothing is rounded.',
    }),
  }),
  minNights: ruleNights,
  maxNights: ruleNights,
  minNightsThrough: Type.Optional(
    Nullable(
      Type.Integer({
        minimum: 1,
        maximum: 90,
        description: `The least nights of each stay that has one of these nights. ${minNightsText}`,
      }),
    ),
  ),
  arrivalDays: ruleDays,
  departureDays: ruleDays,
  allowUnusual: AllowUnusual,
  ...expectedVersion,
});

const BulkDate = RequestObject('BulkDate', {
  date: KeptDate('The night; for rules, the day of arrival or departure.'),
  nightly: Type.Optional(
    Nullable(
      Type.Integer({
        minimum: 0,
        maximum: mostOfNight,
        description: 'In minor units. Null: removes the price of the date. Absent: keeps it.',
      }),
    ),
  ),
  minNights: ruleNights,
  maxNights: ruleNights,
  arrivalDays: ruleDays,
  departureDays: ruleDays,
});

export const BulkRates = RequestObject('BulkRates', {
  rates: Type.Array(
    RequestObject('BulkHome', {
      listing: ListingName,
      dates: Type.Array(BulkDate, { maxItems: operatorLimits.bulkRates.dates }),
    }),
    { maxItems: operatorLimits.bulkRates.homes },
  ),
});

export const BulkRatesSet = ResponseObject('BulkRatesSet', 'What has really changed.', {
  listings: Integer('How many homes have changed.'),
  dates: Integer('How many of their dates have changed.'),
});

export const RatesImport = RequestObject({
  ...CsvImport(
    '`listing,from,to,nightly,minNights`, or `price` in units of the currency in place of `nightly`',
  ).properties,
  allowUnusual: AllowUnusual,
});

/** Nights whose price changes so much that it is probably a mistake. */
export const UnusualPrices = ResponseObject(
  'UnusualPrices',
  'Nights whose price falls below a fifth or rises above five times.',
  {
    nights: Integer('How many nights.'),
    first: Type.Array(
      ResponseObject('UnusualPrice', {
        listing: Type.String(),
        currency: Text('Of the prices.'),
        from: Text('The first night.'),
        to: Text('The last night, included.'),
        before: amount('What each of them costs now.'),
        after: amount('What each of them would cost.'),
      }),
      { description: 'The first hundred.' },
    ),
  },
);

const NightRates = ResponseObject(
  'NightRates',
  'What holds for a night, whether the home, a season or the dates say it.',
  {
    nightly: Nullable(amount('What the night costs; null: it has no price.')),
    minNights: Integer('For an arrival on this day.'),
    maxNights: Integer('For an arrival on this day.'),
    minNightsThrough: Nullable(Integer('Of each stay that has this night; null: none.')),
    arrivalDays: Type.Array(Type.String()),
    departureDays: Type.Array(Type.String()),
  },
);

export const ChangedRates = ResponseObject(
  'ChangedRates',
  'What a change of rates does, or would do.',
  {
    dryRun: Flag('Nothing was changed.'),
    changeId: Nullable(Uuid('Undoes the change for a day; null: nothing was written.')),
    version: Integer(
      'A number for the rates of these homes before the change: send that of the preview as `expectedVersion`.',
    ),
    changed: Integer('How many homes have changed.'),
    nights: Integer('How many of their nights have changed.'),
    notPriced: Integer('Nights without a price, which no percentage or amount can change.'),
    sums: Type.Array(
      ResponseObject('SumOfPrices', {
        currency: Type.String(),
        nights: Integer('Changed nights that have a price.'),
        before: amount('Their prices before.'),
        after: amount('Their prices after.'),
      }),
      { description: 'The prices of all changed nights, by currency.' },
    ),
    changes: Type.Array(
      ResponseObject('ChangedNights', {
        listing: Type.String(),
        name: Text('Of the home.'),
        currency: Text('Of the prices.'),
        from: Text('The first night.'),
        to: Text('The last night, included.'),
        before: NightRates,
        after: NightRates,
      }),
      { description: 'The first two hundred stretches of nights that change alike.' },
    ),
    unusual: UnusualPrices,
  },
);

export const RatesUndone = ResponseObject('RatesUndone', {
  changed: Integer('How many homes have their rates back.'),
});

const RateEntry = ResponseObject('RateEntry', {
  from: Type.String(),
  to: Type.String(),
  nightly: Type.Optional(Type.Integer()),
  minNights: Type.Optional(Type.Integer()),
  arrivalDays: Type.Optional(Type.Array(Type.String())),
});

export const RatesImported = ResponseObject('RatesImported', 'What the file changes.', {
  dryRun: Type.Boolean(),
  listings: Type.Integer(),
  added: Type.Integer(),
  changed: Type.Integer(),
  unchanged: Type.Integer(),
  changes: Type.Array(
    Type.Object({
      listing: Type.String(),
      currency: Text('Of the prices.'),
      before: Nullable(RateEntry),
      after: RateEntry,
    }),
    { description: 'The first thousand.' },
  ),
  unusual: UnusualPrices,
});
