/** Deliveries by the portal's API: the list, one in full, a real signature, replays. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { Webhook } from 'standardwebhooks';
import type { PortalQueryOf } from '../../src/contract/portal/operations.ts';
import { assertError } from '../harness/journey.ts';
import type { Partner } from '../harness/partner.ts';
import { enterPortal, type PortalCaller } from '../harness/portal.ts';
import { sql } from '../harness/rows.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { wrongPaths } from '../harness/wrong-paths.ts';

let service: TestService;
let partner: Partner;
let caller: PortalCaller;
let stranger: PortalCaller;
/** Two endpoints: deliveries of six events to the one, a test event to the other. */
let endpointId: string;
let otherEndpointId: string;

const types = [
  'checkout.resolved',
  'reservation.confirmed',
  'reservation.cancelled',
  'reservation.changed',
  'checkout.resolved',
  'reservation.cancelled',
];
const states = ['delivered', 'exhausted', 'pending', 'delivered', 'exhausted', 'retrying'];

before(async () => {
  // No worker: what is due stays so.
  service = await startTestService({ LATCHKEY_ROLES: 'api' });
  partner = await service.partner();
  caller = await enterPortal(service, partner);
  stranger = await enterPortal(service, await service.partner());
  const add = () => caller.succeed('portal.endpoint.add', { body: { url: 'https://p.invalid/' } });
  ({ endpointId } = await add());
  ({ endpointId: otherEndpointId } = await add());
  const { applicationId } = partner.credentials;
  await sql(
    service.database,
    `WITH counted AS (
        UPDATE event_counters SET last_sequence = 6 WHERE application_id = $1
      ), happened AS (
        INSERT INTO events (application_id, sequence, type, data, created_at)
        SELECT $1, ordinal, type, json_build_object('place', ordinal, 'name', 'Zoë'), now()
        FROM unnest($3::text[]) WITH ORDINALITY AS one (type, ordinal)
        RETURNING sequence, event_id, type
      )
      INSERT INTO webhook_deliveries (endpoint_id, application_id, event_id, event_type, sequence,
        state, due_at, delivered_at, attempts, attempts_begun, last_attempt_at, last_status,
        last_error)
      SELECT $2, $1, event_id, type, sequence, CASE state WHEN 'retrying' THEN 'pending' ELSE state END,
        CASE state WHEN 'pending' THEN now() WHEN 'retrying' THEN now() + interval '1 minute' END,
        CASE state WHEN 'delivered' THEN now() END, CASE state WHEN 'pending' THEN 0 ELSE 2 END, 2,
        CASE state WHEN 'pending' THEN NULL ELSE now() - interval '90 seconds' END,
        CASE state WHEN 'delivered' THEN 200 WHEN 'exhausted' THEN 500 WHEN 'retrying' THEN 503 END,
        CASE WHEN state IN ('exhausted', 'retrying') THEN 'status' END
      FROM happened JOIN unnest($4::text[]) WITH ORDINALITY AS two (state, ordinal)
        ON ordinal = sequence`,
    [applicationId, endpointId, types, states],
  );
  await sql(
    service.database,
    `INSERT INTO webhook_attempts (delivery_id, number, started_at, duration_ms, status, error, response)
      SELECT delivery_id, n, now() - make_interval(secs => 100 - n * 5), n * 10,
        CASE n WHEN 1 THEN NULL ELSE last_status END, CASE n WHEN 1 THEN 'timeout' ELSE last_error END,
        CASE n WHEN 1 THEN NULL ELSE convert_to('response ' || n, 'UTF8') END
      FROM webhook_deliveries, generate_series(1, 2) n WHERE state <> 'pending'`,
  );
  await caller.succeed('portal.endpoint.test', {
    params: { endpointId: otherEndpointId },
    body: { type: 'reservation.changed' },
  });
});
after(() => service.stop());

type Query = Partial<PortalQueryOf<'portal.delivery.list'>>;

const list = (query: Query = {}) => caller.succeed('portal.delivery.list', { query });

async function deliveryIn(state: string, at = 0): Promise<string> {
  const { items } = await list({ endpointId });
  return items.filter((one) => one.state === state)[at]!.deliveryId;
}

