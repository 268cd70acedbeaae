import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Booking, BookingChange, Checkout } from './booking.ts';
import {
  decideActionUnanswered,
  decideResolution,
  isTooLateToAsk,
  type Outcome,
} from './resolution.ts';
import { dayNumber } from '../../pricing/rules/calendar-date.ts';
import { failureReasons, type FailureReason } from '../../contract/states.ts';
import {
  CHARGES,
  checkoutIn,
  GUEST,
  NOW,
  QUOTE,
  requestIn,
  setupIn,
} from '../../../test/harness/domain-bookings.ts';

const reference = 'LK-7Q4M-2XHV';
const at = new Date(NOW).toISOString();

const made: Outcome = { result: 'made', announced: null };
const unknown: Outcome = { result: 'unknown', step: 'confirm' };
const refused = (reason: FailureReason): Outcome => ({ result: 'refused', reason });

const decide = (booking: Booking, outcome: Outcome): BookingChange | null =>
  decideResolution(booking, outcome, {
    reference,
    now: NOW,
    reconcileInSeconds: 3,
    keepsNights: false,
  });

function decided(booking: Booking, outcome: Outcome): BookingChange {
  const change = decide(booking, outcome);
  assert.ok(change, 'nothing was decided');
  assert.equal(change.next.version, booking.version + 1);
  assert.equal(change.next.updatedAt, NOW);
  return change;
}

const booking = (kind: Booking['kind'], state: string): Booking =>
  kind === 'checkout' ? checkoutIn(state as 'pending') : requestIn(state as 'pending');

const waiting: [Booking['kind'], string][] = [
  ['checkout', 'pending'],
  ['checkout', 'uncertain'],
  ['request', 'pending'],
  ['request', 'unresolved'],
];

suite('resolution', () => {
  for (const [kind, state] of waiting) {
    // Spec: EVENT-10.
    test(`resolution › ${kind} ${state}, made → confirmed, with its two events`, () => {
      const before = booking(kind, state);
      const change = decided(before, made);
      assert.deepEqual(change.next, {
        ...before,
        state: 'confirmed',
        version: 8,
        reference,
        resolvedAt: NOW,
        updatedAt: NOW,
      });
      assert.deepEqual(change.events, [
        {
          type: 'checkout.resolved',
          data: {
            checkoutId: 'booking',
            state: 'confirmed',
            version: 8,
            reference,
            resolvedAt: at,
          },
        },
        {
          type: 'reservation.confirmed',
          data: { reference, checkoutId: 'booking', state: 'confirmed', confirmedAt: at },
        },
      ]);
      assert.equal(change.dueInSeconds, null);
      assert.deepEqual(change.reservation, {
        reference,
        version: 1,
        applicationId: 'application',
        kind,
        bookingId: 'booking',
        state: 'confirmed',
        listingId: 'home',
        checkIn: '2027-03-30',
        checkOut: '2027-04-01',
        party: QUOTE.party,
        charges: CHARGES,
        cancellation: null,
        refundMinor: null,
        collectedMinor: null,
        confirmedAt: NOW,
        cancelledAt: null,
        updatedAt: NOW,
        materializedAt: null,
        announced: null,
      });
    });

    for (const reason of failureReasons) {
      const expires = kind === 'checkout' && state === 'pending' && reason === 'quote_expired';
      const to = expires ? 'expired' : 'failed';
      test(`resolution › ${kind} ${state}, ${reason} → ${to}, with one event`, () => {
        const before = booking(kind, state);
        const change = decided(before, refused(reason));
        assert.deepEqual(change.next, {
          ...before,
          state: to,
          version: 8,
          failureReason: reason,
          resolvedAt: NOW,
          updatedAt: NOW,
        });
        assert.deepEqual(change.events, [
          {
            type: 'checkout.resolved',
            data: { checkoutId: 'booking', state: to, version: 8, resolvedAt: at },
          },
        ]);
        assert.equal(change.reservation, undefined);
        assert.equal(change.dueInSeconds, null);
      });
    }
  }

  const unsettled: [Booking['kind'], string][] = [
    ['checkout', 'uncertain'],
    ['request', 'unresolved'],
  ];
  for (const [kind, state] of unsettled) {
    test(`resolution › ${kind} pending, unknown → ${state}, no event and no reason`, () => {
      const before = booking(kind, 'pending');
      const change = decided(before, unknown);
      assert.deepEqual(change.next, { ...before, state, version: 8, updatedAt: NOW });
      assert.deepEqual(change.events, []);
      assert.equal(change.dueInSeconds, 3);
    });
    test(`resolution › ${kind} ${state}, still unknown: nothing new`, () => {
      assert.equal(decide(booking(kind, state), unknown), null);
    });
  }

  const settled: [Booking['kind'], string][] = [
    ['checkout', 'needs_guest'],
    ['checkout', 'needs_payment'],
    ['checkout', 'ready'],
    ['checkout', 'requires_action'],
    ['checkout', 'confirmed'],
    ['checkout', 'failed'],
    ['checkout', 'expired'],
    ['request', 'confirmed'],
    ['request', 'failed'],
  ];
  for (const [kind, state] of settled) {
    for (const outcome of [made, refused('refused'), refused('quote_expired'), unknown]) {
      test(`resolution › ${kind} ${state}, ${outcome.result}: no outcome is expected`, () => {
        assert.equal(decide(booking(kind, state), outcome), null);
      });
    }
  }

  test('resolution › an announcement of the supplier is stored with its time', () => {
    const announced = { change: 'cancelled', inSeconds: 5 } as const;
    const change = decided(checkoutIn('pending'), { result: 'made', announced });
    assert.deepEqual(change.reservation?.announced, { change: 'cancelled', at: NOW + 5_000 });
  });

  test('resolution › the reservation has the charges of the checkout, promotion included', () => {
    const charges = { ...CHARGES, total: 27_000 };
    const before = checkoutIn('pending', { charges, promotionCode: 'SPRING' });
    assert.deepEqual(decided(before, made).reservation?.charges, charges);
  });

  test('resolution › the use of a promotion is given back unless the reservation is made', () => {
    const before = checkoutIn('pending', { promotionCode: 'SPRING' });
    assert.equal(decided(before, made).releasesPromotion, undefined);
    assert.equal(decided(before, unknown).releasesPromotion, undefined);
    assert.equal(decided(before, refused('sold_out')).releasesPromotion, 'SPRING');
    assert.equal(decided(before, refused('quote_expired')).releasesPromotion, 'SPRING');
  });

  test('resolution › events carry no guest, no price and no reason', () => {
    const before = checkoutIn('pending', { guest: GUEST, promotionCode: 'SPRING' });
    for (const outcome of [made, refused('sold_out')]) {
      const text = JSON.stringify(decided(before, outcome).events);
      assert.doesNotMatch(text, /ada|lovelace|351|30000|USD|SPRING|sold_out/i);
    }
  });
});

