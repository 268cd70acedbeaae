import type { EpochMs } from '../../contract/time.ts';
import type { RefusalKind } from './refusal.ts';

/** The states of an attempt to take money. `captured`, `voided` and `refused` are final. */
export type IntentState =
  | 'requested'
  | 'action_needed'
  | 'authorized'
  | 'captured'
  | 'voided'
  | 'refused'
  | 'unknown';

/** The states of payments whose effect may still change. */
export const intentStatesUnderWay = [
  'requested',
  'action_needed',
  'authorized',
  'unknown',
] as const satisfies readonly IntentState[];

/** What an attempt takes money for. */
export type IntentPurpose = 'booking' | 'instalment' | 'difference' | 'link';

/** The card that a guest left for a checkout, by the provider's names. */
export interface StoredCard {
  customerReference: string;
  paymentMethodReference: string;
}

/** The provider's customer of a checkout; without a card, only payment links can be paid. */
export interface StoredCustomer {
  customerReference: string;
  /** Null: no card is on file. */
  paymentMethodReference: string | null;
}

/** The card of a customer. Null: none is on file. */
export const cardOf = (customer: StoredCustomer | null): StoredCard | null =>
  customer && customer.paymentMethodReference !== null
    ? { ...customer, paymentMethodReference: customer.paymentMethodReference }
    : null;

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
  /** The number of the first try within its part, from 1; null: it is named by its ID. */
  firstTry: number | null;
  /** Counts the tries after the first: part of the provider's idempotency key. */
  round: number;
  /** The provider keeps an error under the key of this round. */
  keySpent: boolean;
  /** When the provider was last asked for this money. */
  askedAt: EpochMs;
  /** When a lookup first missed it, long after it was asked for; null, or before `askedAt`: none has. */
  missingAt: EpochMs | null;
  createdAt: EpochMs;
  /** Null: the provider knows no customer of this checkout. */
  customer: StoredCustomer | null;
  now: EpochMs;
}

/** What a step found out about an attempt. */
export interface IntentResult {
  state: IntentState;
  providerReference?: string | null;
  declineCode?: string | null;
  /** Only with `refused`; absent: `funds`. */
  refusedAs?: RefusalKind | undefined;
  /** Only with `unknown`: the next request needs another idempotency key. */
  keySpent?: boolean;
  /** Only with `requested`: the provider is asked next, so the request may arrive from now on. */
  isAsked?: boolean;
  /** Only with `voided`, of a payment that the provider does not have: it was not asked since then. */
  askedAt?: EpochMs;
}

/** The final state of a payment that never reached the provider. */
export const neverArrived = ({ askedAt }: Pick<Intent, 'askedAt'>): IntentResult => ({
  state: 'voided',
  askedAt,
});

// Longer than the provider works on a request. Until then a request without an answer may take effect.
const arrivesWithinMs = 120_000;

/**
 * Decides about a payment that the provider does not have. `wait`: the request may still arrive. `note`: it is
 * missing from now on. `gone`: it has been missing too long to arrive. The time is
 * measured twice, because somebody may set the database's clock forward meanwhile.
 */
export function decideMissing({
  askedAt,
  missingAt,
  now,
}: Pick<Intent, 'askedAt' | 'missingAt' | 'now'>): 'wait' | 'note' | 'gone' {
  if (now - askedAt < arrivesWithinMs) return 'wait';
  if (missingAt === null || missingAt - askedAt < arrivesWithinMs) return 'note';
  return now - missingAt < arrivesWithinMs ? 'wait' : 'gone';
}

/** Whether the state of a payment never changes again. */
export const isFinal = ({ state }: Pick<Intent, 'state'>): boolean =>
  state === 'captured' || state === 'voided' || state === 'refused';

/** The state of an attempt as a booking reads it. */
export const stateFor = {
  requested: 'none',
  action_needed: 'action_needed',
  authorized: 'authorized',
  captured: 'captured',
  voided: 'returned',
  refused: 'declined',
  unknown: 'unknown',
} as const satisfies Record<IntentState, string>;

/** What the provider says of a payment that it has. */
export interface FoundAtProvider {
  state: 'action_needed' | 'authorized' | 'captured' | 'voided' | 'declined';
  providerReference: string | null;
  declineCode: string | null;
}

const stateFound = {
  action_needed: 'action_needed',
  authorized: 'authorized',
  captured: 'captured',
  voided: 'voided',
  // The guest could still try another card, until it is voided.
  declined: 'action_needed',
} as const satisfies Record<FoundAtProvider['state'], IntentState>;

/** What is written of a payment that was looked up. */
export const resultOfFound = ({
  state,
  providerReference,
  declineCode,
}: FoundAtProvider): IntentResult => ({ state: stateFound[state], providerReference, declineCode });

/**
 * The result of a call that had perhaps an effect. `retryRound`: the provider repeats its error under this key, so
 * only the next round gets further.
 */
export const unknownResult = ({ retryRound = false }: { outcome: string; retryRound?: boolean }) =>
  ({ state: 'unknown', keySpent: retryRound }) as const;
