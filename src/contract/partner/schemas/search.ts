import * as Type from '../../type.ts';
import { limits } from '../../limits.ts';
import { patterns } from '../../patterns.ts';
import { Listing } from './listing.ts';
import { EmptiableCursor, Meta, NextCursor, paged, PartyInput } from './primitives.ts';

/** The measurement that a guest has agreed to. Spec: SIGNAL-4. */
export const Consent = Type.Enum(['not_required', 'denied'], {
  $id: 'Consent',
  description:
    '`not_required`: ordinary first-party measurement. `denied` or absent: nothing optional is recorded.',
});

/** Spec: SEARCH-4. */
const Near = Type.RequestObject(
  'Near',
  'Only homes within this great-circle distance (the mean radius of the earth is 6371.0088 km). Homes without `geo` are never within it.',
  {
    latitude: Type.Number({ minimum: -90, maximum: 90, description: 'Degrees north.' }),
    longitude: Type.Number({ minimum: -180, maximum: 180, description: 'Degrees east.' }),
    radiusKm: Type.Number({
      exclusiveMinimum: 0,
      maximum: limits.radiusKm,
      description: 'The largest distance, in kilometres.',
    }),
  },
);

const MaxTotal = Type.RequestObject(
  'MaxTotal',
  'Only homes with this currency whose total is known and not above the amount.',
  {
    amount: Type.WholeFrom(
      0,
      Number.MAX_SAFE_INTEGER,
      'The highest total of the stay, in minor units.',
    ),
    currency: Type.String({ pattern: patterns.currency.pattern, description: 'ISO 4217.' }),
  },
);

const SearchSort = Type.Enum(['position', 'total', 'distance'], {
  $id: 'SearchSort',
  description:
    '`position` (default): the order of the list of homes. `total`: the lowest total first, compared as a number of minor units without regard to the currency, and homes without a total last. `distance`: the nearest first; only with `near`. Ties are in the order of the list.',
});

export const SearchListings = Type.RequestObject(
  'SearchListings',
  'Search homes that are available for these dates and this party. The same rules for dates apply as for a quote.',
  {
    checkIn: Type.CalendarDate('Arrival.'),
    checkOut: Type.CalendarDate('Departure; that night is not part of the stay.'),
    party: PartyInput,
    limit: paged.limit,
    ...Type.AllOptional({
      cursor: EmptiableCursor,
      collectionId: Type.UuidInput(
        'Only homes of this collection. An unknown collection gives no results.',
      ),
      journeyId: Type.UuidInput(
        'Links the searches of one guest. Stored only if `consent` is `not_required`.',
      ),
      consent: Consent,
      destination: Type.GivenText(
        limits.destinationLength,
        'Each word must be the beginning of a word in `destination` or `name` of the home; case and accents are ignored, and `ä`, `ö`, `ü`, `å`, `ø` are also found as `ae`, `oe`, `ue`, `aa`, `oe`. Contains at least one letter or digit.',
        patterns.text,
      ),
      near: Near,
      amenities: Type.Array(
        Type.String({
          minLength: 1,
          maxLength: limits.amenityLength,
          pattern: patterns.text.pattern,
        }),
        {
          maxItems: limits.amenities,
          description:
            'The home has all of them. Compared with whole names of `amenities`; case and accents are ignored.',
        },
      ),
      bedroomsMin: Type.WholeFrom(
        limits.bedroomsMin.min,
        limits.bedroomsMin.max,
        'The home has at least as many bedrooms. If it is above 0, homes whose `bedrooms` is null are not results.',
      ),
      maxTotal: MaxTotal,
      sort: SearchSort,
      flexDays: Type.WholeFrom(
        limits.flexDays.min,
        limits.flexDays.max,
        'The stay may begin up to this many days earlier or later, with the same number of nights. A result is the cheapest available shift: of equal totals the nearest, the earlier before the later. A shift without a total comes after those with one.',
      ),
    }),
  },
);
export type SearchListings = Type.Static<typeof SearchListings>;

