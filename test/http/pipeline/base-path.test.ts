import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { buildConsoleIfStale } from '../../harness/built-console.ts';
import { type Partner, requestOf } from '../../harness/partner.ts';
import { startTestService, type TestService } from '../../harness/service.ts';

const basePath = '/booking/latchkey';

suite('BASE_URL with a path', () => {
  let service: TestService;
  let card: Partner;
  let partner: Partner;

  before(async () => {
    buildConsoleIfStale();
    service = await startTestService({ BASE_URL: `https://homes.test${basePath}/` });
    card = await service.partner({ settlement: 'card' });
    partner = await service.partner();
  });
  after(() => service.stop());

  // Spec: CALL-12.
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
    const body = requestOf(await partner.quote());
    const reply = await partner.call('reservation.reservationRequest.create', { body });
    const location = `${basePath}/v1/reservation-requests/${body.reservationRequestId}`;
    assert.equal(reply.headers.get('location'), location);
  });

  test('distribution.listing.list › images start with it', async () => {
    const { items } = await partner.succeed('distribution.listing.list', { query: { limit: 1 } });
    const urls = items.flatMap(({ images }) => images.map(({ url }) => url));
    assert.ok(urls.length > 0);
    for (const url of urls) assert.ok(url.startsWith(`https://homes.test${basePath}/`), url);
  });

  for (const [proxy, kept] of [
    ['removes', ''],
    ['keeps', basePath],
  ] as const) {
    const get = (address: string) => fetch(`${service.origin}${kept}${address}`);

    test(`a proxy that ${proxy} it › every page and document is served`, async () => {
      const addresses = ['/', '/docs', '/docs/guides', '/openapi.json', '/portal', '/readyz'];
      for (const address of addresses) assert.equal((await get(address)).status, 200, address);
      assert.equal((await get('/v1/site')).status, 401);
      assert.equal((await get('/portal/v1/session')).status, 401);
    });

    test(`a proxy that ${proxy} it › the files and links of the pages are below it`, async () => {
      for (const address of ['/', '/docs', '/docs/guides', '/portal', '/portal/endpoints/1']) {
        const page = await (await get(address)).text();
        const named = [...page.matchAll(/(?:href|src)="([^"#]+)"/g)].map(([, name = '']) => name);
        const own = named.filter((name) => !name.startsWith('http'));
        assert.ok(own.length > 0, address);
        for (const name of own) {
          assert.ok(name.startsWith(`${basePath}/`), `${address}: ${name}`);
          if (!/\.(?:js|css|svg)$/.test(name)) continue;
          const file = await get(name.slice(basePath.length));
          assert.equal(file.status, 200, name);
        }
      }
    });
  }

  test('404 not_found › a path that only starts with the same letters', async () => {
    assert.equal((await fetch(`${service.origin}${basePath}s/docs`)).status, 404);
  });
});
