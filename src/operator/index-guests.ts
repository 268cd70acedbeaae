import { digestGuests, queueEarlierGuests } from '../bookings/index.ts';
import type { Database } from '../platform/postgres/database.ts';

const batch = 500;

/** Indexes every guest that is not yet. False: it takes longer; the background task goes on. */
export async function indexGuests(database: Database, withinMs: number): Promise<boolean> {
  const end = performance.now() + withinMs;
  while (performance.now() < end) {
    const queued = await queueEarlierGuests(database, batch);
    const digested = await digestGuests(database, batch);
    if (queued + digested === 0) return true;
  }
  return false;
}
