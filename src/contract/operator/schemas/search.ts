import * as Type from '../../type.ts';
import { patterns } from '../../patterns.ts';
import { ReservationState } from '../../partner/schemas/states.ts';
import { operatorLimits } from '../limits.ts';
import { booking } from './reservations.ts';

export const Search = Type.RequestObject('Search', {
  text: Type.GivenText(
    operatorLimits.searchTextLength,
    'One of these, a day beside it if it is known: words of a guest’s name, at least the last six digits of a phone number, an email address, a reference in any case and with `O` for `0`, a reference of a partner, an ID, a part of the name of a home or partner. A day is `2027-08-14`, `14.8.`, `14 Aug` or `tomorrow`.',
    patterns.line,
  ),
});

const FoundStay = Type.ResponseObject(
  'FoundStay',
  'A reservation, or a booking that did not become one.',
  {
    by: Type.Enum(['reference', 'partnerReference', 'id', 'email', 'phone', 'guest', 'home'], {
      $id: 'FoundBy',
      description: 'By what it was found.',
    }),
    kind: booking.kind,
    checkoutId: Type.Uuid('The checkout or request.'),
    applicationId: Type.Uuid('The application.'),
    application: Type.Text('Its name.'),
    reference: Type.Nullable(Type.Text('The reservation; null: the booking did not become one.')),
    state: Type.Union([ReservationState, booking.state]),
    guest: Type.Nullable(Type.Text('First and last name; null: removed.')),
    phone: Type.Nullable(Type.Text('Of the guest.')),
    listing: Type.Nullable(Type.Text('The slug of the home; null: it is gone.')),
    listingName: Type.Nullable(Type.Text('The name of the home.')),
    checkIn: Type.KeptDate('Arrival.'),
    checkOut: Type.KeptDate('Departure.'),
  },
);

const FoundHome = Type.ResponseObject('FoundHome', {
  listingId: Type.Uuid('Its ID.'),
  listing: Type.Text('Its slug.'),
  name: Type.Text('Its name.'),
  destination: Type.Nullable(Type.Text('Where it is.')),
});

const FoundPartner = Type.ResponseObject('FoundPartner', {
  applicationId: Type.Uuid('The application.'),
  name: Type.Text('Its name.'),
});

export const Found = Type.ResponseObject('Found', 'What one text finds.', {
  night: Type.Nullable(Type.KeptDate('The day that the text names.')),
  stays: Type.Array(FoundStay, {
    description: `Those near to today first, at most ${operatorLimits.searchItems}.`,
  }),
  moreStays: Type.Flag('There are more stays.'),
  homes: Type.Array(FoundHome, { description: `At most ${operatorLimits.searchItems}.` }),
  moreHomes: Type.Flag('There are more homes.'),
  partners: Type.Array(FoundPartner, { description: `At most ${operatorLimits.searchItems}.` }),
  notSearched: Type.Array(Type.String(), {
    description: 'What the text could mean and was not searched, in words.',
  }),
});
