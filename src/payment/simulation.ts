import type { Vault } from '../db/vault.ts';
import { simulatedSetupOf } from '../supply/index.ts';
import type { Payment } from './port.ts';

const needsActionMethod = 'pm_simulated_requires_action';
const declinedMethod = 'pm_simulated_declined';

/** A provider that charges nobody: the guest's email selects the setup, the method the rest. */
export function createSimulatedPayment(vault: Vault): Payment {
  return {
    kind: 'simulation',
    publishableKey: 'pk_simulated',
    async setup(checkout) {
      const attempt = checkout.paymentSetup?.attempts ?? 1;
      const failure = simulatedSetupOf(checkout.guest?.email ?? '', attempt);
      if (failure) return { failed: failure };
      const secret = vault.mac('payment', `${checkout.attemptId}/${attempt}`).toString('hex');
      const reference = `setup_simulated_${secret.slice(0, 24)}`;
      return { ready: { reference, clientSecret: `${reference}_secret_${secret.slice(24)}` } };
    },
    needsAction: (paymentMethodId) => paymentMethodId === needsActionMethod,
    authorize: async (checkout) =>
      checkout.paymentMethodId === declinedMethod ? 'declined' : 'authorized',
  };
}
