/** Spec: CHECKOUT-1. */
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

/** Spec: REQUEST-2. */
export const requestStates = ['pending', 'unresolved', 'confirmed', 'failed'] as const;
export type RequestState = (typeof requestStates)[number];

/** Spec: RESERVATION-3. */
export const reservationStates = ['confirmed', 'cancelled', 'pending'] as const;
export type ReservationState = (typeof reservationStates)[number];

/** Spec: CHANGE-4. */
export const changeRequestStates = ['open', 'accepted', 'declined', 'withdrawn'] as const;
export type ChangeRequestState = (typeof changeRequestStates)[number];

/** What a partner can ask for. Spec: CHANGE-2. */
export const changeRequestKinds = ['cancel', 'change'] as const;
export type ChangeRequestKind = (typeof changeRequestKinds)[number];

/** What becomes of an application's requests for changes. Spec: CHANGE-5. */
export const changeDecisions = ['ask', 'cancel'] as const;
export type ChangeDecisions = (typeof changeDecisions)[number];

/** Why there is no reservation. Spec: CHECKOUT-8. */
export const failureReasons = [
  'sold_out',
  'quote_expired',
  'price_changed',
  'policy_changed',
  'authority_revoked',
  'refused',
] as const;
export type FailureReason = (typeof failureReasons)[number];

/** What a client can do next. Spec: CHECKOUT-2. */
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

/** Spec: CARD-1. */
export const paymentSetupStates = ['pending', 'ready', 'failed'] as const;
export type PaymentSetupState = (typeof paymentSetupStates)[number];

/** Why a payment setup failed. Spec: CARD-3. */
export const paymentSetupFailures = ['unavailable', 'unresolved', 'not_authorized'] as const;
export type PaymentSetupFailure = (typeof paymentSetupFailures)[number];

/** Whether a reservation has reached all records of the operator. Spec: RECORD-1. */
export const materializations = ['pending', 'ready'] as const;
