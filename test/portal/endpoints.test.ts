/** Endpoints by the portal's API: what each call does, refuses and leaves in the audit trail. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, describe, it } from 'node:test';
import { portalLimits } from '../../src/contract/portal/limits.ts';
import {
  portalOperationIds,
  portalRowOf,
  type PortalOperationId,
} from '../../src/contract/portal/operations.ts';
import { listWebhookEndpoints } from '../../src/webhooks/store/endpoints.ts';
import { assertError } from '../harness/journey.ts';
import type { Partner } from '../harness/partner.ts';
import { enterPortal, leastInput, type PortalCaller, type PortalInput } from '../harness/portal.ts';
import { sql } from '../harness/rows.ts';
import { startTestService, type TestService } from '../harness/service.ts';

let service: TestService;
let partner: Partner;
let caller: PortalCaller;
let stranger: PortalCaller;
before(async () => {
  service = await startTestService({ LATCHKEY_ROLES: 'api' });
  stranger = await enterPortal(service, await service.partner());
});
after(() => service.stop());
// Another for each test: an application has no more than twenty endpoints.
beforeEach(async () => {
  partner = await service.partner();
  caller = await enterPortal(service, partner);
});

const url = 'https://partner.invalid/hook';

const added = (body: object = { url }, by = caller) =>
  by.succeed('portal.endpoint.add', { rawBody: JSON.stringify(body) });

const ofEndpoint = portalOperationIds.filter((id) => portalRowOf(id).path.includes('{endpointId}'));

interface AuditEntry {
  actor: string;
  action: string;
  details: Record<string, unknown>;
}

/** What the audit trail says about an endpoint, oldest first. */
const auditOf = (endpointId: string) =>
  sql<AuditEntry>(
    service.database,
    `SELECT actor, action, details FROM audit_entries
      WHERE details ->> 'endpointId' = $1 ORDER BY entry_id`,
    [endpointId],
  );

async function invalid<Id extends PortalOperationId>(
  id: Id,
  input: PortalInput<Id>,
): Promise<Record<string, string>> {
  const error = await caller.refused(id, input);
  assert.deepEqual([error.status, error.code], [400, 'invalid_input']);
  const { fields } = error.details as { fields: { path: string; message: string }[] };
  return Object.fromEntries(fields.map(({ path, message }) => [path, message]));
}

describe('portal.endpoint.add', () => {
  it('adds an endpoint for all types, with a secret', async () => {
    const { secret, endpointId, stateSince, createdAt, updatedAt, ...rest } = await added();
    assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
    assert.deepEqual(rest, {
      url,
      description: '',
      eventTypes: null,
      state: 'active',
      stateReason: null,
      failingSince: null,
      missed: 0,
      retrying: 0,
      exhausted: 0,
      previousSecretUntil: null,
    });
    assert.ok(Math.abs(Date.parse(createdAt) - Date.now()) < 60_000);
    assert.deepEqual([stateSince, updatedAt], [createdAt, createdAt]);
    const shown = await caller.succeed('portal.endpoint.get', { params: { endpointId } });
    assert.deepEqual(shown, { ...rest, endpointId, stateSince, createdAt, updatedAt });
  });

  it('stores description and types', async () => {
    const body = { url, description: 'Für Buchungen', eventTypes: ['reservation.cancelled'] };
    const { description, eventTypes } = await added(body);
    assert.deepEqual({ url, description, eventTypes }, body);
    assert.equal((await added({ url, eventTypes: null })).eventTypes, null);
  });

  it('accepts plain HTTP to loopback if the simulation listens only on loopback', async () => {
    assert.equal((await added({ url: 'http://localhost:3000/hook' })).state, 'active');
  });

  const wrong: Record<string, [object, string[]]> = {
    'no url': [{}, ['/url']],
    'an empty url': [{ url: '' }, ['/url']],
    'not a URL': [{ url: 'partner.invalid' }, ['/url']],
    'plain HTTP': [{ url: 'http://partner.invalid/' }, ['/url']],
    'another scheme': [{ url: 'ftp://partner.invalid/' }, ['/url']],
    'a private address': [{ url: 'https://10.0.0.1/' }, ['/url']],
    'a password': [{ url: 'https://a:b@partner.invalid/' }, ['/url']],
    'too long a url': [{ url: `https://partner.invalid/${'x'.repeat(2_000)}` }, ['/url']],
    'an unknown member': [{ url, secret: 'whsec_mine' }, ['/secret']],
    'an unknown type': [{ url, eventTypes: ['nothing.happened'] }, ['/eventTypes/0']],
    'no types': [{ url, eventTypes: [] }, ['/eventTypes']],
    'a type twice': [
      { url, eventTypes: ['checkout.resolved', 'checkout.resolved'] },
      ['/eventTypes'],
    ],
    'a description of two lines': [{ url, description: 'a\nb' }, ['/description']],
    'too long a description': [{ url, description: 'x'.repeat(201) }, ['/description']],
    'several at once': [{ url: 1, description: 2 }, ['/description', '/url']],
  };
  for (const [what, [body, paths]] of Object.entries(wrong)) {
    it(`refuses: ${what}`, async () => {
      const fields = await invalid('portal.endpoint.add', { rawBody: JSON.stringify(body) });
      assert.deepEqual(Object.keys(fields).toSorted(), paths);
    });
  }

  it('refuses the 21st endpoint, also under concurrent adds', async () => {
    const collector = await enterPortal(service, await service.partner());
    const atOnce = 8;
    const left = 4;
    for (let n = left; n < portalLimits.endpoints; n += 1) await added({ url }, collector);
    const replies = await Promise.all(
      Array.from({ length: atOnce }, () =>
        collector.call('portal.endpoint.add', { body: { url } }),
      ),
    );
    const made = replies.filter(({ status }) => status === 201);
    assert.equal(made.length, left);
    const error = await collector.refused('portal.endpoint.add', { body: { url } });
    assertError(error, [422, 'policy_restricted', 'too_many_endpoints']);
    const { endpointId } = made[0]!.body as { endpointId: string };
    await collector.succeed('portal.endpoint.delete', { params: { endpointId } });
    await added({ url }, collector);
  });

  it('is audited without the query of the URL', async () => {
    const { endpointId } = await added({ url: `${url}?password=secret` });
    const [entry] = await sql<AuditEntry>(
      service.database,
      `SELECT actor, action, details FROM audit_entries
        WHERE application_id = $1 ORDER BY entry_id DESC LIMIT 1`,
      [partner.credentials.applicationId],
    );
    assert.deepEqual(entry, {
      actor: 'portal',
      action: 'webhook.endpoint.add',
      details: { endpointId, url, eventTypes: null },
    });
  });
});

