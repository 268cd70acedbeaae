import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, suite, test } from 'node:test';
import type { Listing } from '../../../src/contract/partner/schemas/listing.ts';
import { simulationDefinitionVersion } from '../../../src/contract/wire.ts';
import { acceptedPolicies } from '../../../src/pricing/rules/cancellation-text.ts';
import { daysAhead, type Partner } from '../../harness/partner.ts';
import { homesOf, sql } from '../../harness/catalog.ts';
import { testBaseUrl } from '../../harness/base-url.ts';
import { startTestService, type TestService } from '../../harness/service.ts';
import { wrongPaths } from '../../harness/wrong-paths.ts';

const listingsOfTheSimulation = 120;

type Query = { limit?: number; cursor?: string; collectionId?: string };

let service: TestService;
let partner: Partner;
before(async () => {
  service = await startTestService();
  partner = await service.partner();
});
after(() => service.stop());

const list = (query: Query = {}, who = partner) =>
  who.succeed('distribution.listing.list', { query });

/** All pages, each of the next size. */
async function walk(query: Query, sizes: readonly number[] = [50]): Promise<Listing[][]> {
  const pages: Listing[][] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const limit = sizes[pages.length % sizes.length]!;
    const page = await list({ ...query, limit, ...(cursor !== undefined && { cursor }) });
    pages.push(page.items);
    cursor = page.nextCursor;
    assert.ok(page.items.length === limit || cursor === null, 'only the last page is shorter');
  }
  return pages;
}

const idsOf = (pages: Listing[][]) => pages.flat().map(({ listingId }) => listingId);

suite('distribution.listing.list', () => {
  // Spec: LISTING-2.
  test('200 › items › every home with every member, in the order of the catalog', async () => {
    const items = (await walk({})).flat();
    const homes = await homesOf(service);
    assert.equal(items.length, listingsOfTheSimulation);
    const expected = homes.map((listing) => {
      const { images, policies: _8, cancellation: _9, ...home } = listing;
      const { currency: _1, rates: _2, fees: _3, taxes: _4, payment: _5, ...unpriced } = home;
      const { party, stayRules, registration, propertyType, ...others } = unpriced;
      const { address: _10, arrivalInstructions: _11, securityDeposit: _12, ...told } = others;
      const { cancellationGrace: _13, cancellationAlwaysRefunds: _14, ...content } = told;
      return {
        ...content,
        images: images.map((image) =>
          'url' in image ? image : { url: `${testBaseUrl}/${image.file}`, alt: image.alt },
        ),
        policies: acceptedPolicies(listing),
        propertyType: propertyType ?? null,
        registrationNumber: registration?.number ?? null,
        partyRules: { maxGuests: home.sleeps, ...party },
        maxNights: stayRules.maxNights,
      };
    });
    assert.deepEqual(items, expected);
  });

  // Spec: LISTING-3.
  test('200 › items › the same order by pages of any size', async () => {
    const whole = idsOf(await walk({}));
    assert.equal(new Set(whole).size, listingsOfTheSimulation);
    for (const sizes of [[1], [7], [19, 50, 3], [24], [40]]) {
      assert.deepEqual(idsOf(await walk({}, sizes)), whole, `pages of ${sizes.join()}`);
    }
  });

  test('200 › nextCursor › null on the last page, even if it is full', async () => {
    const pages = await walk({}, [40]);
    assert.deepEqual(
      pages.map(({ length }) => length),
      [40, 40, 40],
    );
  });

  // Spec: CALL-17.
  test('200 › limit › 20 by default', async () => {
    assert.equal((await list()).items.length, 20);
  });

  test('200 › collectionId › only its homes, in the same order', async () => {
    const homes = await homesOf(service);
    const { collections } = await partner.succeed('distribution.site.get');
    for (const { collectionId } of collections) {
      const expected = homes.filter((home) => home.collectionId === collectionId);
      for (const asked of [collectionId, collectionId.toUpperCase()]) {
        const pages = await walk({ collectionId: asked }, [7]);
        assert.deepEqual(
          idsOf(pages),
          expected.map(({ listingId }) => listingId),
        );
      }
    }
  });

  // Spec: LISTING-8.
  test('200 › collectionId › unknown: an empty page', async () => {
    const page = await list({ collectionId: randomUUID() });
    assert.deepEqual(page.items, []);
    assert.equal(page.nextCursor, null);
    assert.equal(page.meta.completeness, 'complete');
  });

  // Spec: LISTING-5.
  test('200 › meta › complete, simulated, with the instant of the last change for every page', async () => {
    const first = await list({ limit: 3 });
    const second = await list({ limit: 3, cursor: first.nextCursor ?? '' });
    assert.equal(first.meta.completeness, 'complete');
    assert.equal(first.meta.definitionVersion, simulationDefinitionVersion);
    const [row] = await sql<{ changed_at: number }>(
      service,
      'SELECT changed_at FROM catalog_revision',
    );
    assert.equal(Date.parse(first.meta.asOf ?? ''), row!.changed_at);
    assert.deepEqual(second.meta, first.meta);
  });

  test('200 › empty query values count as absent', async () => {
    const plain = await partner.call('distribution.listing.list');
    for (const query of ['limit=&cursor=&collectionId=', 'cursor=', 'limit=', 'collectionId']) {
      const reply = await partner.call('distribution.listing.list', { query });
      assert.equal(reply.status, 200, query);
      assert.equal(reply.text, plain.text);
    }
  });

  for (const query of [
    'limit=0',
    'limit=51',
    'limit=-1',
    'limit=1.5',
    'limit=1e1',
    'limit=ten',
    'limit=%20',
  ]) {
    test(`400 invalid_input › ${query}`, async () => {
      const error = await partner.refused('distribution.listing.list', { query });
      assert.equal(error.code, 'invalid_input');
      assert.deepEqual(wrongPaths(error), ['query/limit']);
    });
  }

  for (const limit of [1, 50]) {
    test(`200 › limit=${limit}`, async () => {
      assert.equal((await list({ limit })).items.length, limit);
    });
  }

  test('400 invalid_input › collectionId that is not a UUID, unknown parameter: all at once', async () => {
    const query = 'collectionId=here&page=2&limit=99';
    const error = await partner.refused('distribution.listing.list', { query });
    assert.deepEqual(wrongPaths(error).toSorted(), [
      'query/collectionId',
      'query/limit',
      'query/page',
    ]);
  });

  test('304 › If-None-Match › the tag of this page, not of another', async () => {
    const first = await partner.call('distribution.listing.list', { query: { limit: 5 } });
    const etag = first.headers.get('etag') ?? '';
    const headers = { 'if-none-match': etag };
    const known = await partner.call('distribution.listing.list', { query: { limit: 5 }, headers });
    assert.equal(known.status, 304);
    assert.equal(known.headers.get('etag'), etag);
    assert.equal(known.text, '');
    const other = await partner.call('distribution.listing.list', { query: { limit: 6 }, headers });
    assert.equal(other.status, 200);
    assert.notEqual(other.headers.get('etag'), etag);
  });

  test('200 › Cache-Control › private, revalidated', async () => {
    const { headers } = await partner.call('distribution.listing.list');
    assert.equal(headers.get('cache-control'), 'private, no-cache');
  });
});

