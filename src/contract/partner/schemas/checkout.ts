import Type from 'typebox';
import { limits } from '../../limits.ts';
import { patterns } from '../../patterns.ts';
import {
  responseOptions,
  CalendarDate,
  Instant,
  Nullable,
  Party,
  requestOptions,
  Uuid,
  UuidInput,
} from './primitives.ts';
import { Charges, Terms } from './quote.ts';
import {
  CheckoutState,
  FailureReason,
  Materialization,
  NextActions,
  PaymentSetupFailure,
  PaymentSetupState,
  Settlement,
} from './states.ts';

export const Failure = Type.Object(
  {
    reason: FailureReason,
  },
  responseOptions(
    'Failure',
    'Why no reservation came of it. A failure without a reason counts as `refused`.',
  ),
);

export const PollAfterSeconds = Type.Integer({
  minimum: 1,
  description: 'Wait so long between reads. Present while there is something to wait for.',
});

export const Guest = Type.Object(
  {
    firstName: Type.String(),
    lastName: Type.String(),
    email: Type.String(),
    phone: Type.String(),
  },
  responseOptions('Guest', 'Whose stay it is.'),
);
export type Guest = Type.Static<typeof Guest>;

const GuestName = Type.String({
  minLength: 1,
  maxLength: limits.nameLength,
  pattern: patterns.text.pattern,
});

/** Spec: Resources, Guest. */
export const GuestInput = Type.Object(
  {
    firstName: GuestName,
    lastName: GuestName,
    email: Type.String({
      format: 'email',
      maxLength: limits.emailLength,
      description:
        'Where the guest is reached. In the simulation, `+<suffix>` before the `@` selects the outcome (see the guide).',
    }),
    phone: Type.String({
      pattern: patterns.phone.pattern,
      description: 'In E.164 form: `+`, country code and number, as in `+351912345678`.',
    }),
  },
  requestOptions('GuestInput', 'Whose stay it is; used to reach the guest about the stay.'),
);
export type GuestInput = Type.Static<typeof GuestInput>;

export const PaymentSetup = Type.Object(
  {
    state: PaymentSetupState,
    kind: Type.Optional(
      Type.String({
        description:
          '`simulation`: show no card form. Any other value names the provider whose hosted fields collect the card.',
      }),
    ),
    publishableKey: Type.Optional(
      Type.String({ description: "For the provider's fields in the browser." }),
    ),
    clientSecret: Type.Optional(
      Type.String({
        description: "For the provider's fields in the browser. Keep it out of logs.",
      }),
    ),
    setupReference: Type.Optional(
      Type.String({ description: 'Names this setup. Send it back with the payment method.' }),
    ),
    failure: Type.Optional(PaymentSetupFailure),
  },
  responseOptions(
    'PaymentSetup',
    'How far the payment setup has come. Card-paying applications only; being asked for and being answered each move the version.',
  ),
);
export type PaymentSetup = Type.Static<typeof PaymentSetup>;

const checkoutMembers = {
  checkoutId: Uuid('As the client named it.'),
  quoteId: Uuid('The quote that it turns into a reservation.'),
  version: Type.Integer({
    minimum: 1,
    description: '1 when created; every change moves it. Commands name the one last read.',
  }),
  state: CheckoutState,
  nextActions: NextActions,
  settlement: Settlement,
  listingId: Uuid('The home.'),
  checkIn: CalendarDate('Arrival.'),
  checkOut: CalendarDate('Departure.'),
  party: Party,
  charges: Charges,
  terms: Terms,
  promotionCode: Nullable(Type.String({ description: 'Whose discount is in `charges`.' })),
  guest: Nullable(Guest),
  quoteExpiresAt: Instant('Submit before then. The first command after it expires the checkout.'),
  createdAt: Instant('When it was made.'),
  updatedAt: Instant('When it last changed.'),
  failure: Type.Optional(Failure),
  paymentSetup: Type.Optional(PaymentSetup),
  reference: Type.Optional(
    Type.String({
      description:
        'Of the reservation. Absent until the checkout is confirmed. Opaque; as in `LK-7Q4M-2XHV`.',
    }),
  ),
  pollAfterSeconds: Type.Optional(PollAfterSeconds),
};

/** Spec: Resources, Checkout. */
export const Checkout = Type.Object(
  checkoutMembers,
  responseOptions('Checkout', 'A quote on its way to a reservation.'),
);
export type Checkout = Type.Static<typeof Checkout>;

