import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { dayNumber } from './calendar-date.ts';
import { cardCharges } from './card-charges.ts';
import type { Charges } from './charges.ts';

const today = dayNumber('2027-03-01');

const charges = (currency: string, schedule: Charges['schedule']): Charges => {
  const total = schedule.reduce((sum, { amount }) => sum + amount, 0);
  const lines = [{ kind: 'accommodation' as const, label: 'Accommodation', amount: total }];
  const parts = { accommodation: total, fees: 0, cleaning: 0, taxes: 0, total };
  const [first] = schedule;
  return { currency, ...parts, dueNow: first?.amount ?? 0, schedule, lines, nights: [] };
};

const cases: [why: string, currency: string, before: number[], after: number[] | null][] = [
  ['parts that the provider takes stay', 'EUR', [180, 420], [180, 420]],
  ['a first part below the least joins the next one', 'EUR', [27, 420], [0, 447]],
  ['a last part below the least: the whole is due now', 'EUR', [420, 27], [447]],
  ['a part between joins the next one', 'EUR', [100, 20, 80], [100, 0, 100]],
  ['a total below the least cannot be paid', 'EUR', [20, 29], null],
  ['a total of 0 needs no card', 'EUR', [], []],
  ['a currency without a least amount', 'XAF', [1, 1], [1, 1]],
  ['a currency that is counted in tens: the rest joins the next one', 'KWD', [105, 95], [100, 100]],
  ['a total that is no multiple of ten', 'KWD', [105, 90], null],
];

suite('card charges', () => {
  for (const [why, currency, before, after] of cases) {
    // Spec: PRICE-11.
    test(`card charges › ${why}`, () => {
      const days = ['2027-03-01', '2027-05-01', '2027-05-10'];
      const schedule = before.map((amount, at) => ({ dueOn: days[at]!, amount }));
      const found = cardCharges(charges(currency, schedule), today);
      if (after === null) return assert.equal(found, null);
      const expected = after.flatMap((amount, at) =>
        amount === 0 ? [] : [{ dueOn: days[at]!, amount }],
      );
      assert.deepEqual(found?.schedule, expected);
      assert.equal(found?.dueNow, after[0] ?? 0);
    });
  }

  test('card charges › what is paid at the property does not count', () => {
    const atProperty = { dueOn: '2027-06-01', amount: 1_000, at: 'property' as const };
    const small = { dueOn: '2027-03-01', amount: 20 };
    assert.equal(cardCharges(charges('EUR', [small, atProperty]), today), null);
    const only = charges('EUR', [atProperty]);
    assert.deepEqual(cardCharges({ ...only, dueNow: 0 }, today)?.schedule, [atProperty]);
  });
});
