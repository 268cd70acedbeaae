import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { reconcilePatiently } from './reconcile.ts';

describe('reconciliation', () => {
  // Spec: UNCERTAIN-4.
  test('an unknown outcome is looked up after 5 s, 15 s, 30 s, every minute for an hour, every 15 minutes', () => {
    const delays = Array.from({ length: 66 }, (_, tries) => reconcilePatiently(tries));
    assert.deepEqual(delays.slice(0, 4), [5, 15, 30, 60]);
    assert.equal(delays.filter((delay) => delay === 60).length, 60);
    assert.deepEqual(delays.slice(63), [900, 900, 900]);
  });
});
