import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { EventType } from '../../../src/contract/events.ts';
import {
  announceNow,
  feed,
  requestStay,
  tellOutcome,
  wholeFeed,
  type Event,
} from '../../harness/events.ts';
import { guest, type Partner } from '../../harness/partner.ts';
import { startTestService, type TestService } from '../../harness/service.ts';
import { writeEvents } from '../../harness/webhooks.ts';
import { wrongPaths } from '../../harness/wrong-paths.ts';

let service: TestService;
let partner: Partner;
let other: Partner;
let stay: Awaited<ReturnType<Partner['freeStay']>>;
/** What happened to the partner's bookings, in order: two of each type and more. */
const booked = { confirmed: '', failed: '', expired: '', cancelled: '', changed: '', request: '' };
before(async () => {
  service = await startTestService();
  partner = await service.partner();
  other = await service.partner();
  stay = await partner.freeStay();
  for (const suffix of ['confirmed', 'failed', 'quote_expired', 'cancelled', 'changed'] as const) {
    const open = await partner.submittedCheckout(suffix);
    const { reference } = await partner.statusOnce(open, ['confirmed', 'failed', 'expired']);
    booked[suffix === 'quote_expired' ? 'expired' : suffix] = open.created.checkoutId;
    if (suffix !== 'cancelled' && suffix !== 'changed') continue;
    await announceNow(service, reference ?? '');
    const params = { reference: reference ?? '' };
    await partner.succeed('reservation.reservation.get', { params });
  }
  booked.request = await requestStay(partner, stay);
  await requestOnce(booked.request);
});
after(() => service.stop());

async function requestOnce(reservationRequestId: string): Promise<void> {
  for (;;) {
    const params = { reservationRequestId };
    const request = await partner.succeed('reservation.reservationRequest.get', { params });
    if (request.state !== 'pending') return;
  }
}

const types = (events: readonly Event[]): string[] => events.map(({ type }) => type);
const sequences = (events: readonly Event[]): number[] => events.map(({ sequence }) => sequence);

const expectedTypes: EventType[] = [
  'checkout.resolved',
  'reservation.confirmed',
  'checkout.resolved',
  'checkout.resolved',
  'checkout.resolved',
  'reservation.confirmed',
  'reservation.cancelled',
  'checkout.resolved',
  'reservation.confirmed',
  'reservation.changed',
  'checkout.resolved',
  'reservation.confirmed',
];

