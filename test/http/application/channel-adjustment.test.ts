/** The channel adjustment of an application: every price contains it. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { dateText, todayAt } from '../../../src/pricing/rules/calendar-date.ts';
import type { Quote } from '../../../src/contract/partner/schemas/quote.ts';
import { checkCharges, lineSum } from '../../harness/charges.ts';
import { eventually } from '../../harness/eventually.ts';
import { Journey } from '../../harness/journey.ts';
import type { Partner } from '../../harness/partner.ts';
import { newPromotion } from '../../harness/promotions.ts';
import { startTestService, type TestService } from '../../harness/service.ts';
import { openTestWorker, type TestWorker } from '../../harness/test-worker.ts';
import { setApplication } from '../../harness/acts.ts';

type Stay = Awaited<ReturnType<Partner['freeStay']>>;

/** The amount changed by a percentage of at most two decimals, rounded half away from zero. */
function changed(amount: number, percent: number): number {
  const product = BigInt(amount) * BigInt(Math.round((100 + percent) * 100));
  return Number((product + 5_000n) / 10_000n);
}

suite('the channel adjustment of an application', () => {
  let service: TestService;
  let testWorker: TestWorker;
  let plain: Partner;
  let stay: Stay;
  let plainQuote: Quote;

  before(async () => {
    service = await startTestService({ LATCHKEY_ROLES: 'api' });
    testWorker = await openTestWorker(service.database);
    plain = await service.partner();
    stay = await plain.freeStay();
    plainQuote = await plain.quote(stay);
  });
  after(() => service.stop());

  const adjusted = (adjustPercent: number) => service.partner({ adjustPercent });

  const adjust = ({ credentials }: Partner, adjustPercent: number) =>
    setApplication(service.database, 'test', credentials.applicationId, {
      changes: { adjustPercent },
      countToday: () => Promise.resolve({ began: 0, hasSkipped: false }),
    });

  const nights = ({ charges }: Pick<Quote, 'charges'>) =>
    charges.nights.map(({ amount }) => amount);

  async function totalInSearch(partner: Partner): Promise<number | null | undefined> {
    const { listingId, ...body } = stay;
    for (let cursor = ''; ;) {
      const search = { body: { ...body, limit: 50, ...(cursor && { cursor }) } };
      const page = await partner.succeed('distribution.listing.search', search);
      const found = page.items.find(({ listing }) => listing.listingId === listingId);
      if (found || page.nextCursor === null) return found?.total;
      cursor = page.nextCursor;
    }
  }

  for (const percent of [8, -12.5, 0.01, -99.99, 1_000, -100]) {
    // Spec: PRICE-4.
    test(`quote and search › ${percent} % › every night is changed and rounded`, async () => {
      const partner = await adjusted(percent);
      const quote = await partner.quote(stay);
      assert.deepEqual(
        nights(quote),
        nights(plainQuote).map((amount) => changed(amount, percent)),
      );
      assert.equal(lineSum(quote.charges, 'cleaning', 'fee'), plainQuote.charges.fees);
      checkCharges(quote.charges, stay, await todayThere());
      assert.equal(await totalInSearch(partner), quote.charges.total);
      assert.equal(await totalInSearch(plain), plainQuote.charges.total);
    });
  }

  async function todayThere(): Promise<string> {
    const params = { listingId: stay.listingId };
    const { timeZone } = await plain.succeed('distribution.listing.get', { params });
    return dateText(todayAt(Date.now(), timeZone));
  }

  async function submitted(partner: Partner, code?: string): Promise<Journey> {
    const journey = new Journey(partner, await partner.checkout(await partner.quote(stay)));
    if (code !== undefined) await journey.done('applyPromo', { body: { code } });
    await journey.done('saveGuest');
    await journey.done('submit');
    return journey;
  }

  test('promotion › on the adjusted nights, and confirmed at that price', async () => {
    const partner = await adjusted(7.25);
    const code = await newPromotion(service);
    const journey = await submitted(partner, code);
    const { charges } = await journey.read();
    assert.deepEqual(nights({ charges }), nights(journey.open.quote));
    const reduced = lineSum(charges, 'accommodation', 'discount');
    assert.equal(lineSum(charges, 'promotion'), -changed(reduced, -90));
    await testWorker.runDue();
    const confirmed = await journey.read();
    assert.equal(confirmed.state, 'confirmed');
    assert.deepEqual(confirmed.charges, charges);
  });

  test('promotion › promotion_not_applicable › once the adjustment is another', async () => {
    const partner = await adjusted(5);
    const code = await newPromotion(service);
    const journey = new Journey(partner, await partner.checkout(await partner.quote(stay)));
    await adjust(partner, 6);
    const other = changed(nights(plainQuote)[0]!, 6);
    await eventually(async () => nights(await partner.quote(stay))[0] === other);
    const expected = [422, 'policy_restricted', 'promotion_not_applicable'] as const;
    await journey.refused('applyPromo', expected, { body: { code } });
    await adjust(partner, 5);
    const again = changed(nights(plainQuote)[0]!, 5);
    await eventually(async () => nights(await partner.quote(stay))[0] === again);
    await journey.done('applyPromo', { body: { code } });
  });

  test('resolution › price_changed if it is another than at the quote', async () => {
    const partner = await adjusted(8);
    const early = await submitted(partner);
    await adjust(partner, 9);
    await adjust(partner, 8);
    await testWorker.runDue();
    assert.equal((await early.read()).state, 'confirmed');

    const late = await submitted(partner);
    await adjust(partner, 8.01);
    await testWorker.runDue();
    const { state, failure } = await late.read();
    assert.deepEqual([state, failure?.reason], ['failed', 'price_changed']);
  });
});
