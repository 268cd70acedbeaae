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

/** What a guest has agreed to be measured for. Spec: Signal rules, 5. */
export const Consent = Type.Enum(['not_required', 'denied'], {
  $id: 'Consent',
  description:
    '`not_required`: ordinary first-party measurement. `denied`, or no value at all: nothing optional is captured.',
});

export const SearchListings = Type.Object(
  {
    checkIn: CalendarDate('Arrival.'),
    checkOut: CalendarDate('Departure; that night is not part of the stay.'),
    party: PartyInput,
    limit: Type.Optional(PageLimit),
    cursor: Type.Optional(EmptiableCursor),
    collectionId: Type.Optional(
      UuidInput('Only homes of this collection. One that is not known finds nothing.'),
    ),
    journeyId: Type.Optional(
      UuidInput("Ties a guest's searches together. Kept only where `consent` is `not_required`."),
    ),
    consent: Type.Optional(Consent),
  },
  requestOptions(
    'SearchListings',
    'Which homes can be had for these dates and this party? The dates keep the rules of a quote.',
  ),
);
export type SearchListings = Type.Static<typeof SearchListings>;

const SearchResult = Type.Object(
  {
    listing: Listing,
    total: Nullable(
      Minor(
        'Total of the stay in minor units, as an indication: the quote may differ and counts. Null where a night has no price.',
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
        'Names this search in the signal `search_viewed`. Recorded only where `consent` is `not_required`; otherwise null.',
      ),
    ),
  },
  responseOptions('SearchPage', 'A page of homes that are free.'),
);

const CalendarDay = Type.Object(
  {
    date: CalendarDate('The night that begins on this date.'),
    available: Type.Boolean({ description: 'Whether that night is free.' }),
    minNights: Type.Integer({
      minimum: 1,
      description: 'Least nights of a stay that arrives on this date.',
    }),
    checkInAllowed: Type.Boolean({ description: 'Whether a stay may arrive on this date.' }),
    checkOutAllowed: Type.Boolean({ description: 'Whether a stay may depart on this date.' }),
  },
  responseOptions('CalendarDay', 'One date of a calendar.'),
);

export const Calendar = Type.Object(
  {
    listingId: Uuid('The home.'),
    timeZone: Nullable(Type.String({ description: 'IANA name; null: dates are those of UTC.' })),
    startDate: CalendarDate('First date.'),
    endDate: CalendarDate('Last date, included.'),
    days: Type.Array(CalendarDay, { description: 'Every date of the range, in order.' }),
    meta: Meta,
  },
  responseOptions('Calendar', 'Free nights and least stays, one entry a date.'),
);
export type Calendar = Type.Static<typeof Calendar>;

export const CalendarQuery = Type.Object(
  {
    startDate: CalendarDate('First date.'),
    endDate: CalendarDate('Last date, included; at most 93 days with the first.'),
  },
  { additionalProperties: false },
);
