import { refuse, type Refusal } from '../../contract/errors.ts';
import type { EpochMs } from '../../contract/time.ts';
import type { Quote } from './booking.ts';

/** A quote that a new booking names, at the database's time `now`. */
export interface QuoteUse {
  quote: Pick<Quote, 'expiresAt'>;
  now: EpochMs;
  /** Another booking was made of it. */
  quoteUsed: boolean;
  /** Another request of the application has the same `partnerReference`. */
  partnerReferenceUsed: boolean;
}

/** Null: a booking can be made of the quote. Spec: Per-operation shapes, checkouts and reservation-requests. */
export function quoteRefusal({
  quote,
  now,
  quoteUsed,
  partnerReferenceUsed,
}: QuoteUse): Refusal<'conflict' | 'quote_expired'> | null {
  if (quoteUsed) return refuse('conflict', { reason: 'quote_used' });
  if (partnerReferenceUsed) return refuse('conflict', { reason: 'partner_reference' });
  return now >= quote.expiresAt ? refuse('quote_expired') : null;
}