suite('distribution.listing.list › cursor', () => {
  const refusedCursor = async (query: Query, who = partner) => {
    const error = await who.refused('distribution.listing.list', { query });
    assert.equal(error.code, 'invalid_input', JSON.stringify(query));
    assert.deepEqual(wrongPaths(error), ['query/cursor']);
  };

  test('200 › is not bound to the limit', async () => {
    const whole = idsOf(await walk({}));
    const { nextCursor } = await list({ limit: 5 });
    const { items } = await list({ limit: 9, cursor: nextCursor ?? '' });
    assert.deepEqual(idsOf([items]), whole.slice(5, 14));
  });

  test('400 › of another application', async () => {
    const other = await service.partner();
    const { nextCursor } = await list({ limit: 5 });
    await refusedCursor({ cursor: nextCursor ?? '' }, other);
  });

  test('400 › of another filter', async () => {
    const { collections } = await partner.succeed('distribution.site.get');
    const [one, two] = collections.map(({ collectionId }) => collectionId);
    const all = (await list({ limit: 5 })).nextCursor ?? '';
    const ofOne = (await list({ limit: 5, collectionId: one! })).nextCursor ?? '';
    await refusedCursor({ cursor: all, collectionId: one! });
    await refusedCursor({ cursor: ofOne });
    await refusedCursor({ cursor: ofOne, collectionId: two! });
  });

  test('400 › of another operation', async () => {
    const body = {
      checkIn: daysAhead(40),
      checkOut: daysAhead(42),
      party: { adults: 1 },
      limit: 1,
    };
    const search = await partner.succeed('distribution.listing.search', { body });
    const events = await partner.succeed('reservation.event.list');
    await refusedCursor({ cursor: search.nextCursor ?? '' });
    await refusedCursor({ cursor: events.nextCursor });
  });

  test('400 › changed at any place, cut, extended, forged, too long, malformed', async () => {
    const cursor = (await list({ limit: 5 })).nextCursor ?? '';
    assert.match(cursor, /^[A-Za-z0-9_-]{1,1024}$/);
    const garbled = [...cursor].map((letter, at) => {
      const other = letter === 'A' ? 'B' : 'A';
      return cursor.slice(0, at) + other + cursor.slice(at + 1);
    });
    const others = [cursor.slice(0, -1), cursor.slice(1), `${cursor}A`, 'x', 'A'.repeat(1024)];
    for (const wrong of [...garbled, ...others, 'A'.repeat(1025), 'a=b', 'a.b']) {
      await refusedCursor({ cursor: wrong });
    }
  });
});

suite('distribution.listing.get', () => {
  test('200 › equal to the item in the list, for every home', async () => {
    const pages = await walk({});
    await Promise.all(
      pages.flat().map(async (item) => {
        const params = { listingId: item.listingId };
        const reply = await partner.call('distribution.listing.get', { params });
        assert.equal(reply.status, 200);
        assert.equal(reply.text, JSON.stringify(item));
      }),
    );
  });

  test('200 › the ID in capitals names the same home', async () => {
    const [item] = (await list({ limit: 1 })).items;
    const params = { listingId: item!.listingId.toUpperCase() };
    assert.deepEqual(await partner.succeed('distribution.listing.get', { params }), item);
  });

  test('404 not_found › no such home', async () => {
    const params = { listingId: randomUUID() };
    assert.equal((await partner.refused('distribution.listing.get', { params })).code, 'not_found');
  });

  test('304 › If-None-Match › alone, in a list, weak; 200 to another', async () => {
    const [one, two] = (await list({ limit: 2 })).items;
    const read = (listingId: string, headers: Record<string, string> = {}) =>
      partner.call('distribution.listing.get', { params: { listingId }, headers });
    const etag = (await read(one!.listingId)).headers.get('etag') ?? '';
    assert.match(etag, /^"[^"]+"$/);
    for (const tags of [etag, `"x", ${etag}`, `W/${etag}`, '*']) {
      const reply = await read(one!.listingId, { 'if-none-match': tags });
      assert.equal(reply.status, 304, tags);
      assert.equal(reply.headers.get('etag'), etag);
    }
    assert.equal((await read(two!.listingId, { 'if-none-match': etag })).status, 200);
  });
});
