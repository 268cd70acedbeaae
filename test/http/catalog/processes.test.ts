import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { after, before, suite, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Catalog, openCatalog } from '../../../src/catalog/catalog.ts';
import { untilKnown } from '../../../src/catalog/freshness.ts';
import { readConfig } from '../../../src/config/config.ts';
import { DatabaseUnavailableError } from '../../../src/platform/postgres/database-errors.ts';
import { withDeadline } from '../../../src/platform/postgres/deadline.ts';
import type { Database, Executor } from '../../../src/platform/postgres/database.ts';
import { startService, type Service } from '../../../src/program/service.ts';
import { noCatalog } from '../../../src/catalog/no-catalog.ts';
import {
  changeHome,
  changeInventory,
  changeListing,
  homesOf,
  onlyCatalog,
  sql,
  withdrawHomes,
} from '../../harness/catalog.ts';
import { Partner } from '../../harness/partner.ts';
import { testBaseUrl } from '../../harness/base-url.ts';
import { startTestService, type TestService } from '../../harness/service.ts';

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };
const env = { LATCHKEY_ROLES: 'api' };

suite('the catalog in several processes', () => {
  let service: TestService;
  let second: Service;
  let here: Partner;
  let there: Partner;

  before(async () => {
    service = await startTestService(env);
    here = await service.partner();
    // Not loaded in the same instant.
    await sleep(20);
    const config = readConfig({ BASE_URL: testBaseUrl, ...env });
    second = await startService({ config, database: service.database, logger: false, log: silent });
    await second.app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = second.app.server.address() as AddressInfo;
    there = new Partner(`http://127.0.0.1:${port}`, here.credentials);
  });
  after(async () => {
    await second.stop();
    await service.stop();
  });

  async function read(partner: Partner, listingId: string) {
    const first = await partner.call('distribution.listing.list', { query: { limit: 5 } });
    const cursor = (first.body as { nextCursor: string }).nextCursor;
    const responses = [
      first,
      await partner.call('distribution.listing.list', { query: { limit: 5, cursor } }),
      await partner.call('distribution.site.get'),
      await partner.call('distribution.listing.get', { params: { listingId } }),
    ];
    return responses.map(({ status, headers, text }) => {
      assert.equal(status, 200, text);
      assert.ok(headers.get('etag'));
      return { etag: headers.get('etag'), text };
    });
  }

  // Spec: LISTING-6.
  test('site, list and home have the same bytes and ETag everywhere, before a change and after', async () => {
    const [home] = await homesOf(service);
    const { listingId } = home!;
    const earlier = await read(here, listingId);
    assert.deepEqual(await read(there, listingId), earlier);

    await changeHome(service, here, home!, { name: 'A changed name' });
    await eventuallyEqual(listingId);
    const now = await read(here, listingId);
    assert.notEqual(now[0]!.etag, earlier[0]!.etag);
    assert.notEqual(now[3]!.etag, earlier[3]!.etag);
    assert.equal(now[2]!.etag, earlier[2]!.etag, 'the site did not change');
  });

  /** Each process follows the catalog by itself, once a second. */
  async function eventuallyEqual(listingId: string): Promise<void> {
    const deadline = Date.now() + 10_000;
    for (;;) {
      const [one, other] = [await read(here, listingId), await read(there, listingId)];
      if (Date.now() > deadline) assert.deepEqual(other, one);
      if (JSON.stringify(one) === JSON.stringify(other)) return;
      await sleep(50);
    }
  }
});

