import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { FirstFew } from './first-few.ts';
import { isBefore } from './smallest-first.ts';

suite('the first few entries', () => {
  test('are those of a sorted list, also with equal keys', () => {
    // A home without a distance is never added.
    const distance = fc.double({ min: 0, max: 5, noNaN: true });
    const keys = fc.array(fc.oneof(fc.integer({ min: 0, max: 5 }), distance));
    fc.assert(
      fc.property(keys, fc.integer({ min: 1, max: 9 }), (all, most) => {
        const few = new FirstFew(most);
        all.forEach((key, index) => {
          if (key < few.below) few.add(key, index);
        });
        const sorted = all
          .map((key, index) => ({ key, index }))
          .toSorted((one, other) => (isBefore(one, other) ? -1 : 1));
        assert.deepEqual(few.inOrder(), sorted.slice(0, most));
      }),
    );
  });
});
