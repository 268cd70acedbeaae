/** Compares the price of a random stay with that of the second implementation. */
import assert from 'node:assert/strict';
import { readEntry } from '../../src/catalog/file/entries.ts';
import { dateText } from '../../src/pricing/rules/calendar-date.ts';
import type { Charges } from '../../src/pricing/rules/charges.ts';
import type { Listing } from '../../src/pricing/rules/listing.ts';
import { priceStay, stayTotal } from '../../src/pricing/rules/price-stay.ts';
import { datedDay } from '../../src/pricing/rules/rates.ts';
import { randomStay, type RandomStay } from './random-homes.ts';
import { secondPrice } from './second-price.ts';

/** The home of a number as it is after an import; null: the file is refused. */
export function homeOf({ listing }: RandomStay): Listing | null {
  const { entry, problems } = readEntry('listings', listing);
  return entry && problems.length === 0 ? { ...entry, listingId: '', collectionId: null } : null;
}

/** The price of a stay at its home. */
export const priceOf = (home: Listing, { stay, party, ...options }: RandomStay): Charges | null =>
  priceStay(home, stay, party, options);

/** The sum of the amounts. */
export const sum = (parts: readonly { amount: number }[]): number =>
  parts.reduce((all, { amount }) => all + amount, 0);

/** The nights of a stay. */
export const nightsOf = ({ stay }: RandomStay) =>
  Array.from({ length: stay.checkOut - stay.checkIn }, (_, at) => datedDay(stay.checkIn + at));

/** Fails if a price differs from that of the second implementation. Returns whether there is one. */
export function comparePrice(asked: RandomStay, home: Listing, charges: Charges | null): boolean {
  const second = secondPrice(asked.listing, asked.stay, asked.party, asked);
  assert.equal(charges === null, second === null);
  if (!charges || !second) return false;
  assert.deepEqual(
    charges.nights.map(({ amount }) => amount),
    second.nights,
  );
  const plain = charges.lines.map(({ kind, label, amount }) => ({ kind, label, amount }));
  assert.deepEqual(
    plain.filter(({ kind, amount }) => kind === 'accommodation' || amount !== 0),
    second.lines,
  );
  assert.equal(charges.total, second.total);
  assert.deepEqual(
    charges.includedTaxes!.map(({ label, amount, base }) => ({ label, amount, base })),
    second.included,
  );
  const atProperty = charges.schedule.filter(({ at }) => at === 'property');
  assert.equal(sum(atProperty), second.atProperty);
  assert.deepEqual(
    charges.schedule
      .filter(({ at }) => at !== 'property')
      .map(({ dueOn, amount }) => ({ dueOn, amount })),
    second.schedule.map(({ day, amount }) => ({ dueOn: dateText(day), amount })),
  );
  const daysAhead = asked.stay.checkIn - asked.quotedOn;
  const { party, adjustmentPercent, promotion } = asked;
  const compared = { nights: nightsOf(asked), party, daysAhead, adjustmentPercent, promotion };
  assert.equal(stayTotal(home, compared), second.total);
  return true;
}

/** What becomes of a price before it is compared. */
export type ChangePrice = (charges: Charges | null) => Charges | null;

/** Compares the stay of a number. Throws with the number if something differs. */
export function compareStay(
  seed: number,
  change: ChangePrice = (charges) => charges,
): 'refused' | 'unpriced' | 'priced' {
  const asked = randomStay(seed);
  const home = homeOf(asked);
  if (home === null) return 'refused';
  try {
    return comparePrice(asked, home, change(priceOf(home, asked))) ? 'priced' : 'unpriced';
  } catch (error) {
    const { message } = error as Error;
    throw new Error(`home ${seed}: ${message}\n${JSON.stringify(asked)}`, { cause: error });
  }
}
