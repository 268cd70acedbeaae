import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, suite, test } from 'node:test';
import type { PartyInput } from '../../../src/contract/partner/schemas/primitives.ts';
import type { Quote } from '../../../src/contract/partner/schemas/quote.ts';
import type { Listing } from '../../../src/pricing/rules/listing.ts';
import {
  changeHome,
  changeHomes,
  easyStays,
  freeNights,
  homesOf,
  plainPrices,
  plainRates,
  plusDays,
} from '../../harness/catalog.ts';
import { checkCharges } from '../../harness/charges.ts';
import { daysAhead, type Partner } from '../../harness/partner.ts';
import { startTestService, type TestService } from '../../harness/service.ts';

const timeZone = 'America/New_York';

let service: TestService;
let partner: Partner;
let homes: Listing[];
before(async () => {
  service = await startTestService();
  partner = await service.partner();
  homes = await homesOf(service);
});
after(() => service.stop());

const quote = (
  stay: { listingId: string; checkIn: string; checkOut: string },
  party: PartyInput = { adults: 2 },
): Promise<Quote> =>
  partner.succeed(
    'reservation.quote.create',
    { body: { quoteId: randomUUID(), ...stay, party } },
    201,
  );

/** A home without surprises, but for what is named. */
const easyHome = (at: number, changes: Partial<Listing> = {}): Promise<Listing> => {
  const easy = { stayRules: easyStays, ...plainPrices, sleeps: null, timeZone };
  return changeHome(service, partner, homes[at]!, { ...easy, ...changes });
};

suite('reservation.quote.create', () => {
  // Spec: QUOTE-1.
  test('201 › every member, the input as requested and in lower case', async () => {
    const home = await easyHome(0, { party: { children: true, infants: true, maxPets: 2 } });
    const stay = await freeNights(partner, home.listingId, 3, daysAhead(30));
    const quoteId = randomUUID();
    const body = {
      quoteId: quoteId.toUpperCase(),
      ...stay,
      listingId: home.listingId.toUpperCase(),
      party: { adults: 2, pets: 1 },
    };
    const reply = await partner.call('reservation.quote.create', { body });
    assert.equal(reply.status, 201);
    assert.equal(reply.headers.get('cache-control'), 'no-store');
    const { charges, terms, createdAt, expiresAt, ...rest } = reply.body as Quote;
    assert.deepEqual(rest, {
      quoteId,
      ...stay,
      party: { adults: 2, children: 0, infants: 0, pets: 1 },
      promotionCode: null,
    });
    assert.ok(charges.total > 0 && terms.version.length > 0);
    assert.ok(Math.abs(Date.now() - Date.parse(createdAt)) < 5_000);
    assert.equal(Date.parse(expiresAt) - Date.parse(createdAt), 15 * 60_000);
  });

  for (const quoteId of [
    '00000000-0000-0000-0000-000000000000',
    'ffffffff-ffff-ffff-ffff-ffffffffffff',
  ]) {
    test(`201 › quoteId › ${quoteId}`, async () => {
      const stay = await freeNights(partner, homes[0]!.listingId, 1, daysAhead(30));
      const body = { quoteId, ...stay, party: { adults: 1 } };
      assert.equal(
        (await partner.succeed('reservation.quote.create', { body }, 201)).quoteId,
        quoteId,
      );
    });
  }

  test('201 › charges › the sums are correct for every kind of home in the catalog', async () => {
    const kinds = [
      ...Map.groupBy(homes, ({ rates, fees, taxes, payment }) =>
        JSON.stringify({ ...rates, nightly: 0, weekdays: {}, fees, taxes, payment }),
      ).values(),
    ];
    let quoted = 0;
    await Promise.all(
      kinds.slice(0, 60).map(async ([home]) => {
        const { listingId } = home!;
        for (const nights of [7, 3, 14]) {
          const stay = await freeNights(partner, listingId, nights, daysAhead(40)).catch(
            () => null,
          );
          if (!stay) continue;
          const party = { adults: 2, children: 1, pets: 1 };
          for (const guests of [party, { adults: 1 }]) {
            const body = { quoteId: randomUUID(), ...stay, party: guests };
            const reply = await partner.call('reservation.quote.create', { body });
            if (reply.status !== 201) continue;
            const { charges, createdAt } = reply.body as Quote;
            const zone = home!.timeZone ?? 'UTC';
            const today = Temporal.Instant.from(createdAt).toZonedDateTimeISO(zone).toPlainDate();
            checkCharges(charges, stay, today.toString());
            quoted += 1;
          }
        }
      }),
    );
    assert.ok(quoted > 20, `only ${quoted} quotes were made`);
  });

  test('201 › charges › nights, discount, fees and taxes, each rounded once', async () => {
    const checkIn = daysAhead(60);
    const home = await easyHome(1, {
      party: { children: true, infants: true, maxPets: 2 },
      currency: 'EUR',
      rates: {
        ...plainRates,
        nightly: 10_001,
        weekdays: { fri: 12_003, sat: 12_003 },
        seasons: [{ name: 'All year', from: '01-01', to: '12-31', changePercent: 12.5 }],
        lengthDiscounts: [{ label: 'Five nights', minNights: 5, percent: 3.33 }],
      },
      fees: [
        { kind: 'cleaning', label: 'Cleaning', per: 'stay', amount: 9_000 },
        { kind: 'fee', label: 'Linen', per: 'guest', amount: 1_500 },
        { kind: 'fee', label: 'Pets', per: 'pet_night', amount: 700 },
      ],
      taxes: [
        { label: 'VAT', on: ['accommodation', 'cleaning', 'fees'], percent: 12.66 },
        { label: 'PortalCallers', per: 'guest_night', amount: 215 },
      ],
      payment: { dueNowPercent: 30, balanceDaysBefore: 14 },
    });
    const stay = await freeNights(partner, home.listingId, 5, checkIn);
    const { charges } = await quote(stay, { adults: 2, children: 1, infants: 1, pets: 1 });

    // 10001 × 1.125 = 11251.125; 12003 × 1.125 = 13503.375.
    const nights = charges.nights.map(({ date, amount }) => {
      const weekend = [5, 6].includes(new Date(date).getUTCDay());
      assert.equal(amount, weekend ? 13_503 : 11_251, date);
      return amount;
    });
    const gross = nights.reduce((sum, amount) => sum + amount, 0);
    const discount = Math.round((gross * 333) / 10_000);
    const fees = 9_000 + 3 * 1_500 + 5 * 700;
    const vat = Math.round(((gross - discount + fees) * 1_266) / 10_000);
    assert.deepEqual(charges.lines, [
      { kind: 'accommodation', label: 'Accommodation', amount: gross },
      { kind: 'discount', label: 'Five nights', amount: -discount, percent: 3.33, base: gross },
      { kind: 'cleaning', label: 'Cleaning', amount: 9_000 },
      { kind: 'fee', label: 'Linen', amount: 4_500 },
      { kind: 'fee', label: 'Pets', amount: 3_500 },
      { kind: 'tax', label: 'VAT', amount: vat, percent: 12.66, base: gross - discount + fees },
      { kind: 'tax', label: 'PortalCallers', amount: 215 * 3 * 5 },
    ]);
    assert.equal(charges.currency, 'EUR');
    assert.equal(charges.total, gross - discount + fees + vat + 215 * 15);
    assert.equal(charges.cleaning, 9_000);
    const dueNow = Math.round((charges.total * 3_000) / 10_000);
    assert.equal(charges.dueNow, dueNow);
    const today = Temporal.Now.plainDateISO(timeZone).toString();
    assert.deepEqual(charges.schedule, [
      { dueOn: today, amount: dueNow },
      { dueOn: plusDays(stay.checkIn, -14), amount: charges.total - dueNow },
    ]);
  });

  test('201 › charges › all is due now from the day of the balance', async () => {
    const payment = { dueNowPercent: 30, balanceDaysBefore: 92 };
    const home = await easyHome(1, { payment });
    const { charges } = await quote(await freeNights(partner, home.listingId, 2, daysAhead(5)));
    assert.equal(charges.dueNow, charges.total);
    assert.equal(charges.schedule.length, 1);
  });
});

