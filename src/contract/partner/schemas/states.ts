import Type from 'typebox';
import {
  checkoutStates,
  failureReasons,
  materializations,
  nextActions,
  paymentSetupFailures,
  paymentSetupStates,
  requestStates,
  reservationStates,
} from '../../states.ts';
import { settlements } from '../../wire.ts';

// Spec: Versioning, rule 2. The lists are as they are today, so that generated types name the values.
const open =
  'New values may appear within a wire version: one that you do not know means "read this again later", and never success.';

/** Spec: Checkout states. */
export const CheckoutState = Type.Enum([...checkoutStates], {
  $id: 'CheckoutState',
  description: `How far a checkout has come. ${open}`,
});

/** Spec: Reservation request states and moves. */
export const ReservationRequestState = Type.Enum([...requestStates], {
  $id: 'ReservationRequestState',
  description: `How far a reservation request has come. \`confirmed\` stays, also when the reservation is cancelled later. \`unresolved\` is not final: keep reading, and ask for nothing else for this home and these dates. ${open}`,
});

/** Spec: Reservation states. */
export const ReservationState = Type.Enum([...reservationStates], {
  $id: 'ReservationState',
  description: `Whether the reservation stands. ${open}`,
});

/** Spec: Checkout, `nextActions`. */
const NextAction = Type.Enum([...nextActions], {
  $id: 'NextAction',
  description: `Something that can be done next. \`view_confirmation\`: read the confirmation of the checkout; after a reservation request, which has none, read the reservation by its \`reference\`. \`refresh_quote\`: begin with a new quote. ${open}`,
});

export const NextActions = Type.Array(NextAction, {
  $id: 'NextActions',
  description: 'What can be done next; follow it instead of a fixed order.',
});

/** Spec: Checkout, `failure`. */
export const FailureReason = Type.Enum([...failureReasons], {
  $id: 'FailureReason',
  description: [
    'Why there is no reservation. Everything is checked again when a submission is resolved:',
    '`price_changed` and `policy_changed`: price or terms are no longer those of the quote.',
    '`sold_out`: the nights are taken.',
    '`authority_revoked`: the application was suspended or lost its grant.',
    '`quote_expired`: it came too late.',
    '`refused`: anything else, a declined card included.',
  ].join('\n'),
});

/** Spec: Payment setup. */
export const PaymentSetupState = Type.Enum([...paymentSetupStates], {
  $id: 'PaymentSetupState',
  description: `How far a payment setup has come. ${open}`,
});

/** Spec: Checkout, `paymentSetup`. */
export const PaymentSetupFailure = Type.Enum([...paymentSetupFailures], {
  $id: 'PaymentSetupFailure',
  description:
    'After `unavailable` and `unresolved`, ask for a setup again. After `not_authorized`, asking again does not help.',
});

/** Spec: Settlement modes. */
export const Settlement = Type.Enum([...settlements], {
  $id: 'Settlement',
  description:
    'Who collects the money: `card`, from the guest through hosted fields; `partner`, you. Fixed for the application.',
});

/** Spec: Confirmation, `materialization`. */
export const Materialization = Type.Enum([...materializations], {
  $id: 'Materialization',
  description:
    '`pending`, usually for less than a minute, until the reservation stands in all records of the operator; then `ready`. It is confirmed either way. Until then the reservation shows the stay of the confirmed checkout.',
});
