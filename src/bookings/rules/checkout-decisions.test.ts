import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { BookingChange, Checkout } from './booking.ts';
import {
  decideApplyPromo,
  decideExpire,
  decideRemovePromo,
  decideSaveGuest,
  decideSetupAnswered,
  decideSetupPayment,
  decideSubmit,
  decideVerifyPayment,
} from './checkout.ts';
import { CHARGES, checkoutIn, GUEST, NOW, setupIn } from '../../../test/harness/domain-bookings.ts';

/** The changes of a decision, without the version that every decision increases by one. */
function changes(before: Checkout, change: BookingChange<Checkout>): Record<string, unknown> {
  const { next } = change;
  assert.equal(next.version, before.version + 1);
  assert.equal(next.updatedAt, NOW);
  assert.deepEqual(change.events, [], 'a command causes no event');
  const members = Object.keys(next) as (keyof Checkout)[];
  const changedMembers = members.filter((member) => next[member] !== before[member]);
  return Object.fromEntries(
    changedMembers
      .filter((member) => member !== 'version' && member !== 'updatedAt')
      .map((member) => [member, next[member]]),
  );
}

function changed(change: BookingChange<Checkout> | { refused: string }): BookingChange<Checkout> {
  if ('refused' in change) assert.fail(`refused: ${change.refused}`);
  return change;
}

suite('saveGuest', () => {
  const transitions: [Checkout['state'], Checkout['settlement'], Record<string, unknown>][] = [
    ['needs_guest', 'card', { state: 'needs_payment' }],
    ['needs_guest', 'partner', { state: 'ready' }],
    ['needs_payment', 'card', {}],
    ['ready', 'card', {}],
    ['ready', 'partner', {}],
  ];
  for (const [state, settlement, expected] of transitions) {
    test(`saveGuest › ${settlement}, ${state} → ${String(expected['state'] ?? 'the same state')}`, () => {
      const before = checkoutIn(state, { settlement });
      const change = decideSaveGuest(before, GUEST, NOW);
      assert.deepEqual(changes(before, change), { guest: GUEST, ...expected });
      assert.equal(change.dueInSeconds, null);
    });
  }

  test('saveGuest › a pending setup stays due', () => {
    const before = checkoutIn('needs_payment', { paymentSetup: setupIn('pending') });
    assert.equal(decideSaveGuest(before, GUEST, NOW).dueInSeconds, 0);
  });
});

suite('applyPromo', () => {
  const charges = { ...CHARGES, total: 27_000 };
  const cancellation = [{ before: '2027-03-01T00:00:00.000Z', refundAmount: 27_000 }];
  const cases: [held: string | null, code: string, takes?: string, releases?: string][] = [
    [null, 'NEW', 'NEW'],
    ['OLD', 'NEW', 'NEW', 'OLD'],
    ['NEW', 'NEW'],
  ];
  for (const [promotionCode, code, takes, releases] of cases) {
    test(`applyPromo › ${promotionCode ?? 'none'} → ${code}: takes one use`, () => {
      const before = checkoutIn('ready', { promotionCode, paymentMethodId: 'pm_1' });
      const change = decideApplyPromo(before, code, { charges, cancellation }, NOW);
      const terms = { ...before.quote.terms, cancellation };
      const expected = { charges, terms, ...(promotionCode !== code && { promotionCode: code }) };
      assert.deepEqual(changes(before, change), expected);
      assert.equal(change.takesPromotion, takes);
      assert.equal(change.releasesPromotion, releases);
    });
  }
});