suite('the catalog of a process', () => {
  let service: TestService;
  before(async () => {
    service = await startTestService(env);
  });
  after(() => service.stop());

  /** The catalog on a database whose reads of it are counted, and can be held up, and whose time can be shifted. */
  async function opened() {
    const state = { reads: 0, gate: Promise.resolve(), shiftMs: 0 };
    const { database } = service;
    const executor: Executor = {
      vault: database.vault,
      async query<R>(...asked: Parameters<Executor['query']>) {
        const rows = await database.query<R & { now?: number }>(...asked);
        if (asked[0].name === 'read-catalogs') {
          state.reads += 1;
          await state.gate;
        }
        for (const row of rows) if (row.now !== undefined) row.now += state.shiftMs;
        return rows;
      },
    };
    const catalog = await openCatalog(executor, {
      environment: 'simulation',
      baseUrl: testBaseUrl,
    });
    state.reads = 0;
    return { state, catalog };
  }

  test('a batch of homes that was not read in time is read again, and none of those before', async () => {
    const { database } = service;
    const asked: unknown[] = [];
    let fails = 2;
    const executor: Executor = {
      vault: database.vault,
      async query<R>(...[statement, values]: Parameters<Executor['query']>) {
        if (statement.name !== 'read-changed-homes') return database.query<R>(statement, values);
        asked.push(values![1]);
        if (asked.length > 1 && fails > 0) {
          fails -= 1;
          throw new DatabaseUnavailableError('PostgreSQL did not answer in time');
        }
        return database.query<R>(statement, values);
      },
    };
    const catalog = await openCatalog(executor, {
      environment: 'simulation',
      baseUrl: testBaseUrl,
    });
    const [first, second, ...others] = asked;
    assert.deepEqual(others.slice(0, 2), [second, second]);
    assert.ok(!others.includes(first));
    const catalogId = await onlyCatalog(database);
    const { listings } = service.catalog.of(catalogId);
    assert.ok(listings.length > 100, String(listings.length));
    assert.equal(catalog.of(catalogId).listings.length, listings.length);
  });

  test('the clock of the database is set back: answers are as of its new time', async () => {
    const { state, catalog } = await opened();
    state.shiftMs = -3_600_000;
    await catalog.follow();
    assert.ok(catalog.knownUntil() < Date.now() - 3_000_000);
  });

  const rename = (name: string) =>
    changeInventory(service.database, (executor) =>
      sql({ database: executor as Database }, 'UPDATE catalogs SET name = $1', [name]),
    );

  const site = async (catalog: Catalog) =>
    catalog.of(await onlyCatalog(service.database)).site([]).bytes;

  const nameIn = (bytes: Buffer): string => (JSON.parse(String(bytes)) as { name: string }).name;

  test('homes are prepared before calls see them, and again if that fails', async () => {
    const { catalog } = await opened();
    const catalogId = await onlyCatalog(service.database);
    const earlier = catalog.of(catalogId);
    const { listingId } = earlier.listings[0]!.listing;
    const nameOf = () => catalog.of(catalogId).find(listingId)?.listing.name;
    const seen: unknown[] = [];
    let fails = true;
    catalog.prepareWith(async (listings) => {
      seen.push(listings, catalog.of(catalogId) === earlier, nameOf());
      if (fails) throw new Error('the nights cannot be read');
    });
    await changeInventory(service.database, (executor, revision) =>
      sql(
        { database: executor as Database },
        'UPDATE listings SET name = $1, revision = $2 WHERE listing_id = $3',
        ['Prepared', revision, listingId],
      ),
    );
    await assert.rejects(catalog.follow(), { message: 'the nights cannot be read' });
    assert.equal(catalog.of(catalogId), earlier);
    fails = false;
    await catalog.follow();
    assert.equal(nameOf(), 'Prepared');
    const { name } = earlier.listings[0]!.listing;
    assert.deepEqual(seen.slice(1, 3), [true, name]);
    assert.equal(seen[3], catalog.of(catalogId).listings);
    assert.deepEqual(seen.slice(4), [true, name]);
  });

  test('a listing of a later revision is read alone, as a process without calls reads all', async () => {
    const { state, catalog } = await opened();
    const catalogId = await onlyCatalog(service.database);
    const [changed, withdrawn] = catalog.of(catalogId).listings.map(({ listing }) => listing);
    await changeListing(service.database, changed!.listingId, () => ({ name: 'Alone' }));
    await withdrawHomes(service.database, [withdrawn!.listingId]);
    const later = catalog.revision() + 2;
    const installation = { environment: 'simulation', baseUrl: testBaseUrl } as const;
    const others = [catalog, noCatalog(service.database, installation)];
    const read = await Promise.all(
      others.flatMap((one) => [
        one.listingAt(later, catalogId, changed!.listingId),
        one.listingAt(later, catalogId, withdrawn!.listingId),
      ]),
    );
    assert.equal(state.reads, 0);
    await catalog.follow();
    const followed = catalog.of(catalogId).find(changed!.listingId);
    assert.equal(followed?.listing.name, 'Alone');
    assert.deepEqual(read, [followed, undefined, followed, undefined]);
    assert.equal(await catalog.listingAt(later, catalogId, changed!.listingId), followed);
  });

  test('is read once for all concurrent readers', async () => {
    const { state, catalog } = await opened();
    await rename('Once');
    await Promise.all(Array.from({ length: 20 }, () => catalog.follow()));
    assert.equal(state.reads, 1);
    assert.equal(nameIn(await site(catalog)), 'Once');
  });

  test('is read again if it changed during the read', async () => {
    const { state, catalog } = await opened();
    const { promise, resolve } = Promise.withResolvers<void>();
    await rename('First');
    state.gate = promise;
    const early = catalog.follow();
    while (state.reads === 0) await sleep(5);
    await sleep(50);
    await rename('Second');
    const late = Array.from({ length: 5 }, () => catalog.follow());
    await sleep(50);
    resolve();
    await early;
    await Promise.all(late);
    assert.equal(nameIn(await site(catalog)), 'Second');
    assert.equal(state.reads, 2);
  });

  test('no call waits for the end of a read that takes longer than its time', async () => {
    const { state, catalog } = await opened();
    const { promise, resolve } = Promise.withResolvers<void>();
    await rename('Much');
    state.gate = promise;
    const whole = catalog.follow();
    while (state.reads === 0) await sleep(5);
    const unknown = randomUUID();
    assert.equal(await withDeadline(1, () => catalog.followSoon()), false);
    await assert.rejects(
      withDeadline(1, () => untilKnown(catalog, unknown)),
      DatabaseUnavailableError,
    );
    resolve();
    await whole;
    assert.equal(nameIn(await site(catalog)), 'Much');
    assert.equal(await catalog.followSoon(), true);
    await untilKnown(catalog, unknown);
  });

  test('is not read while nothing has changed', async () => {
    const { state, catalog } = await opened();
    await catalog.follow();
    assert.equal(state.reads, 0);
  });

  test('has the time of its last change, which never decreases', async () => {
    const read = () =>
      sql<{ revision: number; changed_at: number; now: number }>(
        service,
        'SELECT revision, changed_at, clock_timestamp() AS now FROM catalog_revision',
      );
    const [earlier] = await read();
    await rename('Later');
    const [later] = await read();
    assert.ok(later!.revision > earlier!.revision);
    assert.ok(later!.changed_at >= earlier!.now && later!.changed_at <= later!.now);
    await sql(service, "UPDATE catalog_revision SET changed_at = now() + interval '1 hour'");
    const [ahead] = await read();
    await rename('After the clock was set back');
    const [last] = await read();
    assert.ok(last!.revision > ahead!.revision);
    assert.equal(last!.changed_at, ahead!.changed_at);
  });
});
