import * as Type from '../../type.ts';
import { CatalogListing } from '../../catalog-file.ts';
import { PartyInput } from '../../partner/schemas/primitives.ts';
import { operatorLimits } from '../limits.ts';
import { Weekdays } from '../../catalog-file/values.ts';
import { Charges, Terms } from '../../partner/schemas/quote.ts';
import { expectedVersion, PageOf, pageQuery } from './shared.ts';
import { MemberChange } from './catalogs.ts';
import { homeFilter } from './calendar.ts';
import { patterns } from '../../patterns.ts';
import { AllowUnusual, CatalogSlug, CsvImport, ListingName } from './homes.ts';

export const ListingsQuery = Type.RequestObject({ limit: pageQuery.limit, ...homeFilter });

const Place = Type.ResponseObject(
  'ListingPlace',
  'A catalog that sells the home, and its collection there.',
  { catalog: Type.String(), collection: Type.Nullable(Type.String()) },
);

const ListedHome = Type.ResponseObject('ListedHome', {
  listingId: Type.Uuid('Its ID.'),
  slug: Type.String(),
  name: Type.String(),
  destination: Type.Nullable(Type.String()),
  sleeps: Type.Nullable(Type.Integer()),
  bedrooms: Type.Nullable(Type.Number()),
  currency: Type.Text('ISO 4217.'),
  nightly: Type.Nullable(Type.Whole('The base price in minor units.')),
  pictures: Type.Whole('How many pictures it has.'),
  picture: Type.Nullable(Type.Text('The address of the first.')),
});

export const HomePage = Type.ResponseObject(
  'HomePage',
  'Homes that a catalog sells, in its order.',
  {
    items: Type.Array(ListedHome),
    offset: Type.Integer(),
    total: Type.Whole('How many homes the filter finds.'),
  },
);

export const ListingQuery = Type.RequestObject({
  catalog: Type.Optional(CatalogSlug('The catalog whose collection is shown.')),
});

export const ListingDetail = Type.ResponseObject(
  'ListingDetail',
  'A home with everything about it.',
  {
    listingId: Type.Uuid('Its ID.'),
    version: Type.Whole('Rises with each change. Send it with the next change.'),
    catalog: Type.Nullable(Type.Text('The catalog of `listing.collection`; null: none sells it.')),
    listing: CatalogListing,
    places: Type.Array(Place, { description: 'The catalogs that sell it.' }),
  },
);

export const NewListing = Type.RequestObject({
  catalog: Type.Optional(CatalogSlug('The catalog that sells it. Absent: the only one.')),
  draft: Type.Optional(
    Type.Flag(
      'Do not sell it yet: it is listed with the homes that the catalog does not sell, until it is offered.',
    ),
  ),
  listing: CatalogListing,
});

export const ChangedListing = Type.RequestObject({
  version: Type.AtLeast(0, 'The version that was read.'),
  catalog: Type.Optional(CatalogSlug('The catalog of `listing.collection`, as it was read.')),
  allowUnusual: AllowUnusual,
  listing: CatalogListing,
});

const { offset: _offset, ...homesOfList } = homeFilter;

export const TextReplacement = Type.RequestObject({
  ...homesOfList,
  find: Type.GivenText(
    operatorLimits.reasonLength,
    'The text as it is; upper and lower case count.',
    patterns.line,
  ),
  replaceWith: Type.String({
    maxLength: operatorLimits.reasonLength,
    description: 'What is there instead. Empty: nothing.',
  }),
  ...expectedVersion,
});

export const ReplacedText = Type.ResponseObject(
  'ReplacedText',
  'What a replacement changes, or would change.',
  {
    dryRun: Type.Flag('Nothing was changed.'),
    changeId: Type.Nullable(Type.Uuid('Undoes it for a day; null: nothing was written.')),
    version: Type.Whole(
      'A number for what is replaced: send that of the preview as `expectedVersion`.',
    ),
    changed: Type.Whole('How many homes have changed.'),
    changes: Type.Array(
      Type.ResponseObject('HomeWithReplacedText', {
        listing: Type.String(),
        name: Type.Text('Of the home, as it was.'),
        members: Type.Array(MemberChange),
      }),
      { description: 'The first two hundred homes.' },
    ),
  },
);

