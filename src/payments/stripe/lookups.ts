import type { Stripe } from 'stripe';
import type { CardProvider, PaymentRange } from '../ports/card-provider.ts';
import type { EffectName } from '../rules/effect-name.ts';
import type { StripeClient } from './client.ts';
import { isNamed } from './effect-names.ts';
import { disputeIn } from './events.ts';
import { failureOf } from './failure.ts';
import { refusalKindOf } from './refusals.ts';
import {
  foundPayment,
  listedPayment,
  listedRefund,
  mostEffective,
  noPaymentFound,
  refundOfPayment,
  refundStateOf,
  stateOf,
} from './states.ts';

const pageSize = 100;
// The refunded amount and the disputes are members of the charge.
const charge = 'latest_charge';

/** Reads one payment. Rejects with the provider's error. */
export const retrievePayment = (
  { call }: StripeClient,
  reference: string,
  signal: AbortSignal,
): Promise<Stripe.PaymentIntent> =>
  call(signal, (stripe) => stripe.paymentIntents.retrieve(reference, { expand: [charge] }));

/** A period in the provider's words. */
export const createdIn = ({ since, until }: PaymentRange) => ({
  gte: Math.floor(since / 1000),
  ...(until !== null && { lt: Math.floor(until / 1000) }),
});

/** The page after an object. */
export const pageAfter = (after: string | null) => ({
  limit: pageSize,
  ...(after !== null && { starting_after: after }),
});

/** Where the page after this one begins; null: it is the last. */
export const nextOf = ({
  data,
  has_more: hasMore,
}: {
  data: { id: string }[];
  has_more: boolean;
}) => (hasMore ? (data.at(-1)?.id ?? null) : null);

// Not the package's own paging, so that the signal applies to each page.
async function pageOf(
  { call }: StripeClient,
  filter: Stripe.PaymentIntentListParams,
  after: string | null,
  signal: AbortSignal,
): Promise<{ found: Stripe.PaymentIntent[]; next: string | null }> {
  const page = await call(signal, (stripe) =>
    stripe.paymentIntents.list({ ...filter, ...pageAfter(after), expand: [`data.${charge}`] }),
  );
  return { found: page.data, next: nextOf(page) };
}

async function ofCustomer(
  client: StripeClient,
  customer: string,
  signal: AbortSignal,
): Promise<Stripe.PaymentIntent[]> {
  const all: Stripe.PaymentIntent[] = [];
  let after: string | null = null;
  do {
    const { found, next } = await pageOf(client, { customer }, after, signal);
    all.push(...found);
    after = next;
  } while (after !== null);
  return all;
}

async function findListed(
  client: StripeClient,
  payment: { paymentId: string; name: EffectName | null; customerReference: string },
  signal: AbortSignal,
): Promise<Stripe.PaymentIntent | undefined> {
  const { paymentId, name, customerReference } = payment;
  const all = await ofCustomer(client, customerReference, signal);
  return mostEffective(
    all.filter(({ metadata }) => metadata['payment_id'] === paymentId || isNamed(metadata, name)),
  );
}

async function refundsOf(
  { call }: StripeClient,
  payment: string,
  signal: AbortSignal,
): Promise<Stripe.Refund[]> {
  const all: Stripe.Refund[] = [];
  let after: string | null = null;
  do {
    const position: string | null = after;
    const page = await call(signal, (stripe) =>
      stripe.refunds.list({ payment_intent: payment, ...pageAfter(position) }),
    );
    all.push(...page.data);
    after = nextOf(page);
  } while (after !== null);
  return all;
}

async function findRefundOf(
  client: StripeClient,
  refund: { refundId: string; name: EffectName | null; providerReference: string },
  signal: AbortSignal,
): Promise<Stripe.Refund | undefined> {
  const { refundId, name, providerReference } = refund;
  const all = await refundsOf(client, providerReference, signal);
  const named = all.filter(
    ({ metadata }) => metadata?.['refund_id'] === refundId || isNamed(metadata, name),
  );
  // A refund that failed may have been repeated in a later round.
  return named.find((one) => refundStateOf(one) !== 'failed') ?? named[0];
}

/** What the provider knows: by reference, or by a list, because its search lags. */
export const lookups = (
  client: StripeClient,
): Pick<
  CardProvider,
  'findPayment' | 'findRefund' | 'refundsOf' | 'listPayments' | 'listRefunds' | 'listDisputes'
> => ({
  async findPayment({ providerReference, ...payment }, signal) {
    try {
      const found = providerReference
        ? await retrievePayment(client, providerReference, signal)
        : await findListed(client, payment, signal);
      if (!found) return { outcome: 'done', ...noPaymentFound };
      const state = stateOf(found);
      if (state === null) return { outcome: 'unknown' };
      return { outcome: 'done', ...foundPayment(found, state) };
    } catch (error) {
      failureOf(error);
      return { outcome: 'unknown' };
    }
  },

  async findRefund({ refundReference, ...named }, signal) {
    try {
      const found = refundReference
        ? await client.call(signal, (stripe) => stripe.refunds.retrieve(refundReference))
        : await findRefundOf(client, named, signal);
      return {
        outcome: 'done',
        state: found ? refundStateOf(found) : 'none',
        refundReference: found?.id ?? null,
        declineCode: found?.failure_reason ?? null,
        ...(found?.failure_reason && { refusedAs: refusalKindOf(found.failure_reason) }),
      };
    } catch (error) {
      failureOf(error);
      return { outcome: 'unknown' };
    }
  },

  async refundsOf({ providerReference }, signal) {
    try {
      const refunds = await refundsOf(client, providerReference, signal);
      return { outcome: 'done', refunds: refunds.map(refundOfPayment) };
    } catch (error) {
      failureOf(error);
      return { outcome: 'unknown' };
    }
  },

  async listRefunds({ range, after }, signal) {
    try {
      const page = await client.call(signal, (stripe) =>
        stripe.refunds.list({ created: createdIn(range), ...pageAfter(after) }),
      );
      const items = page.data.flatMap((refund) => listedRefund(refund) ?? []);
      return { outcome: 'done', items, next: nextOf(page) };
    } catch (error) {
      failureOf(error);
      return { outcome: 'unknown' };
    }
  },

  async listDisputes({ range, after }, signal) {
    try {
      const page = await client.call(signal, (stripe) =>
        stripe.disputes.list({ created: createdIn(range), ...pageAfter(after) }),
      );
      const items = page.data.flatMap((dispute) => {
        const { payment_intent: payment } = dispute;
        if (payment === null) return [];
        const providerReference = typeof payment === 'string' ? payment : payment.id;
        return { ...disputeIn(dispute), providerReference };
      });
      return { outcome: 'done', items, next: nextOf(page) };
    } catch (error) {
      failureOf(error);
      return { outcome: 'unknown' };
    }
  },

  async listPayments({ range, after }, signal) {
    const filter = { created: createdIn(range) };
    try {
      const { found, next } = await pageOf(client, filter, after, signal);
      return { outcome: 'done', payments: found.map(listedPayment), next };
    } catch (error) {
      failureOf(error);
      return { outcome: 'unknown' };
    }
  },
});
