/** Defects that the simulation must notice. */
import type { CardProvider } from '../../../src/payments/ports/card-provider.ts';
import type { PlaySettings } from './run.ts';

/** A provider whose list lags behind, as its search does. */
export const withoutLookups = (provider: CardProvider): CardProvider => ({
  ...provider,
  async findPayment(payment, signal) {
    const found = await provider.findPayment(payment, signal);
    if (found.outcome === 'unknown' || payment.providerReference !== null) return found;
    return { ...found, state: 'none' };
  },
});

const nothing = { outcome: 'done', items: [], payments: [], next: null } as const;

// Only the comparison after a restore uses these lists in a simulated run.
const without =
  (list: 'listPayments' | 'listRefunds' | 'listDisputes' | 'listOpenLinks') =>
  (provider: CardProvider): CardProvider => ({
    ...provider,
    [list]: () => Promise.resolve(structuredClone(nothing)),
  });

/** Each planted defect, by what is wrong: the seeds that are played must find it. */
export const plantedDefects: Readonly<Record<string, PlaySettings>> = {
  'lookups miss payments': { change: withoutLookups, stepsAtMost: 3_000 },
  'a restore misses payments': { change: without('listPayments'), isLater: true },
  'a restore misses refunds': { change: without('listRefunds'), isLater: true },
  'a restore misses disputes': { change: without('listDisputes'), isLater: true },
  'a restore misses payment links': { change: without('listOpenLinks'), isLater: true },
};
