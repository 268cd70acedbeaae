/**
 * The least amount that the card provider charges, in minor units of ISO 4217. For a currency that is not listed it
 * names none. Spec: MONEY-13.
 */
const cardMinimums: Readonly<Record<string, number>> = {
  AED: 200,
  AUD: 50,
  BGN: 100,
  BRL: 50,
  CAD: 50,
  CHF: 50,
  CZK: 1_500,
  DKK: 250,
  EUR: 50,
  GBP: 30,
  HKD: 400,
  HUF: 17_500,
  INR: 50,
  JPY: 50,
  MXN: 1_000,
  MYR: 200,
  NOK: 300,
  NZD: 50,
  PLN: 200,
  RON: 200,
  SEK: 300,
  SGD: 50,
  THB: 1_000,
  USD: 50,
};

// The card networks take two decimals of these three.
const tens = new Set(['BHD', 'JOD', 'KWD', 'OMR', 'TND']);

/** How the card provider counts a currency. */
export const cardLimitsOf = (currency: string): { minimumMinor: number; multipleOf: number } => ({
  minimumMinor: cardMinimums[currency] ?? 0,
  multipleOf: currency === 'MGA' ? 100 : tens.has(currency) ? 10 : 1,
});
