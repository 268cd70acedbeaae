import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, suite, test } from 'node:test';
import type { Checkout } from '../../../src/contract/partner/schemas/checkout.ts';
import type { NewPromotion } from '../../../src/catalog/store/promotions.ts';
import type { Listing } from '../../../src/pricing/rules/listing.ts';
import {
  changeHome,
  easyStays,
  freeNights,
  homesOf,
  plainRates,
  plusDays,
} from '../../harness/catalog.ts';
import { checkCharges, lineSum } from '../../harness/charges.ts';
import { daysAhead, type OpenCheckout, type Partner } from '../../harness/partner.ts';
import { applyCode, newPromotion, usesOf } from '../../harness/promotions.ts';
import { startTestService, type TestService } from '../../harness/service.ts';
import { wrongPaths } from '../../harness/wrong-paths.ts';

const nights = 4;
const perNight = 10_003;
const fees = 9_000 + 2 * 1_500;
const gross = nights * perNight;
const afterDiscount = gross - Math.round((gross * 333) / 10_000);
const taxOn = (accommodation: number) => Math.round(((accommodation + fees) * 1_266) / 10_000);

let service: TestService;
let partner: Partner;
let home: Listing;
let stay: { listingId: string; checkIn: string; checkOut: string };
let otherCollection: string;
before(async () => {
  service = await startTestService();
  partner = await service.partner();
  const homes = await homesOf(service);
  otherCollection = homes.find(
    ({ collectionId }) => collectionId !== homes[0]!.collectionId,
  )!.collectionId!;
  home = await changeHome(service, partner, homes[0]!, {
    sleeps: null,
    timeZone: 'UTC',
    stayRules: easyStays,
    currency: 'USD',
    rates: {
      ...plainRates,
      nightly: perNight,
      lengthDiscounts: [{ label: 'Four nights', minNights: 4, percent: 3.33 }],
    },
    fees: [
      { kind: 'cleaning', label: 'Cleaning', per: 'stay', amount: 9_000 },
      { kind: 'fee', label: 'Linen', per: 'guest', amount: 1_500 },
    ],
    taxes: [{ label: 'VAT', on: ['accommodation', 'cleaning', 'fees'], percent: 12.66 }],
    payment: { dueNowPercent: 30, balanceDaysBefore: 14 },
    cancellation: [
      { daysBefore: 20, refundPercent: 100 },
      { daysBefore: 7, refundPercent: 50 },
    ],
  });
  stay = await freeNights(partner, home.listingId, nights, daysAhead(30));
});
after(() => service.stop());

const newCheckout = async (): Promise<OpenCheckout> =>
  partner.checkout(
    await partner.succeed('reservation.quote.create', {
      body: { quoteId: randomUUID(), ...stay, party: { adults: 2 } },
    }),
  );

async function applied(code: string, open: OpenCheckout, version = 1): Promise<Checkout> {
  const reply = await applyCode(partner, open, code, version);
  assert.equal(reply.status, 200, reply.text);
  return reply.body as Checkout;
}

const taken: [what: string, promotion: Partial<NewPromotion>, off: number][] = [
  [
    'percent › of what is left after discounts',
    { percent: 12.5 },
    Math.round((afterDiscount * 1_250) / 10_000),
  ],
  [
    'percent › with four decimals',
    { percent: 12.3456 },
    Math.round((afterDiscount * 123_456) / 1_000_000),
  ],
  [
    'percent › less than a basis point',
    { percent: 0.0099 },
    Math.round((afterDiscount * 99) / 1_000_000),
  ],
  ['percent › all of it', { percent: 100 }, afterDiscount],
  ['amount', { percent: null, amount: 5_000, currency: 'USD' }, 5_000],
  [
    'amount › never more than the accommodation',
    { percent: null, amount: 9_999_999, currency: 'USD' },
    afterDiscount,
  ],
];

