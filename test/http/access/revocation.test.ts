/** RFC 7009: an application ends its own tokens. */
import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { after, before, suite, test } from 'node:test';
import { readConfig } from '../../../src/config/config.ts';
import { startService, type Service } from '../../../src/program/service.ts';
import { testBaseUrl } from '../../harness/base-url.ts';
import { checkAgainstDocument } from '../../harness/document.ts';
import { eventually } from '../../harness/eventually.ts';
import { send } from '../../harness/http-client.ts';
import { type Credentials, Partner } from '../../harness/partner.ts';
import { startTestService, type TestService } from '../../harness/service.ts';
import { basic, inForm } from '../../harness/token-endpoint.ts';

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

const site = 'distribution.site.get';

suite('revokeToken', () => {
  let service: TestService;
  let other: Service;
  let there: Partner;
  let partner: Partner;
  before(async () => {
    service = await startTestService({ LATCHKEY_ROLES: 'api' });
    const config = readConfig({ BASE_URL: testBaseUrl, LATCHKEY_ROLES: 'api' });
    other = await startService({ config, database: service.database, logger: false, log: silent });
    await other.app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = other.app.server.address() as AddressInfo;
    partner = await service.partner();
    there = new Partner(`http://127.0.0.1:${port}`, partner.credentials);
  });
  after(async () => {
    await other.stop();
    await service.stop();
  });

  async function revoke(form: Record<string, string>, authorization?: string) {
    const { status, text, headers } = await send(`${service.origin}/oauth/revoke`, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        ...(authorization !== undefined && { authorization }),
      },
      body: new URLSearchParams(form).toString(),
    });
    const body = JSON.parse(text) as { error?: string };
    checkAgainstDocument('revokeToken', status, body);
    assert.equal(headers.get('cache-control'), 'no-store');
    return [status, body.error];
  }

  const byBasic = ({ applicationId, applicationKey }: Credentials): string =>
    basic(applicationId, applicationKey);

  // Spec: ACCESS-12.
  test('200 › the token ends within seconds in every process, another one does not', async () => {
    const token = await partner.freshToken();
    const another = await partner.freshToken();
    await partner.succeed(site, { token });
    const elsewhere = () => there.call(site, { token });
    assert.equal((await elsewhere()).status, 200);
    assert.deepEqual(await revoke({ token }, byBasic(partner.credentials)), [200, undefined]);
    const error = await partner.refused(site, { token });
    assert.deepEqual([error.status, error.details], [401, { reason: 'revoked' }]);
    await eventually(async () => (await elsewhere()).status === 401);
    await partner.succeed(site, { token: another });
    assert.deepEqual(await revoke({ token }, byBasic(partner.credentials)), [200, undefined]);
  });

  test('200 › credentials in the form, and a hint', async () => {
    const token = await partner.freshToken();
    const form = { token, token_type_hint: 'access_token', ...inForm(partner.credentials) };
    assert.deepEqual(await revoke(form), [200, undefined]);
    assert.equal((await partner.refused(site, { token })).status, 401);
  });

  test('200 › a token that is none', async () => {
    assert.deepEqual(await revoke({ token: 'x' }, byBasic(partner.credentials)), [200, undefined]);
  });

  test("400 invalid_request › another application's token, which stays valid", async () => {
    const stranger = await service.partner();
    const token = await stranger.freshToken();
    assert.deepEqual(await revoke({ token }, byBasic(partner.credentials)), [
      400,
      'invalid_request',
    ]);
    await stranger.succeed(site, { token });
  });

  test('400 invalid_request › no token', async () => {
    assert.deepEqual(await revoke({}, byBasic(partner.credentials)), [400, 'invalid_request']);
  });

  test('401 invalid_client › a wrong key, no credentials', async () => {
    const token = await partner.freshToken();
    const wrong = basic(partner.credentials.applicationId, 'lk_wrong');
    assert.deepEqual(await revoke({ token }, wrong), [401, 'invalid_client']);
    assert.deepEqual(await revoke({ token }), [401, 'invalid_client']);
    await partner.succeed(site, { token });
  });
});