describe('portal.endpoint.list', () => {
  it('lists every endpoint of the application, oldest first', async () => {
    const owner = await enterPortal(service, await service.partner());
    assert.deepEqual(await owner.succeed('portal.endpoint.list'), { items: [] });
    const urls = ['a', 'b', 'c'].map((name) => `${url}/${name}`);
    for (const one of urls) await added({ url: one }, owner);
    const { items } = await owner.succeed('portal.endpoint.list');
    assert.deepEqual(
      items.map((one) => one.url),
      urls,
    );
    assert.ok(!JSON.stringify(items).includes('whsec_'));
  });
});

describe('portal.endpoint.change', () => {
  it('changes only the given fields', async () => {
    const { endpointId } = await added({
      url,
      description: 'one',
      eventTypes: ['checkout.resolved'],
    });
    const params = { endpointId };
    const change = (body: object) =>
      caller.succeed('portal.endpoint.change', { params, rawBody: JSON.stringify(body) });
    const moved = await change({ url: `${url}/2` });
    assert.deepEqual(
      [moved.url, moved.description, moved.eventTypes],
      [`${url}/2`, 'one', ['checkout.resolved']],
    );
    const changed = await change({ description: '', eventTypes: null });
    assert.deepEqual(
      [changed.url, changed.description, changed.eventTypes],
      [`${url}/2`, '', null],
    );
    assert.equal((await change({})).url, `${url}/2`);
  });

  it('checks the new URL', async () => {
    const { endpointId } = await added();
    const fields = await invalid('portal.endpoint.change', {
      params: { endpointId },
      body: { url: 'https://169.254.169.254/' },
    });
    assert.deepEqual(Object.keys(fields), ['/url']);
    const kept = await caller.succeed('portal.endpoint.get', { params: { endpointId } });
    assert.equal(kept.url, url);
  });
});

describe('portal.endpoint.delete', () => {
  it('deletes an endpoint permanently', async () => {
    const { endpointId } = await added();
    const input = { params: { endpointId } };
    const { status, text } = await caller.call('portal.endpoint.delete', input);
    assert.deepEqual([status, text], [204, '']);
    for (const id of ofEndpoint) {
      const error = await caller.refused(id, { ...leastInput(id), ...input } as PortalInput<
        typeof id
      >);
      assertError(error, [404, 'not_found']);
    }
    const { items } = await caller.succeed('portal.endpoint.list');
    assert.ok(items.every((one) => one.endpointId !== endpointId));
  });
});

