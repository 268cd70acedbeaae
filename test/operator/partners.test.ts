/** Partner applications and their keys, by the operator's API. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { eventually } from '../harness/eventually.ts';
import { type Operator, operatorOf } from '../harness/operator.ts';
import { signedIn } from '../harness/staff-member.ts';
import { enterPortal } from '../harness/portal.ts';
import { sql } from '../harness/rows.ts';
import { askToken, inForm } from '../harness/token-endpoint.ts';
import { testBaseUrl } from '../harness/base-url.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { writeDeliveries, writeEvents } from '../harness/webhooks.ts';
import { wrongPaths } from '../harness/wrong-paths.ts';

const nobody = '01a406c7-566a-7c77-a1e5-969f7edd4981';

suite('partners', () => {
  let service: TestService;
  let operator: Operator;
  before(async () => {
    // No worker: what is due stays so.
    service = await startTestService({ LATCHKEY_ROLES: 'api' });
    ({ operator } = await signedIn(service));
  });
  after(() => service.stop());

  test('are registered, read with their catalog and the use of quotas, changed', async () => {
    const created = await operator.done('operator.application.create', {
      body: {
        name: '<script>alert(1)</script>',
        settlement: 'partner',
        grants: ['catalog', 'search'],
        quotas: { search: 7 },
      },
    });
    const params = { applicationId: created.applicationId };
    assert.deepEqual([created.quotas.search, created.adjustPercent], [7, 0]);
    const form = { grant_type: 'client_credentials', ...inForm(created), resource: testBaseUrl };
    assert.equal((await askToken(service.origin, { form })).status, 200);

    const file = await operator.done('operator.application.get', { params });
    const search = file.quotaUse.find(({ tier }) => tier === 'search');
    assert.deepEqual(search, { tier: 'search', perMinute: 7, remaining: 7, fullInSeconds: 0 });

    const body = {
      name: 'Harbour Stays',
      adjustPercent: 8.25,
      reservationsPerDay: 3,
      portalKeys: !created.portalKeys,
    };
    const changed = await operator.done('operator.application.change', { params, body });
    assert.deepEqual(
      [changed.name, changed.adjustPercent, changed.reservationsPerDay, changed.catalog],
      ['Harbour Stays', 8.25, 3, created.catalog],
    );
    assert.equal(changed.portalKeys, !created.portalKeys);
    assert.equal(file.reservationsToday, null);
    await sql(
      service.database,
      `INSERT INTO reservation_days (application_id, day, reservations)
        VALUES ($1, (now() AT TIME ZONE 'UTC')::date, 2)`,
      [created.applicationId],
    );
    const limited = await operator.done('operator.application.get', { params });
    assert.equal(limited.reservationsToday, 2);
    const unlimited = await operator.done('operator.application.change', {
      params,
      body: { reservationsPerDay: null },
    });
    assert.equal(unlimited.reservationsPerDay, null);
    const quotas = await operator.done('operator.application.setQuotas', {
      params,
      body: { read: 11 },
    });
    assert.deepEqual([quotas.quotas.read, quotas.quotas.search], [11, 7]);
    const { items } = await operator.done('operator.application.list');
    assert.ok(items.some(({ name }) => name === 'Harbour Stays'));

    const { items: entries } = await operator.done('operator.audit.list', { query: params });
    assert.deepEqual(
      entries.map(({ action, source }) => `${action} ${source}`),
      [
        'application.set-quota',
        'application.set',
        'application.set',
        'key.issue',
        'application.create',
      ].map((action) => `${action} console 127.0.0.1`),
    );
    assert.deepEqual(entries[0]?.details, {
      before: { quotas: unlimited.quotas },
      after: { quotas: quotas.quotas },
    });
    assert.deepEqual(entries[2]?.details, {
      before: {
        name: '<script>alert(1)</script>',
        adjustPercent: 0,
        reservationsPerDay: null,
        portalKeys: created.portalKeys,
      },
      after: body,
    });
  });

  test('are suspended and resumed; their keys are issued, listed and revoked', async () => {
    const { credentials } = await service.partner();
    const params = { applicationId: credentials.applicationId };
    const suspended = await operator.done('operator.application.suspend', {
      params,
      body: { reason: 'no answer' },
    });
    assert.deepEqual([suspended.state, suspended.suspendedReason], ['suspended', 'no answer']);
    const resumed = await operator.done('operator.application.resume', { params, body: {} });
    assert.equal(resumed.state, 'active');

    const issued = await operator.done('operator.key.issue', {
      params,
      body: { expiresInDays: 30 },
    });
    const days = (Date.parse(issued.expiresAt) - Date.now()) / 86_400_000;
    assert.ok(days > 29.9 && days < 30.1, issued.expiresAt);
    const revoked = await operator.done('operator.key.revoke', {
      params: { keyId: issued.keyId },
      body: {},
    });
    assert.equal(revoked.state, 'revoked');
    const { items } = await operator.done('operator.key.list', { params });
    assert.ok(items.some(({ keyId, state }) => keyId === issued.keyId && state === 'revoked'));
    assert.ok(!JSON.stringify(items).includes(issued.applicationKey));

    const link = await operator.done('operator.application.portalLink', { params, body: {} });
    assert.match(link.url, /\/portal#link=[\w-]{43}$/);
  });

  // Spec: OPERATOR-15.
  test('change › 403 forbidden step_up › a token gives a partner nothing that would outlive it', async () => {
    const token = await operatorOf(service);
    const { credentials } = await service.partner({ grants: ['catalog', 'search'] });
    const params = { applicationId: credentials.applicationId };
    const change = (body: object) => ({ params, body });
    const was = await operator.done(
      'operator.application.change',
      change({ requireReport: true, portalKeys: false }),
    );
    for (const body of [
      { grants: ['catalog', 'search', 'checkout'] },
      { portalKeys: true },
      { changes: 'cancel' },
      { adjustPercent: -100 },
      { requireReport: false },
    ]) {
      const refused = await token.refused('operator.application.change', change(body));
      assert.deepEqual([refused.status, refused.details], [403, { reason: 'step_up' }]);
    }
    const less = { name: 'Less', grants: ['catalog' as const], adjustPercent: 5 };
    const changed = await token.done('operator.application.change', change(less));
    assert.deepEqual(
      [changed.grants, changed.adjustPercent, changed.portalKeys, changed.changes],
      [['catalog'], 5, false, was.changes],
    );
    assert.equal(changed.requireReport, true);
  });

  test('404 not_found › an unknown application, key, catalog', async () => {
    const params = { applicationId: nobody };
    const body = {};
    const refusals = [
      operator.refused('operator.application.get', { params }),
      operator.refused('operator.application.change', { params, body: { name: 'x' } }),
      operator.refused('operator.application.change', { params, body: { catalog: 'none' } }),
      operator.refused('operator.application.setQuotas', { params, body: { read: 1 } }),
      operator.refused('operator.application.suspend', { params, body }),
      operator.refused('operator.application.portalLink', { params, body }),
      operator.refused('operator.key.list', { params }),
      operator.refused('operator.key.issue', { params, body }),
      operator.refused('operator.key.revoke', { params: { keyId: 'none' }, body }),
    ];
    for (const refusal of await Promise.all(refusals)) assert.equal(refusal.status, 404);
  });

  const withEndpoint = async () => {
    const partner = await service.partner();
    const { applicationId } = partner.credentials;
    const added = await operator.done('operator.endpoint.add', {
      params: { applicationId },
      body: { url: 'https://p.invalid/hooks?token=secret', description: 'Orders' },
    });
    return { partner, applicationId, added, endpointId: added.endpointId };
  };

  const endpointsOf = async (applicationId: string) =>
    (await operator.done('operator.endpoint.list', { params: { applicationId } })).items;

  test('webhooks › an endpoint is added, paused, resumed, gets a secret, is deleted', async () => {
    const { applicationId, added, endpointId } = await withEndpoint();
    const params = { endpointId };
    const body = {};
    assert.match(added.secret, /^whsec_/);
    const paused = await operator.done('operator.endpoint.pause', { params, body });
    assert.deepEqual([paused.state, paused.stateReason], ['paused', 'by_hand']);
    const resumed = await operator.done('operator.endpoint.resume', {
      params,
      body: { missed: 'skip' },
    });
    assert.equal(resumed.state, 'active');
    const rotated = await operator.done('operator.endpoint.rotateSecret', { params, body });
    assert.match(rotated.secret, /^whsec_/);
    assert.notEqual(rotated.secret, added.secret);
    const days = (Date.parse(rotated.previousSecretUntil!) - Date.now()) / 86_400_000;
    assert.ok(days > 0.9 && days < 1.1, rotated.previousSecretUntil!);
    const listed = await endpointsOf(applicationId);
    assert.deepEqual(
      listed.map(({ description, retrying, exhausted }) => [description, retrying, exhausted]),
      [['Orders', 0, 0]],
    );
    assert.ok(!JSON.stringify(listed).includes('whsec_'));
    await operator.done('operator.endpoint.delete', { params });
    assert.deepEqual(await endpointsOf(applicationId), []);
    const { items } = await operator.done('operator.audit.list', { query: { applicationId } });
    assert.deepEqual(
      items.slice(0, 5).map(({ action }) => action.replace('webhook.endpoint.', '')),
      ['delete', 'rotate-secret', 'resume', 'pause', 'add'],
    );
    assert.ok(!JSON.stringify(items).includes('token=secret'));
  });

  test('webhooks › deliveries are listed in pages, by state; one and the failed ones are sent again', async () => {
    const { applicationId, endpointId } = await withEndpoint();
    const states = ['delivered', 'exhausted', 'pending', 'exhausted', 'delivered'] as const;
    await writeDeliveries(service.database, { applicationId, endpointId }, states);
    const params = { applicationId };
    const list = (query: { state?: 'exhausted'; limit?: number; cursor?: string }) =>
      operator.done('operator.delivery.list', { params, query });
    await sql(
      service.database,
      'UPDATE webhook_endpoints SET failing_since = now() WHERE endpoint_id = $1',
      [endpointId],
    );
    const { items: all } = await operator.done('operator.application.list');
    const failing = all.filter(({ failingEndpoints }) => failingEndpoints > 0);
    assert.deepEqual(
      failing.map((one) => [one.applicationId, one.failingEndpoints]),
      [[applicationId, 1]],
    );
    const first = await list({ limit: 3 });
    const second = await list({ limit: 3, cursor: first.nextCursor! });
    assert.equal(first.items.length, 3);
    assert.equal(second.nextCursor, null);
    assert.equal(new Set([...first.items, ...second.items].map((one) => one.deliveryId)).size, 5);
    const refused = await operator.refused('operator.delivery.list', {
      params,
      query: { state: 'exhausted', cursor: first.nextCursor! },
    });
    assert.equal(refused.status, 400);

    const { items: failed } = await list({ state: 'exhausted' });
    assert.equal(failed.length, 2);
    const [endpoint] = await endpointsOf(applicationId);
    assert.deepEqual([endpoint!.retrying, endpoint!.exhausted], [1, 2]);
    const { deliveryId } = failed[0]!;
    await sql(
      service.database,
      `INSERT INTO webhook_attempts (delivery_id, number, started_at, duration_ms, status, error, response)
        VALUES ($1, 1, now(), 12, 500, 'status', 'out of order')`,
      [deliveryId],
    );
    const file = await operator.done('operator.delivery.get', {
      params: { applicationId, deliveryId },
    });
    assert.deepEqual(
      file.attemptsMade.map(({ status, response }) => [status, response]),
      [[500, 'out of order']],
    );
    assert.equal(file.event?.id, file.eventId);
    const other = (await service.partner()).credentials.applicationId;
    const ofAnother = { params: { applicationId: other, deliveryId } };
    assert.equal((await operator.refused('operator.delivery.get', ofAnother)).status, 404);
    assert.ok(!JSON.stringify(file).includes('webhook-signature'));
    const again = await operator.done('operator.delivery.replay', {
      params: { deliveryId: failed[0]!.deliveryId },
      body: {},
    });
    assert.deepEqual([again.state, again.attempts], ['pending', 0]);
    for (const wrong of [
      '2016-12-31T23:59:60Z',
      '0000-01-01T00:00:00Z',
      '9999-12-31T23:59:59-23:59',
    ]) {
      const input = { params: { endpointId }, body: { since: wrong } };
      assert.equal((await operator.refused('operator.endpoint.replayFailed', input)).status, 400);
    }
    const since = new Date(Date.now() - 3_600_000).toISOString();
    const body = { since };
    await operator.done('operator.endpoint.replayFailed', { params: { endpointId }, body });
    assert.deepEqual((await list({ state: 'exhausted' })).items, []);
  });

  test('webhooks › events that a resume skipped are sent later', async () => {
    const { applicationId, endpointId } = await withEndpoint();
    const params = { endpointId };
    await operator.done('operator.endpoint.pause', { params, body: {} });
    await writeEvents(service.database, applicationId, 3);
    await operator.done('operator.endpoint.resume', { params, body: { missed: 'skip' } });
    assert.equal((await endpointsOf(applicationId))[0]!.missed, 3);
    const sent = await operator.done('operator.endpoint.replayMissed', { params, body: {} });
    assert.deepEqual(sent, { replayed: 3 });
  });

  test('webhooks › refusals: an unknown endpoint or delivery, an address that is not allowed, too many', async () => {
    const { applicationId } = await withEndpoint();
    const body = {};
    const params = { endpointId: nobody };
    const unknown = await Promise.all([
      operator.refused('operator.endpoint.list', { params: { applicationId: nobody } }),
      operator.refused('operator.delivery.list', { params: { applicationId: nobody } }),
      operator.refused('operator.request.list', { params: { applicationId: nobody } }),
      operator.refused('operator.request.get', { params: { applicationId, requestId: nobody } }),
      operator.refused('operator.delivery.get', { params: { applicationId, deliveryId: nobody } }),
      operator.refused('operator.endpoint.pause', { params, body }),
      operator.refused('operator.endpoint.resume', { params, body: { missed: 'replay' } }),
      operator.refused('operator.endpoint.rotateSecret', { params, body }),
      operator.refused('operator.endpoint.delete', { params }),
      operator.refused('operator.endpoint.replayMissed', { params, body }),
      operator.refused('operator.endpoint.replayFailed', {
        params,
        body: { since: new Date().toISOString() },
      }),
      operator.refused('operator.delivery.replay', { params: { deliveryId: nobody }, body }),
      operator.refused('operator.endpoint.add', {
        params: { applicationId: nobody },
        body: { url: 'https://p.invalid/' },
      }),
    ]);
    for (const { status } of unknown) assert.equal(status, 404);
    const add = (url: string) => ({ params: { applicationId }, body: { url } });
    const plain = await operator.refused('operator.endpoint.add', add('http://p.invalid/'));
    assert.equal(plain.status, 400);
    assert.equal(wrongPaths(plain)[0], '/url');
    for (let more = 1; more < 20; more += 1) {
      await operator.done('operator.endpoint.add', add(`https://p.invalid/${more}`));
    }
    const tooMany = await operator.refused('operator.endpoint.add', add('https://p.invalid/20'));
    assert.deepEqual(
      [tooMany.status, tooMany.code, tooMany.details],
      [422, 'policy_restricted', { reason: 'too_many_endpoints' }],
    );
  });

  test('requests › the calls of an application in pages, without what they carried', async () => {
    const partner = await service.partner();
    await enterPortal(service, partner);
    const { applicationId } = partner.credentials;
    const params = { applicationId };
    const list = (query: { status?: string; limit?: number; cursor?: string } = {}) =>
      operator.done('operator.request.list', { params, query });
    await eventually(async () => {
      await partner.call('reservation.reservation.get', { params: { reference: 'LK-0000-0000' } });
      return (await list()).items.length >= 2;
    });
    const lastCallOf = async (id: string) =>
      (await operator.done('operator.application.list')).items.find(
        (one) => one.applicationId === id,
      )?.lastCallAt;
    // The calls of the loop above are logged a moment later.
    await eventually(
      async () => (await lastCallOf(applicationId)) === (await list({ limit: 1 })).items[0]!.at,
    );
    // Without a portal there is no log, but the key has been used.
    const quiet = await service.partner();
    await quiet.succeed('distribution.site.get');
    assert.ok(await lastCallOf(quiet.credentials.applicationId));
    const { items: refused } = await list({ status: '4xx' });
    assert.ok(refused.length > 0);
    assert.ok(refused.every(({ code, status }) => code === 'not_found' && status === 404));
    const first = await list({ limit: 1 });
    const second = await list({ limit: 1, cursor: first.nextCursor! });
    assert.notEqual(first.items[0]!.requestId, second.items[0]!.requestId);

    const wrong = { rawBody: JSON.stringify({ checkIn: 'secret' }) };
    const { headers } = await partner.call('distribution.listing.search', wrong);
    const requestId = headers.get('x-request-id')!;
    await eventually(async () => (await list()).items.some((one) => one.requestId === requestId));
    const call = await operator.done('operator.request.get', {
      params: { applicationId, requestId },
    });
    assert.equal(call.code, 'invalid_input');
    assert.ok(call.invalidFields.some(({ path }) => path === '/checkIn'));
    assert.ok(!JSON.stringify(call).includes('secret'));
  });

  test('the key that signs tokens is replaced, and the one before still verifies', async () => {
    const rotated = await operator.done('operator.signingKey.rotate', { body: {} });
    const { items } = await operator.done('operator.signingKey.list');
    assert.deepEqual(
      items.map(({ keyId, state }) => [keyId === rotated.keyId, state]),
      [
        [true, 'signing'],
        [false, 'verifying'],
      ],
    );
  });
});
