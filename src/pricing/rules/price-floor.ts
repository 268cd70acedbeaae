/**
 * Lower bounds of totals that are cheap to compare: so a search that wants the cheapest of many homes
 * prices only few of them exactly.
 */

import type { Fee, Percent, PricedListing, Tax } from './listing.ts';
import { basisPoints, WHOLE } from './money.ts';
import { lengthDiscountFor } from './price-stay.ts';
import type { DatedDay, Month } from './rates.ts';

/** What a home charges at least for stays of one length, whatever the party and the channel adjustment. */
export interface ExtrasFloor {
  /** What one minor unit of the nights adds to the total: discounts and taxes. */
  perMinor: number;
  /** What is charged besides the nights, in minor units; not negative. */
  fixed: number;
  /** What rounding can take off the total, in minor units. */
  rounding: number;
}

/** Stays whose lower bounds are the same: of one length, in the same months. */
export interface StaysLike {
  /** Names length and months. */
  name: string;
  nights: number;
  /** In order. */
  months: readonly Month[];
}

/** The month YYYYMM. */
function monthOf(number: number): Month {
  const [year, month] = [Math.floor(number / 100), number % 100];
  const { daysInMonth } = Temporal.PlainYearMonth.from({ year, month });
  return { first: number * 100 + 1, last: number * 100 + daysInMonth };
}

/** The stays that are like these, which have the same length. */
export function staysLike(stays: readonly (readonly DatedDay[])[]): StaysLike {
  const numbers = new Set(stays.flat().map(({ date }) => Math.floor(date / 100)));
  const inOrder = [...numbers].toSorted((a, b) => a - b);
  const nights = stays[0]!.length;
  return { name: `${nights} ${inOrder.join(' ')}`, nights, months: inOrder.map(monthOf) };
}

// Rounding changes an amount by at most half a minor unit.
const roundedBy = 0.5;

const applies = ({ staysUpToNights }: Tax, nights: number): boolean =>
  staysUpToNights === undefined || nights <= staysUpToNights;

/** How often a fee or tax of each unit is charged at least: every party has an adult, and perhaps no pet. */
const LEAST_TIMES: Record<Fee['per'], (nights: number) => number> = {
  stay: () => 1,
  night: (nights) => nights,
  guest: () => 1,
  guest_night: (nights) => nights,
  pet: () => 0,
  pet_night: () => 0,
};

/** What a home charges at least for stays of this many nights, besides its nights. */
export function extrasFloor(
  { rates, fees, taxes }: Pick<PricedListing, 'rates' | 'fees' | 'taxes'>,
  nights: number,
): ExtrasFloor {
  const rateOn = { accommodation: 0, cleaning: 0, fees: 0 };
  let fixed = 0;
  let rounding = 0;
  for (const tax of taxes) {
    if (!applies(tax, nights)) continue;
    if ('on' in tax) {
      for (const part of tax.on) rateOn[part] += basisPoints(tax.percent) / WHOLE;
      rounding += roundedBy;
      continue;
    }
    fixed += tax.amount * LEAST_TIMES[tax.per](Math.min(nights, tax.maxNights ?? nights));
  }
  for (const { kind, per, amount, taxed, fromGuest = 1 } of fees) {
    // Whether such a fee is charged depends on the party.
    if (fromGuest > 1) continue;
    const rate = taxed === false ? 0 : rateOn[kind === 'cleaning' ? 'cleaning' : 'fees'];
    fixed += amount * LEAST_TIMES[per](nights) * (1 + rate);
  }
  const discount = lengthDiscountFor(rates.lengthDiscounts, nights)?.percent ?? 0;
  const taxed = 1 + rateOn.accommodation;
  // Each night is rounded, and the discount.
  rounding += roundedBy * (nights + 1) * taxed;
  return { perMinor: (1 - discount / 100) * taxed, fixed, rounding };
}

// Above the errors of some additions of numbers with 24 significant bits.
const inexact = 1e-6;

/**
 * A lower bound of `stayTotal` with a channel adjustment: of what a home charges at least without one, and what
 * rounding can take off. Infinity: a night has no price, so there is no total. A higher floor never has a lower
 * bound. `floor` may have only 24 significant bits.
 */
export function totalFloor(floor: number, rounding: number, adjustmentPercent: Percent): number {
  if (floor === Infinity) return Infinity;
  const adjusted = (WHOLE + basisPoints(adjustmentPercent)) / WHOLE;
  // A surcharge raises only the nights, a discount lowers at most everything.
  return floor * Math.min(1, adjusted) * (1 - inexact) - rounding;
}
