/** The provider's objects, with the members that Latchkey or its tests read. */

export type Metadata = Record<string, string>;

export interface Customer {
  id: string;
  object: 'customer';
  created: number;
  email: string | null;
  name: string | null;
  livemode: false;
  metadata: Metadata;
}

export interface SetupIntent {
  id: string;
  object: 'setup_intent';
  client_secret: string;
  created: number;
  customer: string;
  last_setup_error: { code: string } | null;
  livemode: false;
  metadata: Metadata;
  payment_method: string | null;
  status: 'requires_payment_method' | 'succeeded' | 'canceled';
  usage: string;
}

export interface PaymentError {
  type: 'card_error';
  code: string;
  decline_code?: string;
  message: string;
}

export interface Charge {
  id: string;
  object: 'charge';
  amount: number;
  amount_captured: number;
  amount_refunded: number;
  captured: boolean;
  disputed: boolean;
  payment_intent: string;
}

export interface PaymentIntent {
  id: string;
  object: 'payment_intent';
  amount: number;
  amount_capturable: number;
  amount_received: number;
  canceled_at: number | null;
  cancellation_reason: string | null;
  capture_method: 'automatic' | 'manual';
  client_secret: string;
  created: number;
  currency: string;
  customer: string;
  description: string | null;
  last_payment_error: PaymentError | null;
  latest_charge: string | null;
  livemode: false;
  metadata: Metadata;
  payment_method: string | null;
  status:
    | 'requires_payment_method'
    | 'requires_confirmation'
    | 'requires_action'
    | 'processing'
    | 'requires_capture'
    | 'succeeded'
    | 'canceled';
}

export interface Refund {
  id: string;
  object: 'refund';
  amount: number;
  charge: string;
  created: number;
  currency: string;
  failure_reason?: string;
  metadata: Metadata;
  payment_intent: string;
  status: 'pending' | 'succeeded' | 'failed';
}

/** A payout to the operator's bank. */
export interface Payout {
  id: string;
  object: 'payout';
  amount: number;
  arrival_date: number;
  automatic: boolean;
  created: number;
  currency: string;
}

/** A movement of the operator's balance at the provider. */
export interface BalanceTransaction {
  id: string;
  object: 'balance_transaction';
  amount: number;
  currency: string;
  fee: number;
  net: number;
  reporting_category: string;
  source: { id: string; payment_intent: string | null } | null;
  type: string;
}

/** A hosted page where a guest pays once. */
export interface Session {
  id: string;
  object: 'checkout.session';
  amount_total: number;
  created: number;
  currency: string;
  customer: string | null;
  expires_at: number;
  livemode: false;
  metadata: Metadata;
  payment_intent: string | null;
  payment_status: 'paid' | 'unpaid';
  status: 'open' | 'complete' | 'expired';
  success_url: string;
  url: string | null;
}

export interface Dispute {
  id: string;
  object: 'dispute';
  amount: number;
  charge: string;
  created: number;
  currency: string;
  payment_intent: string;
  reason: string;
  status: 'needs_response' | 'lost' | 'won';
  evidence_details: { due_by: number };
  balance_transactions: { amount: number; currency: string; fee: number }[];
}

export interface Event {
  id: string;
  object: 'event';
  api_version: string;
  created: number;
  data: { object: Customer | SetupIntent | PaymentIntent | Charge | Refund | Dispute | Session };
  livemode: false;
  type: string;
}

/** One movement of money in the provider's own ledger. */
export interface Movement {
  kind: 'authorized' | 'released' | 'captured' | 'refunded' | 'refund_failed';
  paymentIntent: string;
  /** Our identity of the payment, from its metadata. */
  paymentId: string | null;
  refund: string | null;
  amount: number;
  currency: string;
}
