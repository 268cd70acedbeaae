/** Events by the portal's API: the types, and the feed backwards. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { eventTypes } from '../../src/contract/events.ts';
import type { PortalQueryOf } from '../../src/contract/portal/operations.ts';
import { ageEvents, requestStay, wholeFeed, type Event } from '../harness/events.ts';
import { eventually } from '../harness/eventually.ts';
import type { Partner } from '../harness/partner.ts';
import { enterPortal, type PortalCaller } from '../harness/portal.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { writeEvents } from '../harness/webhooks.ts';

let service: TestService;
let partner: Partner;
let caller: PortalCaller;
let feed: Event[];
before(async () => {
  service = await startTestService();
  partner = await service.partner();
  caller = await enterPortal(service, partner);
  const stay = await partner.freeStay();
  for (let count = 0; count < 3; count += 1) await requestStay(partner, stay);
  await eventually(async () => (await wholeFeed(partner)).length === 6, 15_000);
  feed = await wholeFeed(partner);
});
after(() => service.stop());

type Query = Partial<PortalQueryOf<'portal.event.list'>>;

const list = (query: Query = {}) => caller.succeed('portal.event.list', { query });

describe('portal.eventType.list', () => {
  it('explains every type, with an example of it', async () => {
    const { items } = await caller.succeed('portal.eventType.list');
    assert.deepEqual(
      items.map(({ type }) => type),
      Object.keys(eventTypes),
    );
    for (const { type, summary, when, example } of items) {
      assert.equal(example.type, type);
      assert.ok(summary.length > 10 && when.length > 10);
    }
  });
});

describe('portal.event.list', () => {
  it('is the feed in reverse order, with the events that partners read', async () => {
    assert.deepEqual(await list(), { items: feed.toReversed(), nextCursor: null });
  });

  it('pages through all events, with a type too', async () => {
    const first = await list({ limit: 4 });
    const second = await list({ limit: 4, cursor: first.nextCursor ?? '' });
    assert.deepEqual([...first.items, ...second.items], feed.toReversed());
    assert.equal(second.nextCursor, null);
    const type = 'reservation.confirmed';
    const { items } = await list({ type, limit: 100 });
    assert.deepEqual(items, feed.filter((event) => event.type === type).toReversed());
  });

  it('ends the search for a rare type after 10,000 events, and continues from nextCursor', async () => {
    const alone = await service.partner();
    const own = await enterPortal(service, alone);
    const { applicationId } = alone.credentials;
    const type = 'reservation.cancelled' as const;
    await writeEvents(service.database, applicationId, 1, type);
    await writeEvents(service.database, applicationId, 10_005);
    const first = await own.succeed('portal.event.list', { query: { type } });
    assert.deepEqual(first.items, []);
    const query = { type, cursor: first.nextCursor ?? '' };
    const second = await own.succeed('portal.event.list', { query });
    assert.deepEqual(
      [second.items.map(({ sequence }) => sequence), second.nextCursor],
      [[1], null],
    );
  });

  it('shows nothing to another application', async () => {
    const stranger = await enterPortal(service, await service.partner());
    assert.deepEqual(await stranger.succeed('portal.event.list'), { items: [], nextCursor: null });
  });

  it('refuses a cursor of another list', async () => {
    const { nextCursor } = await list({ limit: 1 });
    const query = { cursor: nextCursor ?? '', type: 'checkout.resolved' as const };
    assert.equal((await caller.refused('portal.event.list', { query })).code, 'invalid_input');
    const feedQuery = { cursor: nextCursor ?? '' };
    const error = await partner.refused('reservation.event.list', { query: feedQuery });
    assert.equal(error.code, 'invalid_input');
  });

  it('ends after thirty days, like the feed', async () => {
    await ageEvents(service, partner, 2, 30);
    const { items } = await list();
    assert.deepEqual(
      items.map(({ sequence }) => sequence),
      [6, 5, 4, 3],
    );
  });
});
