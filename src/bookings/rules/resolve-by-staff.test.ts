import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { checkoutStates, requestStates } from '../../contract/states.ts';
import { checkoutIn, NOW, requestIn } from '../../../test/harness/domain-bookings.ts';
import { decideResolution } from './resolution.ts';
import { decideByStaff, decideMoneyAfter, type FoundOutcome } from './resolve-by-staff.ts';
import { isUncertain } from './uncertainty.ts';
import { isRefusal } from '../../contract/errors.ts';

const reference = 'LK-7Q4M-2XHV';
const bookings = [
  ...checkoutStates.map((state) => checkoutIn(state, { promotionCode: 'SPRING' })),
  ...requestStates.map((state) => requestIn(state)),
];
const outcomes = {
  confirmed: { result: 'made', announced: null },
  failed: { result: 'refused', reason: 'refused' },
} as const;

suite('an outcome that staff found out', () => {
  for (const booking of bookings) {
    for (const found of ['confirmed', 'failed'] as const) {
      const verdict = isUncertain(booking) ? 'as a worker would' : 'refused';
      test(`an outcome that staff found out › ${booking.kind} ${booking.state}, ${found}: ${verdict}`, () => {
        const decision = decideByStaff(booking, found, reference, NOW);
        if (!isUncertain(booking)) {
          assert.ok(isRefusal(decision));
          return;
        }
        const options = { reference, now: NOW, reconcileInSeconds: 0, keepsNights: false };
        const byWorker = decideResolution(booking, outcomes[found], options);
        assert.ok(byWorker);
        assert.deepEqual(decision, byWorker);
      });
    }
  }
});

suite('the money after a decision of staff', () => {
  const checkout = { ...checkoutIn('uncertain'), settlement: 'card' as const };
  const cases: [found: FoundOutcome, state: string | null, refunded: number, follows: string][] = [
    ['failed', null, 0, 'nothing'],
    ['failed', 'requested', 0, 'find_out'],
    ['failed', 'unknown', 0, 'find_out'],
    ['failed', 'action_needed', 0, 'void'],
    ['failed', 'authorized', 0, 'void'],
    ['failed', 'captured', 0, 'refund'],
    ['failed', 'captured', 100, 'nothing'],
    ['failed', 'voided', 0, 'nothing'],
    ['failed', 'refused', 0, 'nothing'],
    ['confirmed', null, 0, 'collect'],
    ['confirmed', 'requested', 0, 'find_out'],
    ['confirmed', 'unknown', 0, 'find_out'],
    ['confirmed', 'action_needed', 0, 'find_out'],
    ['confirmed', 'authorized', 0, 'capture'],
    ['confirmed', 'captured', 0, 'nothing'],
    ['confirmed', 'captured', 100, 'refusal'],
    ['confirmed', 'voided', 0, 'refusal'],
    ['confirmed', 'refused', 0, 'refusal'],
  ];
  for (const [found, state, refunded, follows] of cases) {
    test(`the money after a decision of staff › ${found}, ${state}, ${refunded} refunded: ${follows}`, () => {
      const decision = decideMoneyAfter(
        checkout,
        found,
        state === null ? null : { state, refunded },
      );
      assert.equal(typeof decision === 'string' ? decision : 'refusal', follows);
    });
  }

  test('the money after a decision of staff › no card pays, or nothing is due now: nothing', () => {
    const free = { ...checkout, charges: { ...checkout.charges, dueNow: 0 } };
    for (const booking of [requestIn('unresolved'), free]) {
      assert.equal(decideMoneyAfter(booking, 'confirmed', null), 'nothing');
    }
  });
});
