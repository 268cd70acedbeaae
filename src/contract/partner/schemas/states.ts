import * as Type from '../../type.ts';
import {
  changeRequestStates,
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

// Spec: VERSION-3. The enums list the current values, so that generated types contain them.
const open =
  'New values may appear within a wire version. If you do not know a value, read the resource again later; it never means success.';

/** Spec: CHECKOUT-1. */
export const CheckoutState = Type.OpenEnum(
  checkoutStates,
  'CheckoutState',
  `The state of a checkout. ${open}`,
);

/** Spec: EVENT-1. */
export const CheckoutOutcome = Type.OpenEnum(
  ['confirmed', 'failed', 'expired'],
  'CheckoutOutcome',
  `The outcome of a checkout or request that was submitted. ${open}`,
);

/** Spec: REQUEST-2. */
export const ReservationRequestState = Type.OpenEnum(
  requestStates,
  'ReservationRequestState',
  `The state of a reservation request. \`confirmed\` is final, even if the reservation is cancelled later. \`unresolved\` is not final: keep reading, and do not send another request for this home and these dates. ${open}`,
);

/** Spec: RESERVATION-3. */
export const ReservationState = Type.OpenEnum(
  reservationStates,
  'ReservationState',
  `The state of the reservation. ${open}`,
);

/** Spec: CHANGE-4. */
export const ChangeRequestState = Type.OpenEnum(
  changeRequestStates,
  'ChangeRequestState',
  `The state of a request for a change. Only \`open\` is not final. ${open}`,
);

/** Spec: CHECKOUT-2. */
const NextAction = Type.OpenEnum(
  nextActions,
  'NextAction',
  `A possible next step. \`view_confirmation\`: read the confirmation of the checkout, or, for a reservation request, the reservation by its \`reference\`. \`refresh_quote\`: create a new quote. ${open}`,
);

export const NextActions = Type.Array(NextAction, {
  $id: 'NextActions',
  description: 'The possible next steps. Follow them instead of a fixed order.',
});

/** Spec: CHECKOUT-8. */
export const FailureReason = Type.OpenEnum(
  failureReasons,
  'FailureReason',
  [
    'Why there is no reservation. Everything is checked again when a submission is resolved:',
    '`price_changed` and `policy_changed`: price or terms differ from those of the quote.',
    '`sold_out`: the nights are no longer available.',
    '`authority_revoked`: the application was suspended or lost its grant.',
    '`quote_expired`: the quote or the time to confirm expired.',
    '`refused`: anything else, a declined card included.',
    'New values may appear within a wire version. Treat a value that you do not know as `refused`.',
  ].join('\n'),
);

/** Spec: CARD-1. */
export const PaymentSetupState = Type.OpenEnum(
  paymentSetupStates,
  'PaymentSetupState',
  `The state of a payment setup. ${open}`,
);

/** Spec: CARD-3. */
export const PaymentSetupFailure = Type.OpenEnum(
  paymentSetupFailures,
  'PaymentSetupFailure',
  'After `unavailable` and `unresolved`, request a setup again. After `not_authorized`, another request does not help. New values may appear within a wire version. If you do not know a value, follow `nextActions`.',
);

/** Spec: ACCESS-2. */
export const Settlement = Type.Enum([...settlements], {
  $id: 'Settlement',
  description:
    "Who collects the money. `card`: the operator, from the guest's card through hosted fields. `partner`: the partner. Fixed for the application.",
});

/** Spec: RECORD-1. */
export const Materialization = Type.OpenEnum(
  materializations,
  'Materialization',
  `\`pending\` until the reservation is in all records of the operator, usually for less than a minute; then \`ready\`. The reservation is confirmed in both cases. While \`pending\`, the reservation shows the stay of the confirmed checkout. New values may appear within a wire version. If you do not know a value, read the confirmation again later; the reservation is confirmed.`,
);
