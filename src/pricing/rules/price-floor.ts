/**
 * Lower bounds of totals that are cheap to compare: so a search that wants the cheapest of many homes
 * prices only few of them exactly.
 */

import { dateText, weekdayOf } from './calendar-date.ts';
import type {
  DayNumber,
  Fee,
  Minor,
  Party,
  Percent,
  PricedListing,
  Rates,
  Tax,
} from './listing.ts';
import { basisPoints, WHOLE } from './money.ts';
import { guestsOf } from './party.ts';
import { lengthDiscountFor } from './price-stay.ts';
import { nightPrice, type NamedDay } from './rates.ts';

/** What a home charges at least for stays of one length, besides its nights. Linear in the party. */
export interface ExtrasFloor {
  /** What one minor unit of the nights adds to the total: discounts and taxes. */
  perMinor: number;
  /** The other members are in minor units. */
  fixed: number;
  perGuest: number;
  perAdult: number;
  perPet: number;
}

/** The day by its number and date. */
export const namedDay = (day: DayNumber): NamedDay => ({ day, date: dateText(day) });

const weekDays = 7;
const monthLength = 'YYYY-MM'.length;

/** Nights of a stay that have the month and weekday in common. */
export interface NightGroup {
  /** Names month and weekday. */
  name: string;
  /** All days with this weekday in this month, in order. */
  days: readonly NamedDay[];
  /** How many of them are nights of the stay. */
  count: number;
}

/** The days with the weekday and the month of a day, in order. */
function sameDaysOfMonth(day: DayNumber): NamedDay[] {
  const month = dateText(day).slice(0, monthLength);
  return [-4, -3, -2, -1, 0, 1, 2, 3, 4]
    .map((weeks) => namedDay(day + weeks * weekDays))
    .filter(({ date }) => date.slice(0, monthLength) === month);
}

/** The nights of a stay by month and weekday: the groups for which `lowestNight` is worth remembering. */
export function nightGroups(nights: readonly NamedDay[]): NightGroup[] {
  const nameOf = ({ day, date }: NamedDay) => `${date.slice(0, monthLength)} ${weekdayOf(day)}`;
  return [...Map.groupBy(nights, nameOf)].map(([name, same]) => ({
    name,
    days: sameDaysOfMonth(same[0]!.day),
    count: same.length,
  }));
}

function priceOrNull(rates: Rates, night: NamedDay): Minor | null {
  try {
    return nightPrice(rates, night, 0);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** The lowest listed price of these nights; Infinity: none has a price. */
export function lowestNight(rates: Rates, nights: readonly NamedDay[]): number {
  let lowest = Infinity;
  for (const night of nights) lowest = Math.min(lowest, priceOrNull(rates, night) ?? Infinity);
  return lowest;
}

// Rounding changes an amount by at most half a minor unit.
const roundedBy = 0.5;

const applies = ({ staysUpToNights }: Tax, nights: number): boolean =>
  staysUpToNights === undefined || nights <= staysUpToNights;

/** The member to which a fee or tax of each unit belongs, and whether it is charged per night. */
const UNITS = {
  stay: { member: 'fixed', perNight: false },
  night: { member: 'fixed', perNight: true },
  guest: { member: 'perGuest', perNight: false },
  guest_night: { member: 'perGuest', perNight: true },
  pet: { member: 'perPet', perNight: false },
  pet_night: { member: 'perPet', perNight: true },
} as const satisfies Record<Fee['per'], { member: keyof ExtrasFloor; perNight: boolean }>;

/** What a home charges at least for stays of this many nights, besides its nights. */
export function extrasFloor(
  { rates, fees, taxes }: Pick<PricedListing, 'rates' | 'fees' | 'taxes'>,
  nights: number,
): ExtrasFloor {
  const rateOn = { accommodation: 0, cleaning: 0, fees: 0 };
  const floor = { perMinor: 0, fixed: 0, perGuest: 0, perAdult: 0, perPet: 0 };
  for (const tax of taxes) {
    if (!applies(tax, nights)) continue;
    if ('on' in tax) {
      for (const part of tax.on) rateOn[part] += basisPoints(tax.percent) / WHOLE;
      floor.fixed -= roundedBy;
      continue;
    }
    const { member, perNight } = UNITS[tax.per];
    const times = perNight ? Math.min(nights, tax.maxNights ?? nights) : 1;
    floor[member === 'perGuest' && tax.adultsOnly ? 'perAdult' : member] += tax.amount * times;
  }
  for (const { kind, per, amount, taxed, fromGuest = 1 } of fees) {
    const { member, perNight } = UNITS[per];
    // Whether such a fee is charged depends on the party; a lower bound may leave it out.
    if (member === 'perGuest' && fromGuest > 1) continue;
    const rate = taxed === false ? 0 : rateOn[kind === 'cleaning' ? 'cleaning' : 'fees'];
    floor[member] += amount * (perNight ? nights : 1) * (1 + rate);
  }
  const percent = lengthDiscountFor(rates.lengthDiscounts, nights)?.percent ?? 0;
  floor.perMinor = (1 - percent / 100) * (1 + rateOn.accommodation);
  floor.fixed -= roundedBy * (1 + rateOn.accommodation);
  return floor;
}

// Above the errors of some additions of numbers with 24 significant bits.
const inexact = 1e-6;

/** The part of a lower bound that is the same for all homes. */
export interface FloorFactors {
  /** The factor of the channel adjustment. */
  adjusted: number;
  /** What rounding can take off the nights. */
  rounding: number;
  guests: number;
  adults: number;
  pets: number;
}

/** The factors of a stay of this many nights, for a party and an application. */
export const floorFactors = (
  nights: number,
  party: Party,
  adjustmentPercent: Percent,
): FloorFactors => ({
  adjusted: ((WHOLE + basisPoints(adjustmentPercent)) / WHOLE) * (1 - inexact),
  rounding: roundedBy * nights,
  guests: guestsOf(party),
  adults: party.adults,
  pets: party.pets,
});

/**
 * A lower bound of `stayTotal`: of the sum of the lowest prices of its nights, `perMinor` and `fixed` of the
 * home's extras, and what it charges for the party. Infinity: a night has no price, so there is no total.
 * Prices and extras may have only 24 significant bits.
 */
export function totalFloor(
  lowestNights: number,
  { adjusted, rounding }: FloorFactors,
  perMinor: number,
  fixed: number,
  forParty: number,
): number {
  if (lowestNights === Infinity) return Infinity;
  const nights = Math.max(0, lowestNights * adjusted - rounding);
  return (nights * perMinor + forParty) * (1 - inexact) + fixed - Math.abs(fixed) * inexact;
}
