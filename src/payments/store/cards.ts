import { hasRow, noRows } from '../../platform/postgres/statement-functions.ts';
import type { StoredCard } from '../rules/intent.ts';

type OfCheckout = { applicationId: string; checkoutId: string };

/**
 * Saves the card of a checkout; it replaces an earlier one. Does nothing if the checkout has another setup
 * meanwhile, or its payment is verified: a payment is looked up among those of the card's customer.
 */
export const saveCard = noRows<
  [
    checkout: { applicationId: string; checkoutId: string; setupReference: string },
    card: StoredCard,
  ]
>({
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
  values: (
    { applicationId, checkoutId, setupReference },
    { customerReference, paymentMethodReference },
  ) => [applicationId, checkoutId, setupReference, customerReference, paymentMethodReference],
});

/** Whether the provider knows a customer of a checkout. */
export const hasCustomer = hasRow<[ofCheckout: OfCheckout]>({
  name: 'has-payment-customer',
  text: 'SELECT FROM payment_cards WHERE checkout_id = $2 AND application_id = $1',
  values: ({ applicationId, checkoutId }) => [applicationId, checkoutId],
});

/** Saves the provider's customer of a checkout without a card; an earlier one stays. */
export const saveCustomer = noRows<[ofCheckout: OfCheckout, customerReference: string]>({
  name: 'save-payment-customer',
  text: `INSERT INTO payment_cards (application_id, checkout_id, customer_reference) VALUES ($1, $2, $3)
    ON CONFLICT (checkout_id, application_id) DO NOTHING`,
  values: ({ applicationId, checkoutId }, customerReference) => [
    applicationId,
    checkoutId,
    customerReference,
  ],
});
