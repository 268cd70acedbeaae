import { LRUCache } from 'lru-cache';
import type { Session } from '../access/index.ts';
import type { Checkout, Quote } from './rules/booking.ts';

/** Things of applications by their IDs, a bounded number: the least recently used is dropped first. */
export interface Recent<T> {
  find(applicationId: string, id: string): T | undefined;
  remember(applicationId: string, id: string, thing: T): void;
}

/** A checkout as this process read or moved it last. */
export interface RecentCheckout {
  checkout: Checkout;
  session: Session;
}

/**
 * What this process read or wrote lately. It is only ever a proposal: what is decided on it is written
 * by a statement that holds where the database says the same, and what it refuses the database is
 * asked again.
 */
export interface RecentBookings {
  quotes: Recent<Quote>;
  checkouts: Recent<RecentCheckout>;
}

// A few KB each. Partners go from quote to submit within seconds; what was forgotten is read again.
const kept = 1_000;

function createRecent<T extends object>(): Recent<T> {
  const things = new LRUCache<string, T>({ max: kept });
  const nameOf = (applicationId: string, id: string): string => `${applicationId} ${id}`;
  return {
    find: (applicationId, id) => things.get(nameOf(applicationId, id)),
    remember: (applicationId, id, thing) => void things.set(nameOf(applicationId, id), thing),
  };
}

/** Remembers nothing yet. */
export const createRecentBookings = (): RecentBookings => ({
  quotes: createRecent(),
  checkouts: createRecent(),
});
