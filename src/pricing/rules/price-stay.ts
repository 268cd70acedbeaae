/** Computes the price of a stay from a listing's rates, fees, taxes and payment plan. */

import { dateText } from './calendar-date.ts';
import type { ChargedNight, ChargeLine, Charges, IncludedTax } from './charges.ts';
import { explainPrice } from './explain-price.ts';
import type { DayNumber, Minor, Party, Percent, PricedListing, Stay } from './listing.ts';
import { sumOf } from './money.ts';
import { paymentSchedule } from './payment-schedule.ts';
import type { StayToPrice } from './counted.ts';
import { type Reduction, type StayAmounts, stayAmounts, totalOf } from './price-lines.ts';
import type { Promotion } from './promotion.ts';
import { type DatedDay, datedDay } from './rates.ts';

/** Inputs of a price besides listing, stay and party. */
export interface PriceOptions {
  /** Today's date at the property, on which the schedule depends. */
  today: DayNumber;
  /** The date at the property on which the quote was created; absent: today. */
  quotedOn?: DayNumber | undefined;
  /** A promotion accepted by `promotionRefusal`; null or absent: none. */
  promotion?: Promotion | null;
  /** The application's channel adjustment; 0: none. */
  adjustmentPercent: Percent;
}

const ACCOMMODATION_LABEL = 'Accommodation';

/** The plain members of a price that do not depend on the day of payment. */
const COMPARED_MEMBERS = [
  'currency',
  'accommodation',
  'fees',
  'cleaning',
  'taxes',
  'total',
] as const satisfies (keyof Charges)[];

const datedNights = ({ checkIn, checkOut }: Stay): DatedDay[] =>
  Array.from({ length: checkOut - checkIn }, (_, at) => datedDay(checkIn + at));

/** Returns null in place of a RangeError: a sum is not a safe integer. Spec: PRICE-5. */
function orNull<T>(compute: () => T): T | null {
  try {
    return compute();
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/**
 * Prices a stay for a party: lines, nights and payments, in minor units of the listing's currency.
 *
 * Null: a night has no price, or a sum is not a safe integer. Expects a stay of at least one night.
 * Every night and every line is rounded once, half away from zero; lines of 0 are omitted, except
 * accommodation.
 *
 * Spec: PRICE-1.
 */
export function priceStay(
  listing: PricedListing,
  stay: Stay,
  party: Party,
  { today, quotedOn = today, promotion = null, adjustmentPercent }: PriceOptions,
): Charges | null {
  const nights = datedNights(stay);
  const daysAhead = stay.checkIn - quotedOn;
  return orNull(() => {
    const asked = { nights, party, daysAhead, adjustmentPercent, promotion };
    const amounts = stayAmounts(listing, asked);
    return amounts && chargesOf(listing, stay, amounts, today);
  });
}

/**
 * How `priceStay` comes to its price, for staff. Null as there.
 *
 * Spec: PRICE-7.
 */
export function explainStay(
  listing: Omit<PricedListing, 'payment'>,
  stay: Stay,
  party: Party,
  { today, quotedOn = today, promotion = null, adjustmentPercent }: PriceOptions,
): ReturnType<typeof explainPrice> {
  const nights = datedNights(stay);
  const daysAhead = stay.checkIn - quotedOn;
  return orNull(() =>
    explainPrice(listing, { nights, party, daysAhead, adjustmentPercent, promotion }),
  );
}

/**
 * The total of `priceStay` without its lines, for comparing many homes.
 *
 * `nights` are the nights of the stay, the same for all homes. Null as in `priceStay`.
 *
 * Spec: SEARCH-2.
 */
export function stayTotal(
  listing: Omit<PricedListing, 'payment'>,
  stay: StayToPrice,
): Minor | null {
  return orNull(() => totalOf(listing, stay));
}

/**
 * Whether two prices are the same for the guest; due dates and labels are ignored.
 *
 * Compares currency, sums, nights, and the kind and amount of every line. Used at resolution to check
 * that the price has not changed since the quote.
 *
 * Spec: PRICE-9.
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

const reductionLine = (
  kind: 'discount' | 'promotion',
  { label, amount, percent, base }: Reduction,
): ChargeLine => ({
  kind,
  label,
  amount: -amount,
  ...(percent !== undefined && base !== undefined && { percent, base }),
});

/** The lines of the nights, the discounts and the promotion, in this order. */
function accommodationLines({
  gross,
  lengthDiscount,
  discount,
  promotion,
}: StayAmounts): ChargeLine[] {
  return [
    { kind: 'accommodation', label: ACCOMMODATION_LABEL, amount: gross },
    ...(lengthDiscount ? [reductionLine('discount', lengthDiscount)] : []),
    ...(discount ? [reductionLine('discount', discount)] : []),
    ...(promotion ? [reductionLine('promotion', promotion)] : []),
  ];
}

/** What a line of a percentage says beside its amount. Spec: TAX-9. */
const percentMembers = (percent: Percent | undefined, base: Minor | null) =>
  percent === undefined || base === null ? {} : { percent, base };

/** The lines of fees and taxes, with what each needs besides. */
function plannedLines({ plan, amounts, bases }: StayAmounts) {
  return plan.lines.map(({ kind, rule, isIncluded, atProperty }, at) => {
    const amount = amounts[at]!;
    const line: ChargeLine = {
      kind,
      label: rule.label,
      amount,
      ...percentMembers(rule.percent, bases[at]!),
    };
    return { line, isIncluded, atProperty };
  });
}

const linesOfKind = (lines: readonly ChargeLine[], kind: ChargeLine['kind']): ChargeLine[] =>
  lines.filter((line) => line.kind === kind);

function chargesOf(
  { currency, payment }: PricedListing,
  { checkIn }: Stay,
  amounts: StayAmounts,
  today: DayNumber,
): Charges {
  const planned = plannedLines(amounts);
  const added = planned.filter(({ isIncluded }) => !isIncluded);
  const feesAndTaxes = added.map(({ line }) => line);
  const nights = amounts.prices.map((amount, at): ChargedNight => ({
    date: dateText(checkIn + at),
    amount,
  }));
  const { total, accommodation, plan } = amounts;
  const atProperty = sumOf(added.flatMap((one) => (one.atProperty ? [one.line] : [])));
  const taxes = sumOf(linesOfKind(feesAndTaxes, 'tax'));
  const pay = { total, atProperty, nights, checkIn, today, step: plan.step };
  return {
    currency,
    accommodation,
    fees: total - accommodation - taxes,
    cleaning: sumOf(linesOfKind(feesAndTaxes, 'cleaning')),
    taxes,
    includedTaxes: planned.flatMap(
      ({ line: { label, amount, percent, base }, isIncluded }): IncludedTax[] =>
        isIncluded && amount > 0 ? [{ label, amount, percent: percent!, base: base! }] : [],
    ),
    total,
    ...paymentSchedule(payment, pay),
    lines: [...accommodationLines(amounts), ...feesAndTaxes].filter(isShown),
    nights,
  };
}

function isShown(line: ChargeLine): boolean {
  return line.kind === 'accommodation' || line.amount !== 0;
}

function alike<T>(a: T[], b: T[], same: (one: T, other: T) => boolean): boolean {
  return a.length === b.length && a.every((one, index) => same(one, b[index] as T));
}