const SearchResult = Type.ResponseObject(
  'SearchResult',
  'A home that a quote would accept for these dates and party.',
  {
    listing: Listing,
    total: Type.Nullable(
      Type.Minor(
        'Indicative total of the stay in minor units. The quote may differ and is binding. Null if a night has no price.',
      ),
    ),
    currency: Type.Nullable(Type.Text('ISO 4217.')),
    distanceKm: Type.Optional(
      Type.Number({
        minimum: 0,
        description:
          'Only with `near`: the distance, rounded to one decimal. Filter and order use the exact one.',
      }),
    ),
    checkIn: Type.Optional(Type.CalendarDate('Only with `flexDays`: arrival of the chosen shift.')),
    checkOut: Type.Optional(
      Type.CalendarDate('Only with `flexDays`: departure of the chosen shift.'),
    ),
  },
);

export const SearchPage = Type.ResponseObject('SearchPage', 'A page of available homes.', {
  items: Type.Array(SearchResult),
  nextCursor: NextCursor,
  meta: Meta,
  searchObservationId: Type.Nullable(
    Type.Uuid(
      'Identifies this search in the signal `search_viewed`. Null unless `consent` is `not_required`.',
    ),
  ),
});

const CalendarDay = Type.ResponseObject('CalendarDay', 'One date of a calendar.', {
  date: Type.CalendarDate('The night that begins on this date.'),
  available: Type.Flag('Whether that night is available.'),
  minNights: Type.AtLeast(1, 'Minimum nights of a stay that arrives on this date.'),
  checkInAllowed: Type.Flag('Whether a stay may arrive on this date.'),
  checkOutAllowed: Type.Flag('Whether a stay may depart on this date.'),
  price: Type.Nullable(
    Type.Minor(
      'The price of that night for your application, before discounts, fees and taxes that are not in it; null if it has none. Indicative: the quote is binding.',
    ),
  ),
  maxNights: Type.AtLeast(1, 'Maximum nights of a stay that arrives on this date.'),
});

export const Calendar = Type.ResponseObject(
  'Calendar',
  'Availability and minimum stays, one entry per date.',
  {
    listingId: Type.Uuid('The home.'),
    timeZone: Type.Nullable(Type.Text('IANA time zone of the dates; null: UTC.')),
    startDate: Type.CalendarDate('First date.'),
    endDate: Type.CalendarDate('Last date, included.'),
    currency: Type.Text('ISO 4217, of the prices.'),
    days: Type.Array(CalendarDay, { description: 'Every date of the range, in order.' }),
    digest: Type.Text(
      'base64url of the SHA-256 of the RFC 8785 JSON of `{ currency, days }` as returned: compute it over your copy to compare the two.',
    ),
    meta: Meta,
  },
);
export type Calendar = Type.Static<typeof Calendar>;

export const ListCalendars = Type.RequestObject(
  'ListCalendars',
  'Read the calendars of several homes.',
  {
    listingIds: Type.Array(Type.UuidInput('A home.'), {
      minItems: 1,
      maxItems: limits.calendarsAtOnce,
      description: `Up to ${limits.calendarsAtOnce} homes, each once.`,
    }),
    startDate: Type.CalendarDate('First date.'),
    endDate: Type.CalendarDate('Last date, included. The range has at most 93 days.'),
  },
);

export const CalendarList = Type.ResponseObject(
  'CalendarList',
  'The calendars of several homes, as of one time.',
  {
    items: Type.Array(Calendar, { description: 'In the order of the request.' }),
    missing: Type.Array(Type.Uuid('A home.'), {
      description: 'The homes that do not exist for this application, in the order of the request.',
    }),
    meta: Meta,
  },
);

export const CalendarQuery = Type.RequestObject({
  startDate: Type.CalendarDate('First date.'),
  endDate: Type.CalendarDate('Last date, included. The range has at most 93 days.'),
});