suite('reservation.quote.create › terms', () => {
  const cancellation = [
    { daysBefore: 30, refundPercent: 100 },
    { daysBefore: 7, refundPercent: 50 },
  ];
  const policies = [{ label: 'House rules', body: 'Shoes off.' }];
  const alike: Partial<Listing>[] = [
    {},
    { rates: { ...plainRates, nightly: 99_900 } },
    { timeZone: null },
  ];
  const others: Partial<Listing>[] = [
    { policies: [{ label: 'House rules', body: 'Shoes on.' }] },
    { policies: [...policies, ...policies] },
    { cancellation: [] },
    { cancellation: [{ daysBefore: 30, refundPercent: 100 }] },
    { cancellation: [cancellation[0]!, { daysBefore: 8, refundPercent: 50 }] },
  ];
  let quotes: Quote[];
  before(async () => {
    const easy = { stayRules: easyStays, ...plainPrices, sleeps: null, timeZone };
    const changes = [...alike, ...others].map(
      (change, at) => [homes[at + 2]!, { ...easy, policies, cancellation, ...change }] as const,
    );
    const changed = await changeHomes(service, partner, changes);
    quotes = await Promise.all(
      changed.map(async ({ listingId }, at) =>
        quote(await freeNights(partner, listingId, 2 + (at % 3), daysAhead(60 + at))),
      ),
    );
  });
  const versions = () => quotes.map(({ terms }) => terms.version);

  // Spec: TERMS-1.
  test('201 › version › equal for equal terms, for any home, dates and price', () => {
    assert.equal(new Set(versions().slice(0, alike.length)).size, 1);
  });

  test('201 › version › differs for other policies or cancellation rules', () => {
    assert.equal(new Set(versions()).size, 1 + others.length);
  });

  test('201 › policies and cancellation › the same days in the text and as instants, to the end of each day', () => {
    for (const [at, zone] of [timeZone, timeZone, 'UTC'].entries()) {
      const { terms, charges, checkIn } = quotes[at]!;
      const midnight = (days: number) =>
        Temporal.PlainDate.from(checkIn)
          .subtract({ days })
          .toZonedDateTime({ timeZone: zone, plainTime: '00:00' })
          .toInstant()
          .toString({ smallestUnit: 'millisecond' });
      const body =
        'Cancel at least 30 days before arrival, and 100 % of what has been collected by then is refunded. Cancel at least 7 days before arrival, and 50 % of what has been collected by then is refunded. The first of these that applies counts. Later, nothing is refunded. Days end at midnight at the property.';
      assert.deepEqual(terms.policies, [...policies, { label: 'Cancellation', body }]);
      assert.deepEqual(terms.cancellation, [
        { before: midnight(29), refundAmount: charges.total },
        { before: midnight(6), refundAmount: Math.round(charges.total / 2) },
      ]);
    }
  });

  test('201 › cancellation › empty if there is never a refund', () => {
    const never = quotes[alike.length + 2]!;
    assert.deepEqual(never.terms.cancellation, []);
    const body = 'Nothing is refunded after a cancellation.';
    assert.deepEqual(never.terms.policies.at(-1), { label: 'Cancellation', body });
  });
});
