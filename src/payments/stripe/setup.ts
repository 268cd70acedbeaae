import type { Stripe } from 'stripe';
import type { CardProvider } from '../ports/card-provider.ts';
import type { PaymentSetupFailure } from '../../contract/states.ts';
import { toProviderAmount } from './amounts.ts';
import type { StripeClient } from './client.ts';
import { keyOfName } from './effect-names.ts';
import { type FailureKind, failureOf } from './failure.ts';

/** Why a setup failed; a kind that is not listed leaves the result unknown. Spec: CARD-3. */
const failures: Readonly<Partial<Record<FailureKind, PaymentSetupFailure>>> = {
  declined: 'unavailable',
  invalid: 'unavailable',
  busy: 'unavailable',
  unavailable: 'unavailable',
  not_authorized: 'not_authorized',
};

const referenceOf = (object: string | { id: string } | null): string | null =>
  typeof object === 'string' ? object : (object?.id ?? null);

function cardOf(setup: Stripe.SetupIntent, paymentMethodId: string) {
  const customerReference = referenceOf(setup.customer);
  if (setup.status !== 'succeeded' || customerReference === null) return null;
  if (referenceOf(setup.payment_method) !== paymentMethodId) return null;
  return { customerReference, paymentMethodReference: paymentMethodId };
}

/** Prepares the hosted fields, and keeps the card. Each setup has a customer of its own. */
export const cardSetups = ({
  call,
}: StripeClient): Pick<CardProvider, 'prepareCard' | 'prepareCustomer' | 'verifyCard'> => ({
  async prepareCard({ currency, amountsMinor, number, guest, applicationId, checkoutId }, signal) {
    const isCharged = amountsMinor.every((amount) => toProviderAmount(amount, currency) !== null);
    if (!isCharged) return { outcome: 'refused', reason: 'unavailable' };
    const metadata = { application_id: applicationId, checkout_id: checkoutId };
    const name = { applicationId, checkoutId, part: 'card', try: number };
    const keyOf = (step: string) => ({ idempotencyKey: keyOfName(name, step) });
    try {
      const { id: customer } = await call(signal, (stripe) =>
        stripe.customers.create({ ...guest, metadata }, keyOf('customer')),
      );
      const { id, client_secret: clientSecret } = await call(signal, (stripe) =>
        stripe.setupIntents.create(
          { customer, allowed_payment_method_types: ['card'], usage: 'off_session', metadata },
          keyOf('setup'),
        ),
      );
      if (clientSecret === null) return { outcome: 'unknown' };
      return { outcome: 'done', customerReference: customer, setupReference: id, clientSecret };
    } catch (error) {
      const reason = failures[failureOf(error).kind];
      return reason ? { outcome: 'refused', reason } : { outcome: 'unknown' };
    }
  },

  async prepareCustomer({ guest, applicationId, checkoutId }, signal) {
    const metadata = { application_id: applicationId, checkout_id: checkoutId };
    const name = { applicationId, checkoutId, part: 'customer', try: 1 };
    try {
      const { id } = await call(signal, (stripe) =>
        stripe.customers.create(
          { ...guest, metadata },
          { idempotencyKey: keyOfName(name, 'customer') },
        ),
      );
      return { outcome: 'done', customerReference: id };
    } catch (error) {
      const reason = failures[failureOf(error).kind];
      return reason ? { outcome: 'refused', reason } : { outcome: 'unknown' };
    }
  },

  async verifyCard({ setupReference, paymentMethodId }, signal) {
    try {
      const setup = await call(signal, (stripe) => stripe.setupIntents.retrieve(setupReference));
      const card = cardOf(setup, paymentMethodId);
      return card ? { outcome: 'done', ...card } : { outcome: 'refused', reason: 'not_verified' };
    } catch (error) {
      failureOf(error);
      return { outcome: 'unknown' };
    }
  },
});
