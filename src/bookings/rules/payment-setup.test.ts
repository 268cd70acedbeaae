import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { paymentActions, setupUnderWay } from './payment-setup.ts';
import { NOW, setupIn } from '../../../test/harness/domain-bookings.ts';

const minute = 60_000;

suite('payment setup', () => {
  const underWay: [what: string, setup: Parameters<typeof setupUnderWay>[0], expected: boolean][] =
    [
      ['none', null, false],
      ['asked for now', setupIn('pending'), true],
      ['asked for a moment ahead of the clock', setupIn('pending', { requestedAt: NOW + 1 }), true],
      ['a minute less a millisecond', setupIn('pending', { requestedAt: NOW - minute + 1 }), true],
      ['a whole minute', setupIn('pending', { requestedAt: NOW - minute }), false],
      ['ready', setupIn('ready'), false],
      ['failed', setupIn('failed', { failure: 'unresolved' }), false],
    ];
  for (const [what, setup, expected] of underWay) {
    test(`payment setup › ${what}: ${expected ? '' : 'not '}under way`, () => {
      assert.equal(setupUnderWay(setup, NOW), expected);
    });
  }

  test('payment setup › only a pending setup depends on the time', () => {
    const setup = setupIn('pending');
    assert.deepEqual(paymentActions(setup, NOW + minute - 1), ['poll']);
    assert.deepEqual(paymentActions(setup, NOW + minute), ['setup_payment']);
    const failed = setupIn('failed', { failure: 'not_authorized' });
    assert.deepEqual(paymentActions(failed, NOW + 24 * 60 * minute), ['contact_support']);
  });
});
