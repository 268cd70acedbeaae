import { currencyDigits } from '#contract/currency-digits.ts';
import { moneyText } from '#contract/money-text.ts';

export { moneyText } from '#contract/money-text.ts';

/** A difference between two prices: `+EUR 20.00`, `−EUR 20.00`, `the same`. */
export function differenceText(minor: number, currency: string): string {
  if (minor === 0) return 'the same';
  return `${minor > 0 ? '+' : '−'}${moneyText(Math.abs(minor), currency)}`;
}

/** How many decimals a currency has, by ISO 4217 as in the API, not by the browser's own list. */
export const decimalsOf = currencyDigits;

/** An amount in minor units, in major units. */
export const majorOf = (minor: number, currency: string): number =>
  minor / 10 ** decimalsOf(currency);

/** An amount of major units, in minor units. */
export const minorOf = (major: number, currency: string): number =>
  Math.round(major * 10 ** decimalsOf(currency));

// A calendar shows thousands of them.
const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 3 });

/** An amount in whole major units with its currency: `JPY 26,850`. */
export const wholeMoney = (minor: number, currency: string): string =>
  `${currency} ${whole.format(majorOf(minor, currency))}`;

/** An amount for a small cell: whole major units, and three digits from 10,000 on (`26.9K`). */
export function shortMoney(minor: number, currency: string): string {
  const major = majorOf(minor, currency);
  return (major < 10_000 ? whole : compact).format(major);
}
