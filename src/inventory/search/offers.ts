/**
 * Remembers what homes offer for stays that were searched recently: partners often ask for the same weekends and
 * parties. An offer depends only on its key, so it is never out of date.
 */
import { LRUCache } from 'lru-cache';
import type { EpochMs } from '../../contract/time.ts';
import {
  type DayNumber,
  fillsGapExactly,
  type Listing,
  partyRefusal,
  type Stay,
  stayRuleRefusal,
  stayTotal,
} from '../../pricing/index.ts';
import type { FreeHomes } from '../availability.ts';
import type { HomeSearch, Shift } from './home-search.ts';

/** A stay that a home's rules allow. */
export interface Offer {
  stay: Stay;
  /** In minor units. Null: it has no price. */
  total: number | null;
}

interface Remembered {
  /** The date at the home. */
  today: DayNumber;
  /** Null: the rules refuse the stay. */
  offer: Offer | null;
}

// A Map that is cleared when it is full. Every new stay needs one, and an LRU cache takes 50 µs to make: longer than
// the offers of a page.
type OffersOfHomes = Map<Listing, Remembered>;

const staysAtMost = 200;
const homesAtMost = 1_000;

const remembered = new LRUCache<string, OffersOfHomes>({ max: staysAtMost });

function offersFor(key: string): OffersOfHomes {
  const known = remembered.get(key);
  if (known) return known;
  const offers: OffersOfHomes = new Map();
  remembered.set(key, offers);
  return offers;
}

/**
 * Makes the function that returns the offer of a stay on which a home is free, which is at an index of the list. Null:
 * its rules refuse the stay or the party.
 */
export function offersOf(
  { party, adjustmentPercent }: Pick<HomeSearch, 'party' | 'adjustmentPercent'>,
  { stay, nights }: Shift,
  { isTaken }: Pick<FreeHomes, 'isTaken'>,
): (listing: Listing, index: number, today: DayNumber, now: EpochMs) => Offer | null {
  const { adults, children, infants, pets, childAges } = party;
  const ages = childAges === undefined ? '' : childAges.join(',');
  const asked = [stay.checkIn, stay.checkOut, adults, children, infants, pets, adjustmentPercent];
  const offers = offersFor(`${asked.join(' ')} ${ages}`);

  function decide(listing: Listing, index: number, today: DayNumber, now: EpochMs): Offer | null {
    if (stay.checkIn < today) return null;
    if (partyRefusal(listing, party) !== null) return null;
    const fillsGap = (): boolean =>
      fillsGapExactly(stay, listing.stayRules, (night) => isTaken(index, night));
    if (stayRuleRefusal(listing, stay, now, fillsGap) !== null) return null;
    const daysAhead = stay.checkIn - today;
    return { stay, total: stayTotal(listing, { nights, party, daysAhead, adjustmentPercent }) };
  }

  return (listing, index, today, now) => {
    const known = offers.get(listing);
    if (known?.today === today) return known.offer;
    const offer = decide(listing, index, today, now);
    if (!dependsOnDay(listing)) return offer;
    if (offers.size >= homesAtMost) offers.clear();
    offers.set(listing, { today, offer });
    return offer;
  };
}

/** Whether an offer depends on nothing else than the day: not on the hour, and not on what is taken around it. */
const dependsOnDay = ({ stayRules: { gapMinNights, advanceNotice } }: Listing): boolean =>
  gapMinNights === undefined && advanceNotice?.until === undefined;
