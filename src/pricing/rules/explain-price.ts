/** How a price came about, for staff who check the rules of a home. */

import { dateText } from './calendar-date.ts';
import type { ChargeLine } from './charges.ts';
import { applies, countGuests, countNights, isWithin, type StayToPrice } from './counted.ts';
import type { Fee, Minor, Percent, PricedListing, Tax } from './listing.ts';
import { type Reduction, type StayAmounts, stayAmounts } from './price-lines.ts';
import type { PlannedLine } from './price-plan.ts';
import { nightSource, type NightSource } from './rates.ts';

/** The price of a night, and the layer that states it. */
export interface ExplainedNight extends NightSource {
  date: string;
  amount: Minor;
}

/** Why a line is not charged. */
export type NotCharged =
  | 'nights_of_stay'
  | 'days_ahead'
  | 'no_night'
  | 'no_guest'
  | 'no_pet'
  | 'nothing';

/** A line of a price, and what it was calculated from; null: it does not depend on that. */
export interface ExplainedLine {
  kind: ChargeLine['kind'];
  label: string;
  amount: Minor;
  /** The fee or tax within the home, as a JSON Pointer. */
  rule: string | null;
  percent: Percent | null;
  base: Minor | null;
  per: string | null;
  /** The amount for each unit of `per`. */
  unit: Minor | null;
  /** The most for one guest and night. */
  maxAmount: Minor | null;
  nights: number | null;
  guests: number | null;
  pets: number | null;
  /** The prices contain it: it adds nothing. */
  isIncluded: boolean;
  atProperty: boolean;
  /** Null: it is charged. */
  notCharged: NotCharged | null;
}

const unexplained = {
  rule: null,
  percent: null,
  base: null,
  per: null,
  unit: null,
  maxAmount: null,
  nights: null,
  guests: null,
  pets: null,
  isIncluded: false,
  atProperty: false,
  notCharged: null,
} as const;

const reductionLine = (
  kind: 'discount' | 'promotion',
  { label, amount, percent, base }: Reduction,
): ExplainedLine => ({
  ...unexplained,
  kind,
  label,
  amount: -amount,
  percent: percent ?? null,
  base: base ?? null,
});

/** Why a line has no amount. */
function whyNot(line: PlannedLine, stay: StayToPrice): NotCharged {
  if (!applies(line, stay)) {
    return isWithin(line.when?.daysAhead, stay.daysAhead) ? 'nights_of_stay' : 'days_ahead';
  }
  if (countNights(line, stay) === 0) return 'no_night';
  if (line.unit === 'guest' && countGuests(line, stay.party) === 0) return 'no_guest';
  return line.unit === 'pet' && stay.party.pets === 0 ? 'no_pet' : 'nothing';
}

/** How many nights a line counts; null: it does not count them. */
function countedNights(line: PlannedLine, stay: StayToPrice): number | null {
  return line.isPerNight || line.nights !== null ? countNights(line, stay) : null;
}

type Rule = Partial<Fee & Tax>;

function explainedLine(
  { amounts, bases }: StayAmounts,
  fees: number,
  stay: StayToPrice,
  line: PlannedLine,
  at: number,
): ExplainedLine {
  const { kind, unit: of, isIncluded, atProperty } = line;
  const { label = '', per, percent, amount: unit, maxAmount } = line.rule as Rule;
  const amount = amounts[at]!;
  return {
    kind,
    label,
    amount,
    rule: at < fees ? `/fees/${at}` : `/taxes/${at - fees}`,
    percent: percent ?? null,
    base: bases[at] ?? null,
    per: per ?? null,
    unit: unit ?? null,
    maxAmount: maxAmount ?? null,
    nights: countedNights(line, stay),
    guests: of === 'guest' ? countGuests(line, stay.party) : null,
    pets: of === 'pet' ? stay.party.pets : null,
    isIncluded,
    atProperty,
    notCharged: amount === 0 ? whyNot(line, stay) : null,
  };
}

/**
 * The nights and lines of a price with what they were calculated from, also the fees and taxes that are not charged.
 * Null: a night has no price. Throws a RangeError as `stayAmounts` does.
 *
 * Spec: PRICE-3, PRICE-7.
 */
export function explainPrice(
  listing: Pick<PricedListing, 'currency' | 'rates' | 'fees' | 'taxes'>,
  stay: StayToPrice,
): { nights: ExplainedNight[]; lines: ExplainedLine[] } | null {
  const amounts = stayAmounts(listing, stay);
  if (amounts === null) return null;
  const { gross, prices, lengthDiscount, discount, promotion, plan } = amounts;
  const accommodation = { kind: 'accommodation', label: 'Accommodation', amount: gross } as const;
  return {
    nights: stay.nights.map((night, at) => ({
      date: dateText(night.day),
      amount: prices[at]!,
      ...nightSource(listing.rates, night)!,
    })),
    lines: [
      { ...unexplained, ...accommodation, nights: stay.nights.length },
      ...(lengthDiscount ? [reductionLine('discount', lengthDiscount)] : []),
      ...(discount ? [reductionLine('discount', discount)] : []),
      ...(promotion ? [reductionLine('promotion', promotion)] : []),
      ...plan.lines.map((line, at) => explainedLine(amounts, listing.fees.length, stay, line, at)),
    ],
  };
}