export const TextsUndone = Type.ResponseObject('TextsUndone', {
  changed: Type.Whole('How many homes have their texts back.'),
});

export const WithdrawnListing = Type.RequestObject({
  catalog: Type.Optional(CatalogSlug('The catalog. Absent: the only one.')),
});

export const WithdrawnQuery = Type.RequestObject({
  catalog: Type.Optional(CatalogSlug('The catalog. Absent: the only one.')),
  ...pageQuery,
});

export const WithdrawnPage = PageOf(
  Type.ResponseObject('WithdrawnHome', {
    listingId: Type.Uuid('Its ID.'),
    slug: Type.String(),
    name: Type.String(),
    destination: Type.Nullable(Type.String()),
    catalog: Type.Text('The catalog that sold it.'),
    collection: Type.Nullable(Type.Text('Its collection there.')),
    withdrawnAt: Type.Instant('Since when it is not sold there.'),
  }),
  'WithdrawnPage',
  'Homes that the catalog no longer sells, the latest first.',
);

export const OfferedListing = Type.RequestObject({
  catalog: Type.Optional(CatalogSlug('The catalog. Absent: the only one.')),
  collection: Type.Optional(
    Type.Nullable(
      Type.String({
        maxLength: 100,
        description: 'Absent: its previous collection in this catalog.',
      }),
    ),
  ),
});

export const PricedDraft = Type.RequestObject({
  listing: CatalogListing,
  checkIn: Type.KeptDate('The first night.'),
  checkOut: Type.KeptDate('The day after the last night.'),
  party: PartyInput,
  adjustPercent: Type.Optional(
    Type.Number({
      minimum: -100,
      maximum: 1_000,
      description: "An application's channel adjustment. Absent: 0.",
    }),
  ),
});

const amount = (description: string) => Type.Whole(description);

const ExplainedNight = Type.ResponseObject('ExplainedNight', {
  date: Type.String(),
  amount: amount('What it costs, after the channel adjustment.'),
  layer: Type.Enum(['dates', 'season', 'listing'], { description: 'What states the price.' }),
  name: Type.Nullable(Type.Text('The name of the season.')),
  member: Type.Enum(['nightly', 'weekdays', 'changePercent'], {
    description: 'The member that states it.',
  }),
  changePercent: Type.Nullable(Type.Number({ description: 'Changes `base`.' })),
  base: Type.Nullable(amount('The price that `changePercent` changes.')),
});

const ExplainedLine = Type.ResponseObject('ExplainedLine', 'null: it does not depend on that.', {
  kind: Charges.properties.lines.items.properties.kind,
  label: Type.String(),
  amount: amount('In minor units.'),
  rule: Type.Nullable(Type.Text('The fee or tax within the home.')),
  percent: Type.Nullable(Type.Number()),
  base: Type.Nullable(amount('What the percentage is of.')),
  per: Type.Nullable(Type.Text('The unit of `unit`.')),
  unit: Type.Nullable(amount('The amount for each unit.')),
  maxAmount: Type.Nullable(amount('The most for one guest and night.')),
  nights: Type.Nullable(Type.Whole('How many nights it counts.')),
  guests: Type.Nullable(Type.Whole('How many guests it counts.')),
  pets: Type.Nullable(Type.Whole('How many pets it counts.')),
  isIncluded: Type.Flag('The prices contain it: it adds nothing.'),
  atProperty: Type.Flag('It is paid at the property.'),
  notCharged: Type.Nullable(
    Type.Enum(['nights_of_stay', 'days_ahead', 'no_night', 'no_guest', 'no_pet', 'nothing'], {
      description: 'Why its amount is 0.',
    }),
  ),
});

