/**
 * A second implementation of prices, written from the meaning of the catalog file alone and independent of the first
 * one: everything is an exact fraction until a line is rounded, nights and lines are plain lists, and nothing is
 * remembered. Slow on purpose.
 */
import type { CatalogListing } from '../../src/contract/catalog-file.ts';

type Line =
  | NonNullable<CatalogListing['fees']>[number]
  | NonNullable<CatalogListing['taxes']>[number];
type Rates = CatalogListing['rates'];
type Condition = Line['when'];

interface Rational {
  top: bigint;
  bottom: bigint;
}

export interface AskedParty {
  adults: number;
  children: number;
  infants: number;
  pets: number;
  childAges?: number[];
}

/** A code: a percentage, or an amount in a currency. */
export type SecondPromotion =
  | { kind: 'percent'; label: string; percent: number }
  | { kind: 'amount'; label: string; off: number; currency: string };

export interface SecondPrice {
  total: number;
  nights: number[];
  lines: { kind: string; label: string; amount: number }[];
  included: { label: string; amount: number; base: number }[];
  atProperty: number;
  schedule: { day: number; amount: number }[];
}

const q = (top: number | bigint, bottom: number | bigint = 1): Rational => ({
  top: BigInt(top),
  bottom: BigInt(bottom),
});
const add = (a: Rational, b: Rational): Rational => ({
  top: a.top * b.bottom + b.top * a.bottom,
  bottom: a.bottom * b.bottom,
});
const mul = (a: Rational, b: Rational): Rational => ({
  top: a.top * b.top,
  bottom: a.bottom * b.bottom,
});
const less = (a: Rational, b: Rational): boolean => a.top * b.bottom < b.top * a.bottom;
const total = (parts: Rational[]): Rational => parts.reduce(add, q(0));

/** The nearest multiple of a unit, half away from zero. */
function round({ top, bottom }: Rational, unit: number): number {
  const sign = top < 0n ? -1n : 1n;
  const size = top * sign;
  const whole = bottom * BigInt(unit);
  const down = size / whole;
  const rest = size - down * whole;
  return Number(sign * (2n * rest >= whole ? down + 1n : down)) * unit;
}

/** A percentage as a fraction, from its decimal digits. */
const percentage = (percent: number): Rational =>
  q(BigInt(Math.round(percent * 10_000)), 1_000_000);

