/** Keys and tokens that may be used from certain networks alone. Spec: ACCESS-13. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { issueOperatorToken } from '../../../src/sign-in/index.ts';
import { operatorWith, type Operator } from '../../harness/operator.ts';
import type { Credentials } from '../../harness/partner.ts';
import { signedIn } from '../../harness/staff-member.ts';
import { startTestService, type TestService } from '../../harness/service.ts';
import { send } from '../../harness/http-client.ts';
import { askToken, inForm } from '../../harness/token-endpoint.ts';
import { wrongPaths } from '../../harness/wrong-paths.ts';

const networks = ['203.0.113.0/24', '2001:db8::/32'];
const [inside, elsewhere] = ['203.0.113.7', '198.51.100.7'];

suite('allowed networks', () => {
  let service: TestService;
  let staff: Operator;
  before(async () => {
    service = await startTestService({
      LATCHKEY_ROLES: 'api',
      LATCHKEY_TRUSTED_PROXY: '127.0.0.1',
    });
    staff = (await signedIn(service)).operator;
  });
  after(() => service.stop());

  async function limitedKey(): Promise<Credentials> {
    const { credentials } = await service.partner();
    const { applicationId } = credentials;
    const issued = await staff.done('operator.key.issue', {
      params: { applicationId },
      body: { networks },
    });
    return { ...credentials, applicationKey: issued.applicationKey };
  }

  const tokenFrom = (address: string, credentials: Credentials) =>
    askToken(service.origin, {
      form: { grant_type: 'client_credentials', ...inForm(credentials) },
      headers: { 'x-forwarded-for': address },
    });

  async function siteFrom(address: string, token: string) {
    const { status, text } = await send(`${service.origin}/v1/site`, {
      method: 'GET',
      headers: { authorization: `Bearer ${token}`, 'x-forwarded-for': address },
    });
    const { error } = JSON.parse(text) as { error?: { code: string; details: unknown } };
    return { status, code: error?.code, details: error?.details };
  }

  test('a key › gets tokens from its networks; from others the answer is that of a wrong key', async () => {
    const key = await limitedKey();
    assert.equal((await tokenFrom(inside, key)).status, 200);
    assert.equal((await tokenFrom('2001:db8::7', key)).status, 200);
    const refused = await tokenFrom(elsewhere, key);
    assert.deepEqual([refused.status, refused.error], [401, 'invalid_client']);
  });

  test('its token › 403 forbidden, network, at a call from elsewhere', async () => {
    const key = await limitedKey();
    const token = (await tokenFrom(inside, key)).accessToken!;
    assert.equal((await siteFrom(inside, token)).status, 200);
    assert.deepEqual(await siteFrom(elsewhere, token), {
      status: 403,
      code: 'forbidden',
      details: { reason: 'network' },
    });
    assert.equal((await siteFrom(inside, token)).status, 200);
  });

  test('another key of the application › is used from everywhere', async () => {
    const { credentials } = await service.partner();
    const { applicationId } = credentials;
    await staff.done('operator.key.issue', { params: { applicationId }, body: { networks } });
    const token = (await tokenFrom(elsewhere, credentials)).accessToken!;
    assert.equal((await siteFrom(elsewhere, token)).status, 200);
  });

  test('the list of keys › shows the networks as they are stored', async () => {
    const { applicationId } = (await service.partner()).credentials;
    const body = { networks: ['203.0.113.9/24', '2001:DB8::1'] };
    await staff.done('operator.key.issue', { params: { applicationId }, body });
    const { items } = await staff.done('operator.key.list', { params: { applicationId } });
    assert.deepEqual(
      items.map((key) => key.networks),
      [null, ['203.0.113.0/24', '2001:db8::1/128']],
    );
  });

  test('what is no network › 400 with its place', async () => {
    const { applicationId } = (await service.partner()).credentials;
    const refused = await staff.refused('operator.key.issue', {
      params: { applicationId },
      body: { networks: ['203.0.113.0/24', 'office'] },
    });
    assert.equal(refused.status, 400);
    assert.deepEqual(wrongPaths(refused), ['/networks/1']);
  });

  test("a script's token › 403 forbidden, network, at a call from elsewhere", async () => {
    const input = { name: 'limited', role: 'viewer', lifetimeSeconds: 600, networks } as const;
    const { token } = await issueOperatorToken(service.database, 'a test', input);
    const script = operatorWith(service, 'token limited', { authorization: `Bearer ${token}` });
    const from = (address: string) =>
      script.send('operator.application.list', {}, { 'x-forwarded-for': address });
    assert.equal((await from(inside)).status, 200);
    const refused = await from(elsewhere);
    assert.equal(refused.status, 403);
    assert.deepEqual((refused.body as { error: { details: unknown } }).error.details, {
      reason: 'network',
    });
    const { items } = await staff.done('operator.token.list');
    assert.deepEqual(items.find(({ name }) => name === 'limited')?.networks, networks);
  });
});
