import type { Executor, Statement } from '../../platform/postgres/database.ts';
import type { StoredCard } from '../rules/intent.ts';

const saveStatement: Statement = {
  name: 'save-payment-card',
  text: `INSERT INTO payment_cards
      (application_id, checkout_id, setup_reference, customer_reference, payment_method_reference)
    SELECT application_id, booking_id, payment_reference, $4, $5 FROM bookings
    WHERE booking_id = $2 AND application_id = $1 AND kind = 'checkout' AND state = 'needs_payment'
      AND payment_reference = $3
    FOR SHARE
    ON CONFLICT (checkout_id, application_id) DO UPDATE SET setup_reference = excluded.setup_reference,
      customer_reference = excluded.customer_reference,
      payment_method_reference = excluded.payment_method_reference`,
};

const hasCustomerStatement: Statement = {
  name: 'has-payment-customer',
  text: 'SELECT FROM payment_cards WHERE checkout_id = $2 AND application_id = $1',
};

type OfCheckout = { applicationId: string; checkoutId: string };

/** Whether the provider knows a customer of a checkout. */
export const hasCustomer = async (
  executor: Executor,
  { applicationId, checkoutId }: OfCheckout,
): Promise<boolean> =>
  (await executor.query(hasCustomerStatement, [applicationId, checkoutId])).length > 0;

const saveCustomerStatement: Statement = {
  name: 'save-payment-customer',
  text: `INSERT INTO payment_cards (application_id, checkout_id, customer_reference) VALUES ($1, $2, $3)
    ON CONFLICT (checkout_id, application_id) DO NOTHING`,
};

/** Saves the provider's customer of a checkout without a card; an earlier one stays. */
export async function saveCustomer(
  executor: Executor,
  { applicationId, checkoutId }: OfCheckout,
  customerReference: string,
): Promise<void> {
  await executor.query(saveCustomerStatement, [applicationId, checkoutId, customerReference]);
}

/**
 * Saves the card of a checkout; it replaces an earlier one. Does nothing if the checkout has another setup
 * meanwhile, or its payment is verified: a payment is looked up among those of the card's customer.
 */
export async function saveCard(
  executor: Executor,
  checkout: { applicationId: string; checkoutId: string; setupReference: string },
  { customerReference, paymentMethodReference }: StoredCard,
): Promise<void> {
  const { applicationId, checkoutId, setupReference } = checkout;
  await executor.query(saveStatement, [
    applicationId,
    checkoutId,
    setupReference,
    customerReference,
    paymentMethodReference,
  ]);
}