const dayMs = 86_400_000;
const dateOf = (day: number): string => new Date(day * dayMs).toISOString().slice(0, 10);
const weekdayOf = (day: number) =>
  (['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const)[new Date(day * dayMs).getUTCDay()]!;

function isIn({ from, to }: { from: string; to: string }, day: number): boolean {
  const date = from.length === 5 ? dateOf(day).slice(5) : dateOf(day);
  return from <= to ? from <= date && date <= to : date >= from || date <= to;
}

function nightPrice(rates: Rates, day: number, adjust: number, unit: number): number | null {
  const weekday = weekdayOf(day);
  const ownDays: Partial<Record<string, number>> = rates.weekdays ?? {};
  const base: number | undefined = ownDays[weekday] ?? rates.nightly;
  const layers = [
    ...(rates.dates ?? []).filter((entry) => isIn(entry, day)),
    ...(rates.seasons ?? [])
      .filter((season) => isIn(season, day))
      .toSorted((a, b) => (b.priority ?? 0) - (a.priority ?? 0)),
  ];
  let price: number | null | undefined;
  for (const layer of layers) {
    const days: Partial<Record<string, number>> =
      ('weekdays' in layer ? layer.weekdays : undefined) ?? {};
    const own: number | undefined = days[weekday] ?? layer.nightly;
    if (own !== undefined) {
      price = own;
      break;
    }
    const change = (layer as { changePercent?: number }).changePercent;
    if (change !== undefined) {
      const changed = (percent: number) => add(q(1), percentage(percent));
      price = base === undefined ? null : Math.max(0, round(mul(q(base), changed(change)), unit));
      break;
    }
  }
  if (price === undefined) price = base ?? null;
  if (price === null) return null;
  return Math.max(0, round(mul(q(price), add(q(1), percentage(adjust))), unit));
}

const threeDecimals = new Set(['BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND']);

/** Prices a stay. Null: a night has no price. */
export function secondPrice(
  listing: CatalogListing,
  { checkIn, checkOut }: { checkIn: number; checkOut: number },
  party: AskedParty,
  {
    today,
    quotedOn,
    adjustmentPercent: adjust,
    promotion = null,
  }: {
    today: number;
    quotedOn: number;
    adjustmentPercent: number;
    promotion?: SecondPromotion | null;
  },
): SecondPrice | null {
  const unit = threeDecimals.has(listing.currency) ? 10 : 1;
  const { rates, fees = [], taxes = [] } = listing;
  const days = Array.from({ length: checkOut - checkIn }, (_, at) => checkIn + at);
  const nights = days.map((day) => nightPrice(rates, day, adjust, unit));
  if (nights.includes(null)) return null;
  const prices = nights as number[];
  const gross = prices.reduce((sum, price) => sum + price, 0);

  const fits = (range: { min?: number; max?: number } | undefined, value: number): boolean =>
    range === undefined || ((range.min ?? -1) <= value && value <= (range.max ?? 1e9));
  const holds = (when: Condition): boolean =>
    fits(when?.stayNights, days.length) && fits(when?.daysAhead, checkIn - quotedOn);

  // Accommodation.
  const lines: SecondPrice['lines'] = [
    { kind: 'accommodation', label: 'Accommodation', amount: gross },
  ];
  let accommodation = gross;
  const take = (label: string, amount: number, kind = 'discount'): void => {
    const taken = Math.min(amount, accommodation);
    accommodation -= taken;
    if (taken > 0) lines.push({ kind, label, amount: -taken });
  };
  const long = (rates.lengthDiscounts ?? [])
    .filter(({ minNights }) => minNights <= days.length)
    .toSorted((a, b) => b.minNights - a.minNights)[0];
  if (long?.percent !== undefined) {
    take(long.label, round(mul(q(gross), percentage(long.percent)), unit));
  } else if (long) {
    take(long.label, round(q(long.amount! * Math.floor(days.length / long.minNights)), unit));
  }
  const possible = (rates.discounts ?? []).filter(
    ({ when }) => holds(when) && (!when?.nights || days.some((day) => isIn(when.nights!, day))),
  );
  const best = possible.toSorted((a, b) => b.percent - a.percent)[0];
  if (best) {
    const inside = days.reduce(
      (sum, day, at) =>
        !best.when?.nights || isIn(best.when.nights, day) ? sum + prices[at]! : sum,
      0,
    );
    const part = gross === 0 ? q(0) : q(BigInt(accommodation) * BigInt(inside), gross);
    take(best.label, round(mul(part, percentage(best.percent)), unit));
  }
  if (promotion?.kind === 'percent') {
    const off = mul(q(accommodation), percentage(promotion.percent));
    take(promotion.label, round(off, unit), 'promotion');
  } else if (promotion?.currency === listing.currency) {
    take(promotion.label, round(q(promotion.off), unit), 'promotion');
  }

  // Fees and taxes.
  const rules: { rule: Line; kind: 'cleaning' | 'fee' | 'tax' }[] = [
    ...fees.map((rule) => ({ rule, kind: rule.kind })),
    ...taxes.map((rule) => ({ rule, kind: 'tax' as const })),
  ];
  const amounts: number[] = [];
  const named = (at: number): number[] => {
    const found = new Set<number>();
    for (const name of rules[at]!.rule.on ?? []) {
      if (name === 'accommodation') found.add(-1);
      rules.slice(0, at).forEach(({ rule, kind }, other) => {
        const isTaxed = !('taxed' in rule) || rule.taxed !== false;
        if (name === 'cleaning' && kind === 'cleaning' && isTaxed) found.add(other);
        if (name === 'fees' && kind === 'fee' && isTaxed) found.add(other);
        if (rule.id === name) found.add(other);
      });
    }
    return [...found];
  };
  const applies = ({ rule }: { rule: Line }): boolean =>
    holds(rule.when) &&
    !(
      'staysUpToNights' in rule &&
      rule.staysUpToNights !== undefined &&
      days.length > rule.staysUpToNights
    );
  const counts = ({ rule }: { rule: Line }, at: number): boolean =>
    at + 1 >= (rule.fromNight ?? 1) &&
    at + 1 <= (rule.maxNights ?? 999) &&
    (!rule.when?.nights || isIn(rule.when.nights, days[at]!));
  const isIncluded = ({ rule }: { rule: Line }): boolean =>
    'included' in rule && rule.included === true;
  /** The sum of the percentages that a line contains in a night, as a fraction of 1. */
  const contained = (line: number, night: number): Rational =>
    total(
      rules.map((each, at) =>
        isIncluded(each) && named(at).includes(line) && applies(each) && counts(each, night)
          ? percentage(each.rule.percent!)
          : q(0),
      ),
    );
  const nightPart = (night: number): Rational =>
    gross === 0
      ? q(accommodation, days.length)
      : q(BigInt(accommodation) * BigInt(prices[night]!), gross);
  const net = (amount: Rational, line: number, night: number): Rational => {
    const whole = add(q(1), contained(line, night));
    return mul(amount, { top: whole.bottom, bottom: whole.top });
  };
  const baseOf = (at: number, isNet: boolean): Rational => {
    const each = rules[at]!;
    return total(
      named(at).flatMap((line) => {
        if (line >= 0) {
          if (!counts(each, 0)) return [];
          return [isNet ? net(q(amounts[line]!), line, 0) : q(amounts[line]!)];
        }
        return days.flatMap((_, night) => {
          if (!counts(each, night)) return [];
          return [isNet ? net(nightPart(night), line, night) : nightPart(night)];
        });
      }),
    );
  };
  const people = ({ rule }: { rule: Line }): number => {
    const isAdultsOnly = 'adultsOnly' in rule && rule.adultsOnly;
    const range = isAdultsOnly ? { from: 18 } : rule.who?.ages;
    const from = range?.from ?? 0;
    const to = range?.to ?? 999;
    let count = party.adults + party.children;
    if (range) {
      const inside = (age: number): boolean => from <= age && age <= to;
      const ages = Array.from({ length: 16 }, (_, at) => at + 2);
      const children = party.childAges
        ? party.childAges.filter(inside).length
        : ages.some(inside)
          ? party.children
          : 0;
      count = (inside(18) ? party.adults : 0) + children + (inside(0) ? party.infants : 0);
    }
    return Math.max(0, count - ((rule.fromGuest ?? 1) - 1));
  };
  const guests = party.adults + party.children;

  const included: SecondPrice['included'] = [];
  let sum = accommodation;
  let atProperty = 0;
  rules.forEach((each, at) => {
    const { rule, kind } = each;
    let amount = 0;
    if (applies(each)) {
      const countedNights = days.filter((_, night) => counts(each, night)).length;
      const tiers = 'tiers' in rule ? rule.tiers : undefined;
      if (rule.amount !== undefined) {
        const per = rule.per!;
        const often = per.endsWith('night') ? countedNights : counts(each, 0) ? 1 : 0;
        const of = per.startsWith('guest') ? people(each) : per.startsWith('pet') ? party.pets : 1;
        amount = round(q(rule.amount * often * of), unit);
      } else if (rule.per === 'guest_night') {
        const shares = days.flatMap((_, night) => {
          if (!counts(each, night)) return [];
          const parts = (tiers ? [-1] : named(at)).map((line) => {
            const part = line === -1 ? nightPart(night) : q(amounts[line]!, days.length);
            return rule.net ? net(part, line, night) : part;
          });
          const share = mul(total(parts), q(1, guests));
          if (tiers) {
            const reached = tiers.filter(({ from }) => !less(share, q(from)));
            return [q(reached.at(-1)?.amount ?? 0)];
          }
          const charge = mul(share, percentage(rule.percent!));
          const most = 'maxAmount' in rule ? rule.maxAmount : undefined;
          return [most !== undefined && less(q(most), charge) ? q(most) : charge];
        });
        amount = round(mul(total(shares), q(people(each))), unit);
      } else if (isIncluded(each)) {
        const base = baseOf(at, true);
        amount = round(mul(base, percentage(rule.percent!)), 1);
        if (amount > 0) included.push({ label: rule.label, amount, base: round(base, 1) });
      } else {
        amount = round(mul(baseOf(at, rule.net === true), percentage(rule.percent!)), unit);
      }
    }
    amounts.push(amount);
    if (isIncluded(each)) return;
    sum += amount;
    if (rule.payAt === 'property') atProperty += amount;
    if (amount !== 0) lines.push({ kind, label: rule.label, amount });
  });

  // Payments.
  const plan = listing.payment?.schedule ?? [
    { percent: listing.payment?.dueNowPercent ?? 100 },
    { daysBefore: listing.payment?.balanceDaysBefore ?? 0 },
  ];
  const collected = sum - atProperty;
  const byDay = new Map<number, number>();
  let left = collected;
  plan.forEach(({ daysBefore, percent, amount, nights: first }) => {
    const wanted =
      percent !== undefined
        ? round(mul(q(collected), percentage(percent)), unit)
        : first !== undefined
          ? prices.slice(0, first).reduce((all, price) => all + price, 0)
          : amount === undefined
            ? left
            : round(q(amount), unit);
    const paid = Math.min(wanted, left);
    left -= paid;
    const due = daysBefore === undefined ? today : Math.max(today, checkIn - daysBefore);
    byDay.set(due, (byDay.get(due) ?? 0) + paid);
  });
  const schedule = [...byDay]
    .filter(([, amount]) => amount > 0)
    .map(([day, amount]) => ({ day, amount }));
  return { total: sum, nights: prices, lines, included, atProperty, schedule };
}