// Spec: CARD-11.
suite('a card that is not asked for', () => {
  const property = { dueOn: '2027-03-30', amount: 5_000, at: 'property' as const };
  const schedules: [what: string, charges: Checkout['charges'], asks: boolean][] = [
    ['something is due now', CHARGES, true],
    ['nothing is due now, and something later', { ...CHARGES, dueNow: 0 }, true],
    ['nothing is due', { ...CHARGES, total: 0, dueNow: 0, schedule: [] }, false],
    [
      'all is paid at the property',
      { ...CHARGES, total: 5_000, dueNow: 0, schedule: [property] },
      false,
    ],
    [
      'a part of 0 is due',
      { ...CHARGES, total: 0, dueNow: 0, schedule: [{ dueOn: '2027-01-15', amount: 0 }] },
      false,
    ],
  ];
  for (const [what, charges, asks] of schedules) {
    const state = asks ? 'needs_payment' : 'ready';
    test(`a card that is not asked for › ${what}: ${state} after the guest`, () => {
      const before = checkoutIn('needs_guest', { charges });
      assert.equal(decideSaveGuest(before, GUEST, NOW).next.state, state);
      const settled = checkoutIn('needs_guest', { charges, settlement: 'partner' });
      assert.equal(decideSaveGuest(settled, GUEST, NOW).next.state, 'ready');
    });

    for (const from of ['needs_guest', 'needs_payment', 'ready'] as const) {
      const to = from === 'needs_guest' ? from : state;
      test(`a card that is not asked for › ${what} after a code: ${from} → ${to}`, () => {
        const { next } = decideApplyPromo(
          checkoutIn(from),
          'CODE',
          { charges, cancellation: [] },
          NOW,
        );
        assert.equal(next.state, to);
        const verified = checkoutIn(from, { paymentMethodId: 'pm_1' });
        const kept = decideApplyPromo(verified, 'CODE', { charges, cancellation: [] }, NOW).next;
        assert.equal(kept.state, from === 'needs_guest' ? from : 'ready');
      });
    }
  }

  test('a card that is not asked for › without the code something is due again: needs_payment', () => {
    const charges = { ...CHARGES, total: 0, dueNow: 0, schedule: [] };
    const before = checkoutIn('ready', { charges, promotionCode: 'FREE' });
    assert.equal(decideRemovePromo(before, 'FREE', NOW).next.state, 'needs_payment');
  });

  test('a card that is not asked for › a setup that was under way ends as it would have, and moves nothing', () => {
    const setup = setupIn('pending');
    const before = checkoutIn('ready', { paymentSetup: setup });
    const ready = { reference: 'setup-1', clientSecret: 'secret-1' };
    assert.equal(decideSetupAnswered(before, setup, { ready }, NOW).next.state, 'ready');
  });
});

suite('setupPayment', () => {
  const asked = { state: 'pending', failure: null, requestedAt: NOW, reference: null };
  const again: [what: string, setup: Checkout['paymentSetup'], attempts: number][] = [
    ['first', null, 1],
    ['after unavailable', setupIn('failed', { failure: 'unavailable' }), 2],
    ['after unresolved', setupIn('failed', { failure: 'unresolved', attempts: 3 }), 4],
    ['after not_authorized', setupIn('failed', { failure: 'not_authorized' }), 2],
    ['after a minute', setupIn('pending', { requestedAt: NOW - 60_000 }), 2],
    ['when it was ready', setupIn('ready'), 2],
  ];
  for (const [what, setup, attempts] of again) {
    test(`setupPayment › ${what}: requested, attempt ${attempts}`, () => {
      const before = checkoutIn('needs_payment', { paymentSetup: setup });
      const change = changed(decideSetupPayment(before, NOW));
      const paymentSetup = { ...asked, clientSecret: null, attempts };
      assert.deepEqual(changes(before, change), { paymentSetup });
      assert.equal(change.dueInSeconds, 0);
    });
  }

  for (const age of [0, 59_999]) {
    test(`setupPayment › requested ${age} ms ago without an answer: invalid_state`, () => {
      const paymentSetup = setupIn('pending', { requestedAt: NOW - age });
      const before = checkoutIn('needs_payment', { paymentSetup });
      assert.partialDeepStrictEqual(decideSetupPayment(before, NOW), { refused: 'invalid_state' });
    });
  }

  test('setupPayment › the answer makes it ready, with the data for the card fields', () => {
    const setup = setupIn('pending', { attempts: 2 });
    const before = checkoutIn('needs_payment', { paymentSetup: setup });
    const ready = { reference: 'setup-2', clientSecret: 'secret-2' };
    const change = decideSetupAnswered(before, setup, { ready }, NOW);
    assert.deepEqual(changes(before, change), {
      paymentSetup: { ...setup, ...ready, state: 'ready' },
    });
    assert.equal(change.dueInSeconds, null);
  });

  for (const failure of ['unavailable', 'unresolved', 'not_authorized'] as const) {
    test(`setupPayment › the answer is ${failure}`, () => {
      const setup = setupIn('pending');
      const before = checkoutIn('needs_payment', { paymentSetup: setup });
      const change = decideSetupAnswered(before, setup, { failed: failure }, NOW);
      assert.deepEqual(changes(before, change), {
        paymentSetup: { ...setup, state: 'failed', failure },
      });
    });
  }
});

