import type { Stripe } from 'stripe';
import type {
  FoundPayment,
  ListedPayment,
  ListedRefund,
  ProviderState,
} from '../ports/card-provider.ts';
import type { RefundAtProvider, RefundOfPayment } from '../rules/refund-comparison.ts';
import { fromProviderAmount } from './amounts.ts';
import { refusalKindOf } from './refusals.ts';
import { originOf } from './effect-names.ts';

/** A status that is not listed is temporary. */
const states: Readonly<Record<string, ProviderState>> = {
  // It was never confirmed, and nobody has its secret.
  requires_confirmation: 'none',
  requires_action: 'action_needed',
  requires_capture: 'authorized',
  succeeded: 'captured',
  canceled: 'voided',
};

/** The states, the one with the most effect first. */
const byEffect: readonly (ProviderState | null)[] = [
  'captured',
  'authorized',
  null,
  'action_needed',
  'declined',
  'voided',
  'none',
];

const refundStates: Readonly<Record<string, RefundAtProvider>> = {
  succeeded: 'done',
  failed: 'failed',
  canceled: 'failed',
};

const authenticationCode = 'authentication_required';

const declineCodeOf = ({ last_payment_error: error }: Stripe.PaymentIntent): string | null =>
  error?.decline_code ?? error?.code ?? null;

/** The state of a payment; null: it is temporary, so ask again later. */
export function stateOf(payment: Stripe.PaymentIntent): ProviderState | null {
  if (payment.status !== 'requires_payment_method') return states[payment.status] ?? null;
  if (payment.last_payment_error === null) return 'none';
  // Without the guest the bank refuses; with the guest it may authorize.
  return needsGuest(payment) ? 'action_needed' : 'declined';
}

/** Whether the bank demands that the guest authenticates. */
export const needsGuest = ({ status, last_payment_error: error }: Stripe.PaymentIntent): boolean =>
  status === 'requires_action' || error?.code === authenticationCode;

/** The state of a refund. A status that is not listed may still change. */
export const refundStateOf = ({ status }: Stripe.Refund): RefundAtProvider =>
  refundStates[status ?? ''] ?? 'pending';

/** Of several attempts with one identity, the payment that counts: the one with the most effect. */
export const mostEffective = (
  payments: readonly Stripe.PaymentIntent[],
): Stripe.PaymentIntent | undefined =>
  payments.toSorted((a, b) => byEffect.indexOf(stateOf(a)) - byEffect.indexOf(stateOf(b)))[0];

/** What a lookup answers where there is no payment. */
export const noPaymentFound: FoundPayment = {
  state: 'none',
  providerReference: null,
  amountMinor: 0,
  capturedMinor: 0,
  refundedMinor: 0,
  clientSecret: null,
  declineCode: null,
  isDisputed: false,
};

/** What the charge of a payment says of it. */
const chargeOf = ({ latest_charge: charge }: Stripe.PaymentIntent) =>
  typeof charge === 'object' && charge !== null ? charge : { amount_refunded: 0, disputed: false };

function amountsOf(payment: Stripe.PaymentIntent) {
  const currency = payment.currency.toUpperCase();
  return {
    amountMinor: fromProviderAmount(payment.amount, currency),
    capturedMinor: fromProviderAmount(payment.amount_received, currency),
    refundedMinor: fromProviderAmount(chargeOf(payment).amount_refunded, currency),
  };
}

/** A payment as the port names it. `latest_charge` must be expanded. */
export const foundPayment = (
  payment: Stripe.PaymentIntent,
  state: ProviderState,
): FoundPayment => ({
  state,
  providerReference: payment.id,
  ...amountsOf(payment),
  clientSecret: state === 'action_needed' ? payment.client_secret : null,
  declineCode: declineCodeOf(payment),
  refusedAs: refusalKindOf(declineCodeOf(payment)),
  isDisputed: chargeOf(payment).disputed,
});

/** A payment of a list as the port names it; a temporary state counts as `action_needed`. */
export const listedPayment = (payment: Stripe.PaymentIntent): ListedPayment => ({
  origin: originOf(payment.metadata),
  paymentId: payment.metadata['payment_id'] ?? null,
  customerReference:
    typeof payment.customer === 'string' ? payment.customer : (payment.customer?.id ?? null),
  providerReference: payment.id,
  state: stateOf(payment) ?? 'action_needed',
  ...amountsOf(payment),
  currency: payment.currency.toUpperCase(),
  isDisputed: chargeOf(payment).disputed,
  createdAt: payment.created * 1000,
});

/** A refund of a payment as the port names it. */
export const refundOfPayment = (refund: Stripe.Refund): RefundOfPayment => ({
  refundReference: refund.id,
  refundId: refund.metadata?.['refund_id'] ?? null,
  origin: originOf(refund.metadata),
  state: refundStateOf(refund),
  amountMinor: fromProviderAmount(refund.amount, refund.currency.toUpperCase()),
  declineCode: refund.failure_reason ?? null,
});

/** A refund of a list as the port names it. Null: it is of a charge without a payment, which is not ours. */
export function listedRefund(refund: Stripe.Refund): ListedRefund | null {
  const { payment_intent: payment, metadata } = refund;
  if (payment === null) return null;
  const currency = refund.currency.toUpperCase();
  return {
    refundId: metadata?.['refund_id'] ?? null,
    refundReference: refund.id,
    providerReference: typeof payment === 'string' ? payment : payment.id,
    origin: originOf(metadata),
    state: refundStateOf(refund),
    amountMinor: fromProviderAmount(refund.amount, currency),
    currency,
  };
}
