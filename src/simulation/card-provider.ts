import type { Executor } from '../platform/postgres/database.ts';
import { simulatedSetupOf, suffixOf } from './outcomes.ts';
import { takeOrderedSetup, wantsAction } from './store/attempts.ts';
import type { Payment } from '../bookings/index.ts';

const needsActionMethod = 'pm_simulated_requires_action';
/** The card of conformance runs. */
const conformanceMethod = 'pm_conformance';
const declinedMethod = 'pm_simulated_declined';

const done = { outcome: 'done' } as const;

/**
 * A simulated provider without state: the guest's email selects the result of the setup, the payment
 * method all other results. Repeated calls return the same result. Spec: SIMULATION-5.
 */
export function createSimulatedPayment(executor: Executor): Payment {
  const { vault } = executor;
  return {
    isConfigured: true,
    kind: 'simulation',
    publishableKey: 'pk_simulated',
    async setup(checkout) {
      const attempt = checkout.paymentSetup?.attempts ?? 1;
      const ordered = await takeOrderedSetup(executor, checkout.applicationId);
      const reason = simulatedSetupOf(ordered ?? suffixOf(checkout.guest?.email ?? ''), attempt);
      if (reason) return { outcome: 'refused', reason };
      const secret = vault.mac('payment', `${checkout.attemptId}/${attempt}`).toString('hex');
      const reference = `setup_simulated_${secret.slice(0, 24)}`;
      return { ...done, reference, clientSecret: `${reference}_secret_${secret.slice(24)}` };
    },
    verify: async () => done,
    needsAction: async ({ paymentMethodId, applicationId }) => ({
      ...done,
      isNeeded:
        paymentMethodId === needsActionMethod ||
        (paymentMethodId === conformanceMethod && (await wantsAction(executor, applicationId))),
    }),
    authorize: async ({ paymentMethodId }) =>
      paymentMethodId === declinedMethod
        ? { outcome: 'refused', reason: 'declined' }
        : { ...done, action: null },
    capture: async () => done,
    lookUp: async () => ({ ...done, payment: 'none' }),
  };
}
