import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, suite, test } from 'node:test';
import type { OperationId } from '../../../src/contract/partner/operations.ts';
import { openTestWorker } from '../../harness/test-worker.ts';
import { daysAhead, type CallInput, type Partner } from '../../harness/partner.ts';
import { startTestService, type TestService } from '../../harness/service.ts';
import { invalidFields } from '../../harness/well-formed.ts';

type Members = Record<string, string | number | object>;

/** A list: what it takes beside `limit` and `cursor`, and how another filter looks. */
interface List {
  id: OperationId;
  by: 'query' | 'body';
  filters: Members;
  otherFilters: Members[];
}

const search = { checkIn: daysAhead(40), checkOut: daysAhead(43), party: { adults: 2 } };
const lists: List[] = [
  {
    id: 'distribution.listing.list',
    by: 'query',
    filters: {},
    otherFilters: [{ collectionId: randomUUID() }],
  },
  {
    id: 'distribution.listing.search',
    by: 'body',
    filters: search,
    otherFilters: [
      { ...search, checkIn: daysAhead(41) },
      { ...search, checkOut: daysAhead(44) },
      { ...search, party: { adults: 1 } },
      { ...search, party: { adults: 2, pets: 1 } },
      { ...search, collectionId: randomUUID() },
      { ...search, destination: 'a' },
      { ...search, near: { latitude: 0, longitude: 0, radiusKm: 500 } },
      { ...search, amenities: [] },
      { ...search, bedroomsMin: 0 },
      { ...search, maxTotal: { amount: 1_000_000_000, currency: 'EUR' } },
      { ...search, sort: 'total' },
      { ...search, flexDays: 0 },
    ],
  },
  {
    id: 'reservation.reservationRequest.list',
    by: 'query',
    filters: {},
    otherFilters: [{ partnerReference: 'x' }],
  },
  {
    id: 'reservation.reservation.list',
    by: 'query',
    filters: {},
    otherFilters: [
      { partnerReference: 'x' },
      { state: 'confirmed' },
      { checkInFrom: '2027-01-01' },
      { checkInTo: '2037-01-01' },
      { updatedSince: '2027-01-01T00:00:00Z' },
    ],
  },
  {
    id: 'reservation.change.list',
    by: 'query',
    filters: {},
    otherFilters: [{ reference: 'x' }, { state: 'open' }],
  },
  {
    id: 'reservation.event.list',
    by: 'query',
    filters: {},
    otherFilters: [{ type: 'checkout.resolved' }],
  },
];

suite('cursors', () => {
  let service: TestService;
  let partner: Partner;
  let other: Partner;
  const cursors = new Map<OperationId, string>();

  before(async () => {
    service = await startTestService({ LATCHKEY_ROLES: 'api' });
    partner = await service.partner();
    other = await service.partner();
    for (let nth = 0; nth < 3; nth += 1) await partner.request();
    await (await openTestWorker(service.database)).runDue();
    const { items } = await partner.succeed('reservation.reservation.list');
    for (const { reference } of items.slice(0, 2)) {
      await partner.succeed('reservation.change.request', {
        params: { reference },
        body: { changeRequestId: randomUUID(), kind: 'cancel' },
      });
    }
    for (const list of lists) {
      const { nextCursor } = await page(list, { limit: 1 });
      assert.ok(nextCursor, `${list.id} has more than a page`);
      cursors.set(list.id, nextCursor);
    }
  });
  after(() => service.stop());

  function inputOf({ by, filters }: List, more: Members): CallInput<OperationId> {
    const members = { ...filters, ...more };
    if (by === 'body') return { rawBody: JSON.stringify(members) };
    const pairs = Object.entries(members).map(([name, value]) => `${name}=${String(value)}`);
    return { query: pairs.join('&') };
  }

  const page = async (list: List, more: Members) => {
    const { body, status, text } = await partner.call(list.id, inputOf(list, more));
    assert.equal(status, 200, text);
    return body as { items: object[]; nextCursor: string | null };
  };

  async function refused(list: List, cursor: string, caller = partner): Promise<void> {
    const fields = await invalidFields(caller, list.id, inputOf(list, { cursor }));
    const path = list.by === 'body' ? '/cursor' : 'query/cursor';
    assert.deepEqual(fields, [
      { path, message: 'is not a cursor of this list with these filters' },
    ]);
  }

  for (const list of lists) {
    test(`${list.id} › 200 › a cursor can be used again, also with another limit`, async () => {
      const cursor = cursors.get(list.id)!;
      assert.match(cursor, /^[A-Za-z0-9_-]{1,1024}$/);
      const one = await page(list, { cursor, limit: 1 });
      const two = await page(list, { cursor, limit: 2 });
      assert.deepEqual(two.items[0], one.items[0]);
      assert.deepEqual(
        await page(list, { cursor, limit: 1 }).then(({ items }) => items),
        one.items,
      );
    });

    // Spec: CALL-14.
    test(`${list.id} › 400 invalid_input › a cursor of another application`, async () => {
      await refused(list, cursors.get(list.id)!, other);
    });

    test(`${list.id} › 400 invalid_input › a cursor of another list`, async () => {
      for (const [id, cursor] of cursors) if (id !== list.id) await refused(list, cursor);
    });

    test(`${list.id} › 400 invalid_input › a cursor of other filters`, async () => {
      for (const filters of list.otherFilters) {
        await refused({ ...list, filters }, cursors.get(list.id)!);
      }
    });

    test(`${list.id} › 400 invalid_input › a cursor with any one character changed`, async () => {
      const cursor = cursors.get(list.id)!;
      for (let at = 0; at < cursor.length; at += 1) {
        const letter = cursor[at] === 'A' ? 'B' : 'A';
        await refused(list, cursor.slice(0, at) + letter + cursor.slice(at + 1));
      }
      for (const text of [cursor.slice(1), cursor.slice(0, -1), `${cursor}A`, cursor + cursor]) {
        await refused(list, text);
      }
    });
  }

  test('distribution.listing.search › the order of members and explicit defaults do not change the filters', async () => {
    const list = lists[1]!;
    const cursor = cursors.get(list.id)!;
    const party = { pets: 0, infants: 0, children: 0, adults: 2 };
    const filters = { party, checkOut: search.checkOut, checkIn: search.checkIn };
    const { items } = await page({ ...list, filters }, { cursor });
    assert.ok(items.length > 0);
  });
});