export const CreatedCheckout = Type.Object(
  {
    ...checkoutMembers,
    sessionCapability: Type.Optional(
      Type.String({
        description:
          'A secret: every later call on this checkout presents it as `Session-Capability`. Repeating the create shows it again while `version` is 1, so a lost answer loses nothing; after the first command it is never shown again.',
      }),
    ),
    sessionExpiresAt: Type.Optional(
      Instant(
        `Until then the capability is taken: ${limits.sessionHours} hours from creation. Comes and goes with it.`,
      ),
    ),
  },
  responseOptions(
    'CreatedCheckout',
    'A checkout, with its session capability for as long as no command has moved it.',
  ),
);
export type CreatedCheckout = Type.Static<typeof CreatedCheckout>;

/** Spec: Per-operation shapes, status. */
export const CheckoutStatus = Type.Object(
  {
    checkoutId: checkoutMembers.checkoutId,
    version: checkoutMembers.version,
    state: checkoutMembers.state,
    nextActions: NextActions,
    failure: Type.Optional(Failure),
    reference: checkoutMembers.reference,
    pollAfterSeconds: Type.Optional(PollAfterSeconds),
  },
  responseOptions('CheckoutStatus', 'How far a checkout has come.'),
);
export type CheckoutStatus = Type.Static<typeof CheckoutStatus>;

export const CreateCheckout = Type.Object(
  {
    checkoutId: Type.Optional(
      UuidInput('Your name for the checkout (UUIDv7 is best). Or send `Idempotency-Key`.'),
    ),
    quoteId: UuidInput('A quote of yours that has not expired and backs nothing else.'),
  },
  requestOptions('CreateCheckout', 'Turn a quote into a checkout.'),
);

/** Spec: Endpoints, common rule 4. */
const expectedVersion = {
  expectedVersion: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: limits.maxVersion,
      description: 'The version last read. Or send it as `If-Match`; if both, they must agree.',
    }),
  ),
};

export const SaveGuest = Type.Object(
  { ...expectedVersion, guest: GuestInput },
  requestOptions('SaveGuest', 'Say whose stay it is.'),
);

export const ApplyPromo = Type.Object(
  {
    ...expectedVersion,
    code: Type.String({
      minLength: 1,
      maxLength: limits.promotionCodeLength,
      pattern: patterns.promotionCode.pattern,
      description:
        'As the guest typed it: upper and lower case do not matter, nor do blanks around it.',
    }),
  },
  requestOptions('ApplyPromo', 'Apply a promotion code; it replaces an earlier one.'),
);

export const SetupPayment = Type.Object(
  { ...expectedVersion },
  requestOptions('SetupPayment', 'Begin the payment setup.'),
);

export const VerifyPayment = Type.Object(
  {
    ...expectedVersion,
    setupReference: Type.String({
      minLength: 1,
      maxLength: limits.opaqueLength,
      description: 'From `paymentSetup`.',
    }),
    paymentMethodId: Type.String({
      minLength: 1,
      maxLength: limits.opaqueLength,
      description:
        "The provider's name for the verified card. In the simulation, `pm_simulated_requires_action` asks for a step of authentication at submit, `pm_simulated_declined` is declined there, and any other value pays.",
    }),
    consentAccepted: Type.Literal(true, {
      description: 'That the guest agreed to the card being charged.',
    }),
  },
  requestOptions('VerifyPayment', 'Name the payment method that the guest has verified.'),
);

export const SubmitCheckout = Type.Object(
  {
    ...expectedVersion,
    termsVersion: Type.String({
      minLength: 1,
      maxLength: limits.opaqueLength,
      description: '`terms.version` of the quote that the guest accepted.',
    }),
    termsAccepted: Type.Literal(true, { description: 'That the guest accepted them.' }),
  },
  requestOptions('SubmitCheckout', 'Ask for the reservation.'),
);

export const Confirmation = Type.Object(
  {
    reference: Type.String({ description: 'Names the reservation. Keep it as it is: opaque.' }),
    stay: Type.Object({
      listingId: Uuid('The home.'),
      timeZone: Nullable(Type.String({ description: 'IANA name; the zone of its dates.' })),
      checkIn: CalendarDate('Arrival.'),
      checkOut: CalendarDate('Departure.'),
      nights: Type.Integer({ minimum: 1 }),
      party: Party,
    }),
    charges: Charges,
    confirmedAt: Instant('When it was confirmed.'),
    materialization: Materialization,
  },
  responseOptions(
    'Confirmation',
    'The reservation as it was when confirmed; later changes show on the reservation.',
  ),
);
export type Confirmation = Type.Static<typeof Confirmation>;
