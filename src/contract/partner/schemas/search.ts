import Type from 'typebox';
import { Listing } from './listing.ts';
import {
  responseOptions,
  CalendarDate,
  EmptiableCursor,
  Meta,
  Minor,
  NextCursor,
  Nullable,
  PageLimit,
  PartyInput,
  requestOptions,
  Uuid,
  UuidInput,
} from './primitives.ts';

/** The measurement that a guest has agreed to. Spec: Signal rules, 5. */
export const Consent = Type.Enum(['not_required', 'denied'], {
  $id: 'Consent',
  description:
    '`not_required`: ordinary first-party measurement. `denied` or absent: nothing optional is recorded.',
});

export const SearchListings = Type.Object(
  {
    checkIn: CalendarDate('Arrival.'),
    checkOut: CalendarDate('Departure; that night is not part of the stay.'),
    party: PartyInput,
    limit: Type.Optional(PageLimit),
    cursor: Type.Optional(EmptiableCursor),
    collectionId: Type.Optional(
      UuidInput('Only homes of this collection. An unknown collection gives no results.'),
    ),
    journeyId: Type.Optional(
      UuidInput('Links the searches of one guest. Stored only if `consent` is `not_required`.'),
    ),
    consent: Type.Optional(Consent),
  },
  requestOptions(
    'SearchListings',
    'Search homes that are available for these dates and this party. The same rules for dates apply as for a quote.',
  ),
);
export type SearchListings = Type.Static<typeof SearchListings>;

const SearchResult = Type.Object(
  {
    listing: Listing,
    total: Nullable(
      Minor(
        'Indicative total of the stay in minor units. The quote may differ and is binding. Null if a night has no price.',
      ),
    ),
    currency: Nullable(Type.String({ description: 'ISO 4217.' })),
  },
  responseOptions('SearchResult', 'A home that a quote would accept for these dates and party.'),
);

export const SearchPage = Type.Object(
  {
    items: Type.Array(SearchResult),
    nextCursor: NextCursor,
    meta: Meta,
    searchObservationId: Nullable(
      Uuid(
        'Identifies this search in the signal `search_viewed`. Null unless `consent` is `not_required`.',
      ),
    ),
  },
  responseOptions('SearchPage', 'A page of available homes.'),
);

const CalendarDay = Type.Object(
  {
    date: CalendarDate('The night that begins on this date.'),
    available: Type.Boolean({ description: 'Whether that night is available.' }),
    minNights: Type.Integer({
      minimum: 1,
      description: 'Minimum nights of a stay that arrives on this date.',
    }),
    checkInAllowed: Type.Boolean({ description: 'Whether a stay may arrive on this date.' }),
    checkOutAllowed: Type.Boolean({ description: 'Whether a stay may depart on this date.' }),
  },
  responseOptions('CalendarDay', 'One date of a calendar.'),
);

export const Calendar = Type.Object(
  {
    listingId: Uuid('The home.'),
    timeZone: Nullable(Type.String({ description: 'IANA time zone of the dates; null: UTC.' })),
    startDate: CalendarDate('First date.'),
    endDate: CalendarDate('Last date, included.'),
    days: Type.Array(CalendarDay, { description: 'Every date of the range, in order.' }),
    meta: Meta,
  },
  responseOptions('Calendar', 'Availability and minimum stays, one entry per date.'),
);
export type Calendar = Type.Static<typeof Calendar>;

export const CalendarQuery = Type.Object(
  {
    startDate: CalendarDate('First date.'),
    endDate: CalendarDate('Last date, included. The range has at most 93 days.'),
  },
  { additionalProperties: false },
);
