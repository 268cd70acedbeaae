import type { EpochMs } from '../../contract/time.ts';

/** The states of an attempt to take money. `captured`, `voided` and `refused` are final. */
export type IntentState =
  | 'requested'
  | 'action_needed'
  | 'authorized'
  | 'captured'
  | 'voided'
  | 'refused'
  | 'unknown';

/** What an attempt takes money for. */
export type IntentPurpose = 'booking' | 'instalment' | 'difference';

/** An attempt to take money: a row that is committed before the provider is asked. */
export interface Intent {
  paymentId: string;
  applicationId: string;
  checkoutId: string;
  attemptId: string;
  purpose: IntentPurpose;
  /** `YYYY-MM-DD`, the day of the schedule. */
  dueOn: string;
  amountMinor: number;
  currency: string;
  state: IntentState;
  provider: string;
  providerReference: string | null;
  declineCode: string | null;
  /** Part of the provider's idempotency key. */
  round: number;
  /** The provider keeps an error under the key of this round. */
  keySpent: boolean;
  /** When the provider was last asked for this money. */
  askedAt: EpochMs;
  createdAt: EpochMs;
  now: EpochMs;
}

/** What a step found out about an attempt. */
export interface IntentResult {
  state: IntentState;
  providerReference?: string | null;
  declineCode?: string | null;
  /** Only with `unknown`: the next request needs another idempotency key. */
  keySpent?: boolean;
}
