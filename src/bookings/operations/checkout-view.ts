import type { NextAction } from '../../contract/states.ts';
import type {
  Checkout as CheckoutOnWire,
  CheckoutStatus,
  Failure,
  PaymentSetup as PaymentSetupOnWire,
  Uncertainty,
} from '../../contract/partner/schemas/checkout.ts';
import type { FoundStatus } from '../store/checkouts.ts';
import type { Booking, Checkout, PaymentSetup } from '../rules/booking.ts';
import { type EpochMs, instant } from '../../contract/time.ts';
import { nextActionsOf } from '../rules/checkout.ts';
import { uncertaintyOf } from '../rules/uncertainty.ts';
import type { BookingContext } from '../context.ts';
import { termsView } from './quote-view.ts';

/** `pollAfterSeconds` while polling is a next action. */
export const pollAfter = (context: BookingContext, actions: readonly NextAction[]) =>
  actions.includes('poll') ? { pollAfterSeconds: context.pollAfterSeconds } : {};

/** Since when the outcome is not known, and by when it is decided. Absent while it is not open. */
export function uncertainty(
  { uncertainHours }: BookingContext,
  booking: Parameters<typeof uncertaintyOf>[0],
): { uncertain?: Uncertainty } {
  const open = uncertaintyOf(booking, uncertainHours);
  return open
    ? { uncertain: { since: instant(open.since), decidedBy: instant(open.decidedBy) } }
    : {};
}

function paymentSetupView(context: BookingContext, setup: PaymentSetup): PaymentSetupOnWire {
  if (setup.state === 'ready' && setup.reference !== null && setup.clientSecret !== null) {
    const { kind, publishableKey } = context.payment;
    return {
      state: 'ready',
      kind,
      publishableKey,
      clientSecret: setup.clientSecret,
      setupReference: setup.reference,
    };
  }
  return { state: setup.state, ...(setup.failure && { failure: setup.failure }) };
}

/** The wire form of a checkout. Spec: CHECKOUT-1. */
export function checkoutView(
  context: BookingContext,
  checkout: Checkout,
  now: EpochMs,
): CheckoutOnWire {
  const { quote } = checkout;
  const actions = nextActionsOf(checkout, now);
  return {
    checkoutId: checkout.bookingId,
    quoteId: quote.quoteId,
    version: checkout.version,
    state: checkout.state,
    nextActions: [...actions],
    settlement: checkout.settlement,
    listingId: quote.listingId,
    checkIn: quote.checkIn,
    checkOut: quote.checkOut,
    party: quote.party,
    charges: checkout.charges,
    terms: termsView(checkout.terms),
    promotionCode: checkout.promotionCode,
    partnerReference: checkout.partnerReference,
    guest: checkout.guest,
    quoteExpiresAt: instant(quote.expiresAt),
    createdAt: instant(checkout.createdAt),
    updatedAt: instant(checkout.updatedAt),
    ...failureOf(checkout),
    ...uncertainty(context, checkout),
    ...(checkout.paymentSetup && {
      paymentSetup: paymentSetupView(context, checkout.paymentSetup),
    }),
    ...(checkout.reference !== null && { reference: checkout.reference }),
    ...pollAfter(context, actions),
  };
}

/** Why a booking failed, and what changed, if that is known. Spec: CHECKOUT-8. */
export const failureOf = ({
  failureReason,
  failureDetails,
}: Pick<Booking, 'failureReason' | 'failureDetails'>): { failure?: Failure } =>
  failureReason ? { failure: { reason: failureReason, ...failureDetails } } : {};

/** The 200 response for a checkout, with its version as the entity tag. */
export function checkoutAnswer(context: BookingContext, checkout: Checkout, now: EpochMs) {
  const body = checkoutView(context, checkout, now);
  return { status: 200 as const, body, etag: versionTag(body.version) };
}

/** The status of a checkout. Spec: CHECKOUT-2. */
export function statusView(
  context: BookingContext,
  checkout: FoundStatus['checkout'],
  now: EpochMs,
): CheckoutStatus {
  const actions = nextActionsOf(checkout, now);
  return {
    checkoutId: checkout.bookingId,
    version: checkout.version,
    state: checkout.state,
    nextActions: [...actions],
    ...failureOf(checkout),
    ...uncertainty(context, checkout),
    ...(checkout.reference !== null && { reference: checkout.reference }),
    ...pollAfter(context, actions),
  };
}

/** Headers of a 202: where to read the outcome and, while it is not final, when. Spec: CALL-12. */
export function acceptedHeaders(
  location: string,
  body: { pollAfterSeconds?: number },
): { location: string; retryAfterSeconds?: number } {
  const { pollAfterSeconds } = body;
  return { location, ...(pollAfterSeconds && { retryAfterSeconds: pollAfterSeconds }) };
}

/** The version as an entity tag, as `If-Match` takes it. */
export const versionTag = (version: number): string => `"${version}"`;
