import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { weekdays } from '../../contract/weekdays.ts';
import { dayNumber, type Listing, priceStay, type Promotion, stayOf } from '../../pricing/index.ts';
import { NOW, reservation } from '../../../test/harness/domain-bookings.ts';
import {
  changedStay,
  type ChangeFacts,
  decideChange,
  type DecidedChange,
  type StayChange,
  stayRefusal,
} from './change-reservation.ts';
import { isRefusal } from '../../contract/errors.ts';

const listing: Listing = {
  listingId: 'home',
  slug: 'the-home',
  name: 'The home',
  description: null,
  blurb: null,
  collectionId: null,
  timeZone: null,
  destination: null,
  sleeps: 4,
  bedrooms: null,
  bathrooms: null,
  checkInFrom: null,
  checkOutUntil: null,
  images: [],
  amenities: [],
  policies: [],
  spaces: [],
  geo: null,
  indexable: true,
  currency: 'USD',
  rates: { nightly: 10_000, weekdays: {}, seasons: [], dates: [], lengthDiscounts: [] },
  fees: [],
  taxes: [],
  payment: { dueNowPercent: 100, balanceDaysBefore: 0 },
  stayRules: {
    minNights: 2,
    maxNights: 14,
    arrivalDays: [...weekdays],
    departureDays: [...weekdays],
    advanceNoticeDays: 0,
    bookingHorizonDays: 730,
  },
  party: { children: false, infants: true, maxPets: 0 },
  cancellation: [{ daysBefore: 10, refundPercent: 50 }],
};

const today = dayNumber('2027-01-15');
const party = { adults: 2, children: 0, infants: 0, pets: 0 };
const booked = { checkIn: '2027-03-30', checkOut: '2027-04-01' };
const before = reservation({
  ...booked,
  party,
  charges: priceStay(listing, stayOf(booked), party, { today, adjustmentPercent: 0 })!,
});

const facts = (rest: Partial<ChangeFacts> = {}): ChangeFacts => ({
  reservation: before,
  listing,
  adjustmentPercent: 0,
  promotion: null,
  quotedAt: NOW,
  now: NOW,
  ...rest,
});

function decide(
  change: StayChange,
  price: 'keep' | 'recalculate' = 'keep',
  rest: Partial<ChangeFacts> = {},
): DecidedChange {
  const given = facts(rest);
  const decision = decideChange(given, changedStay(given.reservation, change), price);
  assert.ok(!isRefusal(decision), JSON.stringify(decision));
  return decision;
}

function refused(
  change: StayChange,
  price: 'keep' | 'recalculate' = 'keep',
  rest: Partial<ChangeFacts> = {},
): string {
  const given = facts(rest);
  const decision = decideChange(given, changedStay(given.reservation, change), price);
  assert.ok(isRefusal(decision));
  return decision.message ?? '';
}

const later = { checkIn: '2027-05-30', checkOut: '2027-06-01' };

