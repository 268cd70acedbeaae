import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { operationIds, rowOf } from '../../../src/contract/partner/operations.ts';
import type { Partner } from '../../harness/partner.ts';
import { assertEnvelope, RawConnection, requestText } from '../../harness/raw-http.ts';
import { startTestService, type TestService } from '../../harness/service.ts';

type Sent = [method: string, path: string, headers?: Record<string, string>, body?: string];

const json = { 'Content-Type': 'application/json' };
const pathOf = (path: string): string =>
  path.replaceAll(/\{\w+\}/g, '01a406c7-566a-7c77-a1e5-969f7edd4981');

/** Every path of the contract, with the methods that it has. */
const methodsOf = new Map<string, Set<string>>([['/oauth/token', new Set(['POST'])]]);
for (const id of operationIds) {
  const { method, path } = rowOf(id);
  methodsOf.set(pathOf(path), (methodsOf.get(pathOf(path)) ?? new Set()).add(method));
}
// It is also the path of a listing, whose ID is not valid.
methodsOf.get('/v1/listings/search')!.add('GET');

const unknownPaths: Sent[] = [
  ['POST', '/'],
  ['GET', '//'],
  ['GET', '/v1'],
  ['GET', '/v1/'],
  ['GET', '/v1/sites'],
  ['GET', '/v1/site/'],
  ['GET', '/v1//site'],
  ['GET', '/V1/site'],
  ['GET', '/v1/Site'],
  ['GET', '/v2/site'],
  ['GET', '/v1/site;a=1'],
  ['GET', '/v1/site%2f'],
  ['GET', '/v1/../site'],
  ['GET', '/v1/nothing/%zz'],
  ['GET', '/v1/quotes'],
  ['GET', '/oauth/token'],
  ['POST', '/oauth/token/'],
  ['GET', '/.well-known/openid-configuration'],
  ['GET', '/pictures/nothing.svg'],
  ['GET', '/pictures/../../etc/passwd'],
  ['GET', '/__proto__'],
  ['GET', '/constructor'],
];

/** Bodies that a known route would refuse. */
const badBodies: [name: string, headers: Record<string, string>, body: string][] = [
  ['of another type', { 'Content-Type': 'text/plain' }, 'x'],
  ['without type', {}, 'x'],
  ['of a type that is none', { 'Content-Type': ';;' }, 'x'],
  ['malformed', json, '{'],
  ['too long', json, 'x'.repeat(40_000)],
  ['compressed', { ...json, 'Content-Encoding': 'gzip' }, 'x'],
];

suite('route › 404 not_found', () => {
  let service: TestService;
  let partner: Partner;
  let connection: RawConnection;
  before(async () => {
    service = await startTestService({ LATCHKEY_ROLES: 'api' });
    partner = await service.partner();
    connection = await RawConnection.open(service.origin);
  });
  after(async () => {
    connection.close();
    await service.stop();
  });

  /** With and without a token, all on one connection. */
  async function notFound([method, path, headers = {}, body = '']: Sent): Promise<void> {
    const authorization = { Authorization: `Bearer ${await partner.token()}` };
    for (const credentials of [{}, authorization, { Authorization: 'Bearer wrong' }]) {
      connection.write(requestText(`${method} ${path}`, { ...headers, ...credentials }, body));
      const bodyless = method === 'HEAD';
      const response = await connection.response({ bodyless });
      if (!bodyless) assertEnvelope(response, 404, 'not_found');
      assert.equal(response!.status, 404, `${method} ${path}`);
      assert.match(response!.headers.get('x-request-id') ?? '', /^[0-9a-f-]{36}$/);
      assert.equal(response!.headers.get('www-authenticate'), null);
      assert.equal(response!.headers.get('cache-control'), 'no-store');
    }
  }

  for (const sent of unknownPaths) {
    // Spec: CALL-5.
    test(`path › ${sent[0]} ${sent[1]}`, () => notFound(sent));
  }

  const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD', 'TRACE', 'QUERY'];
  for (const [path, offered] of methodsOf) {
    test(`method › ${path} › all but ${[...offered].join(', ')}`, async () => {
      for (const method of methods) if (!offered.has(method)) await notFound([method, path]);
    });
  }

  for (const [name, headers, body] of badBodies) {
    test(`with any body › ${name}`, async () => {
      for (const [method, path] of [
        ['POST', '/v1/nothing'],
        ['PUT', '/v1/site'],
        ['DELETE', '/v1/site'],
        ['POST', '/v1/site'],
      ] as const) {
        await notFound([method, path, headers, body]);
      }
    });
  }

  test('HEAD › not offered for documents and health either', async () => {
    for (const path of [
      '/openapi.json',
      '/catalog.schema.json',
      '/docs',
      '/healthz',
      '/readyz',
      '/.well-known/jwks.json',
    ]) {
      await notFound(['HEAD', path]);
    }
  });
});
