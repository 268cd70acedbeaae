import type { FailureReason } from '../../contract/states.ts';
import type { Announcement, Booking } from '../rules/booking.ts';
import type { Availability } from '../../inventory/index.ts';
import type { PortAnswer } from './ask-port.ts';

/** A change that the supplier already knows of as it confirms. */
export type Announced = { change: Announcement['change']; inSeconds: number } | null;

/** How an attempt stands: `none`: the supplier has nothing of it. */
export type StayStanding =
  | { stay: 'none' }
  | { stay: 'held' }
  | { stay: 'confirmed'; announced: Announced };

/**
 * Where a stay is really reserved. The booking's `attemptId` names the attempt: asked for the same again,
 * the supplier does nothing twice and answers how it stands.
 */
export interface Supply extends Availability {
  /** `meta.definitionVersion` of what it says. */
  definitionVersion: string;
  /** Keeps the nights for this booking, until they are confirmed or released. */
  hold(booking: Booking, signal: AbortSignal): Promise<PortAnswer<object, FailureReason>>;
  /** Makes the reservation of what is held. */
  confirm(
    booking: Booking,
    signal: AbortSignal,
  ): Promise<PortAnswer<{ announced: Announced }, FailureReason>>;
  /** Gives back what is held or confirmed; where there is nothing, that is done. */
  release(booking: Booking, signal: AbortSignal): Promise<PortAnswer<object>>;
  /** What became of an attempt. `refused`: the supplier has refused it for good. */
  lookUp(booking: Booking, signal: AbortSignal): Promise<PortAnswer<StayStanding, FailureReason>>;
}
