/** How many decimals the minor units of currencies have. */

// ISO 4217; every other currency has two. `Intl` has what people write: none for HUF, IDR or COP.
const exceptions: Readonly<Record<number, string>> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'CLF UYW',
};

const digitsOf = new Map(
  Object.entries(exceptions).flatMap(([digits, currencies]) =>
    currencies.split(' ').map((currency) => [currency, Number(digits)] as const),
  ),
);

/** How many decimals an amount in major units has, by ISO 4217. */
export const currencyDigits = (currency: string): number => digitsOf.get(currency) ?? 2;
