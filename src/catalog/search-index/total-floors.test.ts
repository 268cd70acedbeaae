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
  test('places are ordered by bound and, of equal bounds, by place', () => {
    fc.assert(
      fc.property(fc.array(floor, { maxLength: 300 }), (floors) => {
        const byPlace = Float32Array.from(floors, Math.abs);
        const expected = [...byPlace.keys()].toSorted(
          (one, other) =>
            Number(byPlace[one]! > byPlace[other]!) - Number(byPlace[one]! < byPlace[other]!) ||
            one - other,
        );
        const made = new TotalFloors(byPlace);
        assert.deepEqual([...made.order()], expected);
        assert.equal(made.least, Math.min(...byPlace));
      }),
      { numRuns: runs(200) },
    );
  });
});