/** 100 % up to 20 days before, half up to 7; the balance is due 14 days before. */
function refundsOf({ total, dueNow }: Checkout['charges']): Checkout['terms']['cancellation'] {
  const windows: [daysBefore: number, refundAmount: number][] = [
    [19, dueNow],
    [14, Math.round(dueNow / 2)],
    [6, Math.round(total / 2)],
  ];
  return windows.map(([days, refundAmount]) => ({
    before: `${plusDays(stay.checkIn, -days)}T00:00:00.000Z`,
    refundAmount,
  }));
}

suite('reservation.checkout.applyPromo › 200 › charges', () => {
  for (const [what, promotion, off] of taken) {
    // Spec: TERMS-9.
    test(what, async () => {
      const code = await newPromotion(service, { ...promotion, label: 'A gift' });
      const open = await newCheckout();
      const { charges, promotionCode, terms } = await applied(code, open);
      assert.equal(promotionCode, code);
      assert.deepEqual(
        charges.lines
          .filter(({ kind }) => kind === 'promotion')
          .map(({ kind, label, amount }) => ({ kind, label, amount })),
        [{ kind: 'promotion', label: 'A gift', amount: -off }],
      );
      const accommodation = afterDiscount - off;
      assert.deepEqual(
        [charges.accommodation, charges.fees, charges.taxes, charges.total],
        [accommodation, fees, taxOn(accommodation), accommodation + fees + taxOn(accommodation)],
      );
      assert.equal(charges.dueNow, Math.round((charges.total * 3_000) / 10_000));
      checkCharges(charges, stay, daysAhead(0));
      assert.deepEqual(charges.nights, open.quote.charges.nights);
      assert.equal(lineSum(charges, 'discount'), lineSum(open.quote.charges, 'discount'));
      const { cancellation, ...accepted } = terms;
      const { cancellation: _, ...quoted } = open.quote.terms;
      assert.deepEqual(accepted, quoted);
      assert.deepEqual(cancellation, refundsOf(charges));
    });
  }

  // Spec: PROMOTION-3.
  test('version + 1, the same state, and a read shows the new charges', async () => {
    const code = await newPromotion(service);
    const open = await newCheckout();
    const reply = await applyCode(partner, open, code, 1);
    const checkout = reply.body as Checkout;
    assert.equal(checkout.version, 2);
    assert.equal(checkout.state, 'needs_guest');
    assert.deepEqual(checkout.nextActions, ['save_guest']);
    assert.equal(reply.headers.get('etag'), '"2"');
    assert.deepEqual(await partner.succeed('reservation.checkout.get', open.at), checkout);
    const quote = { quoteId: open.quote.quoteId, ...stay, party: { adults: 2 } };
    assert.deepEqual(
      await partner.succeed('reservation.quote.create', { body: quote }, 200),
      open.quote,
      'the quote stays as it was made',
    );
  });

  test('another code replaces the first', async () => {
    const [first, second] = [
      await newPromotion(service),
      await newPromotion(service, { percent: 20 }),
    ];
    const open = await newCheckout();
    await applied(first, open);
    const { charges, promotionCode } = await applied(second, open, 2);
    assert.equal(promotionCode, second);
    assert.equal(lineSum(charges, 'promotion'), -Math.round(afterDiscount / 5));
  });

  test('the same code again changes nothing', async () => {
    const code = await newPromotion(service);
    const open = await newCheckout();
    const first = await applied(code, open);
    const second = await applied(code, open, 2);
    assert.deepEqual(second.charges, first.charges);
    assert.equal(second.version, 3);
  });
});

const anHourAgo = () => new Date(Date.now() - 3_600_000).toISOString();
const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();