suite('a change by staff', () => {
  // Spec: RESERVATION-4.
  test('a change by staff › exactly what changed, in the order of the contract', () => {
    const all = decide(
      { ...later, checkOut: '2027-06-02', party: { adults: 1 }, listingId: 'other' },
      'recalculate',
    );
    assert.deepEqual(all.changes, ['dates', 'party', 'price', 'listing']);
    assert.deepEqual(all.update.events[0]?.data['changes'], all.changes);
    assert.equal(all.update.next.version, 2);

    assert.deepEqual(decide(later).changes, ['dates']);
    assert.deepEqual(decide({ party: { adults: 1 } }).changes, ['party']);
    assert.deepEqual(decide({ listingId: 'other' }).changes, ['listing']);
    assert.deepEqual(decide({ listingId: 'other' }, 'recalculate').changes, ['listing']);
    const dearer = { ...listing, rates: { ...listing.rates, nightly: 12_000 } };
    assert.deepEqual(decide({}, 'recalculate', { listing: dearer }).changes, ['price']);
    assert.deepEqual(decide({ party: { adults: 1 } }, 'keep', { listing: dearer }).changes, [
      'party',
    ]);
  });

  test('a change by staff › without effect is refused, with any price', () => {
    assert.match(refused({}), /nothing would change/);
    assert.match(refused({ ...booked, party: { adults: 2 } }), /nothing would change/);
    assert.match(refused({}, 'recalculate'), /nothing would change/);
  });

  // Spec: RESERVATION-3.
  test('a change by staff › a cancelled reservation is final', () => {
    const rest = { reservation: { ...before, state: 'cancelled' as const, cancelledAt: NOW } };
    assert.match(refused(later, 'keep', rest), /cancelled, which is final/);
  });

  test('a change by staff › refunds follow the new stay; who comes does not change them', () => {
    const cutOff = (decision: DecidedChange) => decision.update.next.cancellation;
    assert.deepEqual(cutOff(decide(later)), [
      { before: '2027-05-21T00:00:00.000Z', refundAmount: 10_000 },
    ]);
    assert.equal(cutOff(decide({ party: { adults: 1 } })), null);
  });

  test('a change by staff › an announced change stays announced', () => {
    const announced = { change: 'moved_one_day' as const, at: NOW + 1 };
    const { update } = decide(later, 'keep', { reservation: { ...before, announced } });
    assert.deepEqual(update.next.announced, announced);
  });

  test('a change by staff › all broken rules are warnings, in their order', () => {
    const { warnings } = decide({
      checkIn: '2027-01-14',
      checkOut: '2027-01-30',
      party: { adults: 5, children: 1, pets: 1 },
    });
    assert.deepEqual(warnings, [
      'too_many_guests',
      'children_not_allowed',
      'pets_not_allowed',
      'too_many_pets',
      'advance_notice',
      'max_nights',
    ]);
    assert.deepEqual(decide(later).warnings, []);
  });

  test('a change by staff › the price of now has the adjustment of the application', () => {
    const { update } = decide({ ...later, checkOut: '2027-06-02' }, 'recalculate', {
      adjustmentPercent: 10,
    });
    assert.equal(update.next.charges.total, 33_000);
  });

  test('a change by staff › a home without a price, or in another currency: only kept', () => {
    const { nightly: _, ...unpriced } = listing.rates;
    assert.match(
      refused(later, 'recalculate', { listing: { ...listing, rates: unpriced } }),
      /no price for every night/,
    );
    assert.match(
      refused({ listingId: 'other' }, 'recalculate', { listing: { ...listing, currency: 'CHF' } }),
      /priced in CHF, the reservation in USD/,
    );
    assert.deepEqual(
      decide({ listingId: 'other' }, 'keep', { listing: { ...listing, currency: 'CHF' } }).changes,
      ['listing'],
    );
  });

  const promotion: Promotion = {
    code: 'SPRING',
    label: 'Spring',
    kind: 'percent',
    percent: 10,
    stayFrom: null,
    stayTo: dayNumber('2027-06-30'),
    bookFrom: NOW - 10_000,
    bookTo: NOW - 1_000,
    listingIds: null,
    collectionIds: null,
    minNights: 1,
    maxUses: 1,
  };
  const promoted = {
    reservation: {
      ...before,
      charges: priceStay(listing, stayOf(booked), party, {
        today,
        promotion,
        adjustmentPercent: 0,
      })!,
    },
    promotion: { promotion, usedAt: NOW - 5_000 },
  };

  test('a change by staff › the promotion of the booking stays, although it has ended', () => {
    const { update, warnings } = decide(
      { ...later, checkOut: '2027-06-02' },
      'recalculate',
      promoted,
    );
    assert.equal(update.next.charges.total, 27_000);
    assert.deepEqual(warnings, []);
  });

  test('a change by staff › outside its stay window the promotion is lost, with a warning', () => {
    const { update, warnings } = decide(
      { checkIn: '2027-08-01', checkOut: '2027-08-03' },
      'recalculate',
      promoted,
    );
    assert.equal(update.next.charges.total, 20_000);
    assert.deepEqual(warnings, ['promotion_not_applicable']);
  });
});

suite('the stay that staff want', () => {
  test('the stay that staff want › absent members stay as they are', () => {
    assert.deepEqual(changedStay(before, { checkOut: '2027-04-05', party: { pets: 1 } }), {
      listingId: 'home',
      checkIn: '2027-03-30',
      checkOut: '2027-04-05',
      party: { ...party, pets: 1 },
    });
  });

  for (const [checkOut, isStay] of [
    ['2027-03-29', false],
    ['2027-03-30', false],
    ['2027-03-31', true],
    ['2027-06-28', true],
    ['2027-06-29', false],
  ] as const) {
    test(`the stay that staff want › 2027-03-30 to ${checkOut}: ${isStay ? 'a stay' : 'none'}`, () => {
      const refusal = stayRefusal(changedStay(before, { checkOut }));
      assert.equal(refusal === null, isStay);
    });
  }
});
