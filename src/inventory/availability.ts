import type { MaybePromise } from '../api/maybe-promise.ts';
import type { PublishedListing } from '../catalog/index.ts';
import type { EpochMs } from '../contract/time.ts';
import type { DayNumber, Stay } from '../pricing/index.ts';

/**
 * The listings of a list that are free for every night of a stay. The functions are synchronous and read
 * what is known at that moment, so a caller can apply filters of its own between two of them, and pause.
 */
export interface FreeHomes {
  /** Whether the listing with this index is free. */
  isFree(index: number): boolean;
  /** The index of the first free listing of the list at or after `from`; -1: none. */
  nextFree(from: number): number;
  /** Whether something has a night of the listing with this index. Nights before yesterday are not known. */
  isTaken(index: number, night: DayNumber): boolean;
  /** How many listings of the list are free. */
  count(): number;
}

/** The free nights of all homes, for search and calendar. It may be a moment old. */
export interface Availability {
  /** Prepares a list, so that the first `freeHomes` does not have to. Throws `DatabaseUnavailableError`. */
  prepare(listings: readonly PublishedListing[]): Promise<void>;
  /**
   * Which listings of a list are free for the stay. The list is one of a view: its `listings`, or one that
   * its `within` returned. Throws `DatabaseUnavailableError`.
   */
  freeHomes(
    listings: readonly PublishedListing[],
    stay: Stay,
    signal: AbortSignal,
  ): MaybePromise<FreeHomes>;
  /** For each night from `from` on, what has it: see `nightState`; blocks count as taken. */
  openNights(
    listingId: string,
    from: DayNumber,
    nights: number,
    signal: AbortSignal,
  ): Promise<Uint8Array>;
  /** The database's time up to which all changes are known; Infinity: at any time. */
  knownUntil(): EpochMs;
  /** Reads what has changed. Throws `DatabaseUnavailableError`. */
  follow(): Promise<void>;
  /** The homes whose nights are in memory, and the bytes of that. */
  size(): { homes: number; bytes: number };
  /** Nights that this process has just taken, so that its own searches know it at once. */
  took(listingId: string, stay: Stay): void;
  /** This process has changed other nights: its next searches and calendars read the changes first. */
  changed(): void;
}
