/**
 * Lower bounds of totals that are cheap to compare: so a search that wants the cheapest of many homes
 * prices only few of them exactly.
 */

import { guestsOf } from './party.ts';
import type { Fee, Party, Percent, PricedListing, Tax } from './listing.ts';
import { basisPoints, WHOLE } from './money.ts';
import { lengthDiscountFor } from './price-stay.ts';
import type { DatedDay, Month } from './rates.ts';

/** What a home charges at least for stays of one length, besides its nights. In minor units; not negative. */
export interface ExtrasFloor {
  /** What one minor unit of the nights adds to the total: discounts and taxes. */
  perMinor: number;
  fixed: number;
  perGuest: number;
  perAdult: number;
  perPet: number;
  /** What rounding can take off the total. */
  rounding: number;
}

/** Nights of a stay that are in the same month. */
interface NightsOfMonth {
  month: Month;
  nights: number;
}

/** Stays of a party whose lower bounds are the same: of one length, with the same number of nights in each month. */
export interface StaysLike {
  /** Names all that is asked. */
  name: string;
  nights: number;
  /** Each of the stays, by its months in order. */
  shapes: readonly (readonly NightsOfMonth[])[];
  guests: number;
  adults: number;
  pets: number;
  /** The price of one minor unit of the nights after a channel adjustment. */
  adjusted: number;
}

/** The month YYYYMM. */
function monthOf(number: number): Month {
  const [year, month] = [Math.floor(number / 100), number % 100];
  const { daysInMonth } = Temporal.PlainYearMonth.from({ year, month });
  return { first: number * 100 + 1, last: number * 100 + daysInMonth };
}

/** How many of the nights are in each month YYYYMM, in order. */
function countByMonth(stay: readonly DatedDay[]): [month: number, nights: number][] {
  const counts = new Map<number, number>();
  for (const { date } of stay) {
    const month = Math.floor(date / 100);
    counts.set(month, (counts.get(month) ?? 0) + 1);
  }
  return [...counts];
}

/** The stays of a party with a channel adjustment that are like these, which have the same length. */
export function staysLike(
  stays: readonly (readonly DatedDay[])[],
  party: Party,
  adjustmentPercent: Percent,
): StaysLike {
  const shapes = new Map<string, NightsOfMonth[]>();
  for (const stay of stays) {
    const counts = countByMonth(stay);
    shapes.set(
      counts.join(' '),
      counts.map(([number, nights]) => ({ month: monthOf(number), nights })),
    );
  }
  const [guests, { adults, pets }] = [guestsOf(party), party];
  return {
    name: [guests, adults, pets, adjustmentPercent, ...shapes.keys()].join('; '),
    nights: stays[0]!.length,
    shapes: [...shapes.values()],
    guests,
    adults,
    pets,
    adjusted: (WHOLE + basisPoints(adjustmentPercent)) / WHOLE,
  };
}

// Rounding changes an amount by at most half a minor unit.
const roundedBy = 0.5;

const applies = ({ staysUpToNights }: Tax, nights: number): boolean =>
  staysUpToNights === undefined || nights <= staysUpToNights;

type ChargedTo = 'fixed' | 'perGuest' | 'perAdult' | 'perPet';

/** To whom a fee or tax of each unit is charged, and how often. */
const CHARGED: Record<Fee['per'], { to: ChargedTo; times: (nights: number) => number }> = {
  stay: { to: 'fixed', times: () => 1 },
  night: { to: 'fixed', times: (nights) => nights },
  guest: { to: 'perGuest', times: () => 1 },
  guest_night: { to: 'perGuest', times: (nights) => nights },
  pet: { to: 'perPet', times: () => 1 },
  pet_night: { to: 'perPet', times: (nights) => nights },
};

/** What a home charges at least for stays of this many nights, besides its nights. */
export function extrasFloor(
  { rates, fees, taxes }: Pick<PricedListing, 'rates' | 'fees' | 'taxes'>,
  nights: number,
): ExtrasFloor {
  const rateOn = { accommodation: 0, cleaning: 0, fees: 0 };
  const charged = { fixed: 0, perGuest: 0, perAdult: 0, perPet: 0 };
  let rounding = 0;
  for (const tax of taxes) {
    if (!applies(tax, nights)) continue;
    if ('on' in tax) {
      for (const part of tax.on) rateOn[part] += basisPoints(tax.percent) / WHOLE;
      rounding += roundedBy;
      continue;
    }
    const { to, times } = CHARGED[tax.per];
    const who = to === 'perGuest' && tax.adultsOnly ? 'perAdult' : to;
    charged[who] += tax.amount * times(Math.min(nights, tax.maxNights ?? nights));
  }
  for (const { kind, per, amount, taxed, fromGuest = 1 } of fees) {
    // Such a fee is charged for some of the guests.
    if (fromGuest > 1) continue;
    const rate = taxed === false ? 0 : rateOn[kind === 'cleaning' ? 'cleaning' : 'fees'];
    const { to, times } = CHARGED[per];
    charged[to] += amount * times(nights) * (1 + rate);
  }
  const discount = lengthDiscountFor(rates.lengthDiscounts, nights)?.percent ?? 0;
  const taxed = 1 + rateOn.accommodation;
  // Each night is rounded, and the discount.
  rounding += roundedBy * (nights + 1) * taxed;
  return { ...charged, perMinor: (1 - discount / 100) * taxed, rounding };
}

// Above the errors of some additions of numbers with 24 significant bits.
const inexact = 1e-6;

/**
 * A lower bound of `stayTotal`: `nights` is a lower bound of the listed prices of all nights, whose Infinity
 * means that one has no price, so that there is no total. Not negative. All numbers, the result included, may be
 * rounded to 24 significant bits.
 */
export function totalFloor(
  nights: number,
  { perMinor, fixed, perGuest, perAdult, perPet, rounding }: ExtrasFloor,
  { guests, adults, pets, adjusted }: StaysLike,
): number {
  if (nights === Infinity) return Infinity;
  const extras = fixed + guests * perGuest + adults * perAdult + pets * perPet;
  return Math.max(0, (nights * adjusted * perMinor + extras) * (1 - inexact) - rounding);
}