describe('portal.delivery.list', () => {
  it('lists the newest first, with all members', async () => {
    const { items, nextCursor } = await list();
    assert.equal(items.length, 7);
    assert.equal(nextCursor, null);
    const at = items.map(({ createdAt }) => createdAt);
    assert.deepEqual(at, at.toSorted().toReversed());
    assert.equal(items[0]?.test, true);
    const failed = items.find(({ state }) => state === 'exhausted');
    assert.deepEqual(
      [failed?.lastStatus, failed?.lastError, failed?.attempts, failed?.nextAttemptAt],
      [500, 'status', 2, null],
    );
    assert.match(failed?.eventId ?? '', /^evt_[0-9a-f]{32}$/);
  });

  const filters: [string, () => Query, number][] = [
    ['endpointId', () => ({ endpointId: otherEndpointId }), 1],
    ['state', () => ({ state: 'exhausted' }), 2],
    ['the state pending', () => ({ state: 'pending' }), 2],
    ['the state retrying', () => ({ state: 'retrying' }), 1],
    ['type', () => ({ type: 'checkout.resolved' }), 2],
    ['all of them', () => ({ endpointId, state: 'delivered', type: 'reservation.changed' }), 1],
    ['an endpoint that is nobody’s', () => ({ endpointId: randomUUID() }), 0],
  ];
  for (const [what, query, count] of filters) {
    it(`filters by ${what}`, async () => {
      assert.equal((await list(query())).items.length, count);
    });
  }

  it('shows as retrying, with the next attempt, what failed and is attempted again', async () => {
    const [retrying] = (await list({ state: 'retrying' })).items;
    assert.deepEqual(
      [retrying?.state, retrying?.lastStatus, retrying?.lastError, retrying?.attempts],
      ['retrying', 503, 'status', 2],
    );
    assert.ok(Date.parse(retrying?.nextAttemptAt ?? '') > Date.now());
    const other = (await list({ state: 'pending' })).items;
    assert.deepEqual(new Set(other.map(({ state }) => state)), new Set(['pending']));
    const read = await caller.succeed('portal.delivery.get', {
      params: { deliveryId: retrying!.deliveryId },
    });
    assert.equal(read.state, 'retrying');
  });

  it('filters by event, page by page', async () => {
    const [{ eventId } = { eventId: '' }] = (await list({ endpointId })).items;
    const found = await list({ eventId, limit: 1 });
    assert.deepEqual(
      found.items.map((one) => [one.eventId, one.endpointId]),
      [[eventId, endpointId]],
    );
    assert.equal(found.nextCursor, null);
    const foreign = await stranger.succeed('portal.delivery.list', { query: { eventId } });
    assert.deepEqual(foreign.items, []);
  });

  it('pages through all deliveries, each once', async () => {
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof list>> = await list({
        limit: 2,
        ...(cursor !== null && { cursor }),
      });
      assert.ok(page.items.length <= 2);
      seen.push(...page.items.map(({ deliveryId }) => deliveryId));
      cursor = page.nextCursor;
    } while (cursor !== null);
    const { items } = await list();
    assert.deepEqual(
      seen,
      items.map(({ deliveryId }) => deliveryId),
    );
  });

  it('accepts a cursor only with the same filters and application', async () => {
    const { nextCursor } = await list({ limit: 1 });
    const query = { limit: 1, cursor: nextCursor ?? '' };
    await list(query);
    for (const [by, wrong] of [
      [caller, { ...query, state: 'exhausted' as const }],
      [stranger, query],
    ] as const) {
      const error = await by.refused('portal.delivery.list', { query: wrong });
      assert.equal(error.code, 'invalid_input');
    }
  });

  it('refuses wrong parameters, all at once', async () => {
    const error = await caller.refused('portal.delivery.list', {
      query: 'limit=101&state=lost&endpointId=1&type=x&page=2',
    });
    assert.deepEqual(wrongPaths(error).toSorted(), [
      'query/endpointId',
      'query/limit',
      'query/page',
      'query/state',
      'query/type',
    ]);
  });

  it('shows nothing to another application', async () => {
    assert.deepEqual(await stranger.succeed('portal.delivery.list'), {
      items: [],
      nextCursor: null,
    });
    const { items } = await stranger.succeed('portal.delivery.list', { query: { endpointId } });
    assert.deepEqual(items, []);
  });
});

describe('portal.delivery.get', () => {
  it('returns every attempt, and the event', async () => {
    const params = { deliveryId: await deliveryIn('exhausted') };
    const { attemptsMade, event } = await caller.succeed('portal.delivery.get', { params });
    assert.deepEqual(
      attemptsMade.map(({ startedAt: _, ...attempt }) => attempt),
      [
        { number: 1, durationMs: 10, status: null, error: 'timeout', response: null },
        { number: 2, durationMs: 20, status: 500, error: 'status', response: 'response 2' },
      ],
    );
    assert.deepEqual(Object.keys(event ?? {}), [
      'id',
      'type',
      'schemaVersion',
      'timestamp',
      'sequence',
      'data',
    ]);
  });

  it('shows the last request with a verifiable signature, also with both secrets of a rotation', async () => {
    const params = { deliveryId: await deliveryIn('delivered') };
    const at = { params: { endpointId } };
    const { secret: old } = await caller.succeed('portal.endpoint.getSecret', at);
    const verifies = async (secrets: string[]) => {
      const { lastRequest, event } = await caller.succeed('portal.delivery.get', { params });
      assert.ok(lastRequest);
      const { headers, body } = lastRequest;
      assert.equal(headers['webhook-signature'].split(' ').length, secrets.length);
      for (const secret of secrets) {
        assert.deepEqual(new Webhook(secret).verify(body, headers), event);
      }
      const age = Date.now() / 1_000 - Number(headers['webhook-timestamp']);
      assert.ok(age > 80 && age < 200, 'the timestamp is that of the attempt');
    };
    await verifies([old]);
    const { secret } = await caller.succeed('portal.endpoint.rotateSecret', { ...at, body: {} });
    await verifies([secret, old]);
  });

  it('has no last request before the first attempt, and no sequence for a test event', async () => {
    const { items } = await list({ endpointId: otherEndpointId });
    const params = { deliveryId: items[0]!.deliveryId };
    const found = await caller.succeed('portal.delivery.get', { params });
    assert.deepEqual([found.lastRequest, found.attemptsMade], [null, []]);
    assert.equal(found.event?.id, found.eventId);
    assert.ok(found.event && !('sequence' in found.event));
  });
});

