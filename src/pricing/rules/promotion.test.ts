import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import { dayNumber } from './calendar-date.ts';
import {
  promotionDiscount,
  promotionRefusal,
  type Promotion,
  type PromotionLimits,
  type PromotionDiscount,
  type PromotionRefusal,
  type PromotionUse,
} from './promotion.ts';
import { amounts, promotions } from '../../../test/harness/arbitraries.ts';
import { unlimited } from '../../../test/harness/unlimited-promotion.ts';

const NOW = Date.UTC(2027, 0, 15, 12);
const USE: PromotionUse = {
  listing: { listingId: 'home-1', collectionId: 'coast', currency: 'USD' },
  stay: { checkIn: dayNumber('2027-03-03'), checkOut: dayNumber('2027-03-06') },
  now: NOW,
  uses: 0,
};

const promotion = (
  limits: Partial<PromotionLimits> = {},
  off: PromotionDiscount = { kind: 'percent', percent: 10 },
): Promotion => ({
  code: 'SPRING',
  label: 'Spring',
  ...off,
  ...unlimited,
  ...limits,
});

type Case = [why: string, limits: Partial<PromotionLimits>, refusal: PromotionRefusal | null];

suite('promotion', () => {
  const cases: Case[] = [
    ['nothing limits it', {}, null],
    ['booking begins this millisecond', { bookFrom: NOW }, null],
    ['booking has not begun', { bookFrom: NOW + 1 }, 'promotion_not_applicable'],
    ['the last millisecond of booking', { bookTo: NOW + 1 }, null],
    ['booking is over', { bookTo: NOW }, 'promotion_ended'],
    ['the first night is the first allowed', { stayFrom: dayNumber('2027-03-03') }, null],
    ['it begins too early', { stayFrom: dayNumber('2027-03-04') }, 'promotion_not_applicable'],
    ['the last night is the last allowed', { stayTo: dayNumber('2027-03-05') }, null],
    ['it ends too late', { stayTo: dayNumber('2027-03-04') }, 'promotion_not_applicable'],
    ['long enough', { minNights: 3 }, null],
    ['too short', { minNights: 4 }, 'promotion_not_applicable'],
    ['for this home', { listingIds: ['home-1'] }, null],
    ['for another home', { listingIds: ['home-2'] }, 'promotion_not_applicable'],
    ['for no home', { listingIds: [] }, 'promotion_not_applicable'],
    ['for its collection', { collectionIds: ['coast'] }, null],
    ['for another collection', { collectionIds: ['hills'] }, 'promotion_not_applicable'],
    ['by collection', { listingIds: ['home-2'], collectionIds: ['coast'] }, null],
    ['by home', { listingIds: ['home-1'], collectionIds: ['hills'] }, null],
    ['neither', { listingIds: [], collectionIds: ['hills'] }, 'promotion_not_applicable'],
    ['no use allowed', { maxUses: 0 }, 'promotion_ended'],
    ['ended before not applicable', { bookTo: NOW, minNights: 9 }, 'promotion_ended'],
    ['used up before not applicable', { maxUses: 0, stayTo: 0 }, 'promotion_ended'],
  ];
  for (const [why, limits, refusal] of cases) {
    // Spec: PROMOTION-1.
    test(`promotion › ${why}: ${refusal ?? 'accepted'}`, () => {
      assert.equal(promotionRefusal(promotion(limits), USE), refusal);
    });
  }

  test('promotion › uses stay below the maximum', () => {
    const twice = promotion({ maxUses: 2 });
    assert.equal(promotionRefusal(twice, { ...USE, uses: 1 }), null);
    assert.equal(promotionRefusal(twice, { ...USE, uses: 2 }), 'promotion_ended');
  });

  test('promotion › a listing without a collection matches no collection', () => {
    const listing = { ...USE.listing, collectionId: null };
    const coast = promotion({ collectionIds: ['coast'] });
    assert.equal(promotionRefusal(coast, { ...USE, listing }), 'promotion_not_applicable');
  });

  test('promotion › an amount applies only in its own currency', () => {
    const euros = promotion({}, { kind: 'amount', off: 500, currency: 'EUR' });
    assert.equal(promotionRefusal(euros, USE), 'promotion_not_applicable');
    assert.equal(promotionDiscount(euros, 10_000, 'USD'), 0);
    assert.equal(promotionDiscount(euros, 10_000, 'EUR'), 500);
  });

  test('promotion › a percentage is rounded once, half away from zero', () => {
    // 80649 × 10 % = 8064.9; 25 × 10 % = 2.5.
    assert.equal(promotionDiscount(promotion(), 80_649, 'USD'), 8_065);
    assert.equal(promotionDiscount(promotion(), 25, 'USD'), 3);
  });

  test('promotion › an amount reduces accommodation at most to 0', () => {
    const fifty = promotion({}, { kind: 'amount', off: 5_000, currency: 'USD' });
    assert.equal(promotionDiscount(fifty, 5_001, 'USD'), 5_000);
    assert.equal(promotionDiscount(fifty, 4_999, 'USD'), 4_999);
    assert.equal(promotionDiscount(fifty, 0, 'USD'), 0);
  });

  test('promotion › the discount is always between 0 and the full amount', () => {
    const anything = fc.integer({ min: -50_000, max: 50_000 });
    const currencies = fc.constantFrom('USD', 'EUR');
    fc.assert(
      fc.property(
        promotions(),
        anything,
        amounts(),
        currencies,
        (random, off, amount, currency) => {
          const changed = random.kind === 'percent' ? { percent: off / 100 } : { off };
          const taken = promotionDiscount({ ...random, ...changed }, amount, currency);
          assert.ok(Number.isSafeInteger(taken) && taken >= 0 && taken <= amount);
        },
      ),
    );
  });
});
