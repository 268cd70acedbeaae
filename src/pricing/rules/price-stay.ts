/** Computes the price of a stay from a listing's rates, fees, taxes and payment plan. */

import { dateText } from './calendar-date.ts';
import type { ChargedNight, ChargeLine, Charges, DuePayment } from './charges.ts';
import type {
  DayNumber,
  Fee,
  LengthDiscount,
  Minor,
  Party,
  PaymentPlan,
  Percent,
  PricedListing,
  Rates,
  Stay,
  Tax,
} from './listing.ts';
import { basisPoints, exact, percentOf, share, sumOf } from './money.ts';
import { guestsOf } from './party.ts';
import { promotionDiscount, type Promotion } from './promotion.ts';
import { datedDay, nightPrices, sumOfNights, type DatedDay } from './rates.ts';
import { nightsOf } from './stay.ts';

/** Inputs of a price besides listing, stay and party. */
export interface PriceOptions {
  /** Today's date at the property. */
  today: DayNumber;
  /** A promotion accepted by `promotionRefusal`; null or absent: none. */
  promotion?: Promotion | null;
  /** The application's channel adjustment; 0: none. */
  adjustmentPercent: Percent;
}

const ACCOMMODATION_LABEL = 'Accommodation';

/** The quantities that fees and taxes multiply. */
interface Counts {
  nights: number;
  guests: number;
  adults: number;
  pets: number;
}

const FEE_QUANTITY: Record<Fee['per'], (counts: Counts) => number> = {
  stay: () => 1,
  night: ({ nights }) => nights,
  guest: ({ guests }) => guests,
  guest_night: ({ nights, guests }) => nights * guests,
  pet: ({ pets }) => pets,
  pet_night: ({ nights, pets }) => nights * pets,
};

type TaxOn = Extract<Tax, { on: unknown }>['on'][number];

/** The part of the price, as taxes name it, that a fee belongs to. */
const BASE_OF_FEE = { cleaning: 'cleaning', fee: 'fees' } as const satisfies Record<
  Fee['kind'],
  TaxOn
>;

/** The plain members of a price that do not depend on the day of payment. */
const COMPARED_MEMBERS = [
  'currency',
  'accommodation',
  'fees',
  'cleaning',
  'taxes',
  'total',
] as const satisfies (keyof Charges)[];

/**
 * Prices a stay for a party: lines, nights and payments, in minor units of the listing's currency.
 *
 * Null: a night has no price, or a sum is not a safe integer. Expects a stay of at least one night.
 * Every night and every line is rounded once, half away from zero; lines of 0 are omitted, except
 * accommodation.
 *
 * Spec: Conventions, 4 and 5; decisions, Charges; the catalog file, A stay's price.
 */
