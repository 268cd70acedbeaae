/** What fees and taxes count in a stay: its nights and guests, and whether they are charged at all. */

import type { Party, Percent, When } from './listing.ts';
import { guestsOf } from './party.ts';
import type { PlannedLine } from './price-plan.ts';
import type { Promotion } from './promotion.ts';
import type { DatedDay } from './rates.ts';

/** A stay as its price depends on it. */
export interface StayToPrice {
  nights: readonly DatedDay[];
  party: Party;
  /** The days at the property from the quote's creation to arrival. */
  daysAhead: number;
  /** The application's channel adjustment; 0: none. */
  adjustmentPercent: Percent;
  promotion?: Promotion | null;
}

/** Whether a value is in a range; without a range it is. */
export const isWithin = (
  range: { min?: number; max?: number } | undefined,
  value: number,
): boolean =>
  range === undefined || ((range.min ?? 0) <= value && value <= (range.max ?? Infinity));

/** Whether the conditions hold that do not depend on single nights. */
export const holds = (when: When | null | undefined, { nights, daysAhead }: StayToPrice): boolean =>
  !when || (isWithin(when.stayNights, nights.length) && isWithin(when.daysAhead, daysAhead));

/** Whether a line is charged for a stay, apart from its nights and guests. Spec: TAX-4. */
export const applies = ({ when, staysUpToNights }: PlannedLine, stay: StayToPrice): boolean =>
  stay.nights.length <= staysUpToNights && holds(when, stay);

/** Whether a line counts a night of the stay; the first night is 0. Spec: TAX-5. */
export function countsNight(
  { nights: counted }: PlannedLine,
  { nights }: StayToPrice,
  at: number,
): boolean {
  if (counted === null) return true;
  if (at + 1 < counted.fromNight || at >= counted.toNight) return false;
  return counted.isInside === null || counted.isInside(nights[at]!.date);
}

/** How many nights of a stay a line counts. */
export function countNights(line: PlannedLine, stay: StayToPrice): number {
  if (line.nights === null) return stay.nights.length;
  let count = 0;
  for (let at = 0; at < stay.nights.length; at += 1) if (countsNight(line, stay, at)) count += 1;
  return count;
}

const adultAge = 18;
const youngestChild = 2;
const oldestChild = 17;

/** The guests of a party that a line counts. Spec: TAX-6. */
export function countGuests({ ages, rule: { fromGuest = 1 } }: PlannedLine, party: Party): number {
  const after = (count: number): number => Math.max(0, count - fromGuest + 1);
  if (ages === null) return after(guestsOf(party));
  const { from, to } = ages;
  const holdsAge = (age: number): boolean => from <= age && age <= to;
  const children = party.childAges
    ? party.childAges.filter(holdsAge).length
    : from <= oldestChild && to >= youngestChild
      ? party.children
      : 0;
  const adults = holdsAge(adultAge) ? party.adults : 0;
  return after(adults + children + (holdsAge(0) ? party.infants : 0));
}

/** How often the amount of a line is charged. Spec: TAX-1. */
export function quantityOf(line: PlannedLine, stay: StayToPrice): number {
  const { unit, isPerNight } = line;
  const nights = isPerNight ? countNights(line, stay) : countsNight(line, stay, 0) ? 1 : 0;
  if (unit === 'guest') return nights * countGuests(line, stay.party);
  return unit === 'pet' ? nights * stay.party.pets : nights;
}
