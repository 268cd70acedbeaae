import type { Stripe } from 'stripe';
import type { CardProvider, CustomerOfGuest } from '../ports/card-provider.ts';
import type { StripeClient } from './client.ts';
import { failureOf } from './failure.ts';
import { nextOf, pageAfter } from './lookups.ts';

const idOf = (object: string | { id: string } | null): string | null =>
  typeof object === 'string' ? object : (object?.id ?? null);

const isMissing = (error: unknown): boolean => failureOf(error).code === 'resource_missing';

/** The customer of a setup; null: there is no such setup. */
async function customerOfSetup(
  { call }: StripeClient,
  setupReference: string,
  signal: AbortSignal,
): Promise<string | null> {
  try {
    return idOf(
      (await call(signal, (stripe) => stripe.setupIntents.retrieve(setupReference))).customer,
    );
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** Customers whose setup was never completed: by the email, and the checkout in their metadata. */
async function customersByEmail(
  { call }: StripeClient,
  { applicationId, checkoutId, email }: CustomerOfGuest,
  signal: AbortSignal,
): Promise<string[]> {
  const found: string[] = [];
  let after: string | null = null;
  do {
    const page: Stripe.ApiList<Stripe.Customer> = await call(signal, (stripe) =>
      stripe.customers.list({ email, ...pageAfter(after) }),
    );
    for (const { id, metadata } of page.data) {
      const isOurs =
        metadata['application_id'] === applicationId && metadata['checkout_id'] === checkoutId;
      if (isOurs) found.push(id);
    }
    after = nextOf(page);
  } while (after !== null);
  return found;
}

async function deleteCustomer(
  { call }: StripeClient,
  customer: string,
  signal: AbortSignal,
): Promise<void> {
  try {
    await call(signal, (stripe) => stripe.customers.del(customer));
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

/** Deletes guests at the provider. Payments and refunds stay there, without the guest. Spec: GUEST-4. */
export const customers = (client: StripeClient): Pick<CardProvider, 'deleteCustomers'> => ({
  async deleteCustomers(guest, signal) {
    const { customerReference, setupReference } = guest;
    try {
      const named = await Promise.all([
        customerReference,
        setupReference && customerOfSetup(client, setupReference, signal),
        ...(await customersByEmail(client, guest, signal)),
      ]);
      for (const customer of new Set(named)) {
        if (customer) await deleteCustomer(client, customer, signal);
      }
      return { outcome: 'done' };
    } catch (error) {
      failureOf(error);
      return { outcome: 'unknown' };
    }
  },
});
