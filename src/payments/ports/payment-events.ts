import type { EpochMs } from '../../contract/time.ts';

/** A payment that its cardholder disputes at the bank. Amounts are in the minor units of ISO 4217. */
export interface Dispute {
  disputeReference: string;
  amountMinor: number;
  /** ISO 4217, upper case. */
  currency: string;
  /** The provider's words, for staff. */
  reason: string;
  state: string;
  outcome: 'open' | 'won' | 'lost';
  /** Until when evidence must be given; null: unknown. */
  evidenceDueAt: EpochMs | null;
  /** What the provider takes for it; null: not known. */
  feeMinor: number | null;
}

/** What an event says of refunds. */
export interface RefundNotice {
  /** Whether somebody else made the refund. */
  isElsewhere: boolean;
  /** What was refunded of the payment altogether, in minor units; null: it does not say. */
  refundedMinor: number | null;
}

/**
 * What an event of the provider concerns. It says only where to look: the order of events is not
 * trusted, and the same event may come twice.
 */
export interface PaymentNotice {
  /** The provider's identity of the event: the same at a repeat. */
  eventReference: string;
  providerReference: string;
  /** Our identity of the payment; null: the event does not carry it. */
  paymentId: string | null;
  /** Null: it is about no refund. */
  refund: RefundNotice | null;
  /** Null: it is about no dispute. */
  dispute: Dispute | null;
}

/** The events that the provider sends. */
export interface PaymentEventSource {
  /** Where the provider sends them. */
  path: string;
  /** The header with the signature, in lower case. */
  signatureHeader: string;
  /**
   * Reads an event from its exact bytes and its signature. `forged`: the signature is wrong or too old;
   * `malformed`: signed, but no event; `irrelevant`: an event that concerns no payment.
   */
  read(body: Buffer, signature: string): PaymentNotice | 'forged' | 'malformed' | 'irrelevant';
}