suite('reservation.checkout.applyPromo › limits of a promotion', () => {
  const lastNight = () => plusDays(stay.checkOut, -1);
  const limits: [
    what: string,
    within: () => Partial<NewPromotion>,
    beyond: () => Partial<NewPromotion>,
    reason: string,
  ][] = [
    [
      'least nights',
      () => ({ minNights: nights }),
      () => ({ minNights: nights + 1 }),
      'promotion_not_applicable',
    ],
    [
      'collections',
      () => ({ collectionIds: [home.collectionId!] }),
      () => ({ collectionIds: [otherCollection] }),
      'promotion_not_applicable',
    ],
    [
      'listings',
      () => ({ listingIds: [randomUUID(), home.listingId] }),
      () => ({ listingIds: [randomUUID()] }),
      'promotion_not_applicable',
    ],
    [
      'listings or collections',
      () => ({ listingIds: [randomUUID()], collectionIds: [home.collectionId!] }),
      () => ({ listingIds: [], collectionIds: [] }),
      'promotion_not_applicable',
    ],
    [
      'first night',
      () => ({ stayFrom: stay.checkIn }),
      () => ({ stayFrom: plusDays(stay.checkIn, 1) }),
      'promotion_not_applicable',
    ],
    [
      'last night',
      () => ({ stayTo: lastNight() }),
      () => ({ stayTo: plusDays(lastNight(), -1) }),
      'promotion_not_applicable',
    ],
    [
      'not yet begun',
      () => ({ bookFrom: anHourAgo() }),
      () => ({ bookFrom: inAnHour() }),
      'promotion_not_applicable',
    ],
    ['ended', () => ({ bookTo: inAnHour() }), () => ({ bookTo: anHourAgo() }), 'promotion_ended'],
    [
      'currency',
      () => ({ percent: null, amount: 1_000, currency: 'USD' }),
      () => ({ percent: null, amount: 1_000, currency: 'EUR' }),
      'promotion_not_applicable',
    ],
    [
      'ended comes before not applicable',
      () => ({}),
      () => ({ bookTo: anHourAgo(), minNights: 50 }),
      'promotion_ended',
    ],
  ];
  for (const [what, within, beyond, reason] of limits) {
    // Spec: PROMOTION-2.
    test(`422 policy_restricted › ${what}`, async () => {
      const open = await newCheckout();
      const earlier = await partner.succeed('reservation.checkout.get', open.at);
      const refusedCode = await newPromotion(service, beyond());
      const error = await partner.refused('reservation.checkout.applyPromo', {
        ...open.at,
        body: { expectedVersion: 1, code: refusedCode },
      });
      assert.equal(error.status, 422);
      assert.equal(error.code, 'policy_restricted');
      assert.deepEqual(error.details, { reason });
      assert.equal(await usesOf(service, refusedCode), 0);
      assert.deepEqual(await partner.succeed('reservation.checkout.get', open.at), earlier);
      await applied(await newPromotion(service, within()), open);
    });
  }

  test('422 policy_restricted › promotion_unknown', async () => {
    const open = await newCheckout();
    const body = { expectedVersion: 1, code: 'NO-SUCH-CODE' };
    const error = await partner.refused('reservation.checkout.applyPromo', { ...open.at, body });
    assert.deepEqual([error.status, error.details], [422, { reason: 'promotion_unknown' }]);
  });

  test('422 policy_restricted › a refused code leaves the previous one applied', async () => {
    const code = await newPromotion(service);
    const open = await newCheckout();
    const earlier = await applied(code, open);
    const refusedCode = await newPromotion(service, { minNights: 50 });
    assert.equal((await applyCode(partner, open, refusedCode, 2)).status, 422);
    assert.deepEqual(await partner.succeed('reservation.checkout.get', open.at), earlier);
    assert.equal(await usesOf(service, code), 1);
  });

  for (const code of ['', '   ', 'TWO WORDS', 'X'.repeat(65), 'NUL\u0000', 17]) {
    test(`400 invalid_input › code ${JSON.stringify(code).slice(0, 20)}`, async () => {
      const open = await newCheckout();
      const rawBody = JSON.stringify({ expectedVersion: 1, code });
      const error = await partner.refused('reservation.checkout.applyPromo', {
        ...open.at,
        rawBody,
      });
      assert.equal(error.code, 'invalid_input');
      assert.deepEqual(wrongPaths(error), ['/code']);
    });
  }
});
