import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { ageEvents, feed, requestStay } from '../../harness/events.ts';
import type { Partner } from '../../harness/partner.ts';
import { startTestService, type TestService } from '../../harness/service.ts';
import { wrongPaths } from '../../harness/wrong-paths.ts';

const list = 'reservation.event.list';

suite('reservation.event.list › from', () => {
  let service: TestService;
  let stay: Awaited<ReturnType<Partner['freeStay']>>;
  before(async () => {
    service = await startTestService();
    stay = await (await service.partner()).freeStay();
  });
  after(() => service.stop());

  /** A partner with this number of events. */
  async function partnerWith(events: number): Promise<Partner> {
    const partner = await service.partner();
    await addEvents(partner, events, events);
    return partner;
  }

  async function addEvents(partner: Partner, count: number, total: number): Promise<void> {
    for (let at = 0; at < count; at += 1) await requestStay(partner, stay, 'failed');
    while ((await feed(partner, { limit: 50 })).items.length < total);
  }

  // Spec: EVENT-7.
  test('200 › latest is an empty page at the end, from which the feed continues', async () => {
    const partner = await partnerWith(2);
    const end = await feed(partner, { from: 'latest' });
    assert.deepEqual([end.items, end.hasMore], [[], false]);
    assert.deepEqual((await feed(partner, { cursor: end.nextCursor })).items, []);
    await addEvents(partner, 1, 3);
    const { items } = await feed(partner, { cursor: end.nextCursor });
    assert.deepEqual(
      items.map(({ sequence }) => sequence),
      [3],
    );
  });

  test('200 › latest of an application without events', async () => {
    const partner = await service.partner();
    const end = await feed(partner, { from: 'latest' });
    assert.deepEqual([end.items, end.hasMore], [[], false]);
    await addEvents(partner, 1, 1);
    assert.equal((await feed(partner, { cursor: end.nextCursor })).items.length, 1);
  });

  test('200 › an instant begins with the first event at or after it', async () => {
    const partner = await partnerWith(3);
    const { items } = await feed(partner, { limit: 50 });
    for (const [at, { timestamp }] of items.entries()) {
      const found = await feed(partner, { from: timestamp });
      const first = items.findIndex((one) => one.timestamp === timestamp);
      assert.deepEqual(found.items, items.slice(Math.min(first, at)));
    }
    const later = new Date(Date.parse(items.at(-1)!.timestamp) + 1).toISOString();
    const none = await feed(partner, { from: later });
    assert.deepEqual(none.items, []);
    await addEvents(partner, 1, 4);
    assert.equal((await feed(partner, { cursor: none.nextCursor })).items.length, 1);
  });

  test('200 › with a type, only events of it, and the cursor continues', async () => {
    const partner = await partnerWith(2);
    const query = { type: 'reservation.confirmed' as const };
    const { items, nextCursor } = await feed(partner, { ...query, from: '2020-01-01T00:00:00Z' });
    assert.deepEqual(items, []);
    await partner.succeed(list, { query: { ...query, cursor: nextCursor } });
  });

  test('422 resync_required › an event at or after the instant may have been dropped', async () => {
    const partner = await partnerWith(2);
    await ageEvents(service, partner, 1, 30);
    const old = new Date(Date.now() - 31 * 86_400_000).toISOString();
    assert.equal((await partner.refused(list, { query: { from: old } })).code, 'resync_required');
    const recent = new Date(Date.now() - 29 * 86_400_000).toISOString();
    assert.equal((await feed(partner, { from: recent })).items.length, 1);
  });

  const wrong = ['', 'now', 'LATEST', '2027-02-30T00:00:00Z', '2027-01-01', '1999-01-01T00:00:00Z'];
  for (const from of wrong) {
    test(`400 invalid_input › ${JSON.stringify(from)}`, async () => {
      const partner = await service.partner();
      const error = await partner.refused(list, { query: { from } });
      assert.deepEqual([error.status, error.code], [400, 'invalid_input']);
      assert.deepEqual(wrongPaths(error), ['query/from']);
    });
  }

  test('400 invalid_input › together with a cursor', async () => {
    const partner = await service.partner();
    const { nextCursor } = await feed(partner, { from: 'latest' });
    const error = await partner.refused(list, { query: { from: 'latest', cursor: nextCursor } });
    assert.equal(error.code, 'invalid_input');
  });
});