suite('reservation.event.list › 200 › items', () => {
  // Spec: EVENT-3.
  test('oldest first, counted from 1 without a gap', async () => {
    const events = await wholeFeed(partner);
    assert.deepEqual(types(events), expectedTypes);
    assert.deepEqual(
      sequences(events),
      expectedTypes.map((_, at) => at + 1),
    );
    const ids = events.map(({ id }) => id);
    assert.deepEqual(ids, ids.toSorted(), 'IDs sort by time');
    assert.equal(new Set(ids).size, ids.length);
    const times = events.map(({ timestamp }) => timestamp);
    assert.deepEqual(times, times.toSorted());
  });

  // Spec: EVENT-2.
  test('the envelope has exactly its members, and is the same on every read', async () => {
    const first = await partner.call('reservation.event.list', { query: { limit: 50 } });
    const second = await partner.call('reservation.event.list', { query: { limit: 50 } });
    assert.equal(first.text, second.text);
    assert.equal(first.headers.get('cache-control'), 'no-store');
    for (const event of (first.body as { items: Event[] }).items) {
      assert.deepEqual(Object.keys(event).toSorted(), [
        'data',
        'id',
        'schemaVersion',
        'sequence',
        'timestamp',
        'type',
      ]);
      assert.match(event.id, /^evt_[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$/);
      assert.equal(event.schemaVersion, 1);
      assert.ok(Math.abs(Date.now() - Date.parse(event.timestamp)) < 60_000);
    }
  });

  // Spec: EVENT-1.
  test('data of every type has exactly its members', async () => {
    const members: Record<string, string[]> = {
      'checkout.resolved confirmed': ['checkoutId', 'reference', 'resolvedAt', 'state', 'version'],
      'checkout.resolved failed': ['checkoutId', 'resolvedAt', 'state', 'version'],
      'checkout.resolved expired': ['checkoutId', 'resolvedAt', 'state', 'version'],
      'reservation.confirmed confirmed': ['checkoutId', 'confirmedAt', 'reference', 'state'],
      'reservation.cancelled cancelled': ['cancelledAt', 'checkoutId', 'reference', 'state'],
      'reservation.changed confirmed': ['changedAt', 'changes', 'checkoutId', 'reference', 'state'],
    };
    const seen = new Set<string>();
    for (const { type, data } of await wholeFeed(partner)) {
      const kind = `${type} ${data.state}`;
      seen.add(kind);
      assert.deepEqual(Object.keys(data).toSorted(), members[kind], kind);
    }
    assert.deepEqual([...seen].toSorted(), Object.keys(members).toSorted());
  });

  test('data equals the resources', async () => {
    const events = await wholeFeed(partner);
    const of = (checkoutId: string) =>
      events
        .filter(({ data }) => 'checkoutId' in data && data.checkoutId === checkoutId)
        .map(({ type, data }) => [type, data.state]);
    const resolved = (state: string) => ['checkout.resolved', state];
    const confirmed = [resolved('confirmed'), ['reservation.confirmed', 'confirmed']];
    assert.deepEqual(of(booked.confirmed), confirmed);
    assert.deepEqual(of(booked.failed), [resolved('failed')]);
    assert.deepEqual(of(booked.expired), [resolved('expired')]);
    assert.deepEqual(of(booked.cancelled), [...confirmed, ['reservation.cancelled', 'cancelled']]);
    assert.deepEqual(of(booked.changed), [...confirmed, ['reservation.changed', 'confirmed']]);
    assert.deepEqual(of(booked.request), confirmed, "the request's ID as checkoutId");

    for (const { type, data, timestamp } of events) {
      const at = Object.entries(data).find(([name]) => name.endsWith('At'))?.[1] as string;
      assert.ok(Date.parse(at) <= Date.parse(timestamp));
      if (!('reference' in data)) continue;
      const params = { reference: data.reference ?? '' };
      const reservation = await partner.succeed('reservation.reservation.get', { params });
      if (type === 'reservation.cancelled') assert.equal(reservation.cancelledAt, at);
      if (type === 'reservation.changed') assert.equal(reservation.updatedAt, at);
    }
    const changed = events.find(({ type }) => type === 'reservation.changed');
    assert.deepEqual((changed!.data as { changes: string[] }).changes, ['dates']);
  });

  test('version is that of the checkout after resolving', async () => {
    const open = await partner.submittedCheckout();
    const { version } = await partner.statusOnce(open, ['confirmed']);
    const event = (await wholeFeed(partner)).find(
      ({ type, data }) =>
        type === 'checkout.resolved' && data.checkoutId === open.created.checkoutId,
    );
    assert.equal((event!.data as { version: number }).version, version);
  });

  test('no guests, stays or prices', async () => {
    const { text } = await partner.call('reservation.event.list', { query: { limit: 50 } });
    const { firstName, lastName, email, phone } = guest();
    const secrets = [
      firstName,
      lastName,
      email,
      'example.com',
      phone,
      stay.listingId,
      stay.checkIn,
    ];
    for (const secret of [
      ...secrets,
      'charges',
      'total',
      'currency',
      'guest',
      'partnerReference',
    ]) {
      assert.ok(!text.includes(secret), secret);
    }
  });

  // Spec: UNCERTAIN-1.
  test('uncertain › no event; both events once it becomes confirmed', async () => {
    const alone = await service.partner();
    const open = await alone.submittedCheckout('uncertain_confirmed');
    await alone.statusOnce(open, ['uncertain']);
    assert.deepEqual(await wholeFeed(alone), []);
    await tellOutcome(service, open.created.checkoutId);
    await alone.statusOnce(open, ['confirmed']);
    assert.deepEqual(types(await wholeFeed(alone)), ['checkout.resolved', 'reservation.confirmed']);
  });

  test('an application reads only its own events', async () => {
    assert.deepEqual(await wholeFeed(other), []);
  });
});

suite('reservation.event.list › 200 › paging', () => {
  const total = () => wholeFeed(partner);

  test('limit › the same events by pages of any size; 20 by default', async () => {
    const whole = await total();
    for (const limit of [1, 2, 5, 50]) {
      const events: Event[] = [];
      for (let cursor: string | undefined; ;) {
        const page = await feed(partner, { limit, ...(cursor !== undefined && { cursor }) });
        events.push(...page.items);
        assert.equal(
          page.hasMore,
          events.length < whole.length,
          'hasMore says whether more is there',
        );
        assert.ok(page.items.length === limit || !page.hasMore);
        cursor = page.nextCursor;
        if (!page.hasMore) break;
      }
      assert.deepEqual(events, whole, `pages of ${limit}`);
    }
    for (let at = 0; at < 5; at += 1) await requestOnce(await requestStay(partner, stay));
    assert.equal((await feed(partner)).items.length, 20);
  });

  test('nextCursor › is present on an empty page, and the next read continues from it', async () => {
    const alone = await service.partner();
    const empty = await feed(alone);
    assert.deepEqual([empty.items, empty.hasMore], [[], false]);
    const again = await feed(alone, { cursor: empty.nextCursor });
    assert.deepEqual([again.items, again.nextCursor], [[], empty.nextCursor]);
    const open = await alone.submittedCheckout();
    await alone.statusOnce(open, ['confirmed']);
    const page = await feed(alone, { cursor: empty.nextCursor });
    assert.deepEqual(sequences(page.items), [1, 2]);
    const end = await feed(alone, { cursor: page.nextCursor });
    assert.deepEqual([end.items, end.hasMore], [[], false]);
    const second = await alone.submittedCheckout();
    await alone.statusOnce(second, ['confirmed']);
    assert.deepEqual(sequences((await feed(alone, { cursor: end.nextCursor })).items), [3, 4]);
    const old = await feed(alone, { cursor: empty.nextCursor });
    assert.deepEqual(sequences(old.items), [1, 2, 3, 4], 'an old cursor stays good');
  });

  test('type › only such events, and nextCursor moves past the others', async () => {
    const whole = await total();
    for (const type of [
      'checkout.resolved',
      'reservation.cancelled',
      'reservation.changed',
    ] as const) {
      const expected = whole.filter((event) => event.type === type);
      const page = await feed(partner, { type, limit: 50 });
      assert.deepEqual(page.items, expected);
      assert.equal(page.hasMore, false);
      const end = await feed(partner, { type, cursor: page.nextCursor });
      assert.deepEqual(end.items, []);
    }
    const first = await feed(partner, { type: 'reservation.confirmed', limit: 1 });
    assert.deepEqual([sequences(first.items), first.hasMore], [[2], true]);
    const { nextCursor: cursor } = first;
    const second = await feed(partner, { type: 'reservation.confirmed', limit: 1, cursor });
    assert.deepEqual(sequences(second.items), [6], 'none of this type was skipped');
  });
});

suite('reservation.event.list › 200 › a rare type', () => {
  // Spec: EVENT-5.
  test('a filtered read ends after 10,000 events and continues from nextCursor', async () => {
    const alone = await service.partner();
    const { applicationId } = alone.credentials;
    const type = 'reservation.cancelled' as const;
    await writeEvents(service.database, applicationId, 1, type);
    await writeEvents(service.database, applicationId, 10_005);
    await writeEvents(service.database, applicationId, 1, type);
    const first = await feed(alone, { type, limit: 2 });
    assert.deepEqual([sequences(first.items), first.hasMore], [[1], true]);
    const second = await feed(alone, { type, limit: 2, cursor: first.nextCursor });
    assert.deepEqual([sequences(second.items), second.hasMore], [[10_007], false]);
    const end = await feed(alone, { type, cursor: second.nextCursor });
    assert.deepEqual([end.items, end.hasMore], [[], false]);
    const unfiltered = await feed(alone, { limit: 1 });
    assert.deepEqual([sequences(unfiltered.items), unfiltered.hasMore], [[1], true]);
  });
});

suite('reservation.event.list › 400 invalid_input', () => {
  const invalidPaths = async (query: object | string, who = partner) => {
    const error = await who.refused('reservation.event.list', { query: query as string });
    assert.equal(error.code, 'invalid_input');
    return wrongPaths(error);
  };

  for (const query of [
    'limit=0',
    'limit=51',
    'limit=x',
    'limit=',
    'cursor=',
    'type=',
    'type=checkout',
    'since=1',
  ]) {
    test(query, async () => {
      assert.deepEqual(await invalidPaths(query), [`query/${query.split('=')[0]}`]);
    });
  }

  test('cursor › of another application, another type, another operation, changed', async () => {
    const { nextCursor: cursor } = await feed(partner);
    const ofType = (await feed(partner, { type: 'checkout.resolved' })).nextCursor;
    assert.deepEqual(await invalidPaths({ cursor }, other), ['query/cursor']);
    const list = await partner.succeed('distribution.listing.list');
    for (const query of [
      { cursor, type: 'checkout.resolved' },
      { cursor: ofType },
      { cursor: ofType, type: 'reservation.confirmed' },
      { cursor: list.nextCursor },
      { cursor: cursor.slice(0, -1) },
      { cursor: `${cursor.startsWith('A') ? 'B' : 'A'}${cursor.slice(1)}` },
    ]) {
      assert.deepEqual(await invalidPaths(query), ['query/cursor'], JSON.stringify(query));
    }
  });

  test('cursor › is not bound to limit', async () => {
    const { nextCursor: cursor } = await feed(partner, { limit: 1 });
    assert.deepEqual(sequences((await feed(partner, { cursor, limit: 3 })).items), [2, 3, 4]);
  });
});
