import { LRUCache } from 'lru-cache';
import type { Session } from '../access/index.ts';
import type { Checkout, Quote } from './rules/booking.ts';

/** A bounded cache per application and ID; the least recently used entry is dropped first. */
export interface BookingCache<T> {
  find(applicationId: string, id: string): T | undefined;
  remember(applicationId: string, id: string, value: T): void;
  /** Forgets all entries. */
  drop(): void;
}

/** A checkout as this process last read or wrote it. */
export interface RecentCheckout {
  checkout: Checkout;
  session: Session;
}

/**
 * The quotes and checkouts that this process recently read or wrote. They only save a read: the
 * statement that writes checks them against the database, and a refusal is decided again on a fresh read.
 */
export interface RecentBookings {
  quotes: BookingCache<Quote>;
  checkouts: BookingCache<RecentCheckout>;
}

// A few KB each. Partners go from quote to submit within seconds; a dropped entry is read again.
const entriesAtMost = 1_000;

function createCache<T extends object>(): BookingCache<T> {
  const entries = new LRUCache<string, T>({ max: entriesAtMost });
  const keyOf = (applicationId: string, id: string): string => `${applicationId} ${id}`;
  return {
    find: (applicationId, id) => entries.get(keyOf(applicationId, id)),
    remember: (applicationId, id, value) => void entries.set(keyOf(applicationId, id), value),
    drop: () => entries.clear(),
  };
}

/** Creates empty caches. */
export const createRecentBookings = (): RecentBookings => ({
  quotes: createCache(),
  checkouts: createCache(),
});
