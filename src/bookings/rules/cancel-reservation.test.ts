import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { NOW, reservation } from '../../../test/harness/domain-bookings.ts';
import { dayNumber } from '../../pricing/index.ts';
import { decideCancellation, type RefundChoice } from './cancel-reservation.ts';
import { refundAmounts, refundByTerms } from './refund.ts';
import { isRefusal } from '../../contract/errors.ts';

const amounts = { collected: 300, byTerms: 150 };

suite('a cancellation by staff', () => {
  const refunds: [choice: RefundChoice, refundMinor: number][] = [
    ['policy', 150],
    ['none', 0],
    [0, 0],
    [300, 300],
  ];
  for (const [choice, refundMinor] of refunds) {
    test(`a cancellation by staff › refund ${choice}: ${refundMinor}`, () => {
      const before = reservation({ version: 4, announced: { change: 'moved_one_day', at: NOW } });
      const update = decideCancellation(before, choice, amounts, NOW);
      assert.ok(!isRefusal(update));
      assert.deepEqual(update.next, {
        ...before,
        version: 5,
        state: 'cancelled',
        refundMinor,
        collectedMinor: 300,
        cancelledAt: NOW,
        updatedAt: NOW,
        announced: null,
      });
      assert.deepEqual(
        update.events.map(({ type }) => type),
        ['reservation.cancelled'],
      );
    });
  }

  // Spec: RESERVATION-5.
  test('a cancellation by staff › more than was collected is refused', () => {
    const refusal = decideCancellation(reservation(), 301, amounts, NOW);
    assert.ok(isRefusal(refusal));
    assert.match(refusal.message ?? '', /301 is more than the 300/);
  });

  for (const state of ['cancelled', 'pending'] as const) {
    test(`a cancellation by staff › of a ${state} reservation is refused`, () => {
      const cancelledAt = state === 'cancelled' ? NOW : null;
      const refusal = decideCancellation(reservation({ state, cancelledAt }), 'none', amounts, NOW);
      assert.ok(isRefusal(refusal));
    });
  }
});

suite('the refund by the terms', () => {
  const before = (ms: number) => new Date(NOW + ms).toISOString();
  const terms = [
    { before: before(1_000), refundAmount: 200 },
    { before: before(5_000), refundAmount: 100 },
  ];
  const cases: [why: string, afterMs: number, refund: number][] = [
    ['until the first instant', 999, 200],
    ['at the first instant, the next one counts', 1_000, 100],
    ['until the last instant', 4_999, 100],
    ['at the last instant and later, nothing', 5_000, 0],
  ];
  for (const [why, afterMs, refund] of cases) {
    test(`the refund by the terms › ${why}`, () => {
      assert.equal(refundByTerms(terms, NOW + afterMs), refund);
    });
  }

  test('the refund by the terms › no terms, no refund', () =>
    assert.equal(refundByTerms([], NOW), 0));
});

suite('the amounts of a cancellation', () => {
  const schedule = [
    { dueOn: '2027-01-15', amount: 400 },
    { dueOn: '2027-02-15', amount: 600 },
  ];
  const before = new Date(NOW + 1).toISOString();
  const amountsWith = (balances: Parameters<typeof refundAmounts>[0]['balances'], refund = 200) =>
    refundAmounts({
      reservation: { charges: { ...reservation().charges, schedule } },
      cancellation: [{ before, refundAmount: refund }],
      balances,
      now: NOW,
      today: dayNumber('2027-01-15'),
    });

  test('a partner collects by the schedule', () =>
    assert.deepEqual(amountsWith(null), { collected: 400, byTerms: 200 }));

  const cases: [
    why: string,
    balances: [due: number, collected: number, refunded: number],
    collected: number,
    byTerms: number,
  ][] = [
    ['all was collected', [1000, 400, 0], 400, 200],
    ['a part was refunded before', [900, 400, 100], 300, 150],
    ['nothing was collected', [1000, 0, 0], 0, 0],
    ['a half cent is rounded up', [1000, 401, 0], 401, 201],
    ['what exceeds the price is refunded in any case', [300, 400, 0], 300, 150],
  ];
  for (const [why, [due, collected, refunded], expected, byTerms] of cases) {
    test(`the ledger counts: ${why}`, () => {
      const balances = { due, collected, refunded, open: due - collected + refunded, owed: 0 };
      assert.deepEqual(amountsWith(balances), { collected: expected, byTerms });
    });
  }

  test('the largest amounts keep every minor unit', () => {
    const collected = 2 ** 53 - 1;
    const balances = { due: collected, collected, open: 0, refunded: 0, owed: 0 };
    const { byTerms } = amountsWith(balances, 400);
    assert.equal(byTerms, collected);
  });
});
