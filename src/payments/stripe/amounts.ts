/**
 * The currencies that the provider does not count in the minor units of ISO 4217. `times`: its units per
 * minor unit. `multipleOf`: our amounts must be multiples of this.
 */
const exceptions: Readonly<Record<string, { times: number; multipleOf: number }>> = {
  // No decimals by ISO 4217; the provider writes them with two.
  ISK: { times: 100, multipleOf: 1 },
  UGX: { times: 100, multipleOf: 1 },
  // Two decimals by ISO 4217; the provider has none.
  MGA: { times: 0.01, multipleOf: 100 },
  // Three decimals; the card networks take two.
  BHD: { times: 1, multipleOf: 10 },
  JOD: { times: 1, multipleOf: 10 },
  KWD: { times: 1, multipleOf: 10 },
  OMR: { times: 1, multipleOf: 10 },
  TND: { times: 1, multipleOf: 10 },
};

const usual = { times: 1, multipleOf: 1 };

// The largest amount that the provider takes has twelve digits.
const largest = 999_999_999_999;

/**
 * Converts an amount from minor units of ISO 4217 to the provider's units. Null: the provider cannot
 * represent it, so it must not be rounded silently.
 */
export function toProviderAmount(amountMinor: number, currency: string): number | null {
  const { times, multipleOf } = exceptions[currency] ?? usual;
  if (!Number.isSafeInteger(amountMinor) || amountMinor % multipleOf !== 0) return null;
  const amount = Math.round(amountMinor * times);
  return amount >= 0 && amount <= largest ? amount : null;
}

/** Converts an amount from the provider's units to minor units of ISO 4217. */
export function fromProviderAmount(amount: number, currency: string): number {
  const { times } = exceptions[currency] ?? usual;
  return Math.round(amount / times);
}
