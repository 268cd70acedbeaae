import assert from 'node:assert/strict';
import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto';
import { createRemoteJWKSet, decodeProtectedHeader, generateKeyPair, jwtVerify } from 'jose';
import { after, before, suite, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { reasonMessages } from '../../../src/contract/errors.ts';
import { operationIds } from '../../../src/contract/partner/operations.ts';
import { craftToken, ordinary, strangeHeader, type Crafted } from '../../harness/crafted-token.ts';
import type { Partner } from '../../harness/partner.ts';
import { testBaseUrl } from '../../harness/base-url.ts';
import { startTestService, type TestService } from '../../harness/service.ts';
import { exchange } from '../../harness/token-endpoint.ts';
import { inputOf, wellFormed } from '../../harness/well-formed.ts';

const site = 'distribution.site.get';
const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const now = (): number => Math.floor(Date.now() / 1000);

suite('access token', () => {
  let service: TestService;
  let partner: Partner;
  before(async () => {
    service = await startTestService({ LATCHKEY_ROLES: 'api' });
    partner = await service.partner();
  });
  after(() => service.stop());

  const applicationId = (): string => partner.credentials.applicationId;
  const craft = (crafted: Crafted = {}): Promise<string> =>
    craftToken(service.database, applicationId(), crafted);

  async function unauthenticated(authorization: string, reason: string | RegExp): Promise<void> {
    const error = await partner.refused(site, { token: null, headers: { authorization } });
    assert.deepEqual([error.status, error.code], [401, 'unauthenticated']);
    const given = error.details as { reason: string };
    if (typeof reason === 'string') assert.equal(given.reason, reason);
    else assert.match(given.reason, reason);
    const description = `error_description="${reasonMessages.unauthenticated[given.reason as 'expired']}"`;
    assert.equal(
      error.headers.get('www-authenticate'),
      `Bearer realm="latchkey", error="invalid_token", ${description}`,
    );
    assert.equal(error.headers.get('cache-control'), 'no-store');
    assert.equal(error.headers.get('ratelimit'), null, 'nobody has a quota');
  }
  const notOurs = /^(malformed|signature)$/;

  // Spec: ACCESS-7.
  test('claims › RFC 9068, verified with the published keys by a third-party library', async () => {
    const response = await exchange(service.origin, partner.credentials, {
      scope: 'distribution.listing.read reservation.quote.create',
    });
    const keys = createRemoteJWKSet(new URL(`${service.origin}/.well-known/jwks.json`));
    const { payload, protectedHeader } = await jwtVerify(response.accessToken!, keys, {
      issuer: testBaseUrl,
      audience: testBaseUrl,
      typ: 'at+jwt',
      algorithms: ['EdDSA'],
    });
    assert.deepEqual(Object.keys(protectedHeader).toSorted(), ['alg', 'kid', 'typ']);
    const { iat, exp, jti, ...claims } = payload;
    assert.deepEqual(claims, {
      iss: testBaseUrl,
      aud: testBaseUrl,
      sub: applicationId(),
      client_id: applicationId(),
      scope: 'distribution.listing.read reservation.quote.create',
      key_id: partner.credentials.keyId,
    });
    assert.match(String(jti), /^[0-9a-f-]{36}$/);
    assert.equal(exp! - iat!, response.expiresIn);
    assert.ok(exp! - iat! <= 900);
    assert.ok(Math.abs(iat! - now()) <= 5);
  });

  test('claims › two tokens have different jti', async () => {
    const [one, two] = await Promise.all([partner.freshToken(), partner.freshToken()]);
    assert.notEqual(one, two);
  });

  test('200 › a crafted token equal to a real one: the cases below differ in one point each', async () => {
    await partner.succeed(site, { token: await craft() }, 200);
  });

  test('200 › the scheme in any case, and more than one space', async () => {
    const token = await partner.token();
    for (const authorization of [`bearer ${token}`, `BEARER   ${token}`]) {
      await partner.succeed(site, { token: null, headers: { authorization } }, 200);
    }
  });

  const otherClaims: [name: string, claims: Record<string, unknown>][] = [
    ['expired', { exp: now() - 1, iat: now() - 901 }],
    ['not yet valid', { nbf: now() + 600 }],
    ['of another audience', { aud: 'https://elsewhere.example.com' }],
    ['without audience', { aud: undefined }],
    ['of another issuer', { iss: 'https://elsewhere.example.com' }],
    ['without issuer', { iss: undefined }],
    ['without expiry', { exp: undefined }],
    ['that lives longer than ours', { exp: now() + 1_200 }],
    ['that lives for ten years', { exp: now() + 315_360_000 }],
    ['issued in a year from now', { iat: now() + 31_536_000, exp: now() + 31_536_900 }],
    ['without the time of its issue', { iat: undefined }],
    ['with an expiry that is no number', { exp: 'later' }],
    ['without subject', { sub: undefined }],
    ['without client_id', { client_id: undefined }],
    ['without scope', { scope: undefined }],
    ['whose client is not its subject', { client_id: randomUUID() }],
  ];
  for (const [name, claims] of otherClaims) {
    // Spec: ERROR-12.
    test(`401 unauthenticated › ${name}`, async () => {
      await unauthenticated(
        `Bearer ${await craft({ claims })}`,
        name === 'expired' ? 'expired' : notOurs,
      );
    });
  }

  test('401 unauthenticated › of an unknown application', async () => {
    const token = await craftToken(service.database, randomUUID());
    await unauthenticated(`Bearer ${token}`, 'revoked');
  });

  test('401 unauthenticated › it expires while it is cached', async () => {
    const token = await craft({ claims: { exp: now() + 2 } });
    await partner.succeed(site, { token }, 200);
    await partner.succeed(site, { token }, 200);
    await sleep(2_100);
    await unauthenticated(`Bearer ${token}`, 'expired');
  });

  const otherHeaders: [name: string, header: Crafted['header']][] = [
    ['of another type', { typ: 'JWT' }],
    ['without type', { typ: undefined }],
    ['without key ID', { kid: undefined }],
    ['with an unknown key ID', { kid: 'unknown' }],
    ['with a critical extension', strangeHeader],
  ] as [string, Crafted['header']][];
  for (const [name, header] of otherHeaders) {
    test(`401 unauthenticated › ${name}`, async () => {
      const crafted = header === undefined ? {} : { header };
      await unauthenticated(`Bearer ${await craft(crafted)}`, notOurs);
    });
  }

  test('401 unauthenticated › alg none, in any spelling', async () => {
    const { header, claims } = await ordinary(service.database, applicationId());
    for (const alg of ['none', 'None', 'NONE', '']) {
      const unsigned = `${encode({ ...header, alg })}.${encode(claims)}.`;
      await unauthenticated(`Bearer ${unsigned}`, notOurs);
    }
  });

  test('401 unauthenticated › signed with another key under our key ID', async () => {
    const { privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519' });
    await unauthenticated(`Bearer ${await craft({ key: privateKey })}`, 'signature');
  });

  test('401 unauthenticated › HS256 keyed with our public key', async () => {
    const { keys } = (await (await fetch(`${service.origin}/.well-known/jwks.json`)).json()) as {
      keys: { x: string }[];
    };
    const key = Buffer.from(keys[0]!.x, 'base64url');
    const token = await craft({ key, header: { alg: 'HS256' } });
    await unauthenticated(`Bearer ${token}`, notOurs);
  });

  test('401 unauthenticated › a key of its own in the header', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const jwk = publicKey.export({ format: 'jwk' });
    const key = await crypto.subtle.importKey(
      'jwk',
      privateKey.export({ format: 'jwk' }),
      'Ed25519',
      true,
      ['sign'],
    );
    for (const kid of [undefined, 'mine', decodeProtectedHeader(await craft()).kid]) {
      const header = { jwk, kid } as NonNullable<Crafted['header']>;
      await unauthenticated(`Bearer ${await craft({ key, header })}`, notOurs);
    }
  });

  test('401 unauthenticated › changed after it was signed', async () => {
    const token = await craft({ claims: { scope: 'cdp.signal.capture' } });
    const [header = '', payload = '', signature = ''] = token.split('.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object;
    const wider = encode({ ...claims, scope: 'distribution.listing.read' });
    const bytes = Buffer.from(signature, 'base64url');
    bytes[40]! ^= 1;
    const changed = [
      `${header}.${wider}.${signature}`,
      `${header}.${payload}.${bytes.toString('base64url')}`,
      `${header}.${payload}.${signature.slice(0, -4)}`,
      `${header}.${payload}.`,
      `${header}.${payload}`,
      `${header}..${signature}`,
      `${token}.${signature}`,
    ];
    for (const text of changed) await unauthenticated(`Bearer ${text}`, notOurs);
  });

  const notTokens: [name: string, authorization: string][] = [
    ['empty', ''],
    ['no scheme', 'abc'],
    ['the scheme alone', 'Bearer'],
    ['Basic', `Basic ${Buffer.from('a:b').toString('base64')}`],
    ['two tokens', 'Bearer a b'],
    ['a comma', 'Bearer a, Bearer b'],
    ['dots', 'Bearer ...'],
    ['no JSON', 'Bearer YQ.YQ.YQ'],
    ['JSON that is no object', `Bearer ${encode([])}.${encode([])}.YQ`],
    ['a number for kid', `Bearer ${encode({ alg: 'EdDSA', typ: 'at+jwt', kid: 7 })}.e30.YQ`],
    ['high bytes', 'Bearer \u00e9\u00ff'],
    ['a long one', `Bearer ${'a'.repeat(12_000)}`],
    [
      'a long kid',
      `Bearer ${encode({ alg: 'EdDSA', typ: 'at+jwt', kid: 'k'.repeat(3000) })}.e30.YQ`,
    ],
    ['an encrypted one', 'Bearer a.b.c.d.e'],
  ];
  for (const [name, authorization] of notTokens) {
    test(`401 unauthenticated › garbage › ${name}`, () => unauthenticated(authorization, notOurs));
  }

  test('401 unauthenticated › garbage › random texts', async () => {
    for (let nth = 0; nth < 60; nth += 1) {
      const part = () => randomBytes(nth).toString('base64url');
      await unauthenticated(`Bearer ${part()}.${part()}.${part()}`, notOurs);
    }
  });

  test('401 unauthenticated › a token in the query is ignored', async () => {
    const query = `access_token=${await partner.token()}`;
    const error = await partner.refused(site, { token: null, query });
    assert.equal(error.status, 401);
  });

  for (const id of operationIds) {
    test(`${id} › 401 unauthenticated › no token`, async () => {
      const error = await partner.refused(id, { ...inputOf(wellFormed(id)), token: null });
      assert.deepEqual([error.status, error.code], [401, 'unauthenticated']);
      assert.equal(error.headers.get('www-authenticate'), 'Bearer realm="latchkey"');
      assert.deepEqual(error.details, { reason: 'missing' });
    });
  }
});
