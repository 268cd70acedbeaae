import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, suite, test } from 'node:test';
import { crc32 } from 'node:zlib';
import { keyIdOf, mintKey } from '../../../src/access/application-key.ts';
import type { Environment } from '../../../src/contract/wire.ts';
import { insertKey, revokeKey } from '../../../src/access/store/application-keys.ts';
import { resumeApplication, suspendApplication } from '../../../src/access/store/applications.ts';
import type { Credentials, Partner } from '../../harness/partner.ts';
import { sql } from '../../harness/rows.ts';
import { startTestService, type TestService } from '../../harness/service.ts';
import { basic, exchange, inForm, refusedToken } from '../../harness/token-endpoint.ts';
import { eventually } from '../../harness/eventually.ts';

const grant = { grant_type: 'client_credentials' };
const invalidClient = [401, 'invalid_client'] as const;

suite('token › 401 invalid_client', () => {
  let service: TestService;
  let partner: Partner;
  before(async () => {
    service = await startTestService({ LATCHKEY_ROLES: 'api' });
  });
  after(() => service.stop());

  const works = async (credentials: Credentials): Promise<void> => {
    const response = await exchange(service.origin, credentials);
    assert.equal(response.status, 200, response.description);
  };

  /** Refused by both ways of sending credentials, in the same words. */
  async function refused(credentials: Credentials): Promise<string> {
    const { applicationId, applicationKey } = credentials;
    const form = await refusedToken(service.origin, invalidClient, {
      form: { ...grant, ...inForm(credentials) },
    });
    const header = await refusedToken(service.origin, invalidClient, {
      form: grant,
      headers: { authorization: basic(applicationId, applicationKey) },
    });
    assert.equal(form.description, header.description);
    return form.description;
  }

  /** Another key for the application, stored as the operator would. */
  async function keyFor(
    { applicationId }: Credentials,
    environment: Environment,
    lifetimeSeconds = 3600,
  ): Promise<Credentials> {
    const { keyId, applicationKey, digest } = mintKey(environment);
    await insertKey(service.database, { keyId, applicationId, digest, lifetimeSeconds });
    return { applicationId, applicationKey, keyId, settlement: 'partner' };
  }

  const otherLetter = (letter: string): string => (letter === 'A' ? 'B' : 'A');
  const changedAt = (text: string, at: number): string =>
    text.slice(0, at) + otherLetter(text[at]!) + text.slice(at + 1);

  /** A key with this ID and the right checksum, but another secret. */
  function forged(key: string): string {
    const [lk, environment, keyId] = key.split('_');
    const body = [lk, environment, keyId, 'A'.repeat(43)].join('_');
    const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
    let checksum = '';
    for (let rest = crc32(body); checksum.length < 6; rest = Math.floor(rest / 62)) {
      checksum = letters[rest % 62] + checksum;
    }
    assert.equal(keyIdOf(`${body}_${checksum}`, 'simulation'), keyId, 'it has the form of a key');
    return `${body}_${checksum}`;
  }

  const wrongKeys: [name: string, wrong: (key: string) => string][] = [
    ['wrong key › its checksum is right', () => mintKey('simulation').applicationKey],
    ['wrong key › another secret under its ID', forged],
    ['wrong key › a character of the secret', (key) => changedAt(key, key.length - 20)],
    ['wrong key › a character of the checksum', (key) => changedAt(key, key.length - 1)],
    ['wrong key › a character of the key ID', (key) => changedAt(key, 14)],
    ['wrong key › cut short', (key) => key.slice(0, -1)],
    ['wrong key › with a blank', (key) => `${key} `],
    ['wrong key › another case', (key) => key.toUpperCase()],
    ['wrong key › the key ID alone', (key) => key.split('_')[2]!],
    [
      'key of another environment › the same key with its name',
      (key) => key.replace('sandbox', 'live'),
    ],
  ];
  for (const [name, wrong] of wrongKeys) {
    test(name, async () => {
      partner = await service.partner();
      const { credentials } = partner;
      const applicationKey = wrong(credentials.applicationKey);
      assert.notEqual(applicationKey, credentials.applicationKey);
      await refused({ ...credentials, applicationKey });
      await works(credentials);
    });
  }

  for (const environment of ['test', 'live'] as const) {
    test(`key of another environment › ${environment}, even if it is stored`, async () => {
      partner = await service.partner();
      const foreign = await keyFor(partner.credentials, environment);
      assert.match(foreign.applicationKey, new RegExp(`^lk_${environment}_`));
      await refused(foreign);
    });
  }

  test("wrong key › another application's", async () => {
    partner = await service.partner();
    const other = await service.partner();
    await refused({ ...partner.credentials, applicationKey: other.credentials.applicationKey });
    await refused({ ...other.credentials, applicationKey: partner.credentials.applicationKey });
  });

  test('revoked key › at once; other keys stay valid', async () => {
    partner = await service.partner();
    const second = await keyFor(partner.credentials, 'simulation');
    await works(second);
    await revokeKey(service.database, second.keyId);
    await refused(second);
    await works(partner.credentials);
  });

  // Spec: ACCESS-10.
  test('revoked key › its tokens end within seconds, those of another key do not', async () => {
    partner = await service.partner();
    const second = await keyFor(partner.credentials, 'simulation');
    const ofSecond = (await exchange(service.origin, second)).accessToken!;
    const token = await partner.freshToken();
    await revokeKey(service.database, partner.credentials.keyId);
    await refused(partner.credentials);
    const call = () => partner.call('distribution.site.get', { token });
    await eventually(async () => (await call()).status === 401);
    const error = await partner.refused('distribution.site.get', { token });
    assert.deepEqual(error.details, { reason: 'revoked' });
    await partner.succeed('distribution.site.get', { token: ofSecond });
  });

  test('expired key › from the second at which it expires', async () => {
    partner = await service.partner();
    const brief = await keyFor(partner.credentials, 'simulation', 3600);
    await works(brief);
    const expire = 'UPDATE application_keys SET expires_at = now() WHERE key_id = $1';
    await sql(service.database, expire, [brief.keyId]);
    await refused(brief);
    await works(partner.credentials);
  });

  test('suspended application › works again after it is resumed', async () => {
    partner = await service.partner();
    const { applicationId } = partner.credentials;
    await works(partner.credentials);
    await suspendApplication(service.database, applicationId, 'a test');
    const asked = () => exchange(service.origin, partner.credentials);
    await eventually(async () => (await asked()).status === 401, 5_000, 150);
    await refused(partner.credentials);
    await resumeApplication(service.database, applicationId);
    await eventually(async () => (await asked()).status === 200, 5_000, 150);
  });

  // Spec: ACCESS-5.
  test('all causes have the same response: it does not reveal whether an application exists', async () => {
    partner = await service.partner();
    const { credentials } = partner;
    const suspended = await service.partner();
    const { applicationId } = suspended.credentials;
    await suspendApplication(service.database, applicationId, 'a test');
    const descriptions = [
      await refused({ ...credentials, applicationId: randomUUID() }),
      await refused({ ...credentials, applicationId: 'nobody' }),
      await refused({ ...credentials, applicationKey: mintKey('simulation').applicationKey }),
      await refused({ ...credentials, applicationKey: 'nothing' }),
      await refused(suspended.credentials),
    ];
    assert.equal(new Set(descriptions).size, 1, descriptions.join('\n'));
  });
});
