import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import { runs } from '../../../test/harness/runs.ts';
import { listings, parties, staysFrom, todays } from '../../../test/harness/arbitraries.ts';
import { checkCharges } from '../../../test/harness/charges.ts';
import { dateText, dayNumber } from './calendar-date.ts';
import { collectedBy, keptCharges, recalculatedCharges } from './changed-charges.ts';
import type { Charges } from './charges.ts';
import { priceStay } from './price-stay.ts';

const TODAY = dayNumber('2027-03-01');

const charges = (total: number, schedule: Charges['schedule']): Charges => ({
  currency: 'EUR',
  accommodation: total,
  fees: 0,
  cleaning: 0,
  taxes: 0,
  total,
  dueNow: schedule[0]?.amount ?? 0,
  schedule,
  lines: [{ kind: 'accommodation', label: 'Accommodation', amount: total }],
  nights: [
    { date: '2027-06-01', amount: total - 1 },
    { date: '2027-06-02', amount: 1 },
  ],
});

const stay = (checkIn: string, nights: number) => ({
  checkIn: dayNumber(checkIn),
  checkOut: dayNumber(checkIn) + nights,
});

suite('kept charges', () => {
  // Spec: PRICE-10.
  test('kept charges › the same number of nights: each keeps its amount', () => {
    const before = charges(1000, [{ dueOn: '2027-02-01', amount: 1000 }]);
    assert.deepEqual(keptCharges(before, stay('2027-12-31', 2), TODAY), {
      ...before,
      nights: [
        { date: '2027-12-31', amount: 999 },
        { date: '2028-01-01', amount: 1 },
      ],
    });
  });

  test('kept charges › payments that are not due keep their distance to arrival, never before today', () => {
    const before = charges(1000, [
      { dueOn: '2027-02-01', amount: 300 },
      { dueOn: '2027-05-02', amount: 600 },
      { dueOn: '2027-05-12', amount: 100 },
    ]);
    assert.deepEqual(keptCharges(before, stay('2027-08-01', 2), TODAY).schedule, [
      { dueOn: '2027-02-01', amount: 300 },
      { dueOn: '2027-07-02', amount: 600 },
      { dueOn: '2027-07-12', amount: 100 },
    ]);
    assert.deepEqual(keptCharges(before, stay('2027-03-03', 2), TODAY).schedule, [
      { dueOn: '2027-02-01', amount: 300 },
      { dueOn: '2027-03-01', amount: 700 },
    ]);
  });

  test('kept charges › more nights share the sum, the first ones get the rest', () => {
    const { nights } = keptCharges(charges(1001, []), stay('2027-06-01', 3), TODAY);
    assert.deepEqual(
      nights.map(({ amount }) => amount),
      [334, 334, 333],
    );
  });

  test('kept charges › add up for every stay, with any new number of nights', () => {
    fc.assert(
      fc.property(
        todays().chain((today) =>
          fc.tuple(fc.constant(today), listings(), staysFrom(today), staysFrom(today), parties()),
        ),
        ([today, listing, first, second, party]) => {
          const before = priceStay(listing, first, party, { today, adjustmentPercent: 0 });
          if (!before) return;
          const after = keptCharges(before, second, today);
          const dates = {
            checkIn: dateText(second.checkIn),
            checkOut: dateText(second.checkOut),
          };
          checkCharges(after, dates, dateText(today));
          const rest = { nights: [], schedule: [], dueNow: 0 };
          assert.deepEqual({ ...after, ...rest }, { ...before, ...rest });
        },
      ),
      { numRuns: runs(500) },
    );
  });
});

suite('recalculated charges', () => {
  const paid = { dueOn: '2027-02-01', amount: 300 };
  const open = { dueOn: '2027-05-01', amount: 700 };
  const before = charges(1000, [paid, open]);

  const schedules: [why: string, fresh: Charges['schedule'], after: Charges['schedule']][] = [
    [
      'a higher total: what was paid stays, the rest follows the new plan',
      [
        { dueOn: '2027-03-01', amount: 360 },
        { dueOn: '2027-06-01', amount: 840 },
      ],
      [paid, { dueOn: '2027-03-01', amount: 60 }, { dueOn: '2027-06-01', amount: 840 }],
    ],
    [
      'a lower total: the balance is lower',
      [
        { dueOn: '2027-03-01', amount: 240 },
        { dueOn: '2027-06-01', amount: 560 },
      ],
      [paid, { dueOn: '2027-06-01', amount: 500 }],
    ],
    [
      'less than was paid: nothing is due',
      [{ dueOn: '2027-03-01', amount: 200 }],
      [{ dueOn: '2027-02-01', amount: 200 }],
    ],
    ['nothing at all', [], []],
  ];
  for (const [why, fresh, after] of schedules) {
    test(`recalculated charges › ${why}`, () => {
      const total = fresh.reduce((sum, { amount }) => sum + amount, 0);
      const changed = recalculatedCharges(before, charges(total, fresh), TODAY);
      assert.deepEqual(changed.schedule, after);
      assert.equal(changed.dueNow, Math.min(300, total));
      assert.equal(changed.total, total);
    });
  }

  test('recalculated charges › on the day of booking, the difference is due now', () => {
    const booked = charges(1000, [{ dueOn: '2027-03-01', amount: 1000 }]);
    const fresh = charges(1500, [{ dueOn: '2027-03-01', amount: 1500 }]);
    const changed = recalculatedCharges(booked, fresh, TODAY);
    assert.deepEqual(changed.schedule, [{ dueOn: '2027-03-01', amount: 1500 }]);
    assert.equal(changed.dueNow, 1500);
  });

  test('recalculated charges › add up for every stay and day', () => {
    fc.assert(
      fc.property(
        todays().chain((today) =>
          fc.tuple(
            fc.constant(today),
            fc.integer({ min: 0, max: 90 }),
            listings(),
            staysFrom(today + 90),
            staysFrom(today + 90),
            parties(),
          ),
        ),
        ([today, later, listing, first, second, party]) => {
          const booked = priceStay(listing, first, party, { today, adjustmentPercent: 0 });
          const fresh = priceStay(listing, second, party, {
            today: today + later,
            adjustmentPercent: 0,
          });
          if (!booked || !fresh) return;
          const after = recalculatedCharges(booked, fresh, today + later);
          const dates = {
            checkIn: dateText(second.checkIn),
            checkOut: dateText(second.checkOut),
          };
          checkCharges(after, dates, dateText(today + later));
          const due = collectedBy(booked.schedule, today + later);
          assert.ok(collectedBy(after.schedule, today + later) >= Math.min(due, after.total));
        },
      ),
      { numRuns: runs(500) },
    );
  });
});
