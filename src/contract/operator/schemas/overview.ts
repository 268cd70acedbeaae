import Type from 'typebox';
import { KeptDate } from './shared.ts';
import {
  Flag,
  Instant,
  Integer,
  Minor,
  Nullable,
  Party,
  ResponseObject,
  Text,
  Uuid,
} from '../../partner/schemas/primitives.ts';
import { EndpointState, EndpointStateReason } from '../../portal/schemas/endpoints.ts';
import { operatorLimits } from '../limits.ts';

const { overviewItems, overviewCount, overviewDays } = operatorLimits;

const StayOfToday = ResponseObject('StayOfToday', {
  reference: Type.String(),
  applicationId: Uuid('The application.'),
  application: Text('Its name.'),
  listingId: Uuid('The home.'),
  listing: Nullable(Text('Its slug; null: it no longer exists.')),
  home: Nullable(Text('Its name.')),
  guest: Nullable(Text('The name of the guest; null: removed.')),
  checkIn: KeptDate('Arrival.'),
  checkOut: KeptDate('Departure.'),
  party: Party,
});

const staysOfToday = (description: string) =>
  Type.Object(
    {
      items: Type.Array(StayOfToday),
      hasMore: Flag(`There are more than ${overviewItems}.`),
    },
    { description },
  );

const counted = (description: string) =>
  Integer(`${description} ${overviewCount}: this many or more.`);

const FailingEndpoint = ResponseObject('FailingEndpoint', {
  endpointId: Uuid('The endpoint.'),
  applicationId: Uuid('The application.'),
  application: Text('Its name.'),
  url: Type.String(),
  state: EndpointState,
  stateReason: Nullable(EndpointStateReason),
  failingSince: Nullable(Instant('Since when it fails.')),
});

const BookedDay = ResponseObject('BookedDay', {
  day: KeptDate('In UTC.'),
  applicationId: Uuid('The application.'),
  application: Text('Its name.'),
  currency: Type.String(),
  bookings: Type.Integer(),
  total: Minor('What they cost, in the prices of that day.'),
});

export const Overview = ResponseObject('Overview', 'Today.', {
  arrivals: staysOfToday('Guests who arrive today at the property.'),
  departures: staysOfToday('Guests who leave today at the property.'),
  booked: Type.Array(BookedDay, {
    description: `What was booked in the last ${overviewDays} days, cancelled reservations included. Updated every minute.`,
  }),
  needs: Type.Object(
    {
      uncertainCheckouts: counted('Checkouts and requests whose outcome is not known.'),
      payments: counted('Reservations whose money needs a decision.'),
      channelConflicts: counted('Nights that another channel has sold as well.'),
      failingCalendars: counted('Calendars of other channels that cannot be read.'),
      shrunkCalendars: counted('Those in which at least half of the events are missing.'),
      unreadCalendars: counted('Those without a whole read for three of their intervals.'),
      refusedRecords: counted('Reservations that your records did not take.'),
      failingEndpoints: Type.Array(FailingEndpoint),
      clockHeldSince: Nullable(
        Instant("Since when the database's clock is not believed; null: it is."),
      ),
    },
    { description: 'What needs attention now.' },
  ),
});
