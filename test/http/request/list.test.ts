import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { QueryOf } from '../../../src/contract/partner/operations.ts';
import type { ReservationRequest } from '../../../src/contract/partner/schemas/reservation.ts';
import { openTestWorker } from '../../harness/test-worker.ts';
import { assertError, quoteOf } from '../../harness/journey.ts';
import type { Partner } from '../../harness/partner.ts';
import { sql } from '../../harness/rows.ts';
import { startTestService, type TestService } from '../../harness/service.ts';
import { wrongPaths } from '../../harness/wrong-paths.ts';

const list = 'reservation.reservationRequest.list';
const made = 23;
const sameInstant = 5;

suite(list, () => {
  let service: TestService;
  let partner: Partner;
  /** As they were made, oldest first. */
  const requests: ReservationRequest[] = [];

  before(async () => {
    service = await startTestService({ LATCHKEY_ROLES: 'api' });
    partner = await service.partner();
    for (let index = 0; index < made; index += 1) requests.push(await create(partner, index));
    // A second apart, the first ones at the same instant: then the ID decides, the same way each time.
    await sql(
      service.database,
      `UPDATE bookings SET created_at = date_trunc('second', now() - interval '1 hour')
          + make_interval(secs => greatest(ordinal, $2))
        FROM unnest($1::uuid[]) WITH ORDINALITY AS made (id, ordinal) WHERE booking_id = made.id`,
      [requests.map((request) => request.reservationRequestId), sameInstant],
    );
  });
  after(() => service.stop());

  async function create(who: Partner, index: number): Promise<ReservationRequest> {
    const more = index % 2 === 0 ? { partnerReference: `order/${index} ä&=` } : {};
    return who.request(await quoteOf(who), more);
  }

  const page = (query: Partial<QueryOf<typeof list>> = {}, who = partner) =>
    who.succeed(list, { query });

  async function all(query: Partial<QueryOf<typeof list>>): Promise<string[]> {
    const ids: string[] = [];
    let cursor: string | undefined;
    for (let pages = 0; pages <= made; pages += 1) {
      const { items, nextCursor } = await page({ ...query, ...(cursor && { cursor }) });
      ids.push(...items.map((request) => request.reservationRequestId));
      if (nextCursor === null) return ids;
      cursor = nextCursor;
    }
    throw new Error('the list does not end');
  }

  const newestFirst = () => {
    const ids = requests.map((request) => request.reservationRequestId);
    return [
      ...ids.slice(sameInstant).toReversed(),
      ...ids.slice(0, sameInstant).toSorted().toReversed(),
    ];
  };

  // Spec: REQUEST-5.
  test(`${list} › 200 › newest first, twenty by default`, async () => {
    const { items, nextCursor } = await page();
    assert.deepEqual(
      items.map((request) => request.reservationRequestId),
      newestFirst().slice(0, 20),
    );
    assert.ok(nextCursor);
    const { reservationRequestId } = items[0]!;
    const params = { reservationRequestId };
    const read = await partner.succeed('reservation.reservationRequest.get', { params });
    assert.deepEqual(items[0], read);
  });

  for (const limit of [1, 2, 7, made - 1, made, 50]) {
    test(`${list} › 200 › pages of ${limit}: each request once, in order`, async () => {
      assert.deepEqual(await all({ limit }), newestFirst());
      const first = await page({ limit });
      assert.equal(first.items.length, Math.min(limit, made));
      assert.equal(first.nextCursor === null, limit >= made);
    });
  }

  test(`${list} › 200 › a page size may change from page to page`, async () => {
    const { nextCursor } = await page({ limit: 3 });
    const { items } = await page({ limit: 4, cursor: String(nextCursor) });
    assert.deepEqual(
      items.map((request) => request.reservationRequestId),
      newestFirst().slice(3, 7),
    );
  });

  test(`${list} › 200 › new requests do not shift the following pages`, async () => {
    const who = await service.partner();
    const own = [await create(who, 1), await create(who, 3), await create(who, 5)];
    const { nextCursor } = await page({ limit: 2 }, who);
    await create(who, 7);
    const { items } = await page({ limit: 2, cursor: String(nextCursor) }, who);
    assert.deepEqual(items, [own[0]]);
  });

  test(`${list} › 200 › shows the current state of requests`, async () => {
    const who = await service.partner();
    const { reservationRequestId } = await create(who, 1);
    await (await openTestWorker(service.database)).runDue();
    const { items } = await page({}, who);
    const read = await who.succeed('reservation.reservationRequest.get', {
      params: { reservationRequestId },
    });
    assert.deepEqual(items, [read]);
    assert.equal(read.state, 'confirmed');
  });

  test(`${list} › partnerReference › the one request with it`, async () => {
    for (const index of [0, 4, made - 1]) {
      const partnerReference = `order/${index} ä&=`;
      const { items, nextCursor } = await page({ partnerReference });
      assert.deepEqual(
        items.map((request) => request.reservationRequestId),
        [requests[index]!.reservationRequestId],
      );
      assert.equal(nextCursor, null);
    }
  });

  for (const partnerReference of ['order/1 ä&=', 'order', 'ORDER/0 ä&=', '%', 'null']) {
    test(`${list} › partnerReference › "${partnerReference}" matches none: no items`, async () => {
      assert.deepEqual(await page({ partnerReference }), { items: [], nextCursor: null });
    });
  }

  test(`${list} › not visible to another application or a card-paying one`, async () => {
    const card = await service.partner({ settlement: 'card' });
    const empty = { items: [], nextCursor: null };
    for (const who of [card, await service.partner()]) {
      assert.deepEqual(await page({}, who), empty);
      assert.deepEqual(await page({ partnerReference: 'order/0 ä&=' }, who), empty);
    }
  });

  const queries: [what: string, query: string, path: string][] = [
    ['limit 0', 'limit=0', 'query/limit'],
    ['limit 51', 'limit=51', 'query/limit'],
    ['a limit that is no number', 'limit=ten', 'query/limit'],
    ['an empty limit', 'limit=', 'query/limit'],
    ['an empty cursor', 'cursor=', 'query/cursor'],
    ['a cursor of other letters', 'cursor=a.b', 'query/cursor'],
    ['a cursor that we did not issue', 'cursor=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', 'query/cursor'],
    ['a long cursor', `cursor=${'a'.repeat(1025)}`, 'query/cursor'],
    ['an empty partnerReference', 'partnerReference=', 'query/partnerReference'],
    ['a parameter that is not known', 'state=pending', 'query/state'],
  ];
  for (const [what, query, path] of queries) {
    test(`${list} › 400 invalid_input › ${what}`, async () => {
      const error = await partner.refused(list, { query });
      assertError(error, [400, 'invalid_input']);
      assert.deepEqual(wrongPaths(error), [path]);
    });
  }

  test(`${list} › 400 invalid_input › a cursor of other filters, another application, another list`, async () => {
    const cursor = String((await page({ limit: 1 })).nextCursor);
    const filtered = { cursor, partnerReference: 'order/0 ä&=' };
    assertError(await partner.refused(list, { query: filtered }), [400, 'invalid_input']);
    const other = await service.partner();
    assertError(await other.refused(list, { query: { cursor } }), [400, 'invalid_input']);
    const listings = await partner.succeed('distribution.listing.list', { query: { limit: 1 } });
    const foreign = { cursor: String(listings.nextCursor) };
    assertError(await partner.refused(list, { query: foreign }), [400, 'invalid_input']);
    const { nextCursor } = await partner.succeed('reservation.event.list');
    const events = { cursor: nextCursor };
    assertError(await partner.refused(list, { query: events }), [400, 'invalid_input']);
    const changed = cursor.slice(0, -1) + (cursor.endsWith('A') ? 'B' : 'A');
    assertError(await partner.refused(list, { query: { cursor: changed } }), [
      400,
      'invalid_input',
    ]);
  });
});
