import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import { dateText, dayNumber, epochMsAt, todayAt } from './calendar-date.ts';
import { acceptedPolicies } from './cancellation-text.ts';
import {
  cancellationInstants as instantsFrom,
  depositOf,
  termsSource,
  type CancellationInstant,
  type CancellationTerms,
} from './cancellation.ts';
import type { Charges } from './charges.ts';
import type { CancellationRule, Party, Stay } from './listing.ts';
import { priceStay } from './price-stay.ts';
import {
  cancellationRules,
  listings,
  promotions,
  staysFrom,
  todays,
} from '../../../test/harness/arbitraries.ts';

const listing = (timeZone: string | null, cancellation: CancellationRule[]) => ({
  timeZone,
  cancellation,
  checkInFrom: null,
  fees: [],
  taxes: [],
});

/** Instants after a moment, of a quote of then. */
const cancellationInstants = (
  terms: CancellationTerms,
  stay: Stay,
  charges: Pick<Charges, 'schedule'>,
  from: number,
): CancellationInstant[] => {
  const nothing = { currency: 'EUR', accommodation: 0, total: 0, lines: [], nights: [] };
  return instantsFrom(terms, stay, { ...nothing, ...charges }, { from, quotedAt: from });
};
const stayFrom = (date: string) => ({ checkIn: dayNumber(date), checkOut: dayNumber(date) + 3 });
const longBefore = Date.parse('2027-01-02T12:00Z');
const paid = (...payments: [dueOn: string, amount: number][]) => ({
  schedule: payments.map(([dueOn, amount]) => ({ dueOn, amount })),
});

