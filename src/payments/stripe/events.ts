import type { Stripe } from 'stripe';
import type { EpochMs } from '../../contract/time.ts';
import type { Dispute, PaymentEventSource, PaymentNotice } from '../ports/payment-events.ts';
import { fromProviderAmount } from './amounts.ts';

type EventType = Stripe.Event['type'];

/** What an event concerns; null: no payment. */
type Concern = Omit<PaymentNotice, 'eventReference'> | null;

const referenceOf = (object: string | { id: string } | null): string | null =>
  typeof object === 'string' ? object : (object?.id ?? null);

const paymentOf = (payment: Stripe.PaymentIntent): Concern => ({
  providerReference: payment.id,
  paymentId: payment.metadata['payment_id'] ?? null,
  refund: null,
  dispute: null,
});

/** Of an object that names its payment. */
function aboutPayment(
  { payment_intent: payment }: { payment_intent: string | Stripe.PaymentIntent | null },
  about: Partial<Pick<PaymentNotice, 'refund' | 'dispute'>>,
): Concern {
  const providerReference = referenceOf(payment);
  if (providerReference === null) return null;
  return { providerReference, paymentId: null, refund: null, dispute: null, ...about };
}

// Ours carry the ID of their row.
const refundOf = (refund: Stripe.Refund): Concern => {
  const isElsewhere = refund.metadata?.['refund_id'] === undefined;
  return aboutPayment(refund, { refund: { isElsewhere, refundedMinor: null } });
};

const sessionOf = (session: Stripe.Checkout.Session): Concern => ({
  providerReference: referenceOf(session.payment_intent) ?? session.id,
  paymentId: session.metadata?.['payment_id'] ?? null,
  refund: null,
  dispute: null,
});

const refundedOf = (charge: Stripe.Charge): Concern => {
  const refundedMinor = fromProviderAmount(charge.amount_refunded, charge.currency.toUpperCase());
  return aboutPayment(charge, { refund: { isElsewhere: false, refundedMinor } });
};

/** A status that is not listed may still change. */
const outcomes: Readonly<Record<string, Dispute['outcome']>> = {
  won: 'won',
  warning_closed: 'won',
  prevented: 'won',
  lost: 'lost',
};

const dueOf = ({ evidence_details: details }: Stripe.Dispute): EpochMs | null =>
  details?.due_by ? details.due_by * 1_000 : null;

/** The provider's fee; null: it is not in this event, or in another currency. */
function feeOf({ balance_transactions: moves = [] }: Stripe.Dispute, currency: string) {
  const own = moves.filter((one) => one.currency.toUpperCase() === currency);
  const fee = own.reduce((sum, one) => sum + one.fee, 0);
  return fee > 0 ? fromProviderAmount(fee, currency) : null;
}

/** A dispute in our words. */
export function disputeIn(dispute: Stripe.Dispute): Dispute {
  const currency = dispute.currency.toUpperCase();
  return {
    disputeReference: dispute.id,
    amountMinor: fromProviderAmount(dispute.amount, currency),
    currency,
    reason: dispute.reason,
    state: dispute.status,
    outcome: outcomes[dispute.status] ?? 'open',
    evidenceDueAt: dueOf(dispute),
    feeMinor: feeOf(dispute, currency),
  };
}

const disputeOf = (dispute: Stripe.Dispute): Concern =>
  aboutPayment(dispute, { dispute: disputeIn(dispute) });

type Concerns = {
  readonly [T in EventType]?: (
    object: Extract<Stripe.Event, { type: T }>['data']['object'],
  ) => Concern;
};

/** The events about a payment. The provider may send others, too. */
const concerns: Concerns = {
  'payment_intent.amount_capturable_updated': paymentOf,
  'payment_intent.canceled': paymentOf,
  'payment_intent.payment_failed': paymentOf,
  'payment_intent.processing': paymentOf,
  'payment_intent.requires_action': paymentOf,
  'payment_intent.succeeded': paymentOf,
  'charge.refunded': refundedOf,
  'checkout.session.completed': sessionOf,
  'checkout.session.expired': sessionOf,
  'refund.created': refundOf,
  'refund.failed': refundOf,
  'refund.updated': refundOf,
  'charge.dispute.created': disputeOf,
  'charge.dispute.updated': disputeOf,
  'charge.dispute.closed': disputeOf,
};

const isEvent = (value: unknown): value is Stripe.Event => {
  const { id, type, data } = (value ?? {}) as Partial<Record<string, unknown>>;
  const object = (data as { object?: unknown } | null | undefined)?.object;
  const isNamed = typeof id === 'string' && typeof type === 'string';
  return isNamed && typeof object === 'object' && object !== null;
};

/** Reads an event whose signature is right. */
function noticeOf(value: Stripe.Event): PaymentNotice | 'irrelevant' | 'malformed' {
  if (!isEvent(value)) return 'malformed';
  const { id, type, data } = value;
  const concernOf = concerns[type] as ((object: object) => Concern) | undefined;
  const concern = concernOf?.(data.object) ?? null;
  return concern ? { eventReference: id, ...concern } : 'irrelevant';
}

/** Reads the provider's events: at most five minutes old, by the clock of this process. */
export async function stripeEvents(secret: string): Promise<PaymentEventSource> {
  const { Stripe } = await import('stripe');
  return {
    path: '/payments/stripe/events',
    signatureHeader: 'stripe-signature',
    read(body, signature) {
      try {
        return noticeOf(Stripe.webhooks.constructEvent(body, signature, secret));
      } catch (error) {
        if (error instanceof Stripe.errors.StripeSignatureVerificationError) return 'forged';
        // Signed, but no JSON, or no event: it does not become one when it is sent again.
        if (error instanceof SyntaxError || error instanceof TypeError) return 'malformed';
        throw error;
      }
    },
  };
}
