/** Partner applications and their keys, by the operator's API. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { type Operator, operatorOf } from '../harness/operator.ts';
import { askToken, inForm } from '../harness/token-endpoint.ts';
import { testBaseUrl } from '../harness/base-url.ts';
import { startTestService, type TestService } from '../harness/service.ts';

const nobody = '01a406c7-566a-7c77-a1e5-969f7edd4981';

suite('partners', () => {
  let service: TestService;
  let operator: Operator;
  before(async () => {
    service = await startTestService();
    operator = await operatorOf(service);
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
      ].map((action) => `${action} api 127.0.0.1`),
    );
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
