import type { Booking } from '../domain/booking.ts';
import type { DayNumber, Stay } from '../domain/listing.ts';
import type { Outcome } from '../domain/resolution.ts';

/** Where a stay is really reserved. */
export interface Supply {
  /** `meta.definitionVersion` of what it says. */
  definitionVersion: string;
  /** For each night from `from` on: 1 where it is free. A live read. */
  openNights(listingId: string, from: DayNumber, nights: number): Promise<Uint8Array>;
  /** Which of these listings are free for every night of the stay. A live read. */
  freeListings(listingIds: readonly string[], stay: Stay): Promise<ReadonlySet<string>>;
  /** What became of an attempt; undefined: it never arrived. */
  findAttempt(attemptId: string): Promise<Outcome | undefined>;
  /** Asks for the stay. The booking's `attemptId` names the attempt: asked twice, it answers the same. */
  reserve(booking: Booking): Promise<Outcome>;
}