suite('a step of authentication that the authorization asks for', () => {
  const clientSecret = 'secret of the payment';
  const asked = { result: 'action_needed', clientSecret, since: NOW } as const;

  test('a step of authentication › pending → requires_action, for an hour, without an event', () => {
    const before = checkoutIn('pending', { paymentSetup: setupIn('ready'), submittedAt: NOW });
    const change = decided(before, asked);
    assert.equal(change.next.state, 'requires_action');
    assert.deepEqual((change.next as Checkout).paymentSetup, {
      ...setupIn('ready'),
      clientSecret: 'secret of the payment',
    });
    assert.equal(change.next.submittedAt, NOW);
    assert.deepEqual([change.events, change.dueInSeconds], [[], 3_600]);
    assert.equal(change.releasesPromotion, undefined);
  });

  for (const [minutes, seconds] of [
    [20, 2_400],
    [59.99, 1],
    [60, 0],
    [90, 0],
    [-5, 3_600],
  ] as const) {
    test(`a step of authentication › asked for again after ${minutes} minutes: ${seconds} seconds are left`, () => {
      const before = checkoutIn('pending', { paymentSetup: setupIn('ready'), submittedAt: NOW });
      const since = NOW - minutes * 60_000;
      assert.equal(decided(before, { ...asked, since }).dueInSeconds, seconds);
    });
  }

  for (const [kind, state] of waiting) {
    if (kind === 'checkout' && state === 'pending') continue;
    test(`a step of authentication › ${kind} ${state}: the guest cannot act`, () => {
      assert.equal(decide(booking(kind, state), asked), null);
    });
  }
});

suite('a late booking', () => {
  const hour = 3_600_000;
  const checkIn = dayNumber(QUOTE.checkIn);
  const cases: [what: string, submittedAt: number | null, today: number, late: boolean][] = [
    ['just submitted', NOW, checkIn - 1, false],
    ['an hour ago', NOW - hour, checkIn - 1, false],
    ['more than an hour ago', NOW - hour - 1, checkIn - 1, true],
    ['submitted ahead of this clock', NOW + hour, checkIn - 1, false],
    ['never submitted', null, checkIn - 1, false],
    ['on the day of check-in', NOW, checkIn, false],
    ['after the day of check-in', NOW, checkIn + 1, true],
  ];
  for (const [what, submittedAt, today, late] of cases) {
    test(`a late booking › ${what}: ${late ? 'quote_expired' : 'sent to the supplier'}`, () => {
      assert.equal(isTooLateToAsk({ submittedAt, quote: QUOTE }, NOW, today), late);
    });
  }
});

suite('a step of authentication that is not answered', () => {
  test('a step of authentication › after its hour: failed, refused, with one event', () => {
    const before = checkoutIn('requires_action', { promotionCode: 'SPRING' });
    const change = decideActionUnanswered(before, NOW);
    assert.ok(change);
    assert.deepEqual(change.next, {
      ...before,
      state: 'failed',
      version: 8,
      failureReason: 'refused',
      resolvedAt: NOW,
      updatedAt: NOW,
    });
    const data = { checkoutId: 'booking', state: 'failed', version: 8, resolvedAt: at };
    assert.deepEqual(change.events, [{ type: 'checkout.resolved', data }]);
    assert.equal(change.releasesPromotion, 'SPRING');
    assert.equal(change.dueInSeconds, null);
  });

  for (const state of ['ready', 'pending', 'confirmed', 'failed'] as const) {
    test(`a step of authentication › ${state}: none is expected`, () => {
      assert.equal(decideActionUnanswered(checkoutIn(state), NOW), null);
    });
  }
});
