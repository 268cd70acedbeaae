import { currencyDigits } from './currency-digits.ts';

// Made once for each number of decimals: a format takes longer to make than thousands of amounts to write.
const formats = new Map<number, Intl.NumberFormat>();

function formatOf(digits: number): Intl.NumberFormat {
  const known = formats.get(digits);
  if (known) return known;
  const decimals = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  const made = new Intl.NumberFormat('en', decimals);
  formats.set(digits, made);
  return made;
}

/** An amount in minor units with its currency: `EUR 1,234.50`. */
export function moneyText(minor: number, currency: string): string {
  const digits = currencyDigits(currency);
  return `${currency} ${formatOf(digits).format(minor / 10 ** digits)}`;
}
