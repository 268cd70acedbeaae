import * as Type from '../../type.ts';
import { Party } from '../../partner/schemas/primitives.ts';
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
} from './shared.ts';

export const UncertainQuery = Type.RequestObject({
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

const unknownStep = Type.Nullable(
  Type.Described(BookingStep, 'The step whose outcome is not known; null: not recorded.'),
);

const UncertainCheckout = Type.ResponseObject('UncertainCheckout', {
  checkoutId: Type.Uuid('The checkout or request.'),
  kind: booking.kind,
  state: booking.state,
  applicationId: Type.Uuid('The application.'),
  application: Type.Text('Its name.'),
  listingId: Type.Uuid('The home.'),
  listing: Type.Nullable(Type.Text('Its slug; null: it no longer exists.')),
  listingName: Type.Nullable(Type.Text('Its name.')),
  checkIn: Type.KeptDate('Arrival.'),
  checkOut: Type.KeptDate('Departure.'),
  guest: Type.Nullable(Type.Text('The name of the guest; null: it was erased.')),
  phone: Type.Nullable(Type.Text('How to reach the guest.')),
  total: Type.Whole('What the stay costs, in minor units.'),
  currency: Type.Text('ISO 4217.'),
  submittedAt: Type.Instant('When it was submitted.'),
  since: Type.Instant('Since when the outcome is not known.'),
  decidedBy: Type.Nullable(
    Type.Instant(
      'By then the service decides by itself: failed, unless it is known to be made. Null in the simulation.',
    ),
  ),
  tries: Type.Whole('How often a worker has tried since then.'),
  unknownStep,
  nextLookUpAt: Type.Nullable(Type.Instant('When a worker looks it up again; null: never.')),
});

export const UncertainPage = PageOf(
  UncertainCheckout,
  'UncertainPage',
  'Checkouts and requests whose outcome is not known, oldest first.',
);

/** Which one, if several have the same ID. */
const choice = {
  applicationId: Type.Optional(Type.UuidInput('The application, if several have the same ID.')),
  kind: Type.Optional(
    Type.Described(BookingKind, 'A checkout or a request, if both have the same ID.'),
  ),
};

export const NameCheckout = Type.RequestObject(choice);

const application = Type.Object({
  applicationId: Type.Uuid('The application.'),
  name: Type.String(),
});

const evidence = {
  attemptId: Type.Uuid('Identifies the attempt for supply and card provider.'),
  unknownStep,
  since: Type.Instant('Since when the outcome is not known.'),
  tries: Type.Integer(),
  nextLookUpAt: Type.Nullable(Type.Instant('When a worker looks it up again.')),
  supply: Type.Nullable(Type.Text('What the supply says now; null: it was not submitted.')),
  payments: Type.Array(PaymentOfReservation),
};

const Evidence = Type.ResponseObject('Evidence', 'The evidence for the outcome.', {
  ...evidence,
  payment: Type.Nullable(Type.Text('What the card provider says now; null: no card pays.')),
});

const EvidenceBefore = Type.ResponseObject(
  'EvidenceBefore',
  'The evidence on which a resolution is decided; the card provider was not asked.',
  evidence,
);

export const CheckoutInFull = Type.ResponseObject(
  'CheckoutInFull',
  'A checkout or request with the evidence for its outcome.',
  {
    checkoutId: Type.Uuid('The checkout or request.'),
    ...booking,
    settlement: Settlement,
    application,
    listing: NamedHome,
    checkIn: Type.KeptDate('Arrival.'),
    checkOut: Type.KeptDate('Departure.'),
    party: Party,
    guest: Type.Nullable(GuestOfBooking),
    charges: Charges,
    terms: AcceptedTerms,
    failure: Type.Nullable(FailureReason),
    reference: Type.Nullable(Type.String()),
    paymentSetup: Type.Nullable(
      Type.Object({
        state: PaymentSetupState,
        failure: Type.Nullable(PaymentSetupFailure),
        attempts: Type.Integer(),
        reference: Type.Nullable(Type.String()),
      }),
    ),
    quote: QuoteOfBooking,
    updatedAt: Type.Instant('When it last changed.'),
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

export const ResolveCheckout = Type.RequestObject('ResolveCheckout', resolutionInput);

export const Resolution = Type.ResponseObject('Resolution', 'A resolution, done or as a preview.', {
  dryRun: Type.Flag('Nothing was changed.'),
  checkoutId: Type.Uuid('The checkout or request.'),
  kind: booking.kind,
  application,
  before: Type.Object({ state: booking.state, version: Type.Integer() }),
  state: booking.state,
  version: Type.Integer(),
  reference: Type.Nullable(Type.Text('In a preview, an example.')),
  failure: Type.Nullable(FailureReason),
  evidence: EvidenceBefore,
  payment: Type.ResponseObject('PaymentAfterResolution', {
    state: Type.Nullable(Type.Text('As it is known; null: none was asked for.')),
    amount: Type.Whole('What the card pays at the booking, in minor units; 0: no card pays.'),
    follows: Type.Enum(['nothing', 'capture', 'collect', 'void', 'refund', 'find_out'], {
      $id: 'MoneyFollows',
      description:
        'What happens with the money by itself, once the decision is stored. `find_out`: the card provider has not said what became of the payment; as soon as it does, what it took is captured (as `confirmed`) or goes back (as `failed`). `collect`: nothing was asked for yet, and the card is charged.',
    }),
  }),
  availability: Availability('it takes no nights of this service'),
  events: Type.Array(EventToSend),
});