export function priceStay(
  listing: PricedListing,
  stay: Stay,
  party: Party,
  options: PriceOptions,
): Charges | null {
  try {
    const nights = chargedNights(listing.rates, stay, options.adjustmentPercent);
    return nights && chargesOf(listing, stay, party, nights, options);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/**
 * The total of `priceStay` without its lines, for comparing many homes: about ten times as fast.
 *
 * `nights` are the nights of the stay, the same for all homes. Null as in `priceStay`.
 *
 * Spec: decisions, Search beyond the specification; the catalog file, A stay's price.
 */
export function stayTotal(
  { rates, fees, taxes }: Omit<PricedListing, 'currency' | 'payment'>,
  nights: readonly DatedDay[],
  party: Party,
  adjustmentPercent: Percent,
): Minor | null {
  try {
    const gross = sumOfNights(rates, nights, adjustmentPercent);
    if (gross === null) return null;
    const counts = countsOf(nights.length, party);
    const discount = lengthDiscountFor(rates.lengthDiscounts, nights.length);
    const accommodation = gross - (discount === null ? 0 : percentOf(gross, discount.percent));
    const bases = { accommodation, cleaning: 0, fees: 0 };
    let total = accommodation;
    for (const fee of fees) {
      const amount = feeAmount(fee, counts);
      total = exact(total + amount);
      if (fee.taxed !== false) bases[BASE_OF_FEE[fee.kind]] += amount;
    }
    for (const tax of taxes) total = exact(total + taxAmount(tax, bases, counts));
    return total;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/**
 * Whether two prices are the same for the guest; due dates and labels are ignored.
 *
 * Compares currency, sums, nights, and the kind and amount of every line. Used at resolution to check
 * that the price has not changed since the quote.
 *
 * Spec: decisions, Checkout (resolution, `price_changed`).
 */
export function samePrice(a: Charges, b: Charges): boolean {
  return (
    COMPARED_MEMBERS.every((member) => a[member] === b[member]) &&
    alike(
      a.lines,
      b.lines,
      (one, other) => one.kind === other.kind && one.amount === other.amount,
    ) &&
    alike(
      a.nights,
      b.nights,
      (one, other) => one.date === other.date && one.amount === other.amount,
    )
  );
}

function chargedNights(
  rates: Rates,
  { checkIn, checkOut }: Stay,
  adjustmentPercent: Percent,
): ChargedNight[] | null {
  const priceOf = nightPrices(rates, adjustmentPercent);
  const nights: ChargedNight[] = [];
  for (let day = checkIn; day < checkOut; day++) {
    const amount = priceOf(datedDay(day));
    if (amount === null) return null;
    nights.push({ date: dateText(day), amount });
  }
  return nights;
}

function chargesOf(
  { currency, rates, fees, taxes, payment }: PricedListing,
  stay: Stay,
  party: Party,
  nights: ChargedNight[],
  { today, promotion = null }: PriceOptions,
): Charges {
  const counts = countsOf(nightsOf(stay), party);
  const stayLines = accommodationLines(rates.lengthDiscounts, nights, promotion, currency);
  const accommodation = sumOf(stayLines);
  const feeLines = fees.map((fee) => feeLine(fee, counts));
  const taxed = feeLines.filter((_, at) => fees[at]!.taxed !== false);
  const bases = {
    accommodation,
    cleaning: sumOf(ofKind(taxed, 'cleaning')),
    fees: sumOf(ofKind(taxed, 'fee')),
  };
  const taxLines = taxes.map((tax) => taxLine(tax, bases, counts));
  const lines = [...stayLines, ...feeLines, ...taxLines];
  const total = sumOf(lines);
  const dueNow = amountDueNow(payment, total, stay.checkIn, today);
  return {
    currency,
    accommodation,
    fees: sumOf(feeLines),
    cleaning: sumOf(ofKind(feeLines, 'cleaning')),
    taxes: sumOf(taxLines),
    total,
    dueNow,
    schedule: paymentSchedule(dueNow, total, today, balanceDay(payment, stay.checkIn)),
    lines: lines.filter(isShown),
    nights,
  };
}

function countsOf(nights: number, party: Party): Counts {
  return { nights, guests: guestsOf(party), adults: party.adults, pets: party.pets };
}

/** The lines of the nights, the discount for a long stay and the promotion, in this order. */
function accommodationLines(
  discounts: LengthDiscount[],
  nights: ChargedNight[],
  promotion: Promotion | null,
  currency: string,
): ChargeLine[] {
  const gross = sumOf(nights);
  const lines: ChargeLine[] = [
    { kind: 'accommodation', label: ACCOMMODATION_LABEL, amount: gross },
  ];
  const discount = lengthDiscountFor(discounts, nights.length);
  if (discount !== null) {
    const amount = -percentOf(gross, discount.percent);
    lines.push({ kind: 'discount', label: discount.label, amount });
  }
  if (promotion !== null) {
    const amount = -promotionDiscount(promotion, sumOf(lines), currency);
    lines.push({ kind: 'promotion', label: promotion.label, amount });
  }
  return lines;
}

/** The discount with the highest `minNights` that a stay of this many nights reaches; null: none. */
export function lengthDiscountFor(
  discounts: LengthDiscount[],
  nights: number,
): LengthDiscount | null {
  let best: LengthDiscount | null = null;
  for (const discount of discounts) {
    const { minNights } = discount;
    if (minNights <= nights && minNights > (best?.minNights ?? -Infinity)) best = discount;
  }
  return best;
}

function feeLine(fee: Fee, counts: Counts): ChargeLine {
  return { kind: fee.kind, label: fee.label, amount: feeAmount(fee, counts) };
}

function feeAmount({ per, amount, fromGuest = 1 }: Fee, counts: Counts): Minor {
  const { nights, guests, adults, pets } = counts;
  const counted = { nights, guests: Math.max(0, guests - fromGuest + 1), adults, pets };
  return exact(amount * FEE_QUANTITY[per](counted));
}

function taxLine(tax: Tax, bases: Record<TaxOn, Minor>, counts: Counts): ChargeLine {
  return { kind: 'tax', label: tax.label, amount: taxAmount(tax, bases, counts) };
}

function taxAmount(tax: Tax, bases: Record<TaxOn, Minor>, counts: Counts): Minor {
  if (tax.staysUpToNights !== undefined && counts.nights > tax.staysUpToNights) return 0;
  if ('on' in tax) {
    let base = 0;
    for (const part of tax.on) base = exact(base + bases[part]);
    return share(base, basisPoints(tax.percent));
  }
  const { adults, pets } = counts;
  const nights = Math.min(counts.nights, tax.maxNights ?? counts.nights);
  const guests = tax.adultsOnly ? adults : counts.guests;
  return exact(tax.amount * FEE_QUANTITY[tax.per]({ nights, guests, adults, pets }));
}

/** The total once the balance is due, before that the plan's share. */
function amountDueNow(
  plan: PaymentPlan,
  total: Minor,
  checkIn: DayNumber,
  today: DayNumber,
): Minor {
  return balanceDay(plan, checkIn) <= today ? total : percentOf(total, plan.dueNowPercent);
}

function balanceDay(plan: PaymentPlan, checkIn: DayNumber): DayNumber {
  return checkIn - plan.balanceDaysBefore;
}

function paymentSchedule(
  dueNow: Minor,
  total: Minor,
  today: DayNumber,
  balanceOn: DayNumber,
): DuePayment[] {
  const payments = [
    { day: today, amount: dueNow },
    { day: balanceOn, amount: total - dueNow },
  ];
  return payments
    .filter(({ amount }) => amount > 0)
    .map(({ day, amount }) => ({ dueOn: dateText(day), amount }));
}

function isShown(line: ChargeLine): boolean {
  return line.kind === 'accommodation' || line.amount !== 0;
}

function ofKind(lines: ChargeLine[], kind: ChargeLine['kind']): ChargeLine[] {
  return lines.filter((line) => line.kind === kind);
}

function alike<T>(a: T[], b: T[], same: (one: T, other: T) => boolean): boolean {
  return a.length === b.length && a.every((one, index) => same(one, b[index] as T));
}
