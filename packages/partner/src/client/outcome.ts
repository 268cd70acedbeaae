import type { CheckoutStatus, ReservationRequest } from '../contract/types.ts';
import { LatchkeyError, NoAnswerError } from './errors.ts';

/** A booking whose outcome is awaited. */
export type BookingName =
  | { checkoutId: string; session: string }
  | { reservationRequestId: string };

/** The state of a checkout or request, as far as both have it. */
export type BookingStatus = CheckoutStatus | ReservationRequest;

/** How an outcome is awaited. */
export interface WaitOptions {
  /** Ends the wait; the booking goes on. */
  signal?: AbortSignal;
  /** Called with each state that was read. */
  onStatus?: (status: BookingStatus) => void;
}

const usualSeconds = 2;

/**
 * Whether a booking has ended, or needs its guest. `poll` means that an outcome is awaited, also in a state that this
 * client does not know; `uncertain` is never an end.
 */
export const hasEnded = ({
  state,
  nextActions,
}: Pick<BookingStatus, 'state' | 'nextActions'>): boolean =>
  !nextActions.includes('poll') &&
  ['confirmed', 'failed', 'expired', 'requires_action', 'cancelled'].includes(state);

/** Seconds until the next read. */
export const pollSeconds = ({
  pollAfterSeconds,
}: {
  pollAfterSeconds?: number | undefined;
}): number => pollAfterSeconds ?? usualSeconds;

/** Whether a failed read says nothing about the booking, so that the wait goes on. */
export const saysNothing = (error: unknown): boolean =>
  error instanceof NoAnswerError ||
  (error instanceof LatchkeyError && (error.error.retryable || error.status >= 500));
