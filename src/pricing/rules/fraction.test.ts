import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { fraction, isBelow, plus, rounded, times } from './fraction.ts';

const amounts = fc.oneof(fc.nat({ max: 1_000 }), fc.maxSafeNat());
const positive = amounts.map((amount) => Math.max(1, amount));
const quotients = fc.record({ parts: amounts, of: positive });

suite('exact fractions', () => {
  test('are those of integers without a limit, also where a product is no safe number', () => {
    fc.assert(
      fc.property(
        fc.array(quotients, { minLength: 1, maxLength: 4 }),
        quotients,
        amounts,
        fc.constantFrom(1, 10),
        (terms, by, limit, step) => {
          let found = fraction(0);
          let [parts, of] = [0n, 1n];
          for (const term of terms) {
            found = plus(found, fraction(term.parts, term.of));
            [parts, of] = [parts * BigInt(term.of) + BigInt(term.parts) * of, of * BigInt(term.of)];
          }
          found = times(found, by.parts, by.of);
          [parts, of] = [parts * BigInt(by.parts), of * BigInt(by.of)];
          assert.equal(BigInt(found.parts) * of, parts * BigInt(found.of));
          assert.equal(isBelow(found, limit), parts < BigInt(limit) * of);
          const whole = of * BigInt(step);
          const expected = ((2n * parts + whole) / (2n * whole)) * BigInt(step);
          if (expected > BigInt(Number.MAX_SAFE_INTEGER)) {
            assert.throws(() => rounded(found, step as 1 | 10), RangeError);
          } else {
            assert.equal(rounded(found, step as 1 | 10), Number(expected));
          }
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
