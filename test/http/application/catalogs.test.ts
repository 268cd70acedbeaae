/** An application sells one catalog: what is not in it does not exist for the application. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, suite, test } from 'node:test';
import type { Listing } from '../../../src/pricing/rules/listing.ts';
import { easyStays, homesOf, onlyCatalog, plainRates } from '../../harness/catalog.ts';
import { addCatalog, likeHome } from '../../harness/catalogs.ts';
import { eventually } from '../../harness/eventually.ts';
import { assertError, begin, Journey } from '../../harness/journey.ts';
import { daysAhead, type Partner } from '../../harness/partner.ts';
import { newPromotion } from '../../harness/promotions.ts';
import { startTestService, type TestService } from '../../harness/service.ts';
import { openTestWorker, type TestWorker } from '../../harness/test-worker.ts';
import { setApplication } from '../../harness/acts.ts';

const notFound = [404, 'not_found'] as const;
const party = { adults: 1 };

suite('the catalog of an application', () => {
  let service: TestService;
  let testWorker: TestWorker;
  let firstCatalog: string;
  let secondCatalog: string;
  /** Sell one catalog each. */
  let first: Partner;
  let second: Partner;
  /** Sold by both catalogs, and by only one of them. */
  let shared: Listing;
  let firstOnly: Listing;
  let secondOnly: Listing;
  let code: string;

  before(async () => {
    service = await startTestService({ LATCHKEY_ROLES: 'api' });
    firstCatalog = await onlyCatalog(service.database);
    code = await newPromotion(service);
    [shared, firstOnly] = (await homesOf(service)).filter(
      ({ collectionId, timeZone }) => collectionId !== null && timeZone !== null,
    ) as [Listing, Listing];
    const plain = { rates: plainRates, stayRules: easyStays, sleeps: 4 };
    secondOnly = { ...likeHome(firstOnly), ...plain };
    secondCatalog = await addCatalog(service.database, 'second', [shared, secondOnly]);
    testWorker = await openTestWorker(service.database);
    first = await service.partner({ catalogId: firstCatalog });
    second = await service.partner({ catalogId: secondCatalog });
  });
  after(() => service.stop());

  const list = async (partner: Partner): Promise<string[]> => {
    const ids: string[] = [];
    for (let cursor = ''; ;) {
      const query = { limit: 50, cursor };
      const page = await partner.succeed('distribution.listing.list', { query });
      ids.push(...page.items.map(({ listingId }) => listingId));
      if (page.nextCursor === null) return ids;
      cursor = page.nextCursor;
    }
  };

  /** The next stay at a home that can be quoted, among the stays of a night. */
  async function stayAt(partner: Partner, { listingId }: Listing) {
    for (let ahead = 20; ahead < 200; ahead += 1) {
      for (const nights of [1, 3, 7]) {
        const stay = { listingId, checkIn: daysAhead(ahead), checkOut: daysAhead(ahead + nights) };
        const body = { quoteId: randomUUID(), ...stay, party };
        if ((await partner.call('reservation.quote.create', { body })).status === 201) {
          return { ...stay, party };
        }
      }
    }
    throw new Error('nothing is free');
  }

  /** The changes need half a second to take effect in a running service. */
  async function rebind(partner: Partner, catalogId: string, listingId: string, status: number) {
    const { applicationId } = partner.credentials;
    const countToday = () => Promise.resolve({ began: 0, hasSkipped: false });
    const input = { changes: { catalogId }, countToday };
    await setApplication(service.database, 'test', applicationId, input);
    const params = { listingId };
    await eventually(
      async () => (await partner.call('distribution.listing.get', { params })).status === status,
    );
  }

  // Spec: ENVIRONMENT-3.
  test('site › is that of its catalog', async () => {
    const sites = [
      await first.succeed('distribution.site.get'),
      await second.succeed('distribution.site.get'),
    ];
    assert.equal(sites[1]!.name, 'Homes of second');
    assert.notEqual(sites[0]!.name, sites[1]!.name);
    assert.deepEqual(sites[1]!.collections, []);
    assert.ok(sites[0]!.collections.length > 0);
  });

  test('listings › exactly those of its catalog', async () => {
    assert.deepEqual(await list(second), [shared.listingId, secondOnly.listingId]);
    const ids = await list(first);
    assert.ok(ids.includes(shared.listingId) && ids.includes(firstOnly.listingId));
    assert.ok(!ids.includes(secondOnly.listingId));
  });

  // Spec: LISTING-7.
  test('listing › 404 not_found › of another catalog, in both directions', async () => {
    const get = (partner: Partner, { listingId }: Listing) =>
      partner.refused('distribution.listing.get', { params: { listingId } });
    assertError(await get(second, firstOnly), notFound);
    assertError(await get(first, secondOnly), notFound);
  });

  test('listing › shared: the same content, the collection of each catalog', async () => {
    const params = { listingId: shared.listingId };
    const [here, there] = await Promise.all(
      [first, second].map((partner) => partner.succeed('distribution.listing.get', { params })),
    );
    assert.equal(here!.collectionId, shared.collectionId);
    assert.equal(there!.collectionId, null);
    assert.deepEqual({ ...here!, collectionId: null }, there!);
  });

  test('search › only homes of its catalog, and an empty page for the collection of another', async () => {
    const found = new Set<string>();
    for (let ahead = 20; ahead < 60; ahead += 1) {
      const body = { checkIn: daysAhead(ahead), checkOut: daysAhead(ahead + 1), party };
      const page = await second.succeed('distribution.listing.search', { body });
      for (const { listing } of page.items) found.add(listing.listingId);
      const within = { ...body, collectionId: shared.collectionId! };
      const none = await second.succeed('distribution.listing.search', { body: within });
      assert.deepEqual([none.items, none.nextCursor], [[], null]);
    }
    assert.ok(found.has(secondOnly.listingId));
    assert.ok([...found].every((id) => id === secondOnly.listingId || id === shared.listingId));
  });

  // Spec: LISTING-7.
  test('calendar, quote and signal › 404 not_found', async () => {
    const { listingId } = firstOnly;
    const query = { startDate: daysAhead(1), endDate: daysAhead(9) };
    const calendar = { params: { listingId }, query };
    assertError(await second.refused('inventory.calendar.get', calendar), notFound);
    const stay = await stayAt(first, firstOnly);
    const body = { quoteId: randomUUID(), ...stay };
    assertError(await second.refused('reservation.quote.create', { body }), notFound);
    const signal = { name: 'listing_viewed', routeFamily: 'listing', listingId } as const;
    const capture = { body: { signalId: randomUUID(), ...signal } };
    assertError(await second.refused('cdp.signal.capture', capture), notFound);
    await first.succeed('cdp.signal.capture', capture, 201);
  });

  test('promotion › promotion_unknown › of another catalog', async () => {
    const stay = await stayAt(second, secondOnly);
    const journey = new Journey(second, await second.checkout(await second.quote(stay)));
    const body = { body: { code } };
    await journey.refused('applyPromo', [422, 'policy_restricted', 'promotion_unknown'], body);
    await (await begin(first)).done('applyPromo', body);
    const own = await newPromotion(service, { catalogId: secondCatalog });
    await journey.done('applyPromo', { body: { code: own } });
  });

  test('another catalog › takes effect at once, for new and for submitted bookings', async () => {
    const moved = await service.partner({ catalogId: firstCatalog });
    const gone = await moved.quote(await stayAt(moved, firstOnly));
    const kept = await moved.quote(await stayAt(moved, shared));
    const requests = await Promise.all([gone, kept].map((quote) => moved.request(quote)));
    const open = await moved.checkout(await moved.quote(await stayAt(moved, firstOnly)));
    await rebind(moved, secondCatalog, firstOnly.listingId, 404);

    const { party: _, ...stay } = await stayAt(first, firstOnly);
    const body = { quoteId: randomUUID(), ...stay, party };
    assertError(await moved.refused('reservation.quote.create', { body }), notFound);
    const { quoteId, listingId, checkIn, checkOut } = gone;
    const repeat = { quoteId, listingId, checkIn, checkOut, party };
    await moved.succeed('reservation.quote.create', { body: repeat }, 200);
    await moved.succeed('reservation.checkout.get', open.at, 200);

    await testWorker.runDue();
    const outcomes = await Promise.all(
      requests.map(({ reservationRequestId }) =>
        moved.succeed('reservation.reservationRequest.get', { params: { reservationRequestId } }),
      ),
    );
    assert.deepEqual(
      outcomes.map(({ state, failure }) => [state, failure?.reason]),
      [
        ['failed', 'sold_out'],
        ['confirmed', undefined],
      ],
    );
    await rebind(moved, firstCatalog, firstOnly.listingId, 200);
  });
});
