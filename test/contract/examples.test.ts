/** The examples form one consistent booking, which can be pasted into the simulation. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { limits } from '../../src/contract/limits.ts';
import { examples } from '../../src/contract/partner/examples.ts';
import {
  checkouts,
  exampleEvents,
  ids,
  quote,
  reference,
  requests,
  reservation,
} from '../../src/contract/partner/examples/booking.ts';
import * as home from '../../src/contract/partner/examples/stay.ts';
import type { Charges } from '../../src/contract/partner/schemas/quote.ts';
import { dateText, dayNumber, todayAt } from '../../src/pricing/rules/calendar-date.ts';
import { isReference } from '../../src/bookings/rules/reference.ts';
import { nextActionsOf } from '../../src/bookings/rules/checkout.ts';
import { partyRefusal } from '../../src/pricing/rules/party.ts';
import { stayRuleRefusal } from '../../src/pricing/rules/stay.ts';
import { simulatedCatalog } from '../../src/build/simulated-catalog.ts';

const today = todayAt(Date.parse(quote.createdAt), home.listing.timeZone);

const sum = (parts: readonly { amount: number }[]): number =>
  parts.reduce((total, { amount }) => total + amount, 0);

suite('examples and the simulation', () => {
  test('examples › the home takes this party for this week, and the nights are free', () => {
    const sold = simulatedCatalog().listings.find(({ slug }) => slug === home.listing.slug)!;
    const [checkIn, checkOut] = [dayNumber(home.stay.checkIn), dayNumber(home.stay.checkOut)];
    assert.equal(checkOut - checkIn, home.stay.nights);
    assert.equal(partyRefusal(sold, home.party), null);
    const at = Date.parse(quote.createdAt);
    assert.equal(
      stayRuleRefusal(sold, { checkIn, checkOut }, at, () => false),
      null,
    );
    assert.ok(home.days.slice(0, home.stay.nights).every(({ available }) => available));
  });

  test('examples › the promotion is for every home and stay of the simulation', () => {
    const promotion = simulatedCatalog().promotions.find(({ code }) => code === home.promotionCode);
    assert.ok(promotion);
    const { code: _code, label: _label, percent, ...limited } = promotion;
    assert.deepEqual(limited, {});
    assert.ok(percent! > 0);
  });

  test('examples › with a promotion, the policies are those of the quote', () => {
    assert.deepEqual(checkouts.verified.terms, checkouts.promoted.terms);
    assert.deepEqual(home.promotedTerms.policies, home.terms.policies);
  });
});

suite('examples as one booking', () => {
  const charged: [string, Charges][] = [
    ['quote', home.charges],
    ['with promotion', home.promotedCharges],
  ];
  for (const [name, charges] of charged) {
    test(`charges › ${name} › all sums hold`, () => {
      const ofKind = (...kinds: string[]) =>
        sum(charges.lines.filter(({ kind }) => kinds.includes(kind)));
      assert.equal(sum(charges.lines), charges.total);
      assert.equal(sum(charges.schedule), charges.total);
      assert.equal(charges.accommodation + charges.fees + charges.taxes, charges.total);
      assert.equal(sum(charges.nights), ofKind('accommodation'));
      assert.equal(ofKind('accommodation', 'discount', 'promotion'), charges.accommodation);
      assert.equal(ofKind('cleaning', 'fee'), charges.fees);
      assert.equal(ofKind('cleaning'), charges.cleaning);
      assert.equal(ofKind('tax'), charges.taxes);
      assert.deepEqual(charges.schedule[0], { dueOn: dateText(today), amount: charges.dueNow });
    });
  }

  test('checkout › each step moves the version by one and offers what its state offers', () => {
    const steps = [
      checkouts.created,
      checkouts.withGuest,
      checkouts.promoted,
      checkouts.setupAsked,
      checkouts.setupReady,
      checkouts.verified,
    ];
    assert.deepEqual(
      steps.map(({ version }) => version),
      [1, 2, 3, 4, 5, 6],
    );
    for (const { state, nextActions, paymentSetup } of steps) {
      const setup = paymentSetup && { state: paymentSetup.state, failure: null, requestedAt: 0 };
      const unexpired = { expiresAt: 1 };
      const checkout = {
        state,
        failureReason: null,
        quote: unexpired,
        paymentSetup: setup ?? null,
      };
      assert.deepEqual(nextActions, nextActionsOf(checkout, 0));
    }
  });

  test('checkout › each command names the version that the step before left', () => {
    const named = [
      examples['reservation.checkout.saveGuest'].request.body.expectedVersion,
      examples['reservation.checkout.applyPromo'].request.body.expectedVersion,
      examples['reservation.checkout.setupPayment'].request.body.expectedVersion,
      examples['reservation.checkout.verifyPayment'].request.body.expectedVersion,
      examples['reservation.checkout.submit'].request.body.expectedVersion,
    ];
    // The setup is answered between the third and the fourth.
    assert.deepEqual(named, [1, 2, 3, 5, 6]);
    assert.equal(examples['reservation.checkout.submit'].replies[202].version, 7);
    assert.equal(examples['reservation.checkout.getStatus'].replies[200].version, 8);
    assert.equal(exampleEvents['checkout.resolved'].data.version, 8);
  });

  test('quote and session › end as long after they began as the limits say', () => {
    const minutes = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 60_000;
    assert.equal(minutes(quote.createdAt, quote.expiresAt), limits.quoteMinutes);
    const created = examples['reservation.checkout.create'].replies[201];
    assert.equal(
      minutes(created.createdAt, String(created.sessionExpiresAt)),
      limits.sessionHours * 60,
    );
  });

  test('names › the same thing has the same name everywhere', () => {
    assert.equal(reservation.reference, reference);
    assert.equal(
      examples['reservation.checkout.getConfirmation'].replies[200].reference,
      reference,
    );
    assert.equal(examples['reservation.reservation.get'].request.params.reference, reference);
    for (const { data } of Object.values(exampleEvents)) {
      assert.equal(data.reference, reference);
      if ('checkoutId' in data) assert.equal(data.checkoutId, ids.checkout);
    }
    assert.ok(isReference(reference));
    assert.ok(isReference(String(requests.confirmed.reference)));
    assert.equal(new Set(Object.values(ids)).size, Object.values(ids).length);
  });
});
