import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { capabilities, type Capability } from '../../../src/contract/scopes.ts';
import { changeInventory, followed, sql } from '../../harness/catalog.ts';
import type { Partner } from '../../harness/partner.ts';
import { testBaseUrl } from '../../harness/base-url.ts';
import { startTestService, type TestService } from '../../harness/service.ts';

const listingsOfTheSimulation = 120;
const collectionsOfTheSimulation = 6;

let service: TestService;
let partner: Partner;
before(async () => {
  service = await startTestService();
  partner = await service.partner();
});
after(() => service.stop());

suite('distribution.site.get', () => {
  // Spec: LISTING-1.
  test('200 › every member, from the database', async () => {
    const site = await partner.succeed('distribution.site.get');
    const [row] = await sql<{ name: string; slug: string; policies: object; standards: object }>(
      service,
      'SELECT name, slug, policies, standards FROM catalogs',
    );
    assert.deepEqual(Object.keys(site).toSorted(), [
      'capabilities',
      'collections',
      'discovery',
      'environment',
      'name',
      'policies',
      'slug',
      'standards',
      'trader',
    ]);
    const { name, slug, policies, standards } = site;
    assert.deepEqual({ name, slug, policies, standards }, row);
    assert.ok(site.policies.length > 0 && site.standards.length > 0);
  });

  // Spec: SIMULATION-7.
  test('200 › environment › simulation', async () => {
    assert.equal((await partner.succeed('distribution.site.get')).environment, 'simulation');
  });

  // Spec: ACCESS-1.
  test('200 › capabilities › equal the grants of the application', async () => {
    const granted: Capability[][] = [['catalog'], ['catalog', 'quotes'], [...capabilities]];
    for (const grants of granted) {
      const other = await service.partner({ grants });
      assert.deepEqual((await other.succeed('distribution.site.get')).capabilities, grants);
    }
  });

  test('200 › capabilities › change with the grants, and so does the ETag', async () => {
    const other = await service.partner();
    const earlier = await other.call('distribution.site.get');
    await sql(
      service,
      `UPDATE applications SET grants = '{catalog,search}' WHERE application_id = $1`,
      [other.credentials.applicationId],
    );
    const deadline = Date.now() + 5_000;
    for (;;) {
      const now = await other.call('distribution.site.get');
      const { capabilities: shown } = now.body as { capabilities: string[] };
      if (shown.length === 2) {
        assert.deepEqual(shown, ['catalog', 'search']);
        assert.notEqual(now.headers.get('etag'), earlier.headers.get('etag'));
        return;
      }
      assert.ok(Date.now() < deadline, 'the grants are not followed');
    }
  });

  test('200 › collections › all of them, in order, each with its homes', async () => {
    const { collections } = await partner.succeed('distribution.site.get');
    assert.equal(collections.length, collectionsOfTheSimulation);
    const stored = await sql<{ collection_id: string }>(
      service,
      'SELECT collection_id FROM collections ORDER BY position',
    );
    assert.deepEqual(
      collections.map(({ collectionId }) => collectionId),
      stored.map((row) => row.collection_id),
    );
    let homes = 0;
    for (const { collectionId } of collections) {
      const query = { collectionId, limit: 50 };
      const { items } = await partner.succeed('distribution.listing.list', { query });
      assert.ok(items.length > 0);
      homes += items.length;
    }
    assert.equal(homes, listingsOfTheSimulation);
  });

  test('304 › If-None-Match › the current tag', async () => {
    const first = await partner.call('distribution.site.get');
    const etag = first.headers.get('etag') ?? '';
    assert.match(etag, /^"[^"]+"$/);
    const known = await partner.call('distribution.site.get', {
      headers: { 'if-none-match': etag },
    });
    assert.equal(known.status, 304);
    assert.equal(known.text, '');
    assert.equal(known.headers.get('etag'), etag);
    const stale = { 'if-none-match': '"another"' };
    assert.equal((await partner.call('distribution.site.get', { headers: stale })).status, 200);
    const narrow = await service.partner({ grants: ['catalog'] });
    const others = await narrow.call('distribution.site.get', {
      headers: { 'if-none-match': etag },
    });
    assert.equal(others.status, 200, 'other grants are another representation');
  });

  test('200 › X-Booking-Consumer › each of its values on every read of the catalog; others are 400', async () => {
    const { items } = await partner.succeed('distribution.listing.list', { query: { limit: 1 } });
    const params = { listingId: items[0]!.listingId };
    const read = (consumer: string) => {
      const headers = { 'x-booking-consumer': consumer };
      return Promise.all([
        partner.call('distribution.site.get', { headers }),
        partner.call('distribution.listing.list', { headers }),
        partner.call('distribution.listing.get', { headers, params }),
      ]);
    };
    for (const consumer of ['web', 'agent', 'cli', 'staff']) {
      for (const { status } of await read(consumer)) assert.equal(status, 200, consumer);
    }
    for (const consumer of ['robot', 'WEB', 'web,cli']) {
      for (const { status, text } of await read(consumer)) {
        assert.equal(status, 400, consumer);
        assert.match(text, /"header\/x-booking-consumer"/);
      }
    }
  });

  test('200 › shows a change of the site in the database', async () => {
    const earlier = await partner.call('distribution.site.get');
    await changeInventory(service.database, () =>
      sql(service, `UPDATE catalogs SET name = 'Renamed'`),
    );
    await followed(service, partner);
    const now = await partner.call('distribution.site.get');
    assert.equal((now.body as { name: string }).name, 'Renamed');
    assert.notEqual(now.headers.get('etag'), earlier.headers.get('etag'));
  });
});

suite('pictures', () => {
  test('every URL is absolute, under the base URL, and no two homes share one', async () => {
    const urls: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const query = { limit: 50, ...(cursor !== undefined && { cursor }) };
      const page = await partner.succeed('distribution.listing.list', { query });
      for (const { images } of page.items) urls.push(...images.map(({ url }) => url));
      for (const { images } of page.items) assert.ok(images.every(({ alt }) => alt.length > 0));
      cursor = page.nextCursor;
    }
    assert.ok(urls.length >= listingsOfTheSimulation);
    assert.ok(urls.every((url) => url.startsWith(`${testBaseUrl}/`)));
    assert.equal(new Set(urls).size, urls.length);
  });

  test('those of fifty homes are served, without a token, as SVG documents', async () => {
    const { items } = await partner.succeed('distribution.listing.list', { query: { limit: 50 } });
    const urls = items.flatMap(({ images }) => images.map(({ url }) => url));
    await Promise.all(
      urls.map(async (url) => {
        const response = await fetch(url.replace(testBaseUrl, service.origin));
        assert.equal(response.status, 200, url);
        assert.match(response.headers.get('content-type') ?? '', /^image\/svg\+xml/);
        assert.match(await response.text(), /^<svg [\s\S]*<\/svg>\s*$/);
      }),
    );
  });

  test('404 in the envelope for any other path', async () => {
    for (const path of ['/pictures/no-such-home/1.svg', '/pictures/', '/pictures/%2e%2e/x.svg']) {
      const response = await fetch(`${service.origin}${path}`);
      assert.equal(response.status, 404, path);
      const { error } = (await response.json()) as { error: { code: string } };
      assert.equal(error.code, 'not_found');
    }
  });
});
