import { setImmediate as nextLoopIteration } from 'node:timers/promises';
import type { PublishedListing } from '../catalog/index.ts';
import type { FreeHomes } from './availability.ts';

/** What `findFree` looks for. */
export interface FreeSearch {
  /** The index at which it starts. */
  from: number;
  /** It stops when it has found this many. */
  atMost: number;
  /** Whether the rules of a listing allow the stay. */
  allows(published: PublishedListing): boolean;
  /** The listings whose nights are free. */
  free: FreeHomes;
  signal: AbortSignal;
}

// About a millisecond of work.
const checkedAtOnce = 500;

/**
 * Finds the first listings, in their order, whose nights are free and whose rules allow a stay. Reads only as
 * far as necessary, and lets other work run between its steps.
 */
export async function findFree(
  listings: readonly PublishedListing[],
  { from, atMost, allows, free, signal }: FreeSearch,
): Promise<PublishedListing[]> {
  const found: PublishedListing[] = [];
  let checked = 0;
  for (let at = free.nextFree(from); at !== -1; at = free.nextFree(at + 1)) {
    const published = listings[at]!;
    if (allows(published)) found.push(published);
    if (found.length === atMost) break;
    checked += 1;
    if (checked % checkedAtOnce !== 0) continue;
    await nextLoopIteration();
    signal.throwIfAborted();
  }
  return found;
}
