import { currencyDigits } from './currency-digits.ts';

/** An amount in minor units with its currency: `EUR 1,234.50`. */
export function moneyText(minor: number, currency: string): string {
  const digits = currencyDigits(currency);
  const amount = (minor / 10 ** digits).toLocaleString('en', {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  return `${currency} ${amount}`;
}