suite('verifyPayment', () => {
  const input = { setupReference: 'setup-1', paymentMethodId: 'pm_1' };
  const ready = { paymentSetup: setupIn('ready'), paymentMethodId: 'pm_0' };

  test('verifyPayment › needs_payment → ready, with nothing due', () => {
    const before = checkoutIn('needs_payment', ready);
    const change = changed(decideVerifyPayment(before, input, NOW));
    assert.deepEqual(changes(before, change), { state: 'ready', paymentMethodId: 'pm_1' });
    assert.equal(change.dueInSeconds, null);
  });

  test('verifyPayment › requires_action → pending, due at once', () => {
    const before = checkoutIn('requires_action', ready);
    const change = changed(decideVerifyPayment(before, input, NOW));
    assert.deepEqual(changes(before, change), {
      state: 'pending',
      paymentMethodId: 'pm_1',
      submittedAt: NOW,
    });
    assert.equal(change.dueInSeconds, 0);
    assert.equal(change.unknownStep, 'authorize', 'its authorization is looked up first');
  });

  for (const state of ['needs_payment', 'requires_action'] as const) {
    test(`verifyPayment › ${state}, another setupReference: conflict setup_reference`, () => {
      const other = { ...input, setupReference: 'setup-0' };
      const refusal = decideVerifyPayment(checkoutIn(state, ready), other, NOW);
      assert.deepEqual(refusal, { refused: 'conflict', details: { reason: 'setup_reference' } });
    });
  }

  const unready: [string, Checkout['paymentSetup']][] = [
    ['no setup', null],
    ['a pending setup', setupIn('pending')],
    ['a failed setup', setupIn('failed', { failure: 'unavailable' })],
  ];
  for (const [what, paymentSetup] of unready) {
    test(`verifyPayment › ${what}: invalid_state`, () => {
      const checkout = checkoutIn('needs_payment', { paymentSetup });
      assert.partialDeepStrictEqual(decideVerifyPayment(checkout, input, NOW), {
        refused: 'invalid_state',
      });
    });
  }
});

suite('submit', () => {
  const cases: [actionNeeded: boolean, to: string, dueInSeconds: number][] = [
    [false, 'pending', 0],
    [true, 'requires_action', 3_600],
  ];
  for (const [actionNeeded, state, dueInSeconds] of cases) {
    test(`submit › ready → ${state}, due in ${dueInSeconds} s`, () => {
      const before = checkoutIn('ready');
      const change = changed(decideSubmit(before, 'terms-1', actionNeeded, NOW));
      assert.deepEqual(changes(before, change), { state, submittedAt: NOW });
      assert.equal(change.dueInSeconds, dueInSeconds);
    });
  }

  for (const version of ['terms-0', 'TERMS-1', '']) {
    test(`submit › terms "${version}": conflict terms_version`, () => {
      const refusal = decideSubmit(checkoutIn('ready'), version, false, NOW);
      assert.deepEqual(refusal, { refused: 'conflict', details: { reason: 'terms_version' } });
    });
  }
});

suite('an expired quote', () => {
  for (const state of ['needs_guest', 'needs_payment', 'ready'] as const) {
    test(`an expired quote › ${state} → expired, without an event`, () => {
      const before = checkoutIn(state);
      const change = decideExpire(before, NOW);
      const failureReason = 'quote_expired';
      assert.deepEqual(changes(before, change), {
        state: 'expired',
        failureReason,
        resolvedAt: NOW,
      });
      assert.equal(change.dueInSeconds, null);
      assert.equal(change.releasesPromotion, undefined);
    });
  }

  test('an expired quote › gives back the use of a promotion', () => {
    const change = decideExpire(checkoutIn('ready', { promotionCode: 'SPRING' }), NOW);
    assert.equal(change.releasesPromotion, 'SPRING');
  });
});
