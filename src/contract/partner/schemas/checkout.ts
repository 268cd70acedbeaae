import * as Type from '../../type.ts';
import { limits } from '../../limits.ts';
import { patterns } from '../../patterns.ts';
import { Party } from './primitives.ts';
import { Charges, PromotionCodeInput, Terms } from './quote.ts';
import {
  CheckoutState,
  FailureReason,
  Materialization,
  NextActions,
  PaymentSetupFailure,
  PaymentSetupState,
  Settlement,
} from './states.ts';

export const Failure = Type.ResponseObject(
  'Failure',
  'Why there is no reservation. Treat a failure without a reason as `refused`.',
  {
    reason: FailureReason,
    was: Type.Optional(Type.Minor('With `price_changed`: the total that was quoted.')),
    now: Type.Optional(Type.Minor('With `price_changed`: the total that a quote would have had.')),
    changed: Type.Optional(
      Type.Array(Type.String(), {
        description: 'With `policy_changed`: the labels of the policies that changed.',
      }),
    ),
  },
);

export type Failure = Type.Static<typeof Failure>;
export const Uncertainty = Type.Object(
  {
    since: Type.Instant('Since when the outcome is not known.'),
    decidedBy: Type.Nullable(
      Type.Instant(
        `By then the service decides by itself: ${limits.uncertainHours} hours after submission. Without news it is \`failed\` with \`refused\`. Null in the simulation, where \`+uncertain\` stays.`,
      ),
    ),
  },
  {
    $id: 'Uncertainty',
    description:
      'The outcome is not known yet. Wait for it, and do not book again: once it is `failed`, no night is held, money that is found later goes back by itself, and it is safe to book again.',
    examples: [{ since: '2027-03-02T15:11:42.801Z', decidedBy: '2027-03-03T15:11:40.201Z' }],
  },
);
export type Uncertainty = Type.Static<typeof Uncertainty>;

export const PollAfterSeconds = Type.AtLeast(
  1,
  'Seconds to wait between reads. Present while an outcome is pending.',
);

export const Guest = Type.ResponseObject('Guest', 'The guest of the stay.', {
  firstName: Type.String(),
  lastName: Type.String(),
  email: Type.String(),
  phone: Type.String(),
});
export type Guest = Type.Static<typeof Guest>;

/** Spec: CHECKOUT-5, CHECKOUT-13. */
export const GuestInput = Type.RequestObject(
  'GuestInput',
  'The guest of the stay. Used to contact the guest about the stay.',
  {
    firstName: Type.GivenText(limits.nameLength, 'The first name of the guest.', patterns.line),
    lastName: Type.String({
      maxLength: limits.nameLength,
      pattern: patterns.lineOrEmpty.pattern,
      description: 'The last name of the guest. Empty for people with one name.',
    }),
    email: Type.String({
      format: 'email',
      maxLength: limits.emailLength,
      description:
        'The email address of the guest. In the simulation, `+<suffix>` before the `@` selects the outcome (see the guide).',
    }),
    phone: Type.String({
      pattern: patterns.phone.pattern,
      description: 'In E.164 form: `+`, country code and number, as in `+351912345678`.',
    }),
  },
);
export type GuestInput = Type.Static<typeof GuestInput>;

export const PaymentSetup = Type.ResponseObject(
  'PaymentSetup',
  'The state of the payment setup. Card-paying applications only. Requesting a setup and its result each raise the version.',
  {
    state: PaymentSetupState,
    ...Type.AllOptional({
      kind: Type.Text(
        '`simulation`: show no card form. Any other value names the provider whose hosted fields collect the card.',
      ),
      publishableKey: Type.Text("For the provider's hosted fields in the browser."),
      clientSecret: Type.Text(
        "For the provider's hosted fields in the browser. Keep it out of logs.",
      ),
      setupReference: Type.Text('Identifies this setup. Send it with the payment method.'),
      failure: PaymentSetupFailure,
    }),
  },
);
export type PaymentSetup = Type.Static<typeof PaymentSetup>;

const checkoutMembers = {
  checkoutId: Type.Uuid('The ID that the client chose.'),
  quoteId: Type.Uuid('The quote of this checkout.'),
  version: Type.AtLeast(
    1,
    '1 at creation; every change raises it. Send the version that you last read with each command.',
  ),
  state: CheckoutState,
  nextActions: NextActions,
  settlement: Settlement,
  listingId: Type.Uuid('The home.'),
  checkIn: Type.CalendarDate('Arrival.'),
  checkOut: Type.CalendarDate('Departure.'),
  party: Party,
  charges: Charges,
  terms: Terms,
  promotionCode: Type.Nullable(Type.Text('The promotion code whose discount is in `charges`.')),
  partnerReference: Type.Nullable(Type.Text('Your own reference, as you sent it with the create.')),
  guest: Type.Nullable(Guest),
  quoteExpiresAt: Type.Instant(
    'Submit before this instant. The first command after it expires the checkout.',
  ),
  createdAt: Type.Instant('When it was created.'),
  updatedAt: Type.Instant('When it last changed.'),
  failure: Type.Optional(Failure),
  uncertain: Type.Optional(Uncertainty),
  paymentSetup: Type.Optional(PaymentSetup),
  reference: Type.Optional(
    Type.Text(
      'The reference of the reservation. Absent until the checkout is confirmed. Opaque, for example `LK-7Q4M-2XHV`.',
    ),
  ),
  pollAfterSeconds: Type.Optional(PollAfterSeconds),
};

