/** The facts that decide about the money of a reservation, and what may be decided. */
import type { EpochMs } from '../../contract/time.ts';
import type { AllocationFacts } from './allocation.ts';
import type { IntentPurpose } from './intent.ts';
import type { Refusal } from './refusal.ts';

/** The state of a refund. `failed`: it was done, and the guest's bank has sent it back. */
export type RefundState = 'requested' | 'done' | 'refused' | 'unknown' | 'failed';

/** A refund of a part of a payment. */
export interface AccountRefund {
  refundId: string;
  paymentId: string;
  amountMinor: number;
  state: RefundState;
  /** Of what staff have decided to give back; otherwise of what is too much. */
  isOwed: boolean;
  /** Null: it was neither refused nor sent back, or that binds no more. */
  refusal: Refusal | null;
}

/** How the provider counts a currency: the least that it takes, and of what an amount must be a multiple. */
export interface AmountLimits {
  minimumMinor: number;
  multipleOf: number;
}

/** Everything that decides what happens next with the money of a reservation. */
export interface CollectionFacts extends AllocationFacts {
  isCancelled: boolean;
  /** Of the property; null: UTC. */
  timeZone: string | null;
  refunds: readonly AccountRefund[];
  /** Staff have stopped collecting; null: they have not. */
  stoppedAt: EpochMs | null;
  /** The cardholder disputes a payment with this card; null: no. */
  disputedAt: EpochMs | null;
  /** Whether a card can be charged without the guest. */
  hasCard: boolean;
  limits: AmountLimits;
  now: EpochMs;
}

/** Why staff have to decide about a part of the money. */
export const waitKinds = [
  'declined',
  'stopped',
  'no_card',
  'refund_refused',
  'refund_failed',
  'unknown',
  'adopted',
] as const;

/** A part of the money that waits for staff. */
export interface MoneyWait {
  kind: (typeof waitKinds)[number];
  /** Which part: one item for each. */
  part: string;
  amountMinor: number;
  /** Why, as a word; `docs/operators/payments.md` explains each. */
  reason: string;
  /** The provider's code; null: it gave none. */
  code: string | null;
  since: EpochMs;
}

/** What happens next. */
export type CollectionAct =
  | { act: 'finishPayment'; paymentId: string }
  | { act: 'finishRefund'; refundId: string }
  /** Find out which refunds the provider has of a payment. */
  | { act: 'compareRefunds'; paymentId: string }
  /** Ask what has become of a payment link. */
  | { act: 'followLink'; paymentId: string }
  /** End a payment link that asks for more than is open. */
  | { act: 'endLink'; paymentId: string }
  | { act: 'collect'; purpose: IntentPurpose; dueOn: string; amountMinor: number }
  | { act: 'refund'; paymentId: string; amountMinor: number; isOwed: boolean }
  /** `until` null: until something changes. */
  | { act: 'wait'; until: EpochMs | null };
