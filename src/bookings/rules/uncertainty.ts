import type { EpochMs } from '../../contract/time.ts';
import type { Booking } from './booking.ts';
import type { Outcome } from './resolution.ts';

const hourMs = 3_600_000;

/** Whether the outcome of a booking is not known. */
export const isUncertain = ({ state }: Pick<Booking, 'state'>): boolean =>
  state === 'uncertain' || state === 'unresolved';

/**
 * When the service decides by itself about a booking whose outcome is not known by then. Null: never.
 *
 * @param hours after its submission; null: never, in the simulation
 */
export const decidedBy = (
  { submittedAt }: Pick<Booking, 'submittedAt'>,
  hours: number | null,
): EpochMs | null => (hours === null || submittedAt === null ? null : submittedAt + hours * hourMs);

/** Since when an outcome is not known, and when it is decided at the latest. Null: the outcome is not open. */
export const uncertaintyOf = (
  booking: Pick<Booking, 'state' | 'submittedAt' | 'updatedAt'>,
  hours: number | null,
): { since: EpochMs; decidedBy: EpochMs | null } | null =>
  isUncertain(booking) ? { since: booking.updatedAt, decidedBy: decidedBy(booking, hours) } : null;

/**
 * Ends an uncertainty that lasts too long: no reservation was made, unless it is known that the supplier has made it.
 * Spec: UNCERTAIN-2.
 */
export function endOverdue(
  booking: Pick<Booking, 'submittedAt'>,
  outcome: Outcome,
  now: EpochMs,
  hours: number | null,
): Outcome {
  const by = decidedBy(booking, hours);
  if (outcome.result !== 'unknown' || by === null || now < by) return outcome;
  return outcome.confirmed
    ? { result: 'made', ...outcome.confirmed }
    : { result: 'refused', reason: 'refused' };
}

const openStates: ReadonlySet<string> = new Set(['pending', 'requires_action', 'uncertain']);

/**
 * When the session of a checkout ends: not while its outcome is open, and not within these hours after it.
 *
 * @param expiresAt the end without an outcome
 */
export function sessionEnd(
  { state, resolvedAt }: { state: string; resolvedAt: EpochMs | null },
  expiresAt: EpochMs,
  hours: number,
): EpochMs {
  if (openStates.has(state)) return Infinity;
  return resolvedAt === null ? expiresAt : Math.max(expiresAt, resolvedAt + hours * hourMs);
}
