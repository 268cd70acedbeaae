import assert from 'node:assert/strict';
import { decodeProtectedHeader } from 'jose';
import { after, before, suite, test } from 'node:test';
import { openSigningKeys, rotateSigningKeys } from '../../../src/access/signing-keys.ts';
import { listSigningKeys } from '../../../src/access/store/signing-keys.ts';
import { rotateSigningKey } from '../../../src/access/staff/signing-keys.ts';
import { eventually } from '../../harness/eventually.ts';
import { craftToken } from '../../harness/crafted-token.ts';
import type { Partner } from '../../harness/partner.ts';
import { sql } from '../../harness/rows.ts';
import { startTestService, type TestService } from '../../harness/service.ts';

interface PublicKey extends Record<string, unknown> {
  kid: string;
}

suite('signing keys', () => {
  let service: TestService;
  let partner: Partner;
  before(async () => {
    service = await startTestService({ LATCHKEY_ROLES: 'api' });
    partner = await service.partner();
  });
  after(() => service.stop());

  async function published(): Promise<PublicKey[]> {
    const response = await fetch(`${service.origin}/.well-known/jwks.json`);
    assert.equal(response.status, 200);
    assert.match(response.headers.get('content-type') ?? '', /^application\/json/);
    assert.match(response.headers.get('cache-control') ?? '', /^public, max-age=\d+$/);
    assert.match(response.headers.get('x-request-id') ?? '', /^[0-9a-f-]{36}$/);
    return ((await response.json()) as { keys: PublicKey[] }).keys;
  }
  const keyIds = async (): Promise<string[]> => (await published()).map(({ kid }) => kid);
  const signed = (): Promise<string> =>
    craftToken(service.database, partner.credentials.applicationId);
  const statusOf = async (token: string): Promise<number> =>
    (await partner.call('distribution.site.get', { token })).status;
  const retire = (keyId: string, secondsAgo: number) =>
    sql(
      service.database,
      `UPDATE token_signing_keys SET retired_at = now() - make_interval(secs => $2)
        WHERE key_id = $1`,
      [keyId, secondsAgo],
    );

  test('jwks › only public parts, each with its ID, algorithm and use', async () => {
    const keys = await published();
    assert.equal(keys.length, 1);
    const { kid, x, ...rest } = keys[0]!;
    assert.ok(kid && x);
    assert.deepEqual(rest, { kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', use: 'sig' });
  });

  test('rotation › repairs a key whose private part cannot be opened', async () => {
    const earlier = await partner.freshToken();
    await sql(service.database, `UPDATE token_signing_keys SET private_sealed = '\\x00'`);
    await assert.rejects(openSigningKeys(service.database));
    const renewed = await rotateSigningKey(service.database, 'a test');
    assert.equal(renewed.state, 'signing');
    const opened = await openSigningKeys(service.database);
    assert.equal(opened.current().keyId, renewed.keyId);
    assert.ok(await opened.find(decodeProtectedHeader(earlier).kid!), 'its tokens stay valid');
    assert.equal(await statusOf(await signed()), 200);
    await sql(service.database, 'DELETE FROM token_signing_keys WHERE key_id <> $1', [
      renewed.keyId,
    ]);
  });

  test('rotation › the new key is loaded at the first token that it signed, the old one stays valid', async () => {
    const earlier = await partner.freshToken();
    const unseen = await signed();
    const oldId = decodeProtectedHeader(earlier).kid!;
    const newId = await rotateSigningKeys(service.database);
    assert.notEqual(newId, oldId);
    // Another process signs with it already; many calls at once bring its first token.
    const token = await signed();
    assert.equal(decodeProtectedHeader(token).kid, newId);
    const statuses = await Promise.all(Array.from({ length: 8 }, () => statusOf(token)));
    assert.deepEqual(new Set(statuses), new Set([200]));
    assert.deepEqual(await keyIds(), [newId, oldId]);
    assert.equal(decodeProtectedHeader(await partner.freshToken()).kid, newId);
    assert.equal(await statusOf(earlier), 200, 'a token that was seen before');
    assert.equal(await statusOf(unseen), 200, 'a token that was not seen before');
  });

  test('rotation › an unknown key ID does not delay the loading of a new key', async () => {
    const strange = await craftToken(service.database, partner.credentials.applicationId, {
      header: { kid: 'unknown' },
    });
    assert.equal(await statusOf(strange), 401);
    await rotateSigningKeys(service.database);
    const token = await signed();
    assert.deepEqual(await Promise.all([statusOf(strange), statusOf(token)]), [401, 200]);
  });

  // Spec: ACCESS-11.
  test('rotation › an old key verifies until the last token it can have signed has expired', async () => {
    const oldId = (await openSigningKeys(service.database)).current().keyId;
    const [inTime, late] = await Promise.all([signed(), signed()]);
    await rotateSigningKeys(service.database);
    // Another process went on signing with it for up to the 30 seconds between two looks.
    await retire(oldId, 900 + 30);
    assert.equal(await statusOf(await signed()), 200);
    assert.equal(await statusOf(inTime), 200);
    await retire(oldId, 3_600);
    await rotateSigningKeys(service.database);
    assert.equal(await statusOf(await signed()), 200);
    assert.ok(!(await keyIds()).includes(oldId));
    assert.equal(await statusOf(late), 401);
  });

  test('rotation at once › what the old keys signed ends in a running process, remembered or not', async () => {
    const [remembered, unseen] = await Promise.all([partner.freshToken(), signed()]);
    assert.equal(await statusOf(remembered), 200);
    const renewed = await rotateSigningKey(service.database, 'a test', 'end');
    const own = await signed();
    assert.equal(decodeProtectedHeader(own).kid, renewed.keyId);
    await eventually(async () => (await statusOf(remembered)) === 401);
    assert.equal(await statusOf(unseen), 401);
    assert.equal(await statusOf(own), 200);
    assert.deepEqual(await keyIds(), [renewed.keyId]);
  });

  test('rotation › processes that rotate and start at once agree on the key that signs', async () => {
    await Promise.all(Array.from({ length: 4 }, () => rotateSigningKeys(service.database)));
    const opened = Array.from({ length: 3 }, () => openSigningKeys(service.database));
    const signing = (await Promise.all(opened)).map((keys) => keys.current().keyId);
    assert.equal(new Set(signing).size, 1);
    assert.equal(await statusOf(await signed()), 200);
  });

  test('private keys are encrypted in the database', async () => {
    const keys = await listSigningKeys(service.database, 900);
    const rows = await sql<{ text: string }>(
      service.database,
      `SELECT concat(token_signing_keys::text, encode(private_sealed, 'escape')) AS text
        FROM token_signing_keys`,
    );
    assert.ok(keys.some(({ privateJwk }) => privateJwk !== null));
    const stored = rows.map(({ text }) => text).join();
    for (const { publicJwk, privateJwk } of keys) {
      assert.ok(stored.includes(String(publicJwk['x'])));
      assert.ok(privateJwk === null || !stored.includes(String(privateJwk['d'])));
    }
  });
});
