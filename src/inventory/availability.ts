import type { DayNumber, Stay } from '../pricing/index.ts';

/** The source of free nights. */
export interface Availability {
  /** For each night from `from` on: 1 if it is free, else 0. A live read. */
  openNights(
    listingId: string,
    from: DayNumber,
    nights: number,
    signal: AbortSignal,
  ): Promise<Uint8Array>;
  /** Which of these listings are free for every night of the stay. A live read. */
  freeListings(
    listingIds: readonly string[],
    stay: Stay,
    signal: AbortSignal,
  ): Promise<ReadonlySet<string>>;
}
