import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { policyChange, priceChange } from './failure.ts';

suite('what changed where a booking failed', () => {
  // Spec: CHECKOUT-8.
  test('failure › the totals before and now', () => {
    assert.deepEqual(priceChange({ total: 100 }, { total: 120 }), { was: 100, now: 120 });
    assert.equal(priceChange({ total: 100 }, null), null);
  });

  test('failure › the labels of policies that are changed, new or gone', () => {
    const was = [
      { label: 'House rules', body: 'Quiet at night.' },
      { label: 'Cancellation', body: 'Full refund.' },
      { label: 'Pool', body: 'No diving.' },
    ];
    const now = [
      { label: 'House rules', body: 'Quiet at night.' },
      { label: 'Cancellation', body: 'No refund.' },
      { label: 'Sauna', body: 'Towels.' },
    ];
    assert.deepEqual(policyChange(was, now), { changed: ['Cancellation', 'Pool', 'Sauna'] });
  });
});
