import { dayMs, type EpochMs } from '../../contract/time.ts';
import { decideMissing, type Intent } from './intent.ts';

/** Why staff have to know of money that goes back. */
export type ReturnAttention = 'refund_refused' | 'refund_failed' | 'unknown';

/** What has become of a captured payment. */
export interface RefundsOfReturn {
  /** What has not gone back, by card or elsewhere, in minor units. */
  leftMinor: number;
  /** The outcome of a refund is not known yet. */
  isBegun: boolean;
  /** The latest refusal that binds; null: none does. */
  bound: 'refused' | 'failed' | null;
  /** The provider may have refunds that our rows do not have. */
  isChanged: boolean;
}

/** A payment that must not be kept, and its refunds. */
export interface ReturnFacts {
  intent: Intent;
  refunds: RefundsOfReturn;
  /** The booking became a reservation: its account pays back what is too much. */
  isReserved: boolean;
}

/** What happens next with a payment that must not be kept. */
export type ReturnAct =
  /** Ask the provider what it has. */
  | { act: 'find' }
  | { act: 'void' }
  /** Ask for the refund, or find out what became of it. */
  | { act: 'refund' }
  /** Find out which refunds the provider has. */
  | { act: 'compareRefunds' }
  /** Nothing is held or kept. */
  | { act: 'settled' }
  /** Nothing more happens by itself. */
  | { act: 'tellStaff'; attention: ReturnAttention };

// A payment that the provider did not have is still looked for: a request may arrive very late.
const isStillLookedFor = ({
  providerReference,
  askedAt,
  now,
}: Pick<Intent, 'providerReference' | 'askedAt' | 'now'>): boolean =>
  providerReference === null && now - askedAt < dayMs;

function decideRefund({ leftMinor, isBegun, bound, isChanged }: RefundsOfReturn): ReturnAct {
  if (isBegun) return { act: 'refund' };
  if (isChanged) return { act: 'compareRefunds' };
  if (leftMinor <= 0) return { act: 'settled' };
  if (bound === null) return { act: 'refund' };
  // The same card would refuse it, or send it back, again.
  return { act: 'tellStaff', attention: bound === 'failed' ? 'refund_failed' : 'refund_refused' };
}

/**
 * Decides what happens next with a payment that must not be kept: whatever the provider did is voided or refunded.
 * Spec: decisions, Uncertainty has an end.
 */
export function decideReturn({ intent, refunds, isReserved }: ReturnFacts): ReturnAct {
  const { state, providerReference } = intent;
  if (state === 'captured') return isReserved ? { act: 'settled' } : decideRefund(refunds);
  if (state === 'refused') return { act: 'settled' };
  if (state === 'voided') return { act: isStillLookedFor(intent) ? 'find' : 'settled' };
  // After an error that the provider keeps, a lookup makes the next number of the try.
  return { act: providerReference === null || intent.keySpent ? 'find' : 'void' };
}

/** What is known of a payment that the provider does not have. */
export const decideMissingReturn = (intent: Intent): 'wait' | 'note' | 'gone' =>
  intent.state === 'voided' ? 'wait' : decideMissing(intent);

const unknownForStaffMs = 30 * 60_000;

/** Whether a payment that must not be kept has been uncertain long enough for staff to know. */
export const isLongUnknown = (
  { state }: Pick<Intent, 'state'>,
  openedAt: EpochMs,
  now: EpochMs,
): boolean => state !== 'voided' && now - openedAt >= unknownForStaffMs;
