import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { mintKey } from '../../../src/access/application-key.ts';
import { scopes, scopesOf } from '../../../src/contract/scopes.ts';
import { insertKey, listKeys } from '../../../src/access/store/application-keys.ts';
import type { Credentials, Partner } from '../../harness/partner.ts';
import { testBaseUrl } from '../../harness/base-url.ts';
import { startTestService, type TestService } from '../../harness/service.ts';
import { askToken, basic, exchange, inForm } from '../../harness/token-endpoint.ts';

const grant = { grant_type: 'client_credentials' };

suite('token', () => {
  let service: TestService;
  before(async () => {
    service = await startTestService({ LATCHKEY_ROLES: 'api' });
  });
  after(() => service.stop());

  const newPartner = (): Promise<Partner> => service.partner();

  /** Whether the token opens what its scope says. */
  async function opensSite(partner: Partner, token: string | undefined): Promise<void> {
    assert.ok(token);
    await partner.succeed('distribution.site.get', { token }, 200);
  }

  async function secondKey({ applicationId }: Credentials): Promise<string> {
    const { keyId, applicationKey, digest } = mintKey('simulation');
    await insertKey(service.database, { keyId, applicationId, digest, lifetimeSeconds: 3600 });
    return applicationKey;
  }

  // Spec: ACCESS-4.
  test('200 › credentials in the form', async () => {
    const partner = await newPartner();
    const response = await exchange(service.origin, partner.credentials);
    assert.equal(response.status, 200);
    assert.equal(response.tokenType, 'Bearer');
    assert.ok(response.expiresIn! > 0 && response.expiresIn! <= 900);
    assert.equal(response.scope, scopes.join(' '));
    assert.equal(response.headers.get('pragma'), 'no-cache');
    await opensSite(partner, response.accessToken);
  });

  const basicForms: [string, (credentials: Credentials) => string][] = [
    ['as they are', ({ applicationId, applicationKey }) => basic(applicationId, applicationKey)],
    [
      'form-encoded',
      ({ applicationId, applicationKey }) =>
        basic(applicationId.replaceAll('-', '%2D'), applicationKey.replaceAll('_', '%5f')),
    ],
    [
      'with the scheme in capitals',
      ({ applicationId, applicationKey }) =>
        basic(applicationId, applicationKey).replace('Basic', 'BASIC'),
    ],
  ];
  for (const [name, authorizationOf] of basicForms) {
    test(`200 › credentials by HTTP Basic › ${name}`, async () => {
      const partner = await newPartner();
      const authorization = authorizationOf(partner.credentials);
      const response = await askToken(service.origin, { form: grant, headers: { authorization } });
      assert.equal(response.status, 200, response.description);
      await opensSite(partner, response.accessToken);
    });
  }

  test('200 › credentials by HTTP Basic › beside the same client_id and an empty client_secret', async () => {
    const { credentials } = await newPartner();
    const { applicationId, applicationKey } = credentials;
    const response = await askToken(service.origin, {
      form: { ...grant, client_id: applicationId, client_secret: '' },
      headers: { authorization: basic(applicationId, applicationKey) },
    });
    assert.equal(response.status, 200, response.description);
  });

  test('200 › client_id › in capitals names the same application', async () => {
    const partner = await newPartner();
    const { applicationId, applicationKey } = partner.credentials;
    const shouted = { ...partner.credentials, applicationId: applicationId.toUpperCase() };
    assert.notEqual(shouted.applicationId, applicationId);
    const byForm = await exchange(service.origin, shouted);
    assert.equal(byForm.status, 200, byForm.description);
    await opensSite(partner, byForm.accessToken);
    const authorization = basic(shouted.applicationId, applicationKey);
    const byBasic = await askToken(service.origin, { form: grant, headers: { authorization } });
    assert.equal(byBasic.status, 200, byBasic.description);
  });

  test('200 › scope › the scopes of the grants', async () => {
    const { credentials } = await service.partner({ grants: ['signals', 'search'] });
    const { scope } = await exchange(service.origin, credentials);
    const granted = [...scopesOf.search, ...scopesOf.signals];
    assert.deepEqual(scope?.split(' ').toSorted(), granted.toSorted());
  });

  const narrowed: [asked: string, scope: string][] = [
    ['distribution.listing.read', 'distribution.listing.read'],
    [
      'reservation.quote.create distribution.listing.read',
      'distribution.listing.read reservation.quote.create',
    ],
    ['  cdp.signal.capture   cdp.signal.capture ', 'cdp.signal.capture'],
    ['', scopes.join(' ')],
    [scopes.join(' '), scopes.join(' ')],
  ];
  for (const [asked, scope] of narrowed) {
    test(`200 › scope › narrowed by ${JSON.stringify(asked.slice(0, 60))}`, async () => {
      const { credentials } = await newPartner();
      const response = await exchange(service.origin, credentials, { scope: asked });
      assert.equal(response.status, 200, response.description);
      assert.equal(response.scope, scope);
    });
  }

  for (const resource of [testBaseUrl, '']) {
    test(`200 › resource › ${resource === '' ? 'empty counts as absent' : 'the base URL'}`, async () => {
      const { credentials } = await newPartner();
      const response = await exchange(service.origin, credentials, { resource });
      assert.equal(response.status, 200, response.description);
    });
  }

  test('200 › unknown parameters are ignored, even if sent twice', async () => {
    const { credentials } = await newPartner();
    const form: [string, string][] = [
      ...Object.entries({ ...grant, ...inForm(credentials) }),
      ['audience', 'x'],
      ['audience', 'y'],
      ['__proto__', 'z'],
      ['', ''],
    ];
    assert.equal((await askToken(service.origin, { form })).status, 200);
  });

  test('200 › Content-Type › with the charset UTF-8, in any case', async () => {
    const { credentials } = await newPartner();
    for (const charset of ['charset=utf-8', 'Charset="UTF-8"', 'boundary=x']) {
      const type = `Application/X-WWW-Form-URLencoded; ${charset}`;
      const response = await askToken(service.origin, {
        form: { ...grant, ...inForm(credentials) },
        headers: { 'content-type': type },
      });
      assert.equal(response.status, 200, type);
    }
  });

  // Spec: ACCESS-10.
  test('200 › rotation › old and new key both work, and an earlier token stays valid', async () => {
    const partner = await newPartner();
    const earlier = await partner.token();
    const applicationKey = await secondKey(partner.credentials);
    assert.notEqual(applicationKey, partner.credentials.applicationKey);
    for (const key of [partner.credentials.applicationKey, applicationKey]) {
      const credentials = { ...partner.credentials, applicationKey: key };
      const response = await exchange(service.origin, credentials);
      assert.equal(response.status, 200, response.description);
      await opensSite(partner, response.accessToken);
    }
    await opensSite(partner, earlier);
  });

  test('200 › records the last use of a key, but not of a wrong secret with its ID', async () => {
    const { credentials } = await newPartner();
    const { applicationId } = credentials;
    const lastUsed = async () =>
      (await listKeys(service.database, applicationId)).map(({ lastUsedAt }) => lastUsedAt);
    const other = await newPartner();
    const wrong = { ...credentials, applicationKey: other.credentials.applicationKey };
    await exchange(service.origin, wrong);
    assert.deepEqual(await lastUsed(), [null]);
    await exchange(service.origin, credentials);
    const [at] = await lastUsed();
    assert.ok(at !== null && Math.abs(at! - Date.now()) < 60_000);
  });
});
