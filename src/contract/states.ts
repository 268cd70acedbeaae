/** Spec: States and transitions, Checkout states. */
export const checkoutStates = [
  'needs_guest',
  'needs_payment',
  'ready',
  'pending',
  'requires_action',
  'confirmed',
  'uncertain',
  'failed',
  'expired',
] as const;
export type CheckoutState = (typeof checkoutStates)[number];

/** Spec: Resources, Reservation request. */
export const requestStates = ['pending', 'unresolved', 'confirmed', 'failed'] as const;
export type RequestState = (typeof requestStates)[number];

/** Spec: Reservation states. */
export const reservationStates = ['confirmed', 'cancelled', 'pending'] as const;
export type ReservationState = (typeof reservationStates)[number];

/** Why there is no reservation. Spec: Checkout, `failure`. */
export const failureReasons = [
  'sold_out',
  'quote_expired',
  'price_changed',
  'policy_changed',
  'authority_revoked',
  'refused',
] as const;
export type FailureReason = (typeof failureReasons)[number];

/** What a client can do next. Spec: Checkout, `nextActions`. */
export const nextActions = [
  'save_guest',
  'setup_payment',
  'verify_payment',
  'submit',
  'poll',
  'refresh_quote',
  'view_confirmation',
  'contact_support',
] as const;
export type NextAction = (typeof nextActions)[number];

/** Spec: Payment setup. */
export const paymentSetupStates = ['pending', 'ready', 'failed'] as const;
export type PaymentSetupState = (typeof paymentSetupStates)[number];

/** Why a payment setup failed. Spec: Checkout, `paymentSetup`. */
export const paymentSetupFailures = ['unavailable', 'unresolved', 'not_authorized'] as const;
export type PaymentSetupFailure = (typeof paymentSetupFailures)[number];

/** Whether a reservation has reached all records of the operator. Spec: Confirmation. */
export const materializations = ['pending', 'ready'] as const;