export const DraftPrice = Type.ResponseObject(
  'DraftPrice',
  'The price of a stay; `charges` is null if a night has no price.',
  {
    charges: Type.Nullable(Charges),
    explained: Type.Nullable(
      Type.ResponseObject(
        'ExplainedPrice',
        'How the price came about, also the fees and taxes that are not charged; null with `charges`.',
        { nights: Type.Array(ExplainedNight), lines: Type.Array(ExplainedLine) },
      ),
    ),
    cancellation: Terms.properties.cancellation,
    securityDeposit: Terms.properties.securityDeposit,
    broken: Type.Array(
      Type.ResponseObject('BrokenRule', { rule: Type.String(), message: Type.String() }),
      { description: 'The rules of the home that the stay breaks.' },
    ),
  },
);

const nightlyText = 'In minor units. Null: removes the price of the dates. Absent: keeps it.';
const minNightsText = 'Null: removes the rule of the dates. Absent: keeps it.';
const mostOfNight = 1_000_000_000_000;

const ruleNights = Type.Optional(Type.Nullable(Type.WholeFrom(1, 90, minNightsText)));
const ruleDays = Type.Optional(
  Type.Nullable(Weekdays('Null: removes the rule of the date. Absent: keeps it.')),
);

export const NewRates = Type.RequestObject({
  listings: Type.Array(ListingName, {
    minItems: 1,
    maxItems: operatorLimits.homesOfRates,
    uniqueItems: true,
    description: 'The homes, by slug or ID.',
  }),
  from: Type.KeptDate('The first night.'),
  to: Type.KeptDate('The last night, included.'),
  ...Type.AllOptional({
    weekdays: Weekdays('Only nights of these weekdays. Absent: all.'),
    nightly: Type.Nullable(Type.WholeFrom(0, mostOfNight, nightlyText)),
    changePercent: Type.Number({
      minimum: -100,
      maximum: 1_000,
      description: 'Changes the price that each night has now. Not with another price.',
    }),
    changeAmount: Type.WholeFrom(
      -mostOfNight,
      mostOfNight,
      'In minor units: added to the price that each night has now. Not with another price.',
    ),
    roundTo: Type.WholeFrom(
      1,
      1_000_000,
      'In minor units: a changed price becomes the nearest multiple of it. Absent: nothing is rounded.',
    ),
  }),
  minNights: ruleNights,
  maxNights: ruleNights,
  minNightsThrough: Type.Optional(
    Type.Nullable(
      Type.WholeFrom(
        1,
        90,
        `The least nights of each stay that has one of these nights. ${minNightsText}`,
      ),
    ),
  ),
  arrivalDays: ruleDays,
  departureDays: ruleDays,
  allowUnusual: AllowUnusual,
  ...expectedVersion,
});

const BulkDate = Type.RequestObject('BulkDate', {
  date: Type.KeptDate('The night; for rules, the day of arrival or departure.'),
  nightly: Type.Optional(
    Type.Nullable(
      Type.WholeFrom(
        0,
        mostOfNight,
        'In minor units. Null: removes the price of the date. Absent: keeps it.',
      ),
    ),
  ),
  minNights: ruleNights,
  maxNights: ruleNights,
  arrivalDays: ruleDays,
  departureDays: ruleDays,
});

export const BulkRates = Type.RequestObject('BulkRates', {
  rates: Type.Array(
    Type.RequestObject('BulkHome', {
      listing: ListingName,
      dates: Type.Array(BulkDate, { maxItems: operatorLimits.bulkRates.dates }),
    }),
    { maxItems: operatorLimits.bulkRates.homes },
  ),
});

export const BulkRatesSet = Type.ResponseObject('BulkRatesSet', 'What has really changed.', {
  listings: Type.Whole('How many homes have changed.'),
  dates: Type.Whole('How many of their dates have changed.'),
});

