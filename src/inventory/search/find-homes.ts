import type { MaybePromise } from '../../api/maybe-promise.ts';
import { indexAfter, type SortKey, type PublishedListing } from '../../catalog/index.ts';
import { stayTotal, todayAt } from '../../pricing/index.ts';
import { type Candidate, candidatesOf } from './candidates.ts';
import type { HomeSearch, SearchSources } from './home-search.ts';
import { type Offer, offersOf } from './offers.ts';
import { Pace } from './pace.ts';
import { isBefore, type SortedHome } from './sort-key.ts';

/** The position of a result in the order of a search. */
export interface ResultPosition {
  /** 0, the distance in kilometres, or the total (Infinity: none), by the order of the search. */
  key: number;
  sortKey: SortKey;
}

/** Which part of the results is wanted. */
export interface Wanted {
  /** Only results after this position; null: from the start. */
  after: ResultPosition | null;
  atMost: number;
}

/** A home that a quote would accept, with the stay that was chosen. */
export interface FoundHome extends ResultPosition, Offer {
  published: PublishedListing;
}

interface Chosen extends SortedHome, Offer {}

const keyOfTotal = (total: number | null): number => total ?? Infinity;

/** Makes the function that chooses the best stay which is free and which the home's rules allow. */
function chooser(
  search: HomeSearch,
  { view, free, now }: SearchSources,
): (index: number) => Offer | null {
  const { shifts, maxTotal } = search;
  const offers = shifts.map((shift, at) => offersOf(search, shift, free[at]!));
  return (index) => {
    const { listing } = view.listings[index]!;
    const today = todayAt(now, listing.timeZone);
    let best: Offer | null = null;
    for (let at = 0; at < offers.length; at += 1) {
      if (!free[at]!.isFree(index)) continue;
      const offer = offers[at]!(listing, index, today, now);
      if (offer === null) continue;
      const total = keyOfTotal(offer.total);
      if (maxTotal !== null && total > maxTotal) continue;
      // Of equal totals, the first one wins: the nearest shift, the earlier before the later.
      if (!best || total < keyOfTotal(best.total)) best = offer;
    }
    return best;
  };
}

/** Makes the function that says whether each stay at a home costs more than a total. */
const comparer =
  ({ shifts, party, adjustmentPercent }: HomeSearch, { view, now }: SearchSources) =>
  (index: number, most: number): boolean => {
    const { listing } = view.listings[index]!;
    const today = todayAt(now, listing.timeZone);
    return shifts.every(({ stay, nights }) => {
      const daysAhead = stay.checkIn - today;
      const total = stayTotal(listing, { nights, party, daysAhead, adjustmentPercent });
      return keyOfTotal(total) > most;
    });
  };

/** Inserts a result in its order, and keeps the first `atMost`. */
function insert(found: Chosen[], chosen: Chosen, atMost: number): void {
  let at = found.push(chosen) - 1;
  for (; at > 0 && isBefore(chosen, found[at - 1]!); at -= 1) found[at] = found[at - 1]!;
  found[at] = chosen;
  if (found.length > atMost) found.pop();
}

/**
 * Finds the next results of a search, in its order. Prices only as many homes as necessary: it stops when no
 * candidate that is left can come before the last result. Lets other work run if it takes long.
 *
 * Spec: SEARCH-1, SEARCH-8.
 */
export function findHomes(
  search: HomeSearch,
  sources: SearchSources,
  { after, atMost }: Wanted,
): MaybePromise<FoundHome[]> {
  const { view, signal } = sources;
  const pace = new Pace(signal);
  const last: SortedHome = after
    ? { key: after.key, index: indexAfter(view.listings, after.sortKey) - 1 }
    : { key: -Infinity, index: -1 };
  const choose = chooser(search, sources);
  const isDearer = comparer(search, sources);
  const found: Chosen[] = [];

  /** False: no candidate that is left can be a result. */
  function take({ index, least, key }: Candidate): boolean {
    const lastWanted = found[atMost - 1];
    if (lastWanted && isBefore(lastWanted, { key: least, index })) return false;
    // If the bounds are imprecise, most candidates cost too much, and their rules need not be read.
    if (lastWanted && key === null && isDearer(index, lastWanted.key)) return true;
    const choice = choose(index);
    if (!choice) return true;
    const { stay, total } = choice;
    const chosen = { stay, total, index, key: key ?? keyOfTotal(total) };
    if (isBefore(last, chosen)) insert(found, chosen, atMost);
    return true;
  }

  const results = (): FoundHome[] =>
    found.map(({ key, index, stay, total }) => {
      const published = view.listings[index]!;
      return { key, sortKey: published.sortKey, published, stay, total };
    });

  const candidates = candidatesOf(search, sources, last)[Symbol.iterator]();

  /** False: other work has to run before the next candidate. */
  function advance(): boolean {
    for (let next = candidates.next(); !next.done; next = candidates.next()) {
      if (next.value && !take(next.value)) break;
      if (pace.isDue()) return false;
    }
    return true;
  }

  async function proceed(): Promise<FoundHome[]> {
    do await pace.pause();
    while (!advance());
    return results();
  }

  return advance() ? results() : proceed();
}
