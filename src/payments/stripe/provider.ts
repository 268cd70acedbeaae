import type { CardProvider } from '../ports/card-provider.ts';
import { createStripeClient, type StripeAccount } from './client.ts';
import { customers } from './customers.ts';
import { links } from './links.ts';
import { lookups } from './lookups.ts';
import { effects, payments } from './payments.ts';
import { payouts } from './payouts.ts';
import { usualRepeats } from './repeats.ts';
import { cardSetups } from './setup.ts';

/** The keys of an account, and where to reach it. */
export interface StripeSettings extends StripeAccount {
  publishableKey: string;
}

/**
 * Card payments by Stripe. Only this folder uses Stripe's terms. Spec: CARD-8.
 *
 * @param send sends a request; in tests, to a stand-in without sockets
 * @param repeats how a call is repeated after a short fault
 */
export async function createStripeProvider(
  { publishableKey, ...account }: StripeSettings,
  send?: typeof fetch,
  repeats = usualRepeats,
): Promise<CardProvider> {
  const client = await createStripeClient(account, repeats, send);
  return {
    kind: 'stripe',
    publishableKey,
    ...cardSetups(client),
    ...customers(client),
    ...payments(client),
    ...effects(client),
    ...links(client),
    ...lookups(client),
    ...payouts(client),
  };
}
