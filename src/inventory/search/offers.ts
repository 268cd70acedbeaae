/**
 * Remembers what homes offer for stays that were searched recently: partners ask for few lengths and parties, but on
 * many days. An offer depends only on its key, so it is never out of date.
 */
import type { EpochMs } from '../../contract/time.ts';
import {
  type DayNumber,
  fillsGapExactly,
  hourDecides,
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

/** A total, or one of these. Numbers in an array of them take a tenth of the memory of an object for each day. */
type Answer = number;

const unknown: Answer = -1;
const refused: Answer = -2;
const withoutPrice: Answer = -3;

/** What a home offers for stays that differ only in their first day. */
interface OffersOfHome {
  /** The date at the home. */
  today: DayNumber;
  /** The answers for each 32 days, by the first day, from those with `today` on. */
  months: (Answer[] | undefined)[];
}

/** The homes for stays of one length and party. */
type OffersOfHomes = WeakMap<Listing, OffersOfHome>;

const monthBits = 5;
const daysOfMonth = 1 << monthBits;

// About 15 MB. Everything is forgotten then: to know what was used last costs more than to decide it again.
const monthsAtMost = 50_000;
const kindsAtMost = 1_000;

const remembered = new Map<string, OffersOfHomes>();
let months = 0;

function offersFor(kind: string): OffersOfHomes {
  if (months >= monthsAtMost || remembered.size >= kindsAtMost) {
    remembered.clear();
    months = 0;
  }
  return remembered.getOrInsertComputed(kind, () => new WeakMap());
}

const newMonth = (): Answer[] => {
  months += 1;
  return Array.from<Answer>({ length: daysOfMonth }).fill(unknown);
};

/** The answers for the stays that begin in the same 32 days as a day. */
function monthOf(offers: OffersOfHomes, listing: Listing, today: DayNumber, day: DayNumber) {
  let ofHome = offers.get(listing);
  if (ofHome?.today !== today) {
    ofHome = { today, months: [] };
    offers.set(listing, ofHome);
  }
  const at = (day >> monthBits) - (today >> monthBits);
  return (ofHome.months[at] ??= newMonth());
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
  const kind = [nights.length, adults, children, infants, pets, adjustmentPercent].join(' ');
  const offers = offersFor(`${kind} ${ages}`);
  const day = stay.checkIn;

  const isRefused = (listing: Listing, now: EpochMs, fillsGap: () => boolean): boolean =>
    partyRefusal(listing, party) !== null || stayRuleRefusal(listing, stay, now, fillsGap) !== null;

  /** Whether what is taken around the stay decides: only a stay that fills a gap may be as short. */
  const gapDecides = (listing: Listing, now: EpochMs): boolean =>
    listing.stayRules.gapMinNights !== undefined &&
    isRefused(listing, now, () => false) &&
    !isRefused(listing, now, () => true);

  const totalOf = (listing: Listing, today: DayNumber): Answer =>
    stayTotal(listing, { nights, party, daysAhead: day - today, adjustmentPercent }) ??
    withoutPrice;

  function decide(listing: Listing, index: number, today: DayNumber, now: EpochMs): Answer {
    const fillsGap = (): boolean =>
      fillsGapExactly(stay, listing.stayRules, (night) => isTaken(index, night));
    return isRefused(listing, now, fillsGap) ? refused : totalOf(listing, today);
  }

  return (listing, index, today, now) => {
    if (day < today) return null;
    const answers = monthOf(offers, listing, today, day);
    const at = day & (daysOfMonth - 1);
    let answer = answers[at]!;
    if (answer === unknown) {
      answer = decide(listing, index, today, now);
      const lasts = !hourDecides(listing, day, today) && !gapDecides(listing, now);
      if (lasts) answers[at] = answer;
    }
    if (answer === refused) return null;
    return { stay, total: answer === withoutPrice ? null : answer };
  };
}