/** Spec: CHECKOUT-1. */
export const Checkout = Type.ResponseObject(
  'Checkout',
  'The process that turns a quote into a reservation.',
  checkoutMembers,
);
export type Checkout = Type.Static<typeof Checkout>;

export const CreatedCheckout = Type.ResponseObject(
  'CreatedCheckout',
  'A checkout, with its session capability until the first command.',
  {
    ...checkoutMembers,
    sessionCapability: Type.Optional(
      Type.Text(
        'A secret. Send it as `Session-Capability` with every later call on this checkout. A repeat of the create returns it again while `version` is 1; after the first command it is never returned again.',
      ),
    ),
    sessionExpiresAt: Type.Optional(
      Type.Instant(
        `The earliest instant at which the capability expires: ${limits.sessionHours} hours after creation. It does not expire while the checkout is \`pending\`, \`requires_action\` or \`uncertain\`, nor within ${limits.sessionHours} hours after the outcome. Present together with it.`,
      ),
    ),
  },
);
export type CreatedCheckout = Type.Static<typeof CreatedCheckout>;

/** Spec: CHECKOUT-2. */
export const CheckoutStatus = Type.ResponseObject('CheckoutStatus', 'The status of a checkout.', {
  checkoutId: checkoutMembers.checkoutId,
  version: checkoutMembers.version,
  state: checkoutMembers.state,
  nextActions: NextActions,
  failure: Type.Optional(Failure),
  uncertain: Type.Optional(Uncertainty),
  reference: checkoutMembers.reference,
  pollAfterSeconds: Type.Optional(PollAfterSeconds),
});
export type CheckoutStatus = Type.Static<typeof CheckoutStatus>;

export const CreateCheckout = Type.RequestObject(
  'CreateCheckout',
  'Turn a quote into a checkout.',
  {
    checkoutId: Type.Optional(
      Type.UuidInput('Your ID for the checkout (preferably UUIDv7). Or send `Idempotency-Key`.'),
    ),
    quoteId: Type.UuidInput('A quote of yours that has not expired and is not used elsewhere.'),
    // Spec: CHECKOUT-12.
    partnerReference: Type.Optional(
      Type.GivenText(
        limits.partnerReferenceLength,
        'Your own reference, such as an order number. It need not be unique.',
        patterns.line,
      ),
    ),
  },
);

/** Spec: CALL-8. */
const expectedVersion = {
  expectedVersion: Type.Optional(
    Type.WholeFrom(
      1,
      limits.maxVersion,
      'The version that you last read. Or send it as `If-Match`; if you send both, they must be equal.',
    ),
  ),
};

export const SaveGuest = Type.RequestObject('SaveGuest', 'Save the guest of the stay.', {
  ...expectedVersion,
  guest: GuestInput,
});

export const ApplyPromo = Type.RequestObject(
  'ApplyPromo',
  'Apply a promotion code; it replaces an earlier one.',
  {
    ...expectedVersion,
    code: PromotionCodeInput,
  },
);

export const SetupPayment = Type.RequestObject('SetupPayment', 'Start the payment setup.', {
  ...expectedVersion,
});

export const VerifyPayment = Type.RequestObject(
  'VerifyPayment',
  'Send the payment method that the guest has verified.',
  {
    ...expectedVersion,
    setupReference: Type.GivenText(limits.opaqueLength, 'From `paymentSetup`.'),
    paymentMethodId: Type.GivenText(
      limits.opaqueLength,
      "The provider's ID of the verified card. In the simulation, `pm_simulated_requires_action` requires an authentication step at submit, `pm_simulated_declined` is declined at submit, and any other value pays.",
    ),
    consentAccepted: Type.Literal(true, {
      description: 'Confirms that the guest agreed to the charge of the card.',
    }),
  },
);

export const SubmitCheckout = Type.RequestObject('SubmitCheckout', 'Ask for the reservation.', {
  ...expectedVersion,
  termsVersion: Type.GivenText(
    limits.opaqueLength,
    '`terms.version` of the quote that the guest accepted.',
  ),
  termsAccepted: Type.Literal(true, {
    description: 'Confirms that the guest accepted these terms.',
  }),
});

export const Confirmation = Type.ResponseObject(
  'Confirmation',
  'The reservation at the time of confirmation. Later changes appear on the reservation.',
  {
    reference: Type.Text('Identifies the reservation. Opaque.'),
    stay: Type.ResponseObject('ConfirmedStay', 'The stay as it was confirmed.', {
      listingId: Type.Uuid('The home.'),
      timeZone: Type.Nullable(Type.Text('IANA time zone of the dates.')),
      checkIn: Type.CalendarDate('Arrival.'),
      checkOut: Type.CalendarDate('Departure.'),
      nights: Type.Integer({ minimum: 1 }),
      party: Party,
    }),
    charges: Charges,
    partnerReference: Type.Nullable(
      Type.Text('Your own reference, as you sent it with the create.'),
    ),
    confirmedAt: Type.Instant('When it was confirmed.'),
    materialization: Materialization,
  },
);
export type Confirmation = Type.Static<typeof Confirmation>;