describe('portal.endpoint.pause and resume', () => {
  it('pause an endpoint; a second pause changes nothing', async () => {
    const { endpointId } = await added();
    const params = { endpointId };
    const paused = await caller.succeed('portal.endpoint.pause', { params, body: {} });
    assert.deepEqual([paused.state, paused.stateReason], ['paused', 'by_hand']);
    const again = await caller.succeed('portal.endpoint.pause', { params, body: {} });
    assert.equal(again.stateSince, paused.stateSince);
    const resumed = await caller.succeed('portal.endpoint.resume', {
      params,
      body: { missed: 'replay' },
    });
    assert.deepEqual([resumed.state, resumed.stateReason], ['active', null]);
    const goingOn = await caller.succeed('portal.endpoint.resume', {
      params,
      body: { missed: 'skip' },
    });
    assert.equal(goingOn.stateSince, resumed.stateSince);
  });

  it('requires a decision about the missed events', async () => {
    const { endpointId } = await added();
    for (const rawBody of ['{}', '{"missed":"perhaps"}']) {
      const fields = await invalid('portal.endpoint.resume', { params: { endpointId }, rawBody });
      assert.deepEqual(Object.keys(fields), ['/missed']);
    }
  });
});

describe('portal.endpoint.getSecret and rotateSecret', () => {
  it('reveal the secret; after a rotation the new one, and the old one with its expiry', async () => {
    const { endpointId, secret } = await added();
    const params = { endpointId };
    assert.deepEqual(await caller.succeed('portal.endpoint.getSecret', { params }), {
      secret,
      previous: null,
    });
    const rotated = await caller.succeed('portal.endpoint.rotateSecret', { params, body: {} });
    assert.notEqual(rotated.secret, secret);
    assert.equal(rotated.previous?.secret, secret);
    const hours = (Date.parse(rotated.previous?.expiresAt ?? '') - Date.now()) / 3_600_000;
    assert.ok(hours > 23.9 && hours < 24.1);
    assert.deepEqual(await caller.succeed('portal.endpoint.getSecret', { params }), rotated);
    const { previousSecretUntil } = await caller.succeed('portal.endpoint.get', { params });
    assert.equal(previousSecretUntil, rotated.previous?.expiresAt);
  });
});

describe('portal.endpoint.test', () => {
  it('creates a delivery without a sequence, for each type', async () => {
    const { endpointId } = await added({ url, eventTypes: ['checkout.resolved'] });
    const { items } = await caller.succeed('portal.eventType.list');
    for (const { type } of items) {
      const input = { params: { endpointId }, body: { type } };
      const { status, body } = await caller.call('portal.endpoint.test', input);
      assert.equal(status, 202);
      const { test, sequence, state, attempts } = body as Record<string, unknown>;
      assert.deepEqual([test, sequence, state, attempts], [true, null, 'pending', 0]);
    }
    const found = await caller.succeed('portal.delivery.list', { query: { endpointId } });
    assert.equal(found.items.length, items.length);
    assert.deepEqual((await caller.succeed('portal.event.list')).items, []);
  });

  it('is refused if the endpoint is not active', async () => {
    const { endpointId } = await added();
    const params = { endpointId };
    await caller.succeed('portal.endpoint.pause', { params, body: {} });
    const error = await caller.refused('portal.endpoint.test', {
      params,
      body: { type: 'checkout.resolved' },
    });
    assertError(error, [409, 'invalid_state', 'endpoint_not_active']);
  });
});

describe('portal.endpoint.replay', () => {
  const unusable = [
    '2016-12-31T23:59:60Z',
    '0000-01-01T00:00:00Z',
    '9999-12-31T23:59:59-23:59',
    '2027-01-01T24:00:00Z',
  ];

  it('requires a time for failed deliveries, and refuses one for missed events', async () => {
    const { endpointId } = await added();
    const params = { endpointId };
    const bodies = [
      '{"what":"failed"}',
      '{"what":"failed","since":"yesterday"}',
      ...unusable.map((since) => JSON.stringify({ what: 'failed', since })),
      '{"what":"missed","since":"2027-01-01T00:00:00Z"}',
    ];
    for (const rawBody of bodies) {
      const fields = await invalid('portal.endpoint.replay', { params, rawBody });
      assert.deepEqual(Object.keys(fields), ['/since'], rawBody);
    }
    for (const since of unusable) {
      const fields = await invalid('portal.endpoint.countFailed', { params, query: { since } });
      assert.match(fields['query/since'] ?? '', /^must be an instant/, since);
    }
    const since = new Date().toISOString();
    for (const body of [{ what: 'failed', since } as const, { what: 'missed' } as const]) {
      assert.deepEqual(await caller.succeed('portal.endpoint.replay', { params, body }), {
        replayed: 0,
      });
    }
  });

  it('sends the skipped events', async () => {
    const owner = await service.partner();
    const { applicationId } = owner.credentials;
    const portal = await enterPortal(service, owner);
    const { endpointId } = await added({ url }, portal);
    const params = { endpointId };
    await portal.succeed('portal.endpoint.pause', { params, body: {} });
    await sql(
      service.database,
      `WITH counted AS (
          UPDATE event_counters SET last_sequence = 3 WHERE application_id = $1
        )
        INSERT INTO events (application_id, sequence, type, data, created_at)
        SELECT $1, n, 'checkout.resolved', '{}', now() FROM generate_series(1, 3) n`,
      [applicationId],
    );
    assert.equal((await portal.succeed('portal.endpoint.get', { params })).missed, 3);
    const resumed = await portal.succeed('portal.endpoint.resume', {
      params,
      body: { missed: 'skip' },
    });
    assert.deepEqual([resumed.state, resumed.missed], ['active', 3]);
    const body = { what: 'missed' } as const;
    assert.deepEqual(await portal.succeed('portal.endpoint.replay', { params, body }), {
      replayed: 3,
    });
    assert.equal((await portal.succeed('portal.endpoint.get', { params })).missed, 0);
  });
});

