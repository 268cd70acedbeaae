/** No caller can make a pattern of the contract take more than linear time. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { patterns } from '../../src/contract/patterns.ts';
import { hostileTexts, stepCounter } from '../harness/backtracking.ts';

// `messages.test.ts` finds patterns of requests that are not in the table.
const all = Object.values(patterns).map(({ pattern }) => pattern);

/** The hostile text of a pattern that needs much more than twice the steps when it is twice as long. */
function superlinear(pattern: string): string | undefined {
  const stepsOf = stepCounter(pattern);
  const worst = hostileTexts(pattern).find(
    (textOf) => stepsOf(textOf(400)) > 2.6 * stepsOf(textOf(200)) + 100,
  );
  return worst?.(3);
}

suite('patterns of the contract › hostile texts', () => {
  for (const pattern of all) {
    test(`${pattern} › takes linear time`, () => {
      assert.equal(superlinear(pattern), undefined);
    });
  }

  for (const pattern of ['^[!-~]+@[!-~]+$', '^(a+)+$', '^\\s*a?\\s*$', '\\s+$', '^(a|a)*b$']) {
    test(`${pattern} › would be found`, () => {
      // So short that even an exponential one ends.
      const stepsOf = stepCounter(pattern);
      const found = hostileTexts(pattern).some(
        (textOf) => stepsOf(textOf(12)) > 2.6 * stepsOf(textOf(6)) + 20,
      );
      assert.ok(found);
    });
  }
});
