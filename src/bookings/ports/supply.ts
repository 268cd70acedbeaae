import type { FailureReason } from '../../contract/states.ts';
import type { Announcement, Booking } from '../rules/booking.ts';
import type { FailureDetails } from '../rules/failure.ts';
import type { DayNumber, Stay } from '../../pricing/index.ts';
import type { PortAnswer } from './ask-port.ts';

/** A future change that the supplier already knows when it confirms. */
export type Announced = { change: Announcement['change']; inSeconds: number } | null;

/** The state of an attempt. `none`: the supplier has no record of it. */
export type StayState =
  | { stay: 'none' }
  | { stay: 'held' }
  | { stay: 'confirmed'; announced: Announced };

/** The nights of a reservation that is about to change: they count as free. */
export interface OwnNights {
  attemptId: string;
  stay: Stay;
}

/**
 * The supplier, which decides about availability. The booking's `attemptId` identifies the attempt:
 * a repeated call has no second effect and returns the current state.
 */
export interface Supply {
  /** `meta.definitionVersion` of its data. */
  definitionVersion: string;
  /**
   * Whether the nights that it holds are rows of this database. The statement that writes the outcome of a
   * booking then also confirms or frees them, and makes no reservation without them.
   */
  keepsNights: boolean;
  /** For each night from `from` on, what has it: see `nightState`. A live read, for quotes. `own`: what counts as free. */
  openNights(
    listingId: string,
    from: DayNumber,
    nights: number,
    signal: AbortSignal,
    own?: OwnNights,
  ): Promise<Uint8Array>;
  /**
   * Holds the nights for this booking until they are confirmed or released. `fence`: that of the worker's claim;
   * null: the caller has locked the booking.
   */
  hold(
    booking: Booking,
    fence: number | null,
    signal: AbortSignal,
  ): Promise<PortAnswer<object, FailureReason>>;
  /**
   * Asks once more, before money moves, whether somebody else has sold the held nights meanwhile. `unknown` does not
   * stop the booking.
   */
  recheck(booking: Booking, signal: AbortSignal): Promise<PortAnswer<object, FailureReason>>;
  /** Turns the held nights into a reservation. `refused`: somebody else has sold them meanwhile. */
  confirm(
    booking: Booking,
    signal: AbortSignal,
  ): Promise<PortAnswer<{ announced: Announced }, FailureReason>>;
  /** What changed, where the supplier refused for that. Absent: it does not say. */
  explain?(booking: Booking, reason: FailureReason): Promise<FailureDetails | null>;
  /** Releases held or confirmed nights; `done` also if there are none. */
  release(booking: Booking, signal: AbortSignal): Promise<PortAnswer<object>>;
  /** Reads the state of an attempt. `refused`: the supplier has refused it permanently. */
  lookUp(booking: Booking, signal: AbortSignal): Promise<PortAnswer<StayState, FailureReason>>;
}
