import type { Payment } from './payment.ts';

const unknown = async () => ({ outcome: 'unknown' }) as const;

/**
 * No provider is configured. Card-paying applications cannot create checkouts, so only checkouts that were
 * created with a provider get here: their outcome stays unknown until it is configured again.
 */
export const noPayment: Payment = {
  isConfigured: false,
  kind: 'none',
  publishableKey: '',
  setup: async () => ({ outcome: 'refused', reason: 'unavailable' }),
  verify: unknown,
  needsAction: unknown,
  authorize: unknown,
  capture: unknown,
  lookUp: unknown,
};
