/** Prices that are listed before they are set, because they are probably a mistake. */
import type { Refusal } from '../contract/errors.ts';
import { moneyText } from '../contract/money-text.ts';
import type { EpochMs } from '../contract/time.ts';
import { dayNumber, todayAt, unusualNights, type UnusualNights } from '../pricing/index.ts';
import type { ReadListing } from './file/entries.ts';

/** Nights of a home. Amounts are in minor units of its currency. */
export interface UnusualPrice extends UnusualNights {
  listing: string;
  currency: string;
}

/** What is unusual about a change of prices. */
export interface UnusualPrices {
  /** How many nights, of all homes. */
  nights: number;
  /** The first of them. */
  first: UnusualPrice[];
}

type Home = Pick<ReadListing, 'slug' | 'timeZone' | 'currency' | 'rates'>;

const described = 100;
const named = 10;

const nightsIn = ({ from, to }: UnusualNights): number => dayNumber(to) - dayNumber(from) + 1;

/** Nothing is unusual so far. */
export const nothingUnusual = (): UnusualPrices => ({ nights: 0, first: [] });

/** Adds the nights of a home that would cost less than a fifth or more than five times of now. Spec: FILE-13. */
export function addUnusual(unusual: UnusualPrices, before: Home, after: Home, now: EpochMs): void {
  const { slug: listing, currency } = before;
  for (const nights of unusualNights(before, after, todayAt(now, before.timeZone))) {
    unusual.nights += nightsIn(nights);
    if (unusual.first.length < described) unusual.first.push({ listing, currency, ...nights });
  }
}

const howToAllow = 'If this is meant, allow it: --allow-unusual, or `allowUnusual` in a call.';

const lineOf = ({ listing, currency, from, to, before, after }: UnusualPrice): string => {
  const nights = from === to ? from : `${from} to ${to}`;
  return `${listing} ${nights}: ${moneyText(before, currency)} → ${moneyText(after, currency)}`;
};

function linesOf({ nights, first }: UnusualPrices, says: string): string[] {
  if (nights === 0) return [];
  const left = nights - first.slice(0, named).reduce((sum, each) => sum + nightsIn(each), 0);
  const what = nights === 1 ? '1 night' : `${nights} nights`;
  return [
    `${what} ${says}:`,
    ...first.slice(0, named).map(lineOf),
    ...(left > 0 ? [`… and ${left} more`] : []),
  ];
}

/** The nights as lines for people, before they are set; the first says how many there are. */
export const unusualLines = (unusual: UnusualPrices): string[] =>
  linesOf(unusual, 'would cost less than a fifth or more than five times of now');

/** The same once they are set. */
export const setUnusualLines = (unusual: UnusualPrices): string[] =>
  linesOf(unusual, 'at less than a fifth or more than five times of the price before');

/** Refuses prices that are unusual unless a person has allowed them. Null: they may be set. Spec: FILE-13. */
export function unusualRefusal(
  unusual: UnusualPrices,
  isAllowed: boolean,
): Refusal<'conflict'> | null {
  if (unusual.nights === 0 || isAllowed) return null;
  const message = [...unusualLines(unusual), `Nothing has changed. ${howToAllow}`].join('\n  ');
  return { refused: 'conflict', message, details: { reason: 'unusual_prices', unusual } };
}
