/** What staff set or change over nights of a home: the nights before and after, and the faults. */
import type { OperatorReplyOf } from '../contract/operator/operations.ts';
import type { InvalidField } from '../contract/errors.ts';
import {
  changedOrNull,
  type DatedDay,
  datedDay,
  dateText,
  dayNumber,
  dayRules,
  inSteps,
  nightPrices,
  type RatesOfDate,
  setOnDates,
  stepOf,
  weekdayName,
  type WeekdayName,
} from '../pricing/index.ts';
import { noLengthOn } from './stay-lengths.ts';
import type { Home } from './store/listing-rows.ts';

/** What is set on each night. Null: the member of the dates is removed. Absent: it stays as it is. */
type SetMembers = Omit<RatesOfDate, 'date'>;

/** What is set or changed over nights. One of the three ways to say a price, or none. */
export interface RateChange extends SetMembers {
  /** The first and the last night. */
  from: string;
  to: string;
  /** Only nights of these weekdays; absent: all. */
  weekdays?: readonly WeekdayName[] | undefined;
  /** Changes the price that a night has. */
  changePercent?: number | undefined;
  /** In minor units; added to the price that a night has. */
  changeAmount?: number | undefined;
  /** In minor units: a changed price is the nearest multiple of it. */
  roundTo?: number | undefined;
}

/** What is asked and allowed of a night, whatever layer of the home says it. */
export type NightRates = OperatorReplyOf<'operator.rate.set'>['body']['changes'][number]['before'];

/** Nights that follow each other, the same before and the same after. */
export interface ChangedNights {
  from: string;
  /** The last night, included. */
  to: string;
  before: NightRates;
  after: NightRates;
}

/** A home after a change. */
export interface ChangedHome {
  home: Home;
  /** How many nights have changed. */
  changed: number;
  nights: ChangedNights[];
  /** Nights without a price, which no percentage or amount can change. */
  notPriced: number;
  /** The prices of the changed nights that have one before and after. */
  sums: { nights: number; before: number; after: number };
  faults: InvalidField[];
}

/** The nights of a change, in order. */
export function nightsOfChange({ from, to, weekdays }: RateChange): DatedDay[] {
  const nights: DatedDay[] = [];
  for (let day = dayNumber(from); day <= dayNumber(to); day += 1) {
    if (!weekdays || weekdays.includes(weekdayName(day))) nights.push(datedDay(day));
  }
  return nights;
}

function ratesOfNights(home: Home): (night: DatedDay) => NightRates {
  const priceOf = nightPrices(home, 0);
  const { stayRules: own } = home;
  return (night) => {
    const stated = dayRules(home.rates, night.day);
    return {
      nightly: priceOf(night),
      minNights: stated.minNights ?? own.minNights,
      maxNights: stated.maxNights ?? own.maxNights,
      minNightsThrough: stated.minNightsThrough ?? null,
      arrivalDays: [...(stated.arrivalDays ?? own.arrivalDays)],
      departureDays: [...(stated.departureDays ?? own.departureDays)],
    };
  };
}

const isChangeOf = ({ changePercent, changeAmount }: RateChange): boolean =>
  changePercent !== undefined || changeAmount !== undefined;

/** The price after a percentage or an amount, half away from zero; null: it is no exact amount. */
function changedPrice(
  price: number,
  { changePercent = 0, changeAmount = 0, roundTo }: RateChange,
  currency: string,
): number | null {
  const step = stepOf(currency);
  const changed = changedOrNull(price, changePercent, step);
  if (changed === null || !Number.isSafeInteger(changed + changeAmount)) return null;
  const sum = changed + changeAmount;
  return inSteps(roundTo === undefined ? sum : Math.round(sum / roundTo) * roundTo, step);
}

const runsTo = (last: ChangedNights | undefined, next: ChangedNights): boolean =>
  last !== undefined &&
  dayNumber(last.to) + 1 === dayNumber(next.from) &&
  JSON.stringify([last.before, last.after]) === JSON.stringify([next.before, next.after]);

/** Joins nights that follow each other and change alike. */
function runsOf(nights: readonly ChangedNights[]): ChangedNights[] {
  const runs: ChangedNights[] = [];
  for (const night of nights) {
    const last = runs.at(-1);
    if (runsTo(last, night)) last!.to = night.to;
    else runs.push({ ...night });
  }
  return runs;
}

const memberOfLength = ({ minNights, maxNights }: RateChange): string =>
  minNights == null && maxNights != null ? '/maxNights' : '/minNights';

/** Sets or changes rates of a home over nights. Nothing of it depends on what other homes have. Spec: STAY-3. */
export function changeRates(
  home: Home,
  change: RateChange,
  nights: readonly DatedDay[],
): ChangedHome {
  const { nightly, minNights, maxNights, minNightsThrough, arrivalDays, departureDays } = change;
  const members = { nightly, minNights, maxNights, minNightsThrough, arrivalDays, departureDays };
  const before = ratesOfNights(home);
  const faults: InvalidField[] = [];
  let notPriced = 0;
  const newPrice = (night: DatedDay): Pick<SetMembers, 'nightly'> => {
    if (!isChangeOf(change)) return {};
    const { nightly: price } = before(night);
    if (price === null) {
      notPriced += 1;
      return {};
    }
    const path = change.changeAmount === undefined ? '/changePercent' : '/changeAmount';
    const changed = changedPrice(price, change, home.currency);
    if (changed !== null && changed >= 0) return { nightly: changed };
    faults.push({ path, message: `makes no price of ${home.slug}, ${dateText(night.day)}` });
    return {};
  };
  const set = setOnDates(
    home.rates.dates,
    nights.map((night) => ({ date: dateText(night.day), ...members, ...newPrice(night) })),
  );
  const changedTo = { ...home, rates: { ...home.rates, dates: set.dates } };
  const after = ratesOfNights(changedTo);
  const named = new Set(set.changed);
  const compared = nights
    .filter(({ day }) => named.has(dateText(day)))
    .map((night) => {
      const date = dateText(night.day);
      const noLength = noLengthOn(changedTo, night.day);
      if (noLength !== null) {
        faults.push({
          path: memberOfLength(change),
          message: `at ${home.slug}, ${date}: ${noLength}`,
        });
      }
      return { from: date, to: date, before: before(night), after: after(night) };
    });
  const sums = { nights: 0, before: 0, after: 0 };
  for (const night of compared) {
    if (night.before.nightly === null || night.after.nightly === null) continue;
    sums.nights += 1;
    sums.before += night.before.nightly;
    sums.after += night.after.nightly;
  }
  return {
    home: changedTo,
    changed: set.changed.length,
    nights: runsOf(compared),
    notPriced,
    sums,
    faults,
  };
}
