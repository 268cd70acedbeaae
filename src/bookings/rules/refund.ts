import type { EpochMs } from '../../contract/time.ts';
import type { Terms } from '../../contract/partner/schemas/quote.ts';

/**
 * The refund of a cancellation now, by the terms: that of the first instant that has not passed, else 0.
 * Spec: decisions, Quote (`cancellation`).
 */
export const refundByTerms = (cancellation: Terms['cancellation'], now: EpochMs): number =>
  cancellation.find(({ before }) => now < Date.parse(before))?.refundAmount ?? 0;
