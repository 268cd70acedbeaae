/** What a change of rates does, in words: one line for the nights of a home in which the same changes. */
import { moneyText } from '../../../base/words/money.ts';
import type { ChangedRates } from '../../api/homes-types.ts';
import { dayOf } from '../../words/days.ts';

type Changed = ChangedRates['changes'][number];
type Rates = Changed['before'];

const daysOfWeek = 7;

const daysText = (days: readonly string[]): string =>
  days.length === daysOfWeek ? 'any day' : days.join(', ');

/** The members in which two nights differ, in words: `Price EUR 180.00 → EUR 201.60`. */
function differences({ before, after, currency }: Changed): string[] {
  const money = (amount: number | null) =>
    amount === null ? 'no price' : moneyText(amount, currency);
  const texts: readonly [name: string, of: (rates: Rates) => string][] = [
    ['Price', ({ nightly }) => money(nightly)],
    ['Minimum nights', ({ minNights }) => String(minNights)],
    ['Maximum nights', ({ maxNights }) => String(maxNights)],
    ['Least nights of a stay over it', ({ minNightsThrough: nights }) => String(nights ?? 'none')],
    ['Arrival', ({ arrivalDays }) => daysText(arrivalDays)],
    ['Departure', ({ departureDays }) => daysText(departureDays)],
  ];
  return texts
    .filter(([, of]) => of(before) !== of(after))
    .map(([name, of]) => `${name} ${of(before)} → ${of(after)}`);
}

/** Nights of a home, from the first to the last, and in what they change; empty: in nothing that guests see. */
export interface ChangedNights extends Pick<Changed, 'listing' | 'name' | 'from' | 'to'> {
  differences: string;
}

/** The changes with one line for nights that follow each other and differ in the same, whatever else they have. */
export function changedNights(changes: readonly Changed[]): ChangedNights[] {
  const lines: ChangedNights[] = [];
  for (const changed of changes) {
    const { listing, name, from, to } = changed;
    const line = { listing, name, from, to, differences: differences(changed).join('; ') };
    const last = lines.at(-1);
    const isSame = last?.listing === listing && last.differences === line.differences;
    if (isSame && dayOf(last.to) + 1 === dayOf(from)) last.to = to;
    else lines.push(line);
  }
  return lines;
}

/** At how many homes the least nights of an arrival become fewer: a rule for many homes is seldom meant to do that. */
export const homesWithLessNights = (changes: readonly Changed[]): number =>
  new Set(
    changes
      .filter(({ before, after }) => after.minNights < before.minNights)
      .map(({ listing }) => listing),
  ).size;

/** How many nights the changes are about. */
export const nightsIn = (changes: readonly Changed[]): number =>
  changes.reduce((sum, { from, to }) => sum + dayOf(to) - dayOf(from) + 1, 0);
