import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { chargesOfTotal } from './charges-of-total.ts';
import type { Charges } from './charges.ts';

const charges: Charges = {
  currency: 'EUR',
  accommodation: 800,
  fees: 100,
  cleaning: 100,
  taxes: 100,
  total: 1_000,
  dueNow: 400,
  schedule: [
    { dueOn: '1970-04-11', amount: 400 },
    { dueOn: '1970-07-20', amount: 600 },
  ],
  lines: [
    { kind: 'accommodation', label: 'Nights', amount: 800 },
    { kind: 'cleaning', label: 'Cleaning', amount: 100 },
    { kind: 'tax', label: 'Tax', amount: 100 },
  ],
  nights: [{ date: '1970-08-01', amount: 800 }],
};
const today = 100;

const sums = ({ accommodation, fees, taxes, lines, schedule }: Charges) => ({
  parts: accommodation + fees + taxes,
  lines: lines.reduce((sum, { amount }) => sum + amount, 0),
  schedule: schedule.reduce((sum, { amount }) => sum + amount, 0),
});

// Spec: SANDBOX-3.
suite('chargesOfTotal', () => {
  for (const total of [1_300, 700, 300, 0]) {
    test(`adds up to ${total}`, () => {
      const changed = chargesOfTotal(charges, total, today);
      assert.equal(changed.total, total);
      assert.deepEqual(sums(changed), { parts: total, lines: total, schedule: total });
    });
  }

  test('puts more into a fee and the last payment', () => {
    const { fees, lines, schedule, dueNow } = chargesOfTotal(charges, 1_300, today);
    assert.equal(fees, 400);
    assert.deepEqual(lines.at(-1), { kind: 'fee', label: 'Sandbox price', amount: 300 });
    assert.deepEqual(schedule.at(-1), { dueOn: '1970-07-20', amount: 900 });
    assert.equal(dueNow, 400);
  });

  test('takes less as a discount, from the last payment first', () => {
    const { accommodation, lines, schedule, dueNow } = chargesOfTotal(charges, 300, today);
    assert.equal(accommodation, 100);
    assert.equal(lines.at(-1)?.kind, 'discount');
    assert.deepEqual(schedule, [{ dueOn: '1970-04-11', amount: 300 }]);
    assert.equal(dueNow, 300);
  });

  test('keeps the charges of the same total', () => {
    assert.equal(chargesOfTotal(charges, 1_000, today), charges);
  });
});
