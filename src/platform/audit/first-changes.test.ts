import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firstChanges } from './first-changes.ts';

test('one audit entry describes the first 50 changes, as far as they are short', () => {
  const numbers = Array.from({ length: 51 }, (_, n) => n);
  assert.deepEqual(firstChanges(numbers), numbers.slice(0, 50));
  assert.deepEqual(firstChanges(['a', 'x'.repeat(20_000), 'b']), ['a']);
  assert.deepEqual(firstChanges([]), []);
});
