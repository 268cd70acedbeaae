import type { Stripe } from 'stripe';
import type { CardProvider, FoundLink } from '../ports/card-provider.ts';
import type { EffectName } from '../rules/effect-name.ts';
import { fromProviderAmount, toProviderAmount } from './amounts.ts';
import { cannotCharge, done, isRefused, refused, unknown, unknownBy } from './answers.ts';
import type { StripeClient } from './client.ts';
import { isNamed, keyOfName, metadataOf, originOf } from './effect-names.ts';
import { failureOf } from './failure.ts';
import { createdIn, nextOf, pageAfter } from './lookups.ts';

type Session = Stripe.Checkout.Session;

const states: Readonly<Record<string, FoundLink['state']>> = {
  open: 'open',
  complete: 'paid',
  expired: 'expired',
};

const paymentOf = ({ payment_intent: payment }: Session): string | null =>
  typeof payment === 'string' ? payment : (payment?.id ?? null);

/** A session as the port names it. Null: its payment is still being processed. */
function foundLink(session: Session): FoundLink | null {
  const state = states[session.status ?? ''];
  if (!state || (state === 'paid' && session.payment_status !== 'paid')) return null;
  return {
    state,
    pageReference: session.id,
    url: state === 'open' ? session.url : null,
    providerReference: state === 'paid' ? paymentOf(session) : null,
  };
}

const none: FoundLink = { state: 'none', pageReference: null, url: null, providerReference: null };

const pageSize = 100;

async function listed(
  { call }: StripeClient,
  { paymentId, name, customer }: { paymentId: string; name: EffectName | null; customer: string },
  signal: AbortSignal,
): Promise<Session | undefined> {
  let after: string | undefined;
  do {
    const position = after;
    const page = await call(signal, (stripe) =>
      stripe.checkout.sessions.list({
        customer,
        limit: pageSize,
        ...(position !== undefined && { starting_after: position }),
      }),
    );
    const found = page.data.find(
      ({ metadata }) => metadata?.['payment_id'] === paymentId || isNamed(metadata, name),
    );
    if (found) return found;
    after = page.has_more ? page.data.at(-1)?.id : undefined;
  } while (after !== undefined);
  return undefined;
}

const retrieve = ({ call }: StripeClient, page: string, signal: AbortSignal): Promise<Session> =>
  call(signal, (stripe) => stripe.checkout.sessions.retrieve(page));

const answerOf = (session: Session | undefined) => {
  const found = session ? foundLink(session) : none;
  return found ? { ...done, ...found } : ({ outcome: 'unknown' } as const);
};

/** Payment links: hosted pages that can be paid once. */
export const links = (
  client: StripeClient,
): Pick<CardProvider, 'createLink' | 'findLink' | 'listOpenLinks' | 'endLink'> => ({
  async createLink(link, signal) {
    const { amountMinor, currency, description, expiresAt, paymentId, name, round } = link;
    const amount = toProviderAmount(amountMinor, currency);
    if (amount === null) return cannotCharge;
    const metadata = { ...link.metadata, payment_id: paymentId, ...(name && metadataOf(name)) };
    const idempotencyKey = name ? keyOfName(name, 'link') : `${paymentId}:link:${round}`;
    try {
      const made = await client.call(signal, (stripe) =>
        stripe.checkout.sessions.create(
          {
            mode: 'payment',
            // The amount is ours, in our currency.
            adaptive_pricing: { enabled: false },
            customer: link.customerReference,
            allowed_payment_method_types: ['card'],
            line_items: [
              {
                quantity: 1,
                price_data: {
                  currency: currency.toLowerCase(),
                  unit_amount: amount,
                  product_data: { name: description },
                },
              },
            ],
            payment_intent_data: { description, metadata },
            metadata,
            expires_at: Math.floor(expiresAt / 1_000),
            success_url: link.returnUrl,
          },
          { idempotencyKey },
        ),
      );
      return made.url === null ? unknown : { ...done, pageReference: made.id, url: made.url };
    } catch (error) {
      const failure = failureOf(error);
      return isRefused(failure) ? refused('declined', failure.code) : unknownBy(failure);
    }
  },

  async findLink({ pageReference, customerReference: customer, ...named }, signal) {
    try {
      return answerOf(
        pageReference
          ? await retrieve(client, pageReference, signal)
          : await listed(client, { ...named, customer }, signal),
      );
    } catch (error) {
      failureOf(error);
      return { outcome: 'unknown' };
    }
  },

  async listOpenLinks({ range, after }, signal) {
    try {
      const page = await client.call(signal, (stripe) =>
        stripe.checkout.sessions.list({
          status: 'open',
          created: createdIn(range),
          ...pageAfter(after),
        }),
      );
      const items = page.data.map(({ id, metadata, amount_total: amount, currency }) => {
        const code = (currency ?? '').toUpperCase();
        return {
          pageReference: id,
          origin: originOf(metadata),
          paymentId: metadata?.['payment_id'] ?? null,
          amountMinor: fromProviderAmount(amount ?? 0, code),
          currency: code,
        };
      });
      return { outcome: 'done', items, next: nextOf(page) };
    } catch (error) {
      failureOf(error);
      return { outcome: 'unknown' };
    }
  },

  async endLink({ pageReference }, signal) {
    try {
      return answerOf(
        await client.call(signal, (stripe) => stripe.checkout.sessions.expire(pageReference)),
      );
    } catch (error) {
      if (!isRefused(failureOf(error))) return { outcome: 'unknown' };
    }
    // It is not open: it was paid, or has expired.
    try {
      return answerOf(await retrieve(client, pageReference, signal));
    } catch (error) {
      failureOf(error);
      return { outcome: 'unknown' };
    }
  },
});
