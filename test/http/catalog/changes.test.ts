import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, suite, test } from 'node:test';
import type { Partner } from '../../harness/partner.ts';
import {
  changeHome,
  followed,
  homesOf,
  withdrawHomes,
  writeListings,
} from '../../harness/catalog.ts';
import { startTestService, type TestService } from '../../harness/service.ts';

let service: TestService;
let partner: Partner;
before(async () => {
  service = await startTestService();
  partner = await service.partner();
});
after(() => service.stop());

const page = (cursor?: string, limit = 10) =>
  partner.succeed('distribution.listing.list', {
    query: { limit, ...(cursor !== undefined && { cursor }) },
  });

const idsOf = (items: { listingId: string }[]) => items.map(({ listingId }) => listingId);

/** The rest of the list from a cursor on. */
async function restOf(from: string | null): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor = from; cursor !== null;) {
    const { items, nextCursor } = await page(cursor, 50);
    ids.push(...idsOf(items));
    cursor = nextCursor;
  }
  return ids;
}

suite('distribution.listing.list › changes in the database', () => {
  test('200 › a changed home has new ETags and a later asOf', async () => {
    const [home] = await homesOf(service);
    const read = () =>
      partner.call('distribution.listing.get', { params: { listingId: home!.listingId } });
    const [earlier, listBefore] = [await read(), await page()];
    const listTag = (await partner.call('distribution.listing.list')).headers.get('etag');

    await changeHome(service, partner, home!, { name: 'The Renamed House' });
    const now = await read();
    assert.equal((now.body as { name: string }).name, 'The Renamed House');
    assert.notEqual(now.headers.get('etag'), earlier.headers.get('etag'));
    const listNow = await page();
    assert.equal(listNow.items[0]!.name, 'The Renamed House');
    assert.ok(Date.parse(listNow.meta.asOf!) > Date.parse(listBefore.meta.asOf!));
    const nowTag = (await partner.call('distribution.listing.list')).headers.get('etag');
    assert.notEqual(nowTag, listTag);
  });

  test('200 › a home that did not change keeps its bytes and its ETag', async () => {
    const [home, other] = await homesOf(service);
    const params = { listingId: other!.listingId };
    const earlier = await partner.call('distribution.listing.get', { params });
    await changeHome(service, partner, home!, { name: 'Another name again' });
    const now = await partner.call('distribution.listing.get', { params });
    assert.equal(now.text, earlier.text);
    assert.equal(now.headers.get('etag'), earlier.headers.get('etag'));
  });

  // Spec: LISTING-3.
  test('200 › paging continues without a gap when an earlier home is removed', async () => {
    const homes = await homesOf(service);
    const { items, nextCursor } = await page();
    await withdrawHomes(service.database, idsOf(items).slice(2, 5));
    await followed(service, partner);
    assert.deepEqual(await restOf(nextCursor), idsOf(homes.slice(10)));
  });

  test('200 › paging continues when the last home of the page is removed', async () => {
    const homes = await homesOf(service);
    const { items, nextCursor } = await page();
    await withdrawHomes(service.database, [items.at(-1)!.listingId]);
    await followed(service, partner);
    assert.deepEqual(await restOf(nextCursor), idsOf(homes.slice(10)));
  });

  test('200 › paging continues without a repeat when an earlier home is added', async () => {
    const homes = await homesOf(service);
    const { nextCursor } = await page();
    const added = { ...homes[0]!, listingId: randomUUID(), slug: 'put-in' };
    await writeListings(service.database, [added], -1);
    await followed(service, partner);
    assert.equal((await page()).items[0]!.slug, 'put-in');
    assert.deepEqual(await restOf(nextCursor), idsOf(homes.slice(10)));
  });

  test('404 not_found › a removed home', async () => {
    const homes = await homesOf(service);
    const params = { listingId: homes.at(-1)!.listingId };
    await withdrawHomes(service.database, [params.listingId]);
    await followed(service, partner);
    assert.equal((await partner.refused('distribution.listing.get', { params })).code, 'not_found');
  });
});
