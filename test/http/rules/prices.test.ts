import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Quote } from '../../../src/contract/partner/schemas/quote.ts';
import type { Listing } from '../../../src/pricing/rules/listing.ts';
import { changeListing, homesOf } from '../../harness/catalog.ts';
import { eventually } from '../../harness/eventually.ts';
import { openTestWorker, type TestWorker } from '../../harness/test-worker.ts';
import { journeyTo, quoteOf } from '../../harness/journey.ts';
import type { Partner } from '../../harness/partner.ts';
import { startTestService, type TestService } from '../../harness/service.ts';

const failure = { reason: 'price_changed' };

const most = Number.MAX_SAFE_INTEGER;
const priceless = { nightly: most, weekdays: {}, seasons: [] };

/** A change of the rules of a home. */
type RuleChange = (home: Listing) => Partial<Listing>;

/** Nights that add up to more than can be written down; the second way is found out by their sum alone. */
const beyond: readonly [how: string, change: RuleChange][] = [
  ['no share of it is exact', ({ rates }) => ({ rates: { ...rates, ...priceless } })],
  [
    'its sum is not exact',
    ({ rates, payment }) => ({
      rates: { ...rates, ...priceless },
      taxes: [],
      payment: { ...payment, balanceDaysBefore: 999 },
    }),
  ],
];

suite('a home whose price can no longer be calculated', () => {
  let service: TestService;
  let testWorker: TestWorker;
  let partner: Partner;

  before(async () => {
    service = await startTestService({ LATCHKEY_ROLES: 'api' });
    testWorker = await openTestWorker(service.database);
  });
  after(() => service.stop());

  const isAnnounced = async ({ listingId, checkIn, checkOut, party }: Quote): Promise<boolean> => {
    const body = { checkIn, checkOut, party, limit: 50 };
    const { items } = await partner.succeed('distribution.listing.search', { body });
    return typeof items.find(({ listing }) => listing.listingId === listingId)?.total === 'number';
  };

  /** Changes the home's rates, and waits until the service knows. */
  async function changeRates(quote: Quote, change: RuleChange, announced: boolean): Promise<void> {
    await changeListing(service.database, quote.listingId, change);
    await eventually(async () => (await isAnnounced(quote)) === announced);
  }

  for (const [how, change] of beyond) {
    // Spec: PRICE-9.
    test(`checkout and request end as price_changed, a code is not applicable › ${how}`, async () => {
      partner = await service.partner();
      const checkout = await journeyTo('pending', partner, testWorker);
      const open = await journeyTo('needs_guest', partner, testWorker);
      const quote = await quoteOf(partner);
      const { listingId } = quote;
      const home = (await homesOf(service)).find((each) => each.listingId === listingId)!;
      const { reservationRequestId } = await partner.request(quote);

      await changeRates(quote, change, false);
      const notApplicable = [422, 'policy_restricted', 'promotion_not_applicable'] as const;
      await open.refused('applyPromo', notApplicable);
      await testWorker.runDue();
      assert.equal((await checkout.read()).failure?.reason, failure?.reason);
      const params = { reservationRequestId };
      const request = await partner.succeed('reservation.reservationRequest.get', { params });
      assert.equal(request.failure?.reason, failure?.reason);
      await changeRates(quote, () => home, true);
    });
  }
});
