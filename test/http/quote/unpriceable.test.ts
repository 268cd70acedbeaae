/** Homes whose rates give no price. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { after, before, suite, test } from 'node:test';
import type { Listing } from '../../../src/pricing/rules/listing.ts';
import { changeListing } from '../../harness/catalog.ts';
import { startTestService, type TestService } from '../../harness/service.ts';

const noRates = { weekdays: {}, seasons: [], dates: [], lengthDiscounts: [] };

const reasons: [why: string, change: (home: Listing) => Partial<Listing>][] = [
  ['a night has no price', () => ({ rates: noRates })],
  [
    'the price is beyond what a number holds exactly',
    ({ rates }) => ({ rates: { ...rates, nightly: Number.MAX_SAFE_INTEGER, weekdays: {} } }),
  ],
];

suite('reservation.quote.create › a home without a price', () => {
  let service: TestService;
  before(async () => {
    service = await startTestService();
  });
  after(() => service.stop());

  for (const [why, change] of reasons) {
    // Spec: STAY-11.
    test(`422 policy_restricted not_priced › ${why}; a search says null`, async () => {
      const partner = await service.partner();
      const stay = await partner.freeStay();
      await changeListing(service.database, stay.listingId, change);
      const { listingId: _, ...search } = stay;
      for (let tries = 0; ; tries += 1) {
        const { items } = await partner.succeed('distribution.listing.search', {
          body: { ...search, limit: 50 },
        });
        const found = items.find(({ listing }) => listing.listingId === stay.listingId);
        if (found?.total === null && found.currency === null) break;
        assert.ok(tries < 100, 'the search still gives a price');
        await sleep(50);
      }
      const body = { quoteId: randomUUID(), ...stay };
      const refusal = await partner.refused('reservation.quote.create', { body });
      assert.deepEqual(
        [refusal.status, refusal.code, refusal.details],
        [422, 'policy_restricted', { reason: 'not_priced' }],
      );
      const query = { startDate: stay.checkIn, endDate: stay.checkIn };
      const params = { listingId: stay.listingId };
      const calendar = await partner.succeed('inventory.calendar.get', { params, query });
      assert.equal(calendar.days[0]?.available, true);
    });
  }

  // Spec: PRICE-11.
  test('422 policy_restricted not_priced › a total below the least that the card provider takes', async () => {
    const card = await service.partner({ settlement: 'card' });
    const stay = await card.freeStay();
    await changeListing(service.database, stay.listingId, () => ({
      rates: { ...noRates, nightly: 1 },
      fees: [],
      taxes: [],
    }));
    const partner = await service.partner();
    for (let tries = 0; ; tries += 1) {
      const body = { quoteId: randomUUID(), ...stay };
      const { status, body: quote } = await partner.call('reservation.quote.create', { body });
      if (status === 201 && (quote as { charges: { total: number } }).charges.total < 30) break;
      assert.ok(tries < 100, 'the quote still has the price of before');
      await sleep(50);
    }
    const body = { quoteId: randomUUID(), ...stay };
    const refusal = await card.refused('reservation.quote.create', { body });
    assert.deepEqual([refusal.status, refusal.details], [422, { reason: 'not_priced' }]);
  });
});
