import type { Stripe } from 'stripe';

/**
 * What an error of the provider means for the call.
 *
 * - `declined`: the bank refuses; no effect.
 * - `invalid`: the request or the state of the object does not allow it; no effect.
 * - `not_authorized`: the account or its permissions do not allow it; no effect.
 * - `busy`: too many calls, or the same call is being answered; the call may be repeated as it is.
 * - `unavailable`: the provider, or a server before it, cannot answer now; the call may be repeated as it is.
 * - `kept`: an error that the provider keeps under the idempotency key, so only a new key can succeed.
 * - `lost`: no complete answer; whether there was an effect is unknown.
 */
export type FailureKind =
  | 'declined'
  | 'invalid'
  | 'not_authorized'
  | 'busy'
  | 'unavailable'
  | 'kept'
  | 'lost';

/** An error of the provider, classified. */
export interface Failure {
  kind: FailureKind;
  /** The provider's code for the cause, for staff. */
  code: string | null;
  /** The payment that the error is about, if the provider sent it. */
  payment: Stripe.PaymentIntent | null;
}

/** By the class of the package's error. A class that is not listed has the kind `lost`. */
const kinds: Readonly<Record<string, FailureKind>> = {
  StripeCardError: 'declined',
  StripeInvalidRequestError: 'invalid',
  StripeAuthenticationError: 'not_authorized',
  StripePermissionError: 'not_authorized',
  StripeRateLimitError: 'busy',
  // Another request has used the key. If it had no effect, only a new key can succeed.
  StripeIdempotencyError: 'kept',
  StripeConnectionError: 'lost',
};

type ProviderError = Pick<
  Stripe.errors.StripeError,
  'type' | 'statusCode' | 'code' | 'decline_code' | 'payment_intent' | 'headers'
>;

const isProviderError = (error: unknown): error is ProviderError =>
  error instanceof Error && 'type' in error && String(error.type).startsWith('Stripe');

// The provider keeps a 500 under the key. Others come from servers before it, unless it says that it repeats itself.
const isKept = ({ statusCode, headers }: ProviderError): boolean =>
  statusCode === 500 || headers?.['idempotent-replayed'] === 'true';

function kindOf(error: ProviderError): FailureKind {
  const { type, statusCode = 0 } = error;
  if (statusCode === 409) return 'busy';
  if (statusCode >= 500) return isKept(error) ? 'kept' : 'unavailable';
  return kinds[type] ?? 'lost';
}

/** Classifies an error that the provider's client has thrown. Rethrows all other errors. */
export function failureOf(error: unknown): Failure {
  if (!isProviderError(error)) throw error;
  return {
    kind: kindOf(error),
    // The package writes an absent decline code as an empty string.
    code: error.decline_code || error.code || null,
    payment: error.payment_intent ?? null,
  };
}
