import Type from 'typebox';
import { limits } from '../../limits.ts';
import {
  Instant,
  Integer,
  Party,
  RequestObject,
  ResponseObject,
  Text,
  Uuid,
} from '../../partner/schemas/primitives.ts';
import {
  CheckoutState,
  FailureReason,
  ReservationRequestState,
  ReservationState,
} from '../../partner/schemas/states.ts';

const named = Type.Union([Type.String(), Type.Null()], {
  description: 'Null: the home no longer exists.',
});

export const BookingKind = Type.Enum(['checkout', 'request'], {
  $id: 'BookingKind',
  description: '`request`: a reservation request.',
});

export const orNull = <Schema extends Type.TSchema>(schema: Schema, description: string) =>
  Type.Union([schema, Type.Null()], { description });

const bookingMembers = {
  kind: BookingKind,
  bookingId: Uuid('The checkout or reservation request.'),
  quoteId: Uuid('Its quote.'),
  state: Type.Union([CheckoutState, ReservationRequestState], {
    description: 'The state of the checkout or reservation request.',
  }),
  version: Type.Integer({ minimum: 1 }),
  failure: orNull(FailureReason, 'Why it failed.'),
  partnerReference: orNull(Type.String(), 'The reference that you gave it.'),
  promotionCode: orNull(Type.String(), 'The promotion that is applied.'),
  reference: orNull(Type.String(), 'The reservation; null: there is none.'),
  reservationState: orNull(ReservationState, 'The state of the reservation; null: there is none.'),
  listing: ResponseObject('BookedListing', 'The home of a booking.', {
    listingId: Uuid('The home.'),
    slug: named,
    name: named,
  }),
  checkIn: Type.String({ format: 'date' }),
  checkOut: Type.String({ format: 'date' }),
  party: Party,
  currency: Type.String(),
  total: Integer('In minor units.'),
  createdAt: Instant('When it was created.'),
  submittedAt: orNull(Type.String({ format: 'date-time' }), 'When it was submitted.'),
  resolvedAt: orNull(Type.String({ format: 'date-time' }), 'When its outcome was known.'),
};

const Booking = ResponseObject(
  'PortalBooking',
  'A checkout or reservation request, without its guest.',
  bookingMembers,
);

export const BookingQuery = RequestObject({
  name: Type.String({
    minLength: 1,
    maxLength: limits.partnerReferenceLength,
    description:
      'The reference of a reservation, your `partnerReference`, or the ID of a checkout or reservation request.',
  }),
});

export const BookingList = ResponseObject(
  'PortalBookingList',
  'The bookings with this reference or ID; empty if there are none.',
  { items: Type.Array(Booking) },
);

const TimelineItem = Type.Object(
  {
    at: Type.String({ format: 'date-time' }),
    what: Text('For example `quote.created`, `command`, `event`, `delivery`.'),
  },
  {
    $id: 'TimelineItem',
    description: 'Something that happened. Further members depend on `what`.',
    additionalProperties: true,
  },
);

export const BookingInFull = ResponseObject(
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

export const SimulatedChange = RequestObject(
  'SimulatedChange',
  'What the reservations team of the simulation does now.',
  {
    change: Type.Enum(['cancelled', 'moved_one_day'], {
      description:
        '`cancelled`: cancels the reservation. `moved_one_day`: moves the stay one day later.',
    }),
  },
);

export const SimulatedReservation = ResponseObject(
  'SimulatedReservation',
  'The reservation after the change.',
  {
    reference: Type.String(),
    state: ReservationState,
    checkIn: Type.String({ format: 'date' }),
    checkOut: Type.String({ format: 'date' }),
  },
);