describe('portal.delivery.replay', () => {
  it('starts a new series of attempts with the same event', async () => {
    const params = { deliveryId: await deliveryIn('exhausted') };
    const earlier = await caller.succeed('portal.delivery.get', { params });
    const { status, body } = await caller.call('portal.delivery.replay', { params, body: {} });
    assert.equal(status, 202);
    const { state, attempts, eventId } = body as Record<string, unknown>;
    assert.deepEqual([state, attempts, eventId], ['pending', 0, earlier.eventId]);
    const later = await caller.succeed('portal.delivery.get', { params });
    assert.deepEqual(later.attemptsMade, earlier.attemptsMade);
    const [entry] = await sql<Record<string, unknown>>(
      service.database,
      'SELECT actor, action, details FROM audit_entries ORDER BY entry_id DESC LIMIT 1',
    );
    assert.deepEqual(entry, {
      actor: 'portal',
      action: 'webhook.delivery.replay',
      details: params,
    });
  });

  it('counts with its endpoint what failed', async () => {
    const { retrying, exhausted } = await caller.succeed('portal.endpoint.get', {
      params: { endpointId },
    });
    // One of the two that were given up has been replayed.
    assert.deepEqual([retrying, exhausted], [1, 1]);
    const { items } = await caller.succeed('portal.endpoint.list');
    const other = items.find((one) => one.endpointId === otherEndpointId);
    assert.deepEqual([other?.retrying, other?.exhausted], [0, 0]);
  });

  it('counts exactly what it replays', async () => {
    const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
    const countSince = (since: string) =>
      caller.succeed('portal.endpoint.countFailed', { params: { endpointId }, query: { since } });
    assert.deepEqual(await countSince(minutesAgo(1)), { replayable: 0, hasMore: false });
    // An attempt in progress, and an event that has left the feed, are neither counted nor replayed.
    await sql(
      service.database,
      `INSERT INTO webhook_deliveries (endpoint_id, application_id, event_type, sequence, state,
          due_at, leased, attempts, last_attempt_at, last_error)
        SELECT $1, application_id, 'checkout.resolved', 1, v.state, v.due_at, v.state = 'pending', 2,
          now() - interval '2 minutes', 'status'
        FROM webhook_endpoints, (VALUES ('pending', now()), ('exhausted', NULL)) v (state, due_at)
        WHERE endpoint_id = $1`,
      [endpointId],
    );
    const since = minutesAgo(10);
    const expected = await countSince(since);
    assert.deepEqual(expected, { replayable: 2, hasMore: false });
    const { replayed } = await caller.succeed('portal.endpoint.replay', {
      params: { endpointId },
      body: { what: 'failed', since },
    });
    assert.equal(replayed, expected.replayable);
    assert.deepEqual(await countSince(since), { replayable: 0, hasMore: false });
    await sql(
      service.database,
      `UPDATE webhook_deliveries SET state = 'exhausted', due_at = NULL WHERE NOT leased
        AND endpoint_id = $1 AND attempts = 0 AND last_error = 'status'`,
      [endpointId],
    );
    await sql(
      service.database,
      'DELETE FROM webhook_deliveries d WHERE NOT EXISTS (SELECT FROM events e WHERE e.event_id = d.event_id) AND test_event IS NULL',
    );
  });

  it('replays all that failed since an instant', async () => {
    const replay = (since: string) =>
      caller.succeed('portal.endpoint.replay', {
        params: { endpointId },
        body: { what: 'failed', since },
      });
    const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
    assert.deepEqual(await replay(minutesAgo(1)), { replayed: 0 });
    const { replayed } = await replay(minutesAgo(10));
    assert.ok(replayed >= 1);
    assert.deepEqual((await list({ endpointId, state: 'exhausted' })).items, []);
  });
});

describe("another application's delivery", () => {
  for (const id of ['portal.delivery.get', 'portal.delivery.replay'] as const) {
    it(`${id} › gets the response of one that does not exist`, async () => {
      const deliveryId = await deliveryIn('delivered');
      for (const one of [deliveryId, randomUUID()]) {
        assertError(await stranger.refused(id, { params: { deliveryId: one } }), [
          404,
          'not_found',
        ]);
      }
      const error = await caller.refused(id, { params: { deliveryId: 'mine' } });
      assert.equal(error.code, 'invalid_input');
    });
  }
});
