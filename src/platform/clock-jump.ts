/** When a process believes the database's clock, and when it carries the time on by itself. */
import type { EpochMs } from '../contract/time.ts';

/** What decides whether the clock is believed. All differences are in milliseconds. */
export interface ClockFacts {
  /** The database's clock less the line that the process carries on, without the error of the measurement. */
  off: number;
  /** The wall clock of the process less its own line. */
  wallOff: number;
  /** The time by the line. */
  line: EpochMs;
  /** Since when the clock is not believed; null: it is. */
  heldSince: EpochMs | null;
  /** Since when it is near the line again; null: it is not. */
  nearSince: EpochMs | null;
  /** Another process, or staff, have said that the clock is right. */
  isAccepted: boolean;
}

/**
 * `follow`: the line follows the clock. `accept`: the line jumps to the clock. `hold`: the clock is not believed.
 * `near`: it is near the line again, but not for long enough.
 */
export type ClockVerdict = 'follow' | 'accept' | 'hold' | 'near';

/** A clock that is further away from the line has jumped. */
export const longestOffMs = 60_000;
const nearForMs = 60_000;

/** What a process knows of an acceptance that it has not seen yet. */
export interface Acceptance {
  /** What the clock showed then; null: an earlier version has not written it. */
  acceptedAt: EpochMs | null;
  /** What the clock shows now. */
  shown: EpochMs;
  /** How long ago, by its counter, the process has looked without seeing it. */
  sinceLookMs: number;
}

/** Whether the clock that is shown is the one that was accepted. It can have jumped since then. */
export const isAcceptedClock = ({ acceptedAt, shown, sinceLookMs }: Acceptance): boolean =>
  acceptedAt === null ||
  (shown - acceptedAt >= -longestOffMs && shown - acceptedAt <= sinceLookMs + longestOffMs);

/** Decides whether the database's clock is believed. Spec: CLOCK-2. */
export function decideClock(facts: ClockFacts): ClockVerdict {
  const { off, wallOff, line, heldSince, nearSince, isAccepted } = facts;
  if (isAccepted) return 'accept';
  if (Math.abs(off) > longestOffMs) {
    // The machine slept, or its time was corrected.
    return Math.abs(off - wallOff) <= longestOffMs ? 'accept' : 'hold';
  }
  if (heldSince === null) return 'follow';
  return nearSince !== null && line - nearSince >= nearForMs ? 'accept' : 'near';
}
