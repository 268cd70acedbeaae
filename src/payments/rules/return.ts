import { dayMs, type EpochMs } from '../../contract/time.ts';
import { decideMissing, type Intent } from './intent.ts';
import { type Refusal, triedAgainAt } from './refusal.ts';

/** Why staff have to know of money that goes back. */
export type ReturnAttention = 'refund_refused' | 'refund_failed' | 'unknown';

/** What has become of a captured payment. */
export interface RefundsOfReturn {
  /** What has not gone back, by card or elsewhere, in minor units. */
  leftMinor: number;
  /** The outcome of a refund is not known yet. */
  isBegun: boolean;
  /** Those that bind, oldest first. */
  refusals: readonly Refusal[];
  /** The bank has sent one back, and that binds. */
  isSentBack: boolean;
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
  | { act: 'done' }
  /** `until` null: nothing more happens by itself. */
  | { act: 'tellStaff'; attention: ReturnAttention; until: EpochMs | null };

// A payment that the provider did not have is still looked for: a request may arrive very late.
const isStillLookedFor = ({
  providerReference,
  askedAt,
  now,
}: Pick<Intent, 'providerReference' | 'askedAt' | 'now'>): boolean =>
  providerReference === null && now - askedAt < dayMs;

function decideRefund(
  { leftMinor, isBegun, refusals, isSentBack, isChanged }: RefundsOfReturn,
  now: EpochMs,
): ReturnAct {
  if (isBegun) return { act: 'refund' };
  if (isChanged) return { act: 'compareRefunds' };
  if (leftMinor <= 0) return { act: 'done' };
  // The same card would send it back again.
  if (isSentBack) return { act: 'tellStaff', attention: 'refund_failed', until: null };
  const until = triedAgainAt(refusals);
  if (until !== null && until <= now) return { act: 'refund' };
  return { act: 'tellStaff', attention: 'refund_refused', until };
}

/**
 * Decides what happens next with a payment that must not be kept: whatever the provider did is voided or refunded.
 * Spec: UNCERTAIN-3.
 */
export function decideReturn({ intent, refunds, isReserved }: ReturnFacts): ReturnAct {
  const { state, providerReference } = intent;
  if (state === 'captured') return isReserved ? { act: 'done' } : decideRefund(refunds, intent.now);
  if (state === 'refused') return { act: 'done' };
  if (state === 'voided') return { act: isStillLookedFor(intent) ? 'find' : 'done' };
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