suite('cancellation', () => {
  const rules = [
    { daysBefore: 7, refundPercent: 50 },
    { daysBefore: 30, refundPercent: 100 },
  ];
  const allPaid = paid(['2027-01-02', 118_161]);

  // Spec: TERMS-4.
  test('cancellation › each rule lasts until the end of its day at the property', () => {
    // Arrival 2027-04-10 in New York. 30 days before is 11 March, which ends at 05:00 UTC; 7 days
    // before is 3 April, which ends at 04:00 UTC. Half of 118161 is 59080.5, so 59081.
    assert.deepEqual(
      cancellationInstants(
        listing('America/New_York', rules),
        stayFrom('2027-04-10'),
        allPaid,
        longBefore,
      ),
      [
        { before: '2027-03-12T05:00:00.000Z', refundAmount: 118_161 },
        { before: '2027-04-04T04:00:00.000Z', refundAmount: 59_081 },
      ],
    );
  });

  test('cancellation › a share is rounded once: 33.33 % of 150.06 is 50.01', () => {
    const third = listing(null, [{ daysBefore: 0, refundPercent: 33.33 }]);
    assert.deepEqual(
      cancellationInstants(third, stayFrom('2027-04-10'), paid(['2027-01-02', 15_006]), longBefore),
      [{ before: '2027-04-11T00:00:00.000Z', refundAmount: 5_001 }],
    );
  });

  test('cancellation › 0 days before is the day of arrival; without a zone, days are those of UTC', () => {
    const always = listing(null, [{ daysBefore: 0, refundPercent: 100 }]);
    assert.deepEqual(
      cancellationInstants(always, stayFrom('2027-04-10'), paid(['2027-01-02', 5]), longBefore),
      [{ before: '2027-04-11T00:00:00.000Z', refundAmount: 5 }],
    );
  });

  test('cancellation › a midnight skipped by daylight saving is the first instant of the day', () => {
    // In São Paulo 2018-11-04 began at 01:00, UTC-2.
    const [only] = cancellationInstants(
      listing('America/Sao_Paulo', [{ daysBefore: 2, refundPercent: 100 }]),
      stayFrom('2018-11-05'),
      paid(['2018-01-01', 100]),
      Date.parse('2018-01-02'),
    );
    assert.equal(only?.before, '2018-11-04T03:00:00.000Z');
  });

  // Spec: TERMS-3.
  test('cancellation › a payment inside a window splits it; the share is of the collected amount', () => {
    // 30 % at booking, the rest 42 days before 2027-04-10, on 27 February.
    const parts = paid(['2027-01-02', 300], ['2027-02-27', 700]);
    assert.deepEqual(
      cancellationInstants(listing(null, rules), stayFrom('2027-04-10'), parts, longBefore),
      [
        { before: '2027-02-27T00:00:00.000Z', refundAmount: 300 },
        { before: '2027-03-12T00:00:00.000Z', refundAmount: 1_000 },
        { before: '2027-04-04T00:00:00.000Z', refundAmount: 500 },
      ],
    );
  });

  test('cancellation › before the first payment the refund is an entry of 0', () => {
    const later = paid(['2027-03-01', 1_000]);
    assert.deepEqual(
      cancellationInstants(listing(null, rules), stayFrom('2027-04-10'), later, longBefore),
      [
        { before: '2027-03-01T00:00:00.000Z', refundAmount: 0 },
        { before: '2027-03-12T00:00:00.000Z', refundAmount: 1_000 },
        { before: '2027-04-04T00:00:00.000Z', refundAmount: 500 },
      ],
    );
  });

  // Spec: TERMS-2.
  test('cancellation › only future instants are listed', () => {
    const stay = stayFrom('2027-04-10');
    const from = (instant: string) =>
      cancellationInstants(listing(null, rules), stay, allPaid, Date.parse(instant)).map(
        ({ before }) => before,
      );
    assert.deepEqual(from('2027-03-11T23:59:59.999Z').length, 2);
    assert.deepEqual(from('2027-03-12T00:00:00.000Z'), ['2027-04-04T00:00:00.000Z']);
    assert.deepEqual(from('2027-04-04T00:00:00.000Z'), []);
  });

  test('cancellation › of the matching rules the one with the most days counts', () => {
    const odd = [
      { daysBefore: 30, refundPercent: 20 },
      { daysBefore: 7, refundPercent: 50 },
    ];
    assert.deepEqual(
      cancellationInstants(
        listing(null, odd),
        stayFrom('2027-04-10'),
        paid(['2027-01-02', 100]),
        longBefore,
      ),
      [
        { before: '2027-03-12T00:00:00.000Z', refundAmount: 20 },
        { before: '2027-04-04T00:00:00.000Z', refundAmount: 50 },
      ],
    );
  });

  test('cancellation › no refund: an empty list', () => {
    const stay = stayFrom('2027-04-10');
    const never = listing(null, [{ daysBefore: 7, refundPercent: 0 }]);
    assert.deepEqual(cancellationInstants(listing(null, []), stay, allPaid, longBefore), []);
    assert.deepEqual(cancellationInstants(never, stay, allPaid, longBefore), []);
    assert.deepEqual(cancellationInstants(listing(null, rules), stay, paid(), longBefore), []);
  });

  // Spec: TERMS-6.
  test('cancellation › lines that are always given back, and those of the property, are no part of what is kept', () => {
    const fee = { kind: 'fee', per: 'stay', amount: 2_000 } as const;
    const terms = {
      ...listing(null, []),
      cancellation: [{ keep: { percent: 50 } }],
      cancellationAlwaysRefunds: ['cleaning', 'linen'],
      fees: [
        { ...fee, label: 'Cleaning', kind: 'cleaning' as const, amount: 9_000 },
        { ...fee, label: 'Bed linen', id: 'linen' },
        { ...fee, label: 'Firewood', payAt: 'property' as const },
      ],
    };
    const charges = {
      currency: 'EUR',
      accommodation: 40_000,
      total: 53_000,
      nights: [],
      lines: [
        { kind: 'accommodation' as const, label: 'Accommodation', amount: 40_000 },
        { kind: 'cleaning' as const, label: 'Cleaning', amount: 9_000 },
        { kind: 'fee' as const, label: 'Bed linen', amount: 2_000 },
        { kind: 'fee' as const, label: 'Firewood', amount: 2_000 },
      ],
      schedule: [
        { dueOn: '2027-01-02', amount: 51_000 },
        { dueOn: '2027-04-10', amount: 2_000, at: 'property' as const },
      ],
    };
    const moments = { from: longBefore, quotedAt: longBefore };
    // Until check-in half of 40,000 is kept; afterwards all of it, and 11,000 still go back.
    assert.deepEqual(instantsFrom(terms, stayFrom('2027-04-10'), charges, moments), [
      { before: '2027-04-10T15:00:00.000Z', refundAmount: 31_000 },
      { before: '2027-04-14T00:00:00.000Z', refundAmount: 11_000 },
    ]);
  });

  // Spec: SCHEDULE-5.
  test('cancellation › the terms have the deposit with its days', () => {
    const stay = stayFrom('2027-04-10');
    const deposit = { amount: 30_000, dueDaysBefore: 1, returnedDaysAfter: 7 };
    assert.deepEqual(depositOf({ currency: 'EUR', securityDeposit: deposit }, stay), {
      amount: 30_000,
      currency: 'EUR',
      dueOn: '2027-04-09',
      returnedBy: '2027-04-20',
    });
    assert.equal(depositOf({ currency: 'EUR' }, stay), null);
  });
});

/** Listings, stays and promotions, quoted at noon UTC, and a time of cancellation. */
const cancellations = () =>
  todays().chain((today) =>
    fc.record({
      listing: listings(),
      stay: staysFrom(today),
      quotedAt: fc.constant(epochMsAt(today, '12:00', null)),
      promotion: fc.option(promotions(), { nil: null }),
      hoursLater: fc.integer({ min: 0, max: 24 * 740 }),
    }),
  );

const family: Party = { adults: 2, children: 1, infants: 0, pets: 1 };

function refundAt(instants: CancellationInstant[], moment: number): number {
  return instants.find(({ before }) => moment < Date.parse(before))?.refundAmount ?? 0;
}

