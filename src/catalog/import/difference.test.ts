import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import {
  addChange,
  changedMembers,
  differenceText,
  entryChange,
  noDifference,
} from './difference.ts';
import { positionsOf } from './positions.ts';

suite('difference of an import', () => {
  test('equal values have none, with their members in any order', () => {
    const shuffled = (value: unknown): unknown =>
      typeof value !== 'object' || value === null
        ? value
        : Array.isArray(value)
          ? value.map(shuffled)
          : Object.fromEntries(
              Object.entries(value)
                .map(([name, one]) => [name, shuffled(one)])
                .toReversed(),
            );
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        assert.deepEqual(changedMembers(value, shuffled(value)), []);
      }),
    );
  });

  test('names the members that differ', () => {
    const before = { a: { 'b/c': 1 }, list: [1, 2], same: null, gone: 0 };
    const after = { a: { 'b/c': 2 }, list: [1, 3], same: null, more: [1] };
    assert.deepEqual(changedMembers(before, after), [
      { path: '/a/b~1c', from: 1, to: 2 },
      { path: '/list/1', from: 2, to: 3 },
      { path: '/gone', from: 0, to: null },
      { path: '/more', from: null, to: [1] },
    ]);
    assert.deepEqual(changedMembers([1], [0, 1]), [{ path: '', from: [1], to: [0, 1] }]);
    assert.deepEqual(changedMembers({ a: undefined }, {}), []);
  });

  test('describes the first 1,000 entries and counts all', () => {
    const difference = noDifference();
    for (let at = 0; at < 1_002; at += 1) {
      addChange(difference, 'listings', entryChange('added', `home-${at}`));
    }
    const lines = differenceText(difference).split('\n');
    assert.equal(lines.length, 1_002);
    assert.deepEqual([lines[0], lines[1_001]], ['listings: 1002 added', '  … and 2 more']);
    assert.equal(differenceText(noDifference()), 'Nothing changes.');
  });
});

suite('positions after an import', () => {
  test('the entries keep their positions as a set, in the order of the file', () => {
    assert.deepEqual(positionsOf([7, null, 3, null], 9), [3, 7, 9, 10]);
  });

  test('nothing moves where the order is right already', () => {
    assert.deepEqual(positionsOf([2, 5, null], 9), [2, 5, 9]);
  });

  test('entries of one position get two', () => {
    assert.deepEqual(positionsOf([5, 5, 6], 9), [5, 6, 7]);
  });

  test('always in the order of the file, and the same again the second time', () => {
    const known = fc.uniqueArray(fc.nat(50), { maxLength: 12 });
    fc.assert(
      fc.property(known, fc.array(fc.boolean()), (positions, isNew) => {
        const entries = positions.map((position, at) => (isNew[at] ? null : position));
        const first = positionsOf(entries, 51);
        assert.deepEqual(
          first,
          [...new Set(first)].toSorted((a, b) => a - b),
        );
        assert.deepEqual(positionsOf(first, Math.max(50, ...first) + 1), first);
      }),
    );
  });
});
