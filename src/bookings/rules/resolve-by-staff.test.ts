import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { checkoutStates, requestStates } from '../../contract/states.ts';
import { checkoutIn, NOW, requestIn } from '../../../test/harness/domain-bookings.ts';
import { decideResolution } from './resolution.ts';
import { decideByStaff, isUncertain } from './resolve-by-staff.ts';
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
