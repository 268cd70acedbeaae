import type { Checkout, Quote } from './booking.ts';

type Named = Pick<Checkout, 'applicationId' | 'bookingId' | 'settlement' | 'partnerReference'>;

/** A checkout of a quote as it begins: without a guest, a payment or an outcome. Spec: CHECKOUT-1. */
export const newCheckout = (quote: Quote, named: Named) => ({
  ...named,
  kind: 'checkout' as const,
  quote,
  state: 'needs_guest' as const,
  guest: null,
  charges: quote.charges,
  terms: quote.terms,
  failureReason: null,
  failureDetails: null,
  reference: null,
  resolvedAt: null,
  promotionCode: quote.promotion?.code ?? null,
  paymentSetup: null,
  paymentMethodId: null,
});
