import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import { runs } from '../../../test/harness/runs.ts';
import { changedBy, percentOf, share } from './money.ts';

/** Rounds half away from zero with big integers. */
function exactShare(amount: number, basisPoints: number): bigint {
  const product = BigInt(amount) * BigInt(basisPoints);
  const size = product < 0n ? -product : product;
  const rounded = (size + 5_000n) / 10_000n;
  return product < 0n ? -rounded : rounded;
}

suite('rounding', () => {
  const worked: [amount: number, basisPoints: number, expected: number, because: string][] = [
    [84_000, 1_266, 10_634, '84000 × 0.1266 = 10634.4'],
    [1, 5_000, 1, '0.5 goes up'],
    [3, 5_000, 2, '1.5 goes up'],
    [5, 5_000, 3, '2.5 goes up, not to the even 2'],
    [-1, 5_000, -1, '-0.5 goes down'],
    [-5, 5_000, -3, '-2.5 goes down'],
    [1, -5_000, -1, 'a negative share likewise'],
    [1, 4_999, 0, '0.4999 goes to nothing'],
    [-1, 4_999, 0, '-0.4999 goes to 0, not to -0'],
    [105_500, 1_200, 12_660, '105500 × 0.12 = 12660, nothing to round'],
    [10_050, 50, 50, '10050 × 0.005 = 50.25; 1.005 × 100 is the classic float trap'],
    [Number.MAX_SAFE_INTEGER, 10_000, Number.MAX_SAFE_INTEGER, 'all of it'],
    [Number.MAX_SAFE_INTEGER, 5_000, 4_503_599_627_370_496, '(2^53 - 1) / 2 = 2^52 - 0.5'],
  ];
  for (const [amount, basisPoints, expected, because] of worked) {
    // Spec: PRICE-2.
    test(`rounding › ${basisPoints} basis points of ${amount}: ${because}`, () => {
      assert.equal(share(amount, basisPoints, 10_000), expected);
    });
  }

  test('rounding › equals the rational result for every safe amount', () => {
    fc.assert(
      fc.property(
        fc.maxSafeInteger(),
        fc.integer({ min: -10_000, max: 10_000 }),
        (amount, basisPoints) => {
          assert.equal(BigInt(share(amount, basisPoints, 10_000)), exactShare(amount, basisPoints));
        },
      ),
      { numRuns: runs(5_000) },
    );
  });

  test('rounding › equals the rational result next to every half', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -100_000, max: 100_000 }),
        fc.integer({ min: -30_000, max: 30_000 }),
        (amount, basisPoints) => {
          const result = share(amount, basisPoints, 10_000);
          assert.equal(BigInt(result), exactShare(amount, basisPoints));
          assert.equal(Object.is(result, -0), false);
        },
      ),
      { numRuns: runs(5_000) },
    );
  });

  test('rounding › refuses inexact results', () => {
    for (const [amount, basisPoints] of [
      [0.5, 5_000],
      [100, 12.5],
      [Number.NaN, 1],
      [1, Number.POSITIVE_INFINITY],
      [2 ** 53, 1],
      [Number.MAX_SAFE_INTEGER, 10_001],
      [9_999, 2 ** 52],
    ] as const) {
      assert.throws(
        () => share(amount, basisPoints, 10_000),
        RangeError,
        `${amount} at ${basisPoints}`,
      );
    }
  });

  test('rounding › a limited share is between 0 and the amount', () => {
    assert.equal(percentOf(200, 150), 200);
    assert.equal(percentOf(200, -0.01), 0);
    assert.equal(percentOf(201, 50), 101);
    assert.equal(percentOf(100_000, 12.55), 12_550);
    assert.equal(changedBy(1_010, -25), 758, '757.5');
    assert.equal(changedBy(1_010, -200), 0);
  });
});
