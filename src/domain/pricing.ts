/** The price of a stay, out of a listing's rate card. */

import { dateText, weekdayOf } from './calendar-date.ts';
import type { ChargedNight, ChargeLine, Charges, DuePayment } from './charges.ts';
import type {
  DayNumber,
  Fee,
  LengthDiscount,
  Listing,
  Minor,
  Party,
  PaymentPlan,
  RateCard,
  Stay,
  Tax,
} from './listing.ts';
import { cappedShare, share, WHOLE } from './money.ts';
import { guestsOf } from './party.ts';
import { promotionOff, type Promotion } from './promotion.ts';
import { nightsOf, seasonAt } from './stay.ts';

/** What a price depends on beside listing, stay and party. */
export interface PriceOptions {
  /** The date at the property, from which payments fall due. */
  today: DayNumber;
  /** A promotion that `promotionRefusal` has let pass; null or absent: none. */
  promotion?: Promotion | null;
}

const ACCOMMODATION_LABEL = 'Accommodation';
const FRIDAY = 5;
const SATURDAY = 6;

const FEE_QUANTITY: Record<Fee['per'], (nights: number, party: Party) => number> = {
  stay: () => 1,
  night: (nights) => nights,
  guest: (_nights, party) => guestsOf(party),
  guest_night: (nights, party) => nights * guestsOf(party),
  pet: (_nights, party) => party.pets,
  pet_night: (nights, party) => nights * party.pets,
};

/** What a tax is charged on, once accommodation and fees are known. */
interface TaxBase {
  accommodation: Minor;
  fees: Minor;
  guestNights: number;
}

/** The members of a price that are numbers or texts and do not depend on when it is paid. */
const PAID_MEMBERS = [
  'currency',
  'accommodation',
  'fees',
  'cleaning',
  'taxes',
  'total',
] as const satisfies (keyof Charges)[];

/**
 * The price of a stay for a party: lines, nights and payments, in minor units of the listing's currency.
 *
 * Expects a stay of at least one night and a rate card with amounts that are not negative. Every
 * night and every line is rounded once, half away from zero; lines of 0 are left out, save
 * accommodation. Throws a RangeError where a share has no exact result.
 *
 * Spec: Conventions, 4 and 5; decisions, Charges.
 */
export function priceStay(
  { rates }: Pick<Listing, 'rates'>,
  stay: Stay,
  party: Party,
  { today, promotion = null }: PriceOptions,
): Charges {
  const nightCount = nightsOf(stay);
  const nights = chargedNights(rates, stay);

  const stayLines = accommodationLines(rates, nights, promotion);
  const accommodation = sumOf(stayLines);

  const feeLines = rates.fees.map((fee) => feeLine(fee, nightCount, party));
  const fees = sumOf(feeLines);

  const base = { accommodation, fees, guestNights: nightCount * guestsOf(party) };
  const taxLines = rates.taxes.map((tax) => taxLine(tax, base));
  const taxes = sumOf(taxLines);

  const total = accommodation + fees + taxes;
  const dueNow = amountDueNow(rates.paymentPlan, total, stay.checkIn, today);
  return {
    currency: rates.currency,
    accommodation,
    fees,
    cleaning: sumOf(feeLines.filter((line) => line.kind === 'cleaning')),
    taxes,
    total,
    dueNow,
    schedule: paymentSchedule(dueNow, total, today, balanceDay(rates.paymentPlan, stay.checkIn)),
    lines: [...stayLines, ...feeLines, ...taxLines].filter(isShown),
    nights,
  };
}

/**
 * The price of a stay, or null where the rates do not give one that can be written down exactly.
 *
 * Spec: decisions, Search (`total` null).
 */
export function priceIfTold(
  listing: Pick<Listing, 'rates'>,
  stay: Stay,
  party: Party,
  options: PriceOptions,
): Charges | null {
  try {
    const charges = priceStay(listing, stay, party, options);
    return Number.isSafeInteger(charges.total) ? charges : null;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/**
 * Whether two prices ask the same of the guest, whenever it falls due and whatever the lines are called.
 *
 * Compares currency, sums, nights, and the kind and amount of every line. For the check at resolution
 * that a price has not changed since it was quoted.
 *
 * Spec: decisions, Checkout (resolution, `price_changed`).
 */
export function samePrice(a: Charges, b: Charges): boolean {
  return (
    PAID_MEMBERS.every((member) => a[member] === b[member]) &&
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

function chargedNights(rates: RateCard, { checkIn, checkOut }: Stay): ChargedNight[] {
  const nights: ChargedNight[] = [];
  for (let day = checkIn; day < checkOut; day++) {
    nights.push({ date: dateText(day), amount: nightAmount(rates, day) });
  }
  return nights;
}

function nightAmount(rates: RateCard, day: DayNumber): Minor {
  const weekday = weekdayOf(day);
  const base = weekday === FRIDAY || weekday === SATURDAY ? rates.weekendNight : rates.weekdayNight;
  const season = seasonAt(rates.seasons, day);
  if (season === undefined) return base;
  return Math.max(0, share(base, WHOLE + season.priceChange));
}

/** The line of the nights, then what a long stay and a promotion take off it, in this order. */
function accommodationLines(
  rates: RateCard,
  nights: ChargedNight[],
  promotion: Promotion | null,
): ChargeLine[] {
  const gross = sumOf(nights);
  const lines: ChargeLine[] = [
    { kind: 'accommodation', label: ACCOMMODATION_LABEL, amount: gross },
  ];
  const discount = lengthDiscountFor(rates.lengthDiscounts, nights.length);
  if (discount !== null) {
    const amount = -cappedShare(gross, discount.off);
    lines.push({ kind: 'discount', label: discount.label, amount });
  }
  if (promotion !== null) {
    const amount = -promotionOff(promotion, sumOf(lines), rates.currency);
    lines.push({ kind: 'promotion', label: promotion.label, amount });
  }
  return lines;
}

/** The discount with the most nights of those that the stay is long enough for. */
function lengthDiscountFor(discounts: LengthDiscount[], nights: number): LengthDiscount | null {
  return discounts
    .filter((discount) => discount.minNights <= nights)
    .reduce<LengthDiscount | null>(
      (best, next) => (best === null || next.minNights > best.minNights ? next : best),
      null,
    );
}

function feeLine({ kind, label, per, amount }: Fee, nights: number, party: Party): ChargeLine {
  return { kind, label, amount: amount * FEE_QUANTITY[per](nights, party) };
}

function taxLine(tax: Tax, base: TaxBase): ChargeLine {
  return { kind: 'tax', label: tax.label, amount: taxAmount(tax, base) };
}

function taxAmount(tax: Tax, { accommodation, fees, guestNights }: TaxBase): Minor {
  switch (tax.basis) {
    case 'accommodation':
      return share(accommodation, tax.rate);
    case 'accommodation_and_fees':
      return share(accommodation + fees, tax.rate);
    case 'guest_night':
      return tax.amount * guestNights;
  }
}

/** All of it once the day of the balance has come, until then the plan's share. */
function amountDueNow(
  plan: PaymentPlan,
  total: Minor,
  checkIn: DayNumber,
  today: DayNumber,
): Minor {
  return balanceDay(plan, checkIn) <= today ? total : cappedShare(total, plan.dueNow);
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

function sumOf(parts: { amount: Minor }[]): Minor {
  return parts.reduce((sum, part) => sum + part.amount, 0);
}

function alike<T>(a: T[], b: T[], same: (one: T, other: T) => boolean): boolean {
  return a.length === b.length && a.every((one, index) => same(one, b[index] as T));
}
