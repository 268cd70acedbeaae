import { refuse, type Refusal } from '../../contract/errors.ts';
import type { EpochMs } from '../../contract/time.ts';
import type { Booking, Quote } from './booking.ts';

/** A quote that a new booking names, at the database's time `now`. */
export interface QuoteUse {
  quote: Pick<Quote, 'expiresAt'>;
  now: EpochMs;
  /** The booking that was made of it; null: none. */
  usedBy: Pick<Booking, 'kind' | 'bookingId'> | null;
  /** The request of the application that has the same `partnerReference`; null: none. */
  referenceOf: string | null;
}

const holderOf = ({ kind, bookingId }: Pick<Booking, 'kind' | 'bookingId'>) =>
  kind === 'checkout' ? { checkoutId: bookingId } : { reservationRequestId: bookingId };

/** Null: a booking can be made of the quote. Spec: QUOTE-3, QUOTE-7. */
export function quoteRefusal({
  quote,
  now,
  usedBy,
  referenceOf,
}: QuoteUse): Refusal<'conflict' | 'quote_expired'> | null {
  if (usedBy) return refuse('conflict', { reason: 'quote_used', ...holderOf(usedBy) });
  if (referenceOf !== null) {
    return refuse('conflict', { reason: 'partner_reference', reservationRequestId: referenceOf });
  }
  return now >= quote.expiresAt ? refuse('quote_expired') : null;
}
