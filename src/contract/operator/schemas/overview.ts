import * as Type from '../../type.ts';
import { Party } from '../../partner/schemas/primitives.ts';
import { EndpointState, EndpointStateReason } from '../../portal/schemas/endpoints.ts';
import { operatorLimits } from '../limits.ts';

const { overviewItems, overviewCount, overviewDays } = operatorLimits;

const StayOfToday = Type.ResponseObject('StayOfToday', {
  reference: Type.String(),
  applicationId: Type.Uuid('The application.'),
  application: Type.Text('Its name.'),
  listingId: Type.Uuid('The home.'),
  listing: Type.Nullable(Type.Text('Its slug; null: it no longer exists.')),
  home: Type.Nullable(Type.Text('Its name.')),
  guest: Type.Nullable(Type.Text('The name of the guest; null: removed.')),
  checkIn: Type.KeptDate('Arrival.'),
  checkOut: Type.KeptDate('Departure.'),
  party: Party,
});

const staysOfToday = (description: string) =>
  Type.Object(
    {
      items: Type.Array(StayOfToday),
      hasMore: Type.Flag(`There are more than ${overviewItems}.`),
    },
    { description },
  );

const counted = (description: string) =>
  Type.Whole(`${description} ${overviewCount}: this many or more.`);

const FailingEndpoint = Type.ResponseObject('FailingEndpoint', {
  endpointId: Type.Uuid('The endpoint.'),
  applicationId: Type.Uuid('The application.'),
  application: Type.Text('Its name.'),
  url: Type.String(),
  state: EndpointState,
  stateReason: Type.Nullable(EndpointStateReason),
  failingSince: Type.Nullable(Type.Instant('Since when it fails.')),
});

const BookedDay = Type.ResponseObject('BookedDay', {
  day: Type.KeptDate('In UTC.'),
  applicationId: Type.Uuid('The application.'),
  application: Type.Text('Its name.'),
  currency: Type.String(),
  bookings: Type.Integer(),
  total: Type.Minor('What they cost, in the prices of that day.'),
});

export const Overview = Type.ResponseObject('Overview', 'Today.', {
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
      clockHeldSince: Type.Nullable(
        Type.Instant("Since when the database's clock is not believed; null: it is."),
      ),
    },
    { description: 'What needs attention now.' },
  ),
});
