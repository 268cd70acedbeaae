import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import { dayNumber } from '../../src/domain/calendar-date.ts';
import { cancellationInstants, termsSource } from '../../src/domain/cancellation.ts';
import type { CancellationRule } from '../../src/domain/listing.ts';
import { amounts, cancellationRules, listings, todays } from './arbitraries.ts';

const listing = (timeZone: string | null, cancellation: CancellationRule[]) => ({
  timeZone,
  cancellation,
});
const stayFrom = (date: string) => ({ checkIn: dayNumber(date), checkOut: dayNumber(date) + 3 });

suite('cancellation', () => {
  const rules = [
    { daysBefore: 7, refund: 5_000 },
    { daysBefore: 30, refund: 10_000 },
  ];

  test('cancellation › the earliest cut-off comes first, at midnight at the property', () => {
    // Arrival 2027-04-10 in New York. 30 days before is 11 March, when the clock is still at UTC-5;
    // 7 days before is 3 April, at UTC-4. Half of 118161 is 59080.5, so 59081.
    assert.deepEqual(
      cancellationInstants(listing('America/New_York', rules), stayFrom('2027-04-10'), {
        total: 118_161,
      }),
      [
        { before: '2027-03-11T05:00:00.000Z', refundAmount: 118_161 },
        { before: '2027-04-03T04:00:00.000Z', refundAmount: 59_081 },
      ],
    );
  });

  test('cancellation › without a zone midnight is that of UTC', () => {
    assert.deepEqual(
      cancellationInstants(
        listing(null, [{ daysBefore: 0, refund: 10_000 }]),
        stayFrom('2027-04-10'),
        { total: 5 },
      ),
      [{ before: '2027-04-10T00:00:00.000Z', refundAmount: 5 }],
    );
  });

  test('cancellation › a midnight that the clock skips is the first instant of the day', () => {
    // In São Paulo 2018-11-04 began at 01:00, UTC-2.
    const [only] = cancellationInstants(
      listing('America/Sao_Paulo', [{ daysBefore: 1, refund: 10_000 }]),
      stayFrom('2018-11-05'),
      { total: 100 },
    );
    assert.equal(only?.before, '2018-11-04T03:00:00.000Z');
  });

  test('cancellation › nothing comes back: an empty list', () => {
    const stay = stayFrom('2027-04-10');
    const never = listing(null, [{ daysBefore: 7, refund: 0 }]);
    assert.deepEqual(cancellationInstants(listing(null, []), stay, { total: 100 }), []);
    assert.deepEqual(cancellationInstants(never, stay, { total: 100 }), []);
    assert.deepEqual(cancellationInstants(listing(null, rules), stay, { total: 0 }), []);
  });

  test('cancellation › a rule that a later one outdoes is left out', () => {
    const odd = [
      { daysBefore: 30, refund: 2_000 },
      { daysBefore: 7, refund: 5_000 },
      { daysBefore: 7, refund: 4_000 },
    ];
    const instants = cancellationInstants(listing(null, odd), stayFrom('2027-04-10'), {
      total: 100,
    });
    assert.deepEqual(instants, [{ before: '2027-04-03T00:00:00.000Z', refundAmount: 50 }]);
  });

  test('cancellation › the first instant not passed gives the best that any rule gives', () => {
    fc.assert(
      fc.property(
        listings(),
        todays(),
        amounts(),
        fc.integer({ min: -2, max: 130 }),
        (random, checkIn, total, daysAhead) => {
          const stay = { checkIn, checkOut: checkIn + 1 };
          const instants = cancellationInstants(random, stay, { total });
          // One second before the cut-off of a rule with that many days, were there one.
          const cutOff = { timeZone: random.timeZone, cancellation: [allBack(daysAhead)] };
          const [edge] = cancellationInstants(cutOff, stay, { total: 1 });
          const cancelled = Date.parse(edge?.before ?? '') - 1_000;
          const told = instants.find(({ before }) => cancelled < Date.parse(before));
          const best = random.cancellation
            .filter(({ daysBefore }) => daysBefore <= daysAhead)
            .reduce((most, { refund }) => Math.max(most, refund), 0);
          const exact = Number((BigInt(total) * BigInt(best) * 2n + 10_000n) / 20_000n);
          assert.equal(told?.refundAmount ?? 0, exact);
        },
      ),
      { numRuns: 1_000 },
    );
  });

  test('cancellation › instants rise, amounts never do, and none exceeds the total', () => {
    fc.assert(
      fc.property(listings(), todays(), amounts(), (random, checkIn, total) => {
        const instants = cancellationInstants(
          random,
          { checkIn, checkOut: checkIn + 2 },
          { total },
        );
        for (const [index, { before, refundAmount }] of instants.entries()) {
          const previous = instants[index - 1];
          assert.match(before, /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:00\.000Z$/);
          assert.ok(refundAmount > 0 && refundAmount <= total);
          assert.ok(previous === undefined || previous.before < before);
          assert.ok(previous === undefined || previous.refundAmount >= refundAmount);
        }
      }),
    );
  });
});

suite('terms', () => {
  const policy = { label: 'Smoking', body: 'Outside only.' };
  const week = { daysBefore: 7, refund: 5_000 };
  const month = { daysBefore: 30, refund: 10_000 };
  const jsonOf = (cancellation: CancellationRule[], policies = [policy]) =>
    JSON.stringify(termsSource({ policies, cancellation }));

  test('terms › are the policies and the cancellation rules, and nothing else', () => {
    assert.equal(
      jsonOf([week, month]),
      '{"policies":[{"label":"Smoking","body":"Outside only."}],' +
        '"cancellation":[{"daysBefore":30,"refund":10000},{"daysBefore":7,"refund":5000}]}',
    );
  });

  test('terms › equal terms are equal JSON, whatever the order and whatever else is there', () => {
    const noted = { body: 'Outside only.', note: 'internal', label: 'Smoking' };
    assert.equal(jsonOf([month, week]), jsonOf([week, month], [noted]));
    assert.equal(jsonOf([month, { daysBefore: 1, refund: 0 }]), jsonOf([month]));
  });

  test('terms › other terms are other JSON', () => {
    const versions = [
      jsonOf([]),
      jsonOf([week]),
      jsonOf([month]),
      jsonOf([{ ...week, refund: 5_001 }]),
      jsonOf([week], []),
      jsonOf([week], [{ ...policy, body: 'Nowhere.' }]),
      jsonOf([week], [policy, policy]),
    ];
    assert.equal(new Set(versions).size, versions.length);
  });

  test('terms › depend on nothing but the rules: the same for any shuffle', () => {
    fc.assert(
      fc.property(cancellationRules(), (rules) => {
        assert.equal(jsonOf(rules), jsonOf(rules.toReversed()));
      }),
    );
  });
});

function allBack(daysBefore: number): CancellationRule {
  return { daysBefore, refund: 10_000 };
}
