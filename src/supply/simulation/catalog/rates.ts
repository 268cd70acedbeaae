/** The words in which the prices of homes are written down. Amounts are in whole units of money. */

import type {
  BasisPoints,
  CancellationRule,
  Fee,
  LengthDiscount,
  PaymentPlan,
  RateCard,
  Season,
  Tax,
} from '../../../domain/listing.ts';

const minorDigits = { EUR: 2, USD: 2, CAD: 2, CHF: 2, GBP: 2, ZAR: 2, JPY: 0 } as const;

/** The currencies of the simulated homes. */
export type Currency = keyof typeof minorDigits;

/** The price of a home as it is written down. */
export interface WrittenRates {
  /** A night in the week, and one of Friday or Saturday. */
  nights: readonly [weekday: number, weekend: number];
  cleaning?: number;
  seasons?: Season[];
  discounts?: LengthDiscount[];
  fees?: Fee[];
  taxes?: Tax[];
  plan?: PaymentPlan;
}

/** Makes rate cards in one currency. */
export function ratesIn(currency: Currency): (written: WrittenRates) => RateCard {
  const unit = 10 ** minorDigits[currency];
  const minor = (amount: number) => Math.round(amount * unit);
  return (written) => ({
    currency,
    weekdayNight: minor(written.nights[0]),
    weekendNight: minor(written.nights[1]),
    seasons: (written.seasons ?? []).map((part) => ({ ...part })),
    lengthDiscounts: (written.discounts ?? []).map((discount) => ({ ...discount })),
    fees: feesOf(written).map((each) => ({ ...each, amount: minor(each.amount) })),
    taxes: (written.taxes ?? []).map((tax) =>
      tax.basis === 'guest_night' ? { ...tax, amount: minor(tax.amount) } : { ...tax },
    ),
    paymentPlan: { ...(written.plan ?? inFull) },
  });
}

function feesOf({ cleaning, fees }: WrittenRates): Fee[] {
  const first: Fee[] =
    cleaning === undefined
      ? []
      : [{ kind: 'cleaning', label: 'Cleaning', per: 'stay', amount: cleaning }];
  return [...first, ...(fees ?? [])];
}

/** A fee beside cleaning. */
export function fee(label: string, per: Fee['per'], amount: number): Fee {
  return { kind: 'fee', label, per, amount };
}

/** A rate on accommodation alone. */
export function taxOnStay(label: string, rate: BasisPoints): Tax {
  return { label, basis: 'accommodation', rate };
}

/** A rate on accommodation and fees. */
export function taxOnAll(label: string, rate: BasisPoints): Tax {
  return { label, basis: 'accommodation_and_fees', rate };
}

/** An amount for each guest and night. */
export function visitorTax(label: string, amount: number): Tax {
  return { label, basis: 'guest_night', amount };
}

/** A part of the year; `percent` is added to the price of a night. */
export function season(
  name: string,
  from: string,
  to: string,
  percent: number,
  minNights: number | null = null,
): Season {
  return { name, from, to, priceChange: Math.round(percent * 100), minNights };
}

/** A discount for long stays. */
function longer(label: string, minNights: number, percent: number): LengthDiscount {
  return { label, minNights, off: Math.round(percent * 100) };
}

/** Discounts for a week; for a week and a month; for stays of five nights, two weeks, a month. */
export const weekly = [longer('Weekly rate', 7, 8)];
export const weekAndMonth = [longer('Weekly rate', 7, 10), longer('Monthly rate', 28, 25)];
export const slowStay = [
  longer('Five nights or more', 5, 5),
  longer('Two weeks or more', 14, 15),
  longer('A month or more', 30, 35),
];

const inFull: PaymentPlan = { dueNow: 10_000, balanceDaysBefore: 0 };
/** Half at booking, half 60 days before; 30 % at booking, 70 % six weeks before. */
export const inHalves: PaymentPlan = { dueNow: 5000, balanceDaysBefore: 60 };
export const depositFirst: PaymentPlan = { dueNow: 3000, balanceDaysBefore: 42 };

/** How a home lets its guests off, from the mildest to not at all. */
export const flexible: CancellationRule[] = [{ daysBefore: 2, refund: 10_000 }];
export const moderate: CancellationRule[] = [
  { daysBefore: 14, refund: 10_000 },
  { daysBefore: 7, refund: 5000 },
];
export const firm: CancellationRule[] = [
  { daysBefore: 45, refund: 10_000 },
  { daysBefore: 21, refund: 5000 },
];
export const strict: CancellationRule[] = [
  { daysBefore: 60, refund: 8000 },
  { daysBefore: 30, refund: 3000 },
];
export const nonRefundable: CancellationRule[] = [];
