import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { limits } from '../../../src/contract/limits.ts';
import type { Partner } from '../../harness/partner.ts';
import { quotaOf } from '../../harness/quota.ts';
import { startTestService, type TestService } from '../../harness/service.ts';
import { uuid } from '../../harness/uuids.ts';

const theirs = '11111111-1111-4111-8111-111111111111';
const json = { 'content-type': 'application/json' };

/** One response of each kind. */
const kinds: [status: number, name: string, path: string, init: (token: string) => RequestInit][] =
  [
    [200, 'an operation', '/v1/site', (token) => ({ headers: { authorization: token } })],
    [
      304,
      'an operation',
      '/v1/site',
      (token) => ({
        headers: { authorization: token, 'if-none-match': '*' },
      }),
    ],
    [
      400,
      'an operation',
      '/v1/quotes',
      (token) => ({
        method: 'POST',
        headers: { authorization: token, ...json },
        body: '{',
      }),
    ],
    [
      400,
      'a body that is too long',
      '/v1/quotes',
      (token) => ({
        method: 'POST',
        headers: { authorization: token, ...json },
        body: 'x'.repeat(limits.bodyBytes + 1),
      }),
    ],
    [401, 'an operation', '/v1/site', () => ({})],
    [404, 'a path', '/nothing', () => ({})],
    [404, 'HEAD', '/v1/site', () => ({ method: 'HEAD' })],
    [
      404,
      'a resource',
      `/v1/listings/${theirs}`,
      (token) => ({ headers: { authorization: token } }),
    ],
    [
      400,
      'the token endpoint',
      '/oauth/token',
      () => ({ method: 'POST', headers: json, body: '{}' }),
    ],
    [
      401,
      'the token endpoint',
      '/oauth/token',
      () => ({
        method: 'POST',
        body: new URLSearchParams({ grant_type: 'client_credentials' }),
      }),
    ],
    [200, 'the keys', '/.well-known/jwks.json', () => ({})],
    [200, 'the document', '/openapi.json', () => ({})],
    [200, 'the pages', '/docs', () => ({})],
    [200, 'health', '/healthz', () => ({})],
    [200, 'readiness', '/readyz', () => ({})],
  ];

suite('x-request-id', () => {
  let service: TestService;
  let partner: Partner;
  before(async () => {
    service = await startTestService({ LATCHKEY_ROLES: 'api' });
    partner = await service.partner();
  });
  after(() => service.stop());

  const seen = new Set<string>();

  for (const [status, name, path, initOf] of kinds) {
    // Spec: CALL-1.
    test(`${status} › ${name} › created by the service, unique, never the caller's`, async () => {
      const init = initOf(`Bearer ${await partner.token()}`);
      for (const own of [{}, { 'x-request-id': theirs, 'request-id': theirs }]) {
        const headers = { ...init.headers, ...own } as Record<string, string>;
        const response = await fetch(service.origin + path, { ...init, headers });
        assert.equal(response.status, status);
        const id = response.headers.get('x-request-id') ?? '';
        assert.match(id, uuid);
        assert.notEqual(id, theirs);
        assert.ok(!seen.has(id), 'an ID came twice');
        seen.add(id);
        const text = await response.text();
        assert.ok(!text.includes(theirs) || path.includes(theirs));
        if (text.startsWith('{"error":{')) {
          assert.equal((JSON.parse(text) as { error: { requestId: string } }).error.requestId, id);
        }
      }
    });
  }

  test('5xx › the operation that fails, and the token endpoint', async () => {
    const broken = await startTestService({ LATCHKEY_ROLES: 'api' });
    try {
      const caller = await broken.partner();
      await caller.token();
      await broken.database.close();
      const params = { reference: 'LK-0000-0000' };
      // Checks that the envelope names the ID of its header.
      const error = await caller.refused('reservation.reservation.get', { params });
      assert.equal(error.status, 503);
      assert.equal(quotaOf(error).tier, 'read');
      assert.equal(error.retryAfterSeconds, Number(error.headers.get('retry-after')));
      const { applicationId, applicationKey } = caller.credentials;
      const response = await fetch(`${broken.origin}/oauth/token`, {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'client_credentials',
          client_id: applicationId,
          client_secret: applicationKey,
        }),
      });
      assert.equal(response.status, 503);
      assert.match(response.headers.get('x-request-id') ?? '', uuid);
      assert.equal(((await response.json()) as { error: string }).error, 'temporarily_unavailable');
      assert.match(response.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
      assert.equal(response.headers.get('cache-control'), 'no-store');
    } finally {
      await broken.service.stop().catch(() => undefined);
    }
  });
});
