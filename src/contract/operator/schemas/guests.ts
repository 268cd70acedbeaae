import * as Type from '../../type.ts';
import { ChangeRequest } from '../../partner/schemas/change-request.ts';
import { limits } from '../../limits.ts';
import { patterns } from '../../patterns.ts';
import { ReservationState } from '../../partner/schemas/states.ts';
import { operatorLimits } from '../limits.ts';
import { CheckoutInFull } from './checkouts.ts';
import { booking, GuestOfBooking, ReservationInFull } from './reservations.ts';
import { reasonInput } from './shared.ts';

const email = Type.Optional(
  Type.GivenText(
    limits.emailLength,
    'Everything of the guest with this email address; case does not matter.',
    patterns.line,
  ),
);

const reference = Type.Optional(
  Type.GivenText(100, 'The booking of this reservation alone.', patterns.line),
);

export const FindGuest = Type.Object(
  {
    email,
    phone: Type.Optional(
      Type.GivenText(50, 'The telephone number; only its digits matter.', patterns.line),
    ),
    name: Type.Optional(
      Type.GivenText(
        2 * limits.nameLength,
        'First and last name, or the last name; case does not matter.',
        patterns.line,
      ),
    ),
    reference,
  },
  { $id: 'FindGuest', additionalProperties: false, minProperties: 1 },
);

export const ExportGuest = Type.Object(
  { email, reference },
  { $id: 'ExportGuest', additionalProperties: false, minProperties: 1 },
);

export const EraseGuest = Type.RequestObject('EraseGuest', {
  email,
  reference,
  from: Type.Optional(
    Type.Array(
      Type.String({ minLength: 2, maxLength: 300, pattern: patterns.headerText.pattern }),
      {
        $id: 'Erasures',
        minItems: 1,
        maxItems: operatorLimits.erasuresAtOnce,
        description:
          'The lines of a file `erasures`: the erasures of another installation, or of before a restore, are carried out again.',
      },
    ),
  ),
  ...reasonInput,
});

const bookingOfGuest = {
  reference: Type.Nullable(Type.Text('The reservation; null: the booking did not become one.')),
  kind: booking.kind,
  checkoutId: Type.Uuid('The checkout or request.'),
  applicationId: Type.Uuid('The application.'),
  application: Type.Text('Its name.'),
  listing: Type.Nullable(Type.Text('The slug of the home; null: it is gone.')),
  checkIn: Type.KeptDate('Arrival.'),
  checkOut: Type.KeptDate('Departure.'),
  state: Type.Union([ReservationState, booking.state]),
};

const BookingOfGuest = Type.ResponseObject('BookingOfGuest', 'A booking of one person.', {
  ...bookingOfGuest,
  guest: GuestOfBooking,
});

export const BookingsOfGuest = Type.ResponseObject('BookingsOfGuest', {
  items: Type.Array(BookingOfGuest, { description: 'By arrival. Empty: nobody was found.' }),
});

const ChannelText = Type.ResponseObject(
  'ChannelText',
  'What a calendar of another channel says of some nights.',
  {
    uid: Type.Text('The event of the channel.'),
    from: Type.KeptDate('Its first night.'),
    to: Type.KeptDate('The day after its last night.'),
    summary: Type.Nullable(Type.Text('Null: it cannot be decrypted.')),
  },
);

const RequestText = Type.ResponseObject(
  'RequestText',
  'What was written in a request for a change.',
  {
    changeRequestId: Type.Uuid('The request.'),
    kind: ChangeRequest.properties.kind,
    state: ChangeRequest.properties.state,
    createdAt: Type.Instant('When it was made.'),
    note: Type.Nullable(Type.Text('What the partner wrote.')),
    reason: Type.Nullable(Type.Text('What staff wrote to the decision.')),
  },
);

const { evidence: _, ...checkout } = CheckoutInFull.properties;

export const GuestExport = Type.ResponseObject(
  'GuestExport',
  'Everything that is kept about one person.',
  {
    exportedAt: Type.Instant('When it was exported.'),
    items: Type.Array(
      Type.ResponseObject('ExportedBooking', 'Everything that is kept of a booking.', {
        ...bookingOfGuest,
        guest: GuestOfBooking,
        reservation: Type.Nullable(ReservationInFull),
        checkout: Type.ResponseObject(
          'BookingInFull',
          'The checkout or request, with its history.',
          checkout,
        ),
        changeRequests: Type.Array(RequestText, {
          description: 'What was written in requests for changes, the newest first.',
        }),
        channelTexts: Type.Array(ChannelText, {
          description:
            'What calendars of other channels say of the nights of the stay; it can be about somebody else.',
        }),
      }),
    ),
  },
);

export const GuestErasure = Type.ResponseObject(
  'GuestErasure',
  'The erasure of one person, done or as a preview.',
  {
    dryRun: Type.Flag('Nothing was erased.'),
    bookings: Type.Whole('How many bookings.'),
    items: Type.Array(
      Type.ResponseObject('ErasedBooking', 'A booking without its guest.', bookingOfGuest),
      {
        description: `By arrival; of very many bookings the first ${operatorLimits.bookingsOfGuest} that were erased. The audit trail has all of them.`,
      },
    ),
    removed: Type.Object(
      {
        notes: Type.Whole('Notes of staff.'),
        texts: Type.Whole('Texts of staff in the audit trail.'),
        responses: Type.Whole('Responses of webhook endpoints.'),
        summaries: Type.Whole('Texts of calendars of other channels.'),
      },
      { description: 'What else was erased.' },
    ),
    cardProvider: Type.Enum(['nothing', 'pending', 'erased'], {
      $id: 'ErasureAtProvider',
      description:
        'Whether the card provider has deleted its customers. `pending`: the service repeats it until it has.',
    }),
    kept: Type.Array(Type.String(), {
      description: 'What stays, because the law makes you keep it or because it names nobody.',
    }),
  },
);
