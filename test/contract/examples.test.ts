/** The examples form one consistent booking, which can be pasted into the simulation. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { makeView, publish } from '../../src/catalog/view.ts';
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
import { acceptedPolicies } from '../../src/pricing/rules/cancellation-text.ts';
import { cancellationInstants } from '../../src/pricing/rules/cancellation.ts';
import { isReference } from '../../src/bookings/rules/reference.ts';
import { nextActionsOf } from '../../src/bookings/rules/checkout.ts';
import { partyRefusal } from '../../src/pricing/rules/party.ts';
import { priceStay } from '../../src/pricing/rules/price-stay.ts';
import { datedDay, nightPrices } from '../../src/pricing/rules/rates.ts';
import { calendarDigest } from '../../src/inventory/operations/calendar-view.ts';
import { arrivalRules, departureAllowed, stayRuleRefusal } from '../../src/pricing/rules/stay.ts';
import { openNights } from '../../src/simulation/pattern.ts';
import { simulatedCatalog } from '../harness/simulated-catalog.ts';

const catalog = simulatedCatalog();
const { collections = [], policies = [], standards = [], ...site } = catalog.catalog;
const installation = {
  environment: 'simulation',
  baseUrl: 'https://sandbox.latchkey.invalid',
} as const;
const published = catalog.listings.map(({ collectionId, ...rest }, position) =>
  publish({ home: rest }, { collectionId, position }, installation.baseUrl),
);
const view = makeView(
  {
    ...site,
    trader: site.trader ?? null,
    cancellationText: null,
    policies,
    standards,
    catalogId: '0193a5c4-2f00-7000-8000-000000000001',
    revision: 1,
    changedAt: 0,
    collections: collections.map(({ collectionId, description, ...rest }) => ({
      ...rest,
      collectionId: collectionId!,
      description: description ?? null,
    })),
  },
  undefined,
  published,
  installation,
);
const sold = published.find(({ place }) => place.listingId === home.listing.listingId);
const stay = { checkIn: dayNumber(home.stay.checkIn), checkOut: dayNumber(home.stay.checkOut) };
const today = todayAt(Date.parse(quote.createdAt), home.listing.timeZone);

const sum = (parts: readonly { amount: number }[]): number =>
  parts.reduce((total, { amount }) => total + amount, 0);

/** The home of the examples, out of the simulation. */
function listingSold() {
  assert.ok(sold, 'the home of the examples is in the simulated catalog');
  return sold.listing;
}

suite('examples and the simulation', () => {
  test('examples › the site and the home are those of the simulation', () => {
    assert.deepEqual(home.listing, JSON.parse(String(sold?.bytes)));
    const { bytes } = view.site(home.site.capabilities);
    assert.deepEqual(home.site, JSON.parse(bytes.toString()));
  });

  test('examples › the home takes this party for this week, and the nights are free', () => {
    const listing = listingSold();
    assert.equal(stay.checkOut - stay.checkIn, home.stay.nights);
    assert.equal(partyRefusal(listing, home.party), null);
    assert.equal(
      stayRuleRefusal(listing, stay, Date.parse(quote.createdAt), () => false),
      null,
    );
    const days = [...openNights(listing.listingId, stay.checkIn, home.stay.nights + 1)].map(
      (open, place) => {
        const day = stay.checkIn + place;
        const { minNights, maxNights, checkInAllowed } = arrivalRules(listing, day);
        return {
          date: dateText(day),
          available: open === 1,
          minNights,
          checkInAllowed,
          checkOutAllowed: departureAllowed(listing, day),
          price: nightPrices(listing, 0)(datedDay(day)),
          maxNights,
        };
      },
    );
    assert.deepEqual(home.days, days);
    const content = { currency: listing.currency, days };
    assert.equal(home.calendarDigest, calendarDigest(content));
    assert.ok(days.slice(0, home.stay.nights).every(({ available }) => available));
  });

  test('examples › charges are what the simulation quotes', () => {
    assert.deepEqual(
      home.charges,
      priceStay(listingSold(), stay, home.party, { today, adjustmentPercent: 0 }),
    );
  });

  test('examples › the promotion is one of the simulation, and takes off what it takes there', () => {
    const promotion = catalog.promotions.find(({ code }) => code === home.promotionCode);
    assert.ok(promotion);
    const { code, label, percent = 0, ...limited } = promotion;
    assert.deepEqual(limited, {}, 'it is for every home and stay');
    const always = { stayFrom: null, stayTo: null, bookFrom: null, bookTo: null };
    const everywhere = { listingIds: null, collectionIds: null, minNights: 1, maxUses: null };
    const off = { kind: 'percent', percent } as const;
    const charges = priceStay(listingSold(), stay, home.party, {
      today,
      adjustmentPercent: 0,
      promotion: { code, label, ...off, ...always, ...everywhere },
    });
    assert.deepEqual(home.promotedCharges, charges);
  });

  test('examples › terms are those of the home, with a promotion those of its charges', () => {
    const listing = listingSold();
    const terms = (charges: Charges, at: string) => ({
      version: sold?.termsVersion,
      policies: acceptedPolicies(listing),
      cancellation: cancellationInstants(listing, stay, charges, {
        from: Date.parse(at),
        quotedAt: Date.parse(quote.createdAt),
      }),
      securityDeposit: null,
    });
    assert.deepEqual(home.terms, terms(home.charges, quote.createdAt));
    const { updatedAt } = checkouts.promoted;
    assert.deepEqual(checkouts.promoted.terms, terms(home.promotedCharges, updatedAt));
    assert.deepEqual(checkouts.verified.terms, checkouts.promoted.terms);
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
