import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, suite, test } from 'node:test';
import { guest, type Partner } from '../../harness/partner.ts';
import { startTestService, type TestService } from '../../harness/service.ts';

const basePath = '/booking/latchkey';

suite('BASE_URL with a path', () => {
  let service: TestService;
  let card: Partner;
  let partner: Partner;

  before(async () => {
    service = await startTestService({ BASE_URL: `https://homes.test${basePath}/` });
    card = await service.partner({ settlement: 'card' });
    partner = await service.partner();
  });
  after(() => service.stop());

  test('reservation.checkout.setupPayment › Location starts with it', async () => {
    const open = await card.readyCheckout();
    const body = { expectedVersion: 2 };
    const reply = await card.call('reservation.checkout.setupPayment', { ...open.at, body });
    const { checkoutId } = open.created;
    assert.equal(reply.headers.get('location'), `${basePath}/v1/checkouts/${checkoutId}`);
  });

  test('reservation.checkout.submit › Location starts with it', async () => {
    const { at, created, quote } = await partner.readyCheckout();
    const body = {
      expectedVersion: 2,
      termsVersion: quote.terms.version,
      termsAccepted: true as const,
    };
    const reply = await partner.call('reservation.checkout.submit', { ...at, body });
    const location = `${basePath}/v1/checkouts/${created.checkoutId}/status`;
    assert.equal(reply.headers.get('location'), location);
  });

  test('reservation.reservationRequest.create › Location starts with it', async () => {
    const { quoteId, terms } = await partner.quote();
    const reservationRequestId = randomUUID();
    const reply = await partner.call('reservation.reservationRequest.create', {
      body: {
        reservationRequestId,
        quoteId,
        termsVersion: terms.version,
        termsAccepted: true,
        guest: guest(),
      },
    });
    const location = `${basePath}/v1/reservation-requests/${reservationRequestId}`;
    assert.equal(reply.headers.get('location'), location);
  });

  test('distribution.listing.list › images start with it', async () => {
    const { items } = await partner.succeed('distribution.listing.list', { query: { limit: 1 } });
    const urls = items.flatMap(({ images }) => images.map(({ url }) => url));
    assert.ok(urls.length > 0);
    for (const url of urls) assert.ok(url.startsWith(`https://homes.test${basePath}/`), url);
  });
});
