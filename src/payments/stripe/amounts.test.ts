import fc from 'fast-check';
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fromProviderAmount, toProviderAmount } from './amounts.ts';

const cases: readonly (readonly [currency: string, minor: number, provider: number | null])[] = [
  ['EUR', 12_345, 12_345],
  ['JPY', 500, 500],
  ['HUF', 1_045, 1_045],
  ['TWD', 80_045, 80_045],
  ['ISK', 5, 500],
  ['UGX', 5, 500],
  ['MGA', 500, 5],
  ['MGA', 501, null],
  ['KWD', 5_120, 5_120],
  ['KWD', 5_124, null],
  ['EUR', 1_000_000_000_000, null],
  ['EUR', 0.5, null],
];

describe('amounts of the card provider', () => {
  for (const [currency, minor, provider] of cases) {
    const name = provider === null ? 'cannot be represented' : `is ${provider}`;
    test(`${minor} ${currency} ${name}`, () => {
      assert.equal(toProviderAmount(minor, currency), provider);
    });
  }

  test('what can be represented is read back unchanged', () => {
    const currencies = fc.constantFrom(
      'EUR',
      'JPY',
      'ISK',
      'UGX',
      'MGA',
      'BHD',
      'JOD',
      'OMR',
      'TND',
    );
    const minors = fc.nat(9_999_999_999);
    fc.assert(
      fc.property(currencies, minors, (currency, minor) => {
        const amount = toProviderAmount(minor, currency);
        if (amount !== null) assert.equal(fromProviderAmount(amount, currency), minor);
      }),
    );
  });
});
