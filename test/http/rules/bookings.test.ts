import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, suite, test } from 'node:test';
import { openTestWorker, type TestWorker } from '../../harness/test-worker.ts';
import { Journey, journeyTo, quoteOf } from '../../harness/journey.ts';
import { guest, type Partner } from '../../harness/partner.ts';
import { allOf } from '../../harness/rows.ts';
import { startTestService, type TestService } from '../../harness/service.ts';

suite('rules of bookings', () => {
  let service: TestService;
  let testWorker: TestWorker;
  let partner: Partner;

  before(async () => {
    service = await startTestService({ LATCHKEY_ROLES: 'api' });
    testWorker = await openTestWorker(service.database);
    partner = await service.partner();
  });
  after(() => service.stop());

  // Spec: QUOTE-2.
  test('a quote is not a hold › another caller can book the same home and dates', async () => {
    const quotes = [await quoteOf(partner), await quoteOf(partner)] as const;
    const other = await service.partner();
    const { listingId, checkIn, checkOut, party } = quotes[0];
    quotes.forEach((quote) => assert.equal(quote.listingId, listingId));
    const theirs = await other.quote({ listingId, checkIn, checkOut, party });
    const ways = [
      ...quotes.map((quote) => ({ who: partner, quote })),
      { who: other, quote: theirs },
    ];
    const references = new Set<string | undefined>();
    for (const { who, quote } of ways) {
      const journey = new Journey(who, await who.checkout(quote));
      await journey.done('saveGuest');
      await journey.done('submit');
      await testWorker.runDue();
      const checkout = await journey.read();
      assert.equal(checkout.state, 'confirmed');
      references.add(checkout.reference);
    }
    assert.equal(references.size, 3);
    await partner.quote({ listingId, checkIn, checkOut, party });
  });

  for (const [first, last, state] of [
    ['failed', undefined, 'confirmed'],
    [undefined, 'sold_out', 'failed'],
    ['uncertain', 'quote_expired', 'expired'],
  ] as const) {
    test(`the guest last saved selects the outcome › ${first ?? 'any'}, then ${last ?? 'any'}: ${state}`, async () => {
      const journey = await journeyTo('ready', partner, testWorker, first);
      await journey.done('saveGuest', { body: { guest: guest(last) } });
      await journey.done('submit');
      await testWorker.runDue();
      assert.equal((await journey.read()).state, state);
    });
  }

  for (const state of ['failed', 'expired'] as const) {
    test(`${state} › there is no reservation, and a new quote and checkout make one`, async () => {
      const ended = await journeyTo(state, partner, testWorker);
      assert.equal((await ended.read()).reference, undefined);
      const { reservations } = await allOf(service.database, ended.checkoutId);
      assert.deepEqual(reservations, []);
      const confirmation = await partner.refused(
        'reservation.checkout.getConfirmation',
        ended.open.at,
      );
      assert.deepEqual([confirmation.status, confirmation.code], [409, 'invalid_state']);
      const { reference = '' } = await (await journeyTo('confirmed', partner, testWorker)).read();
      await partner.succeed('reservation.reservation.get', { params: { reference } }, 200);
    });
  }

  // Spec: CHECKOUT-10.
  test('confirmation › zone and nights are those of the home and the stay', async () => {
    const journey = await journeyTo('confirmed', partner, testWorker);
    const { listingId, checkIn, checkOut, party } = journey.open.quote;
    const home = await partner.succeed('distribution.listing.get', { params: { listingId } });
    const { stay } = await partner.succeed('reservation.checkout.getConfirmation', journey.open.at);
    const nights = (Date.parse(checkOut) - Date.parse(checkIn)) / 86_400_000;
    const { timeZone } = home;
    assert.deepEqual(stay, { listingId, timeZone, checkIn, checkOut, nights, party });
  });

  test('one ID › can name a quote, a checkout and a request', async () => {
    const id = randomUUID();
    const quote = await quoteOf(partner);
    const { listingId, checkIn, checkOut, party } = quote;
    const stay = { listingId, checkIn, checkOut, party };
    await partner.succeed('reservation.quote.create', { body: { quoteId: id, ...stay } }, 201);
    const body = { checkoutId: id, quoteId: id };
    await partner.succeed('reservation.checkout.create', { body }, 201);
    const made = await partner.request(quote, { reservationRequestId: id });
    assert.equal(made.state, 'pending');
  });
});