suite('refunds, for every home, stay, promotion and moment', () => {
  test('refunds › the share of the collected amount, by the rule with the most days', () => {
    fc.assert(
      fc.property(cancellations(), ({ listing: home, stay, quotedAt, promotion, hoursLater }) => {
        const zone = home.timeZone;
        const today = todayAt(quotedAt, zone);
        const charges = priceStay(home, stay, family, { today, promotion, adjustmentPercent: 0 });
        assert.ok(charges);
        const instants = cancellationInstants(home, stay, charges, quotedAt);
        const moment = quotedAt + hoursLater * 3_600_000;
        const day = todayAt(moment, zone);
        const collected = charges.schedule
          .filter(({ dueOn }) => dueOn <= dateText(day))
          .reduce((sum, { amount }) => sum + amount, 0);
        const [rule] = (home.cancellation as CancellationRule[])
          .filter(({ daysBefore }) => daysBefore <= stay.checkIn - day)
          .toSorted((a, b) => b.daysBefore - a.daysBefore);
        const points = BigInt(Math.round((rule?.refundPercent ?? 0) * 10_000));
        const exact = Number((BigInt(collected) * points * 2n + 1_000_000n) / 2_000_000n);
        const refund = refundAt(instants, moment);
        assert.equal(refund, exact);
        assert.ok(refund <= collected, 'never more is refunded than was collected by then');
      }),
      { numRuns: 2_000 },
    );
  });

  test('refunds › instants are ascending and in the future, amounts differ, the last is not 0', () => {
    fc.assert(
      fc.property(cancellations(), ({ listing: home, stay, quotedAt, promotion }) => {
        const today = todayAt(quotedAt, home.timeZone);
        const charges = priceStay(home, stay, family, { today, promotion, adjustmentPercent: 0 });
        assert.ok(charges);
        const instants = cancellationInstants(home, stay, charges, quotedAt);
        for (const [index, { before, refundAmount }] of instants.entries()) {
          const previous = instants[index - 1];
          assert.match(before, /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:00\.000Z$/);
          assert.ok(Date.parse(before) > quotedAt);
          assert.ok(refundAmount >= 0 && refundAmount <= charges.total);
          assert.ok(previous === undefined || previous.before < before);
          assert.notEqual(previous?.refundAmount, refundAmount);
        }
        assert.notEqual(instants.at(-1)?.refundAmount, 0);
      }),
    );
  });
});

suite('terms', () => {
  const policy = { label: 'Smoking', body: 'Outside only.' };
  const week = { daysBefore: 7, refundPercent: 50 };
  const month = { daysBefore: 30, refundPercent: 100 };
  const jsonOf = (cancellation: CancellationRule[], policies = [policy]) =>
    JSON.stringify(termsSource({ policies, cancellation, fees: [], taxes: [] }));

  test('terms › contain only the policies and the cancellation rules', () => {
    assert.equal(
      jsonOf([week, month]),
      JSON.stringify({
        policies: acceptedPolicies({
          policies: [policy],
          cancellation: [month, week],
          fees: [],
          taxes: [],
        }),
        cancellation: [month, week],
      }),
    );
  });

  test('terms › equal terms are equal JSON, with any order and any other members', () => {
    const noted = { body: 'Outside only.', note: 'internal', label: 'Smoking' };
    assert.equal(jsonOf([month, week]), jsonOf([week, month], [noted]));
  });

  // Spec: TERMS-8.
  test('terms › the text of the policy states the rules', () => {
    const bodyOf = (cancellation: CancellationRule[]) =>
      acceptedPolicies({ policies: [policy], cancellation, fees: [], taxes: [] }).at(-1)!.body;
    assert.equal(
      bodyOf([week]),
      'Cancel at least 7 days before arrival, and 50 % of what has been collected by then is refunded. Later, nothing is refunded. Days end at midnight at the property.',
    );
    assert.match(bodyOf([{ daysBefore: 1, refundPercent: 12.5 }]), /least 1 day before.* 12\.5 %/);
    assert.match(bodyOf([{ daysBefore: 0, refundPercent: 5 }]), /by the day of arrival/);
    assert.match(bodyOf([week, month]), /30 days.*7 days.*The first of these that applies counts/);
    assert.equal(bodyOf([]), 'Nothing is refunded after a cancellation.');
  });

  test('terms › different terms are different JSON', () => {
    const versions = [
      jsonOf([]),
      jsonOf([week]),
      jsonOf([month]),
      jsonOf([{ ...week, refundPercent: 50.01 }]),
      jsonOf([week], []),
      jsonOf([week], [{ ...policy, body: 'Nowhere.' }]),
      jsonOf([week], [policy, policy]),
    ];
    assert.equal(new Set(versions).size, versions.length);
  });

  test('terms › do not depend on the order of the rules', () => {
    fc.assert(
      fc.property(cancellationRules(), (rules) => {
        assert.equal(jsonOf(rules), jsonOf(rules.toReversed()));
      }),
    );
  });
});
