import Type from 'typebox';
import {
  Described,
  Flag,
  Instant,
  Integer,
  Nullable,
  Party,
  RequestObject,
  ResponseObject,
  Text,
  Uuid,
  UuidInput,
} from '../../partner/schemas/primitives.ts';
import { Charges } from '../../partner/schemas/quote.ts';
import {
  FailureReason,
  PaymentSetupFailure,
  PaymentSetupState,
  Settlement,
} from '../../partner/schemas/states.ts';
import { BookingKind } from '../../portal/schemas/bookings.ts';
import {
  AcceptedTerms,
  Availability,
  booking,
  GuestOfBooking,
  QuoteOfBooking,
} from './reservations.ts';
import {
  EventToSend,
  HistoryItem,
  NamedHome,
  pageQuery,
  PageOf,
  PaymentOfReservation,
  reasonInput,
  KeptDate,
} from './shared.ts';

export const UncertainQuery = RequestObject({
  state: Type.Optional(
    Type.Enum(['uncertain'], {
      description: 'Those whose outcome is not known: the only list that there is.',
    }),
  ),
  ...pageQuery,
});

const BookingStep = Type.Enum(['hold', 'authorize', 'confirm', 'capture', 'undo'], {
  $id: 'BookingStep',
  description: 'A step of a booking at the supplier or the card provider.',
});

const unknownStep = Nullable(
  Described(BookingStep, 'The step whose outcome is not known; null: not recorded.'),
);

const UncertainCheckout = ResponseObject('UncertainCheckout', {
  checkoutId: Uuid('The checkout or request.'),
  kind: booking.kind,
  state: booking.state,
  applicationId: Uuid('The application.'),
  application: Text('Its name.'),
  listingId: Uuid('The home.'),
  listing: Nullable(Text('Its slug; null: it no longer exists.')),
  listingName: Nullable(Text('Its name.')),
  checkIn: KeptDate('Arrival.'),
  checkOut: KeptDate('Departure.'),
  guest: Nullable(Text('The name of the guest; null: it was erased.')),
  phone: Nullable(Text('How to reach the guest.')),
  total: Integer('What the stay costs, in minor units.'),
  currency: Text('ISO 4217.'),
  submittedAt: Instant('When it was submitted.'),
  since: Instant('Since when the outcome is not known.'),
  decidedBy: Nullable(
    Instant(
      'By then the service decides by itself: failed, unless it is known to be made. Null in the simulation.',
    ),
  ),
  tries: Integer('How often a worker has tried since then.'),
  unknownStep,
  nextLookUpAt: Nullable(Instant('When a worker looks it up again; null: never.')),
});

export const UncertainPage = PageOf(
  UncertainCheckout,
  'UncertainPage',
  'Checkouts and requests whose outcome is not known, oldest first.',
);

/** Which one, if several have the same ID. */
const choice = {
  applicationId: Type.Optional(UuidInput('The application, if several have the same ID.')),
  kind: Type.Optional(Described(BookingKind, 'A checkout or a request, if both have the same ID.')),
};

export const NameCheckout = RequestObject(choice);

const application = Type.Object({ applicationId: Uuid('The application.'), name: Type.String() });

const evidence = {
  attemptId: Uuid('Identifies the attempt for supply and card provider.'),
  unknownStep,
  since: Instant('Since when the outcome is not known.'),
  tries: Type.Integer(),
  nextLookUpAt: Nullable(Instant('When a worker looks it up again.')),
  supply: Nullable(Text('What the supply says now; null: it was not submitted.')),
  payments: Type.Array(PaymentOfReservation),
};

const Evidence = ResponseObject('Evidence', 'The evidence for the outcome.', {
  ...evidence,
  payment: Nullable(Text('What the card provider says now; null: no card pays.')),
});

const EvidenceBefore = ResponseObject(
  'EvidenceBefore',
  'The evidence on which a resolution is decided; the card provider was not asked.',
  evidence,
);

export const CheckoutInFull = ResponseObject(
  'CheckoutInFull',
  'A checkout or request with the evidence for its outcome.',
  {
    checkoutId: Uuid('The checkout or request.'),
    ...booking,
    settlement: Settlement,
    application,
    listing: NamedHome,
    checkIn: KeptDate('Arrival.'),
    checkOut: KeptDate('Departure.'),
    party: Party,
    guest: Nullable(GuestOfBooking),
    charges: Charges,
    terms: AcceptedTerms,
    failure: Nullable(FailureReason),
    reference: Nullable(Type.String()),
    paymentSetup: Nullable(
      Type.Object({
        state: PaymentSetupState,
        failure: Nullable(PaymentSetupFailure),
        attempts: Type.Integer(),
        reference: Nullable(Type.String()),
      }),
    ),
    quote: QuoteOfBooking,
    updatedAt: Instant('When it last changed.'),
    evidence: Evidence,
    history: Type.Array(HistoryItem),
  },
);

const resolutionInput = {
  ...choice,
  as: Type.Enum(['confirmed', 'failed'], {
    $id: 'ResolvedOutcome',
    description: 'The outcome: the reservation was made, or was not.',
  }),
  ...reasonInput,
};

export const ResolveCheckout = RequestObject('ResolveCheckout', resolutionInput);

export const Resolution = ResponseObject('Resolution', 'A resolution, done or as a preview.', {
  dryRun: Flag('Nothing was changed.'),
  checkoutId: Uuid('The checkout or request.'),
  kind: booking.kind,
  application,
  before: Type.Object({ state: booking.state, version: Type.Integer() }),
  state: booking.state,
  version: Type.Integer(),
  reference: Nullable(Text('In a preview, an example.')),
  failure: Nullable(FailureReason),
  evidence: EvidenceBefore,
  payment: ResponseObject('PaymentAfterResolution', {
    state: Nullable(Text('As it is known; null: none was asked for.')),
    amount: Integer('What the card pays at the booking, in minor units; 0: no card pays.'),
    follows: Type.Enum(['nothing', 'capture', 'collect', 'void', 'refund', 'find_out'], {
      $id: 'MoneyFollows',
      description:
        'What happens with the money by itself, once the decision is stored. `find_out`: the card provider has not said what became of the payment; as soon as it does, what it took is captured (as `confirmed`) or goes back (as `failed`). `collect`: nothing was asked for yet, and the card is charged.',
    }),
  }),
  availability: Availability('it takes no nights of this service'),
  events: Type.Array(EventToSend),
});
