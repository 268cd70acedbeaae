import Type from 'typebox';
import { patterns } from '../../patterns.ts';
import {
  Flag,
  Nullable,
  RequestObject,
  ResponseObject,
  Text,
  Uuid,
} from '../../partner/schemas/primitives.ts';
import { ReservationState } from '../../partner/schemas/states.ts';
import { operatorLimits } from '../limits.ts';
import { booking } from './reservations.ts';
import { KeptDate } from './shared.ts';

export const Search = RequestObject('Search', {
  text: Type.String({
    minLength: 1,
    maxLength: operatorLimits.searchTextLength,
    pattern: patterns.line.pattern,
    description:
      'One of these, a day beside it if it is known: words of a guest’s name, at least the last six digits of a phone number, an email address, a reference in any case and with `O` for `0`, a reference of a partner, an ID, a part of the name of a home or partner. A day is `2027-08-14`, `14.8.`, `14 Aug` or `tomorrow`.',
  }),
});

const FoundStay = ResponseObject(
  'FoundStay',
  'A reservation, or a booking that did not become one.',
  {
    by: Type.Enum(['reference', 'partnerReference', 'id', 'email', 'phone', 'guest', 'home'], {
      $id: 'FoundBy',
      description: 'By what it was found.',
    }),
    kind: booking.kind,
    checkoutId: Uuid('The checkout or request.'),
    applicationId: Uuid('The application.'),
    application: Text('Its name.'),
    reference: Nullable(Text('The reservation; null: the booking did not become one.')),
    state: Type.Union([ReservationState, booking.state]),
    guest: Nullable(Text('First and last name; null: removed.')),
    phone: Nullable(Text('Of the guest.')),
    listing: Nullable(Text('The slug of the home; null: it is gone.')),
    listingName: Nullable(Text('The name of the home.')),
    checkIn: KeptDate('Arrival.'),
    checkOut: KeptDate('Departure.'),
  },
);

const FoundHome = ResponseObject('FoundHome', {
  listingId: Uuid('Its ID.'),
  listing: Text('Its slug.'),
  name: Text('Its name.'),
  destination: Nullable(Text('Where it is.')),
});

const FoundPartner = ResponseObject('FoundPartner', {
  applicationId: Uuid('The application.'),
  name: Text('Its name.'),
});

export const Found = ResponseObject('Found', 'What one text finds.', {
  night: Nullable(KeptDate('The day that the text names.')),
  stays: Type.Array(FoundStay, {
    description: `Those near to today first, at most ${operatorLimits.searchItems}.`,
  }),
  moreStays: Flag('There are more stays.'),
  homes: Type.Array(FoundHome, { description: `At most ${operatorLimits.searchItems}.` }),
  moreHomes: Flag('There are more homes.'),
  partners: Type.Array(FoundPartner, { description: `At most ${operatorLimits.searchItems}.` }),
  notSearched: Type.Array(Type.String(), {
    description: 'What the text could mean and was not searched, in words.',
  }),
});
