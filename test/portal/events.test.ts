/** Events by the portal's API: the types, and the feed backwards. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { eventTypes } from '../../src/contract/events.ts';
import type { PortalQueryOf } from '../../src/contract/portal/operations.ts';
import { ageEvents, requestStay, wholeFeed, type Event } from '../harness/events.ts';
import { eventually } from '../harness/eventually.ts';
import { assertError } from '../harness/journey.ts';
import { guest, type Partner } from '../harness/partner.ts';
import { enterPortal, type PortalCaller } from '../harness/portal.ts';
import { sql } from '../harness/rows.ts';
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

describe('an event and its booking', () => {
  let owner: Partner;
  let own: PortalCaller;
  let events: Event[];
  before(async () => {
    owner = await service.partner();
    own = await enterPortal(service, owner);
    await requestStay(owner, await owner.freeStay());
    await eventually(async () => (await wholeFeed(owner)).length === 2, 15_000);
    events = await wholeFeed(owner);
  });

  it('portal.event.get › returns an event of the feed', async () => {
    const [event] = events;
    const params = { eventId: event!.id };
    assert.deepEqual(await own.succeed('portal.event.get', { params }), event);
  });

  it('portal.event.get › 404 for an unknown event and that of another application', async () => {
    const stranger = await enterPortal(service, await service.partner());
    const unknown = `evt_${randomUUID().replaceAll('-', '')}`;
    for (const [by, eventId] of [
      [stranger, events[0]!.id],
      [own, unknown],
    ] as const) {
      assertError(await by.refused('portal.event.get', { params: { eventId } }), [
        404,
        'not_found',
      ]);
    }
    const error = await own.refused('portal.event.get', { params: { eventId: 'evt_1' } });
    assert.equal(error.code, 'invalid_input');
  });

  const find = (name: string, by = own) => by.succeed('portal.booking.find', { query: { name } });
  const bookingId = () => (events[0]!.data as { checkoutId: string }).checkoutId;
  const reference = () => {
    const { data } = events.find(({ type }) => type === 'reservation.confirmed')!;
    return (data as { reference: string }).reference;
  };

  it('a booking is found by reference, partner reference and ID, and only by its application', async () => {
    await sql(
      service.database,
      `UPDATE bookings SET partner_reference = 'order 7' WHERE booking_id = $1`,
      [bookingId()],
    );
    const stranger = await enterPortal(service, await service.partner());
    for (const name of [reference(), 'order 7', bookingId(), bookingId().toUpperCase()]) {
      const { items } = await find(name);
      assert.deepEqual(
        items.map((one) => [one.kind, one.bookingId, one.reservationState]),
        [['request', bookingId(), 'confirmed']],
        name,
      );
      assert.deepEqual((await find(name, stranger)).items, [], name);
    }
    assert.deepEqual((await find('order')).items, []);
    const params = { kind: 'request', bookingId: bookingId() } as const;
    for (const [by, named] of [
      [stranger, params],
      [own, { ...params, kind: 'checkout' as const }],
    ] as const) {
      assertError(await by.refused('portal.booking.get', { params: named }), [404, 'not_found']);
    }
  });

  it('a booking has its timeline with events and deliveries, and nothing of its guest', async () => {
    const receiver = await own.succeed('portal.endpoint.add', {
      body: { url: 'https://partner.invalid/' },
    });
    await sql(
      service.database,
      `INSERT INTO webhook_deliveries (endpoint_id, application_id, event_id, event_type, sequence)
        SELECT $1, application_id, event_id, type, sequence FROM events WHERE sequence = 1
          AND application_id = $2 ON CONFLICT DO NOTHING`,
      [receiver.endpointId, owner.credentials.applicationId],
    );
    const params = { kind: 'request', bookingId: bookingId() } as const;
    const read = () => own.succeed('portal.booking.get', { params });
    await eventually(
      async () => (await read()).timeline.some(({ what }) => what === 'records.ready'),
      10_000,
    );
    const { timeline, ...booking } = await read();
    assert.deepEqual(timeline.map(({ what }) => what).toSorted(), [
      'delivery',
      'event',
      'event',
      'quote.created',
      'records.ready',
      'request.created',
      'request.resolved',
      'request.submitted',
    ]);
    const at = timeline.map((item) => item.at);
    assert.deepEqual(at, at.toSorted());
    assert.equal(booking.reference, reference());
    assert.ok(booking.listing.name && booking.total > 0);
    const { email } = guest();
    const text = JSON.stringify({ booking, timeline });
    for (const secret of ['guest', 'email', email, '"actor"']) {
      assert.ok(!text.includes(secret), secret);
    }
    await own.succeed('portal.endpoint.delete', {
      params: { endpointId: receiver.endpointId },
    });
    const later = (await read()).timeline;
    assert.ok(!later.some(({ what }) => what === 'delivery'), 'deleted endpoints are not shown');
  });

  it('a booking can be moved and cancelled in the simulation, with an event for each', async () => {
    const at = { params: { reference: reference() } };
    const stranger = await enterPortal(service, await service.partner());
    assertError(
      await stranger.refused('portal.reservation.simulate', {
        ...at,
        body: { change: 'cancelled' },
      }),
      [404, 'not_found'],
    );
    const earlier = await owner.succeed('reservation.reservation.get', at);
    const moved = await own.succeed('portal.reservation.simulate', {
      ...at,
      body: { change: 'moved_one_day' },
    });
    const later = await owner.succeed('reservation.reservation.get', at);
    assert.deepEqual([moved.checkIn, moved.checkOut], [later.checkIn, later.checkOut]);
    assert.ok(later.checkIn > earlier.checkIn);
    const body = { change: 'cancelled' } as const;
    const cancelled = await own.succeed('portal.reservation.simulate', { ...at, body });
    assert.equal(cancelled.state, 'cancelled');
    assertError(await own.refused('portal.reservation.simulate', { ...at, body }), [
      409,
      'invalid_state',
      'reservation_not_confirmed',
    ]);
    const { items } = await own.succeed('portal.event.list', { query: { limit: 2 } });
    assert.deepEqual(
      items.map(({ type }) => type),
      ['reservation.cancelled', 'reservation.changed'],
    );
    const entries = await sql<{ actor: string; change: string }>(
      service.database,
      `SELECT actor, details->>'change' AS change FROM audit_entries
        WHERE action = 'reservation.simulate' AND reference = $1 ORDER BY entry_id`,
      [reference()],
    );
    assert.deepEqual(entries, [
      { actor: 'portal', change: 'moved_one_day' },
      { actor: 'portal', change: 'cancelled' },
    ]);
  });
});
