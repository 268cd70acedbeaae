import * as Type from '../../type.ts';
import { limits } from '../../limits.ts';
import { Party } from '../../partner/schemas/primitives.ts';
import {
  CheckoutState,
  FailureReason,
  ReservationRequestState,
  ReservationState,
} from '../../partner/schemas/states.ts';

const named = Type.Nullable(Type.String(), 'Null: the home no longer exists.');

export const BookingKind = Type.Enum(['checkout', 'request'], {
  $id: 'BookingKind',
  description: '`request`: a reservation request.',
});

const bookingMembers = {
  kind: BookingKind,
  bookingId: Type.Uuid('The checkout or reservation request.'),
  quoteId: Type.Uuid('Its quote.'),
  state: Type.Union([CheckoutState, ReservationRequestState], {
    description: 'The state of the checkout or reservation request.',
  }),
  version: Type.Integer({ minimum: 1 }),
  failure: Type.Nullable(FailureReason, 'Why it failed.'),
  partnerReference: Type.Nullable(Type.String(), 'The reference that you gave it.'),
  promotionCode: Type.Nullable(Type.String(), 'The promotion that is applied.'),
  reference: Type.Nullable(Type.String(), 'The reservation; null: there is none.'),
  reservationState: Type.Nullable(
    ReservationState,
    'The state of the reservation; null: there is none.',
  ),
  listing: Type.ResponseObject('BookedListing', 'The home of a booking.', {
    listingId: Type.Uuid('The home.'),
    slug: named,
    name: named,
  }),
  checkIn: Type.String({ format: 'date' }),
  checkOut: Type.String({ format: 'date' }),
  party: Party,
  currency: Type.String(),
  total: Type.Whole('In minor units.'),
  createdAt: Type.Instant('When it was created.'),
  submittedAt: Type.Nullable(Type.String({ format: 'date-time' }), 'When it was submitted.'),
  resolvedAt: Type.Nullable(Type.String({ format: 'date-time' }), 'When its outcome was known.'),
};

const Booking = Type.ResponseObject(
  'PortalBooking',
  'A checkout or reservation request, without its guest.',
  bookingMembers,
);

export const BookingQuery = Type.RequestObject({
  name: Type.GivenText(
    limits.partnerReferenceLength,
    'The reference of a reservation, your `partnerReference`, or the ID of a checkout or reservation request.',
  ),
});

export const BookingList = Type.ListOf(
  Booking,
  'PortalBookingList',
  'The bookings with this reference or ID; empty if there are none.',
);

const TimelineItem = Type.Object(
  {
    at: Type.String({ format: 'date-time' }),
    what: Type.Text('For example `quote.created`, `command`, `event`, `delivery`.'),
  },
  {
    $id: 'TimelineItem',
    description: 'Something that happened. Further members depend on `what`.',
    additionalProperties: true,
  },
);

export const BookingInFull = Type.ResponseObject(
  'PortalBookingInFull',
  'A booking and everything that happened to it.',
  {
    ...bookingMembers,
    timeline: Type.Array(TimelineItem, {
      description:
        'What is still known, oldest first: commands of 7 days, events and deliveries of 30.',
    }),
  },
);

export const SimulatedChange = Type.RequestObject(
  'SimulatedChange',
  'What the reservations team of the simulation does now.',
  {
    change: Type.Enum(['cancelled', 'moved_one_day'], {
      description:
        '`cancelled`: cancels the reservation. `moved_one_day`: moves the stay one day later.',
    }),
  },
);

export const SimulatedReservation = Type.ResponseObject(
  'SimulatedReservation',
  'The reservation after the change.',
  {
    reference: Type.String(),
    state: ReservationState,
    checkIn: Type.String({ format: 'date' }),
    checkOut: Type.String({ format: 'date' }),
  },
);