export const RatesImport = Type.RequestObject({
  ...CsvImport(
    '`listing,from,to,nightly,minNights`, or `price` in units of the currency in place of `nightly`',
  ).properties,
  allowUnusual: AllowUnusual,
});

/** Nights whose price changes so much that it is probably a mistake. */
export const UnusualPrices = Type.ResponseObject(
  'UnusualPrices',
  'Nights whose price falls below a fifth or rises above five times.',
  {
    nights: Type.Whole('How many nights.'),
    first: Type.Array(
      Type.ResponseObject('UnusualPrice', {
        listing: Type.String(),
        currency: Type.Text('Of the prices.'),
        from: Type.Text('The first night.'),
        to: Type.Text('The last night, included.'),
        before: amount('What each of them costs now.'),
        after: amount('What each of them would cost.'),
      }),
      { description: 'The first hundred.' },
    ),
  },
);

const NightRates = Type.ResponseObject(
  'NightRates',
  'What holds for a night, whether the home, a season or the dates say it.',
  {
    nightly: Type.Nullable(amount('What the night costs; null: it has no price.')),
    minNights: Type.Whole('For an arrival on this day.'),
    maxNights: Type.Whole('For an arrival on this day.'),
    minNightsThrough: Type.Nullable(Type.Whole('Of each stay that has this night; null: none.')),
    arrivalDays: Type.Array(Type.String()),
    departureDays: Type.Array(Type.String()),
  },
);

export const ChangedRates = Type.ResponseObject(
  'ChangedRates',
  'What a change of rates does, or would do.',
  {
    dryRun: Type.Flag('Nothing was changed.'),
    changeId: Type.Nullable(Type.Uuid('Undoes the change for a day; null: nothing was written.')),
    version: Type.Whole(
      'A number for the rates of these homes before the change: send that of the preview as `expectedVersion`.',
    ),
    changed: Type.Whole('How many homes have changed.'),
    nights: Type.Whole('How many of their nights have changed.'),
    notPriced: Type.Whole('Nights without a price, which no percentage or amount can change.'),
    sums: Type.Array(
      Type.ResponseObject('SumOfPrices', {
        currency: Type.String(),
        nights: Type.Whole('Changed nights that have a price.'),
        before: amount('Their prices before.'),
        after: amount('Their prices after.'),
      }),
      { description: 'The prices of all changed nights, by currency.' },
    ),
    changes: Type.Array(
      Type.ResponseObject('ChangedNights', {
        listing: Type.String(),
        name: Type.Text('Of the home.'),
        currency: Type.Text('Of the prices.'),
        from: Type.Text('The first night.'),
        to: Type.Text('The last night, included.'),
        before: NightRates,
        after: NightRates,
      }),
      { description: 'The first two hundred stretches of nights that change alike.' },
    ),
    unusual: UnusualPrices,
  },
);

export const RatesUndone = Type.ResponseObject('RatesUndone', {
  changed: Type.Whole('How many homes have their rates back.'),
});

const RateEntry = Type.ResponseObject('RateEntry', {
  from: Type.String(),
  to: Type.String(),
  nightly: Type.Optional(Type.Integer()),
  minNights: Type.Optional(Type.Integer()),
  arrivalDays: Type.Optional(Type.Array(Type.String())),
});

export const RatesImported = Type.ResponseObject('RatesImported', 'What the file changes.', {
  dryRun: Type.Boolean(),
  listings: Type.Integer(),
  added: Type.Integer(),
  changed: Type.Integer(),
  unchanged: Type.Integer(),
  changes: Type.Array(
    Type.Object({
      listing: Type.String(),
      currency: Type.Text('Of the prices.'),
      before: Type.Nullable(RateEntry),
      after: RateEntry,
    }),
    { description: 'The first thousand.' },
  ),
  unusual: UnusualPrices,
});
