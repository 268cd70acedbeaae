import { setImmediate as nextLoopIteration } from 'node:timers/promises';
import type { PublishedListing } from '../catalog/index.ts';

/** What `findFree` looks for. */
export interface FreeSearch {
  /** The index at which it starts. */
  from: number;
  /** It stops when it has found this many. */
  atMost: number;
  /** Whether the rules of a listing allow the stay. */
  allows(published: PublishedListing): boolean;
  /** Which of these listings have the nights free. */
  free(listingIds: readonly string[]): Promise<ReadonlySet<string>>;
  signal: AbortSignal;
}

// Doubled for each read: a page in an empty calendar costs one small read, a page in a full one few large
// reads. The largest stays far below the statement timeout.
const firstRead = 64;
const largestRead = 2_048;
// About a millisecond of work.
const checkedAtOnce = 500;

/**
 * Finds the first listings, in their order, whose rules and nights allow a stay. Reads only as far as
 * necessary, and lets other work run between its steps.
 */
export async function findFree(
  listings: readonly PublishedListing[],
  { from, atMost, allows, free, signal }: FreeSearch,
): Promise<PublishedListing[]> {
  const found: PublishedListing[] = [];
  let next = from;

  async function candidates(count: number): Promise<PublishedListing[]> {
    const allowed: PublishedListing[] = [];
    for (let pause = next + checkedAtOnce; next < listings.length; next += 1) {
      if (allowed.length === count) break;
      if (next === pause) {
        await nextLoopIteration();
        signal.throwIfAborted();
        pause += checkedAtOnce;
      }
      const published = listings[next]!;
      if (allows(published)) allowed.push(published);
    }
    return allowed;
  }

  for (let size = firstRead; found.length < atMost; size = Math.min(size * 2, largestRead)) {
    const allowed = await candidates(Math.max(size, atMost - found.length));
    if (allowed.length === 0) break;
    const isFree = await free(allowed.map(({ listing }) => listing.listingId));
    signal.throwIfAborted();
    found.push(...allowed.filter(({ listing }) => isFree.has(listing.listingId)));
  }
  return found.slice(0, atMost);
}
