import { instant } from '../../contract/time.ts';
import type { Quote as QuoteOnWire } from '../../contract/partner/schemas/quote.ts';
import type { KeptTerms, Quote } from '../rules/booking.ts';

/** The wire form of terms. */
export const termsView = (terms: KeptTerms): QuoteOnWire['terms'] => ({
  ...terms,
  securityDeposit: terms.securityDeposit ?? null,
});

/** The wire form of a quote. Spec: QUOTE-1. */
export function quoteView(quote: Quote): QuoteOnWire {
  return {
    quoteId: quote.quoteId,
    listingId: quote.listingId,
    checkIn: quote.checkIn,
    checkOut: quote.checkOut,
    party: quote.party,
    charges: quote.charges,
    terms: termsView(quote.terms),
    promotionCode: quote.promotion?.code ?? null,
    expiresAt: instant(quote.expiresAt),
    createdAt: instant(quote.createdAt),
  };
}
