import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { isBefore, SmallestFirst } from './smallest-first.ts';

suite('SmallestFirst', () => {
  test('returns all entries by key, then by index', () => {
    const keys = fc.array(fc.oneof(fc.nat(5), fc.constant(Infinity), fc.double({ noNaN: true })));
    fc.assert(
      fc.property(keys, (given) => {
        const entries = given.map((key, index) => ({ key, index }));
        const left = new SmallestFirst();
        for (const { key, index } of entries) left.add(key, index);
        const expected = entries.toSorted((a, b) => (isBefore(a, b) ? -1 : 1));
        for (const entry of expected) {
          assert.deepEqual(left.peek(), entry);
          assert.deepEqual(left.take(), entry);
        }
        assert.equal(left.peek(), undefined);
        assert.equal(left.take(), undefined);
      }),
    );
  });
});
