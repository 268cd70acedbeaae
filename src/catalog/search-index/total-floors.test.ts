import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import { runs } from '../../../test/harness/runs.ts';
import { TotalFloors } from './total-floors.ts';

const floor = fc.oneof(
  fc.constantFrom(0, 1, Infinity),
  fc.integer({ min: 0, max: 1_000_000 }),
  fc.float({ min: 0, max: Math.fround(1e20), noNaN: true }),
);

suite('lower bounds of a segment', () => {
  test('offsets are ordered by bound and, of equal bounds, by offset', () => {
    fc.assert(
      fc.property(fc.array(floor, { maxLength: 300 }), (floors) => {
        const byOffset = Float32Array.from(floors, Math.abs);
        const expected = [...byOffset.keys()].toSorted(
          (one, other) =>
            Number(byOffset[one]! > byOffset[other]!) - Number(byOffset[one]! < byOffset[other]!) ||
            one - other,
        );
        const made = new TotalFloors(byOffset);
        assert.deepEqual([...made.order()], expected);
        assert.equal(made.least, Math.min(...byOffset));
      }),
      { numRuns: runs(200) },
    );
  });
});