describe("another application's endpoint", () => {
  for (const id of ofEndpoint) {
    it(`${id} › gets the response of one that does not exist`, async () => {
      const { endpointId } = await added();
      const earlier = await listWebhookEndpoints(
        service.database,
        partner.credentials.applicationId,
      );
      const named = (one: string) =>
        ({ ...leastInput(id), params: { endpointId: one } }) as PortalInput<typeof id>;
      const foreign = await stranger.call(id, named(endpointId));
      const unknownId = randomUUID();
      const unknown = await stranger.call(id, named(unknownId));
      assert.equal(foreign.status, 404);
      const withoutId = ({ text }: { text: string }) => text.replace(/"requestId":"[^"]*"/, '');
      assert.equal(withoutId(foreign).replace(endpointId, unknownId), withoutId(unknown));
      const later = await listWebhookEndpoints(service.database, partner.credentials.applicationId);
      assert.deepEqual(later, earlier);
    });
  }

  it('is refused as a path if it is not a UUID', async () => {
    for (const id of ofEndpoint) {
      const input = { ...leastInput(id), params: { endpointId: 'mine' } } as PortalInput<typeof id>;
      assert.deepEqual(Object.keys(await invalid(id, input)), ['path/endpointId']);
    }
  });
});

describe('the audit trail of an endpoint', () => {
  it('has an entry for every change, with before and after, and none for reads, refusals and other applications', async () => {
    const { endpointId } = await added();
    const params = { endpointId };
    const body = { url: `${url}/b?password=secret`, description: 'x' };
    await caller.succeed('portal.endpoint.change', { params, body });
    await caller.succeed('portal.endpoint.get', { params });
    await caller.succeed('portal.endpoint.test', { params, body: { type: 'checkout.resolved' } });
    await caller.succeed('portal.endpoint.rotateSecret', { params, body: {} });
    await caller.succeed('portal.endpoint.pause', { params, body: {} });
    await caller.refused('portal.endpoint.test', { params, body: { type: 'checkout.resolved' } });
    await stranger.refused('portal.endpoint.delete', { params });
    await caller.succeed('portal.endpoint.resume', { params, body: { missed: 'skip' } });
    await caller.succeed('portal.endpoint.replay', { params, body: { what: 'missed' } });
    await caller.succeed('portal.endpoint.delete', { params });
    const entries = await auditOf(endpointId);
    const was = { url, description: '', eventTypes: null, state: 'active' };
    const changed = { ...was, url: `${url}/b`, description: 'x' };
    const paused = { ...changed, state: 'paused' };
    assert.deepEqual(
      entries.map(({ action, details: { endpointId: _, ...details } }) => [action, details]),
      [
        ['webhook.endpoint.add', { url, eventTypes: null }],
        ['webhook.endpoint.change', { before: was, after: changed }],
        ['webhook.endpoint.test', { type: 'checkout.resolved' }],
        ['webhook.endpoint.rotate-secret', {}],
        ['webhook.endpoint.pause', { before: changed, after: paused }],
        ['webhook.endpoint.resume', { missed: 'skip', before: paused, after: changed }],
        ['webhook.endpoint.replay', { what: 'missed' }],
        ['webhook.endpoint.delete', { before: changed }],
      ],
    );
    assert.ok(entries.every(({ actor }) => actor === 'portal'));
    assert.ok(!JSON.stringify(entries).includes('whsec_'));
  });
});
