import type { CardProvider } from '../../../src/payments/ports/card-provider.ts';

/** A provider whose list lags behind, as its search does: the defect that the simulation must notice. */
export const withoutLookups = (provider: CardProvider): CardProvider => ({
  ...provider,
  async findPayment(payment, signal) {
    const found = await provider.findPayment(payment, signal);
    if (found.outcome === 'unknown' || payment.providerReference !== null) return found;
    return { ...found, state: 'none' };
  },
});
