import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, suite, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { limits } from '../../../src/contract/limits.ts';
import type { Partner } from '../../harness/partner.ts';
import { responseTo } from '../../harness/raw-http.ts';
import { testBaseUrl } from '../../harness/base-url.ts';
import { startTestService, type TestService } from '../../harness/service.ts';
import { basic, inForm, refusedToken, type TokenAsked } from '../../harness/token-endpoint.ts';

type Pairs = [string, string][];
type Case = [
  expected: readonly [status: number, error: string],
  name: string,
  asked: (partner: Partner) => TokenAsked,
];

const formType = 'application/x-www-form-urlencoded';
const grant = { grant_type: 'client_credentials' };
const whole = ({ credentials }: Partner) => ({ ...grant, ...inForm(credentials) });
const wholeText = (partner: Partner): string => new URLSearchParams(whole(partner)).toString();
const asBasic = ({ credentials: { applicationId, applicationKey } }: Partner) => ({
  authorization: basic(applicationId, applicationKey),
});

const invalidRequest = [400, 'invalid_request'] as const;
const invalidClient = [401, 'invalid_client'] as const;
const invalidScope = [400, 'invalid_scope'] as const;
const invalidTarget = [400, 'invalid_target'] as const;

const twice = (name: string, value?: string): Case => [
  invalidRequest,
  `${name} twice`,
  (partner) => {
    const form = { scope: '', resource: testBaseUrl, ...whole(partner) } as Record<string, string>;
    return { form: [...Object.entries(form), [name, value ?? form[name]!]] satisfies Pairs };
  },
];

const contentType = (type: string): Case => [
  invalidRequest,
  `Content-Type › ${type}`,
  (partner) => ({ form: whole(partner), headers: { 'content-type': type } }),
];

const malformedBasic = (name: string, authorization: string): Case => [
  invalidClient,
  `Authorization › ${name}`,
  () => ({ form: grant, headers: { authorization } }),
];

const credentials = (name: string, change: Record<string, string>): Case => [
  invalidClient,
  `credentials › ${name}`,
  (partner) => ({ form: { ...whole(partner), ...change } }),
];

const table: Case[] = [
  [invalidRequest, 'no grant_type', (partner) => ({ form: inForm(partner.credentials) })],
  [
    invalidRequest,
    'an empty grant_type',
    (partner) => ({ form: { ...whole(partner), grant_type: '' } }),
  ],
  ...['password', 'refresh_token', 'CLIENT_CREDENTIALS', 'client_credentials '].map(
    (type): Case => [
      [400, 'unsupported_grant_type'],
      JSON.stringify(type),
      (partner) => ({ form: { ...whole(partner), grant_type: type } }),
    ],
  ),
  twice('grant_type'),
  twice('client_id'),
  twice('client_secret'),
  twice('scope'),
  twice('resource'),
  twice('scope', 'distribution.listing.read'),
  [
    invalidRequest,
    'credentials by HTTP Basic and in the form',
    (partner) => ({ form: whole(partner), headers: asBasic(partner) }),
  ],
  [
    invalidRequest,
    'credentials by HTTP Basic and another client_id in the form',
    (partner) => ({
      form: { ...grant, client_id: randomUUID() },
      headers: asBasic(partner),
    }),
  ],
  ...['application/json', 'text/plain', 'multipart/form-data', `${formType}x`, '', ';;'].map(
    contentType,
  ),
  contentType(`${formType}; charset=latin1`),
  [
    invalidRequest,
    'a compressed body',
    (partner) => ({
      rawBody: gzipSync(wholeText(partner)),
      headers: { 'content-encoding': 'gzip' },
    }),
  ],
  [
    invalidRequest,
    'JSON in place of the form, under its type',
    (partner) => ({
      rawBody: JSON.stringify(whole(partner)),
      headers: { 'content-type': 'application/json' },
    }),
  ],
  [
    invalidRequest,
    'a body over the limit',
    (partner) => ({ rawBody: `${wholeText(partner)}&x=${'a'.repeat(limits.bodyBytes)}` }),
  ],
  [
    invalidRequest,
    'bytes that are not UTF-8',
    (partner) => ({
      rawBody: Buffer.concat([Buffer.from(`${wholeText(partner)}&x=`), Buffer.from([0xc3, 0x28])]),
    }),
  ],
  [
    invalidRequest,
    'percent-encoding that cannot be decoded',
    (partner) => ({ rawBody: `${wholeText(partner)}&x=%zz` }),
  ],
  [
    invalidRequest,
    'percent-encoding that is not UTF-8',
    (partner) => ({ rawBody: `${wholeText(partner)}&scope=%c3%28` }),
  ],
  [invalidClient, 'no credentials', () => ({ form: grant })],
  [invalidClient, 'an empty body', () => ({ rawBody: '' })],
  [
    invalidClient,
    'client_id without client_secret',
    (partner) => ({ form: { ...grant, client_id: partner.credentials.applicationId } }),
  ],
  [
    invalidClient,
    'client_secret without client_id',
    (partner) => ({ form: { ...grant, client_secret: partner.credentials.applicationKey } }),
  ],
  malformedBasic('Bearer', 'Bearer x'),
  malformedBasic('empty', 'Basic'),
  malformedBasic('not base64', 'Basic ***'),
  malformedBasic('without a colon', `Basic ${Buffer.from('abc').toString('base64')}`),
  malformedBasic('without a name', basic('', 'abc')),
  malformedBasic('not form-encoded', basic('%zz', 'abc')),
  malformedBasic('not UTF-8', `Basic ${Buffer.from([0xc3, 0x28, 0x3a, 0xff]).toString('base64')}`),
  malformedBasic('without a key', basic(randomUUID(), '')),
  credentials('an ID that is none', { client_id: 'nobody' }),
  credentials('an ID that is not known', { client_id: randomUUID() }),
  credentials('the Nil UUID', { client_id: '00000000-0000-0000-0000-000000000000' }),
  credentials('an ID with urn:uuid:', { client_id: `urn:uuid:${randomUUID()}` }),
  credentials('U+0000 in the ID', { client_id: '\u0000' }),
  credentials('U+0000 in the key', { client_secret: 'lk_sandbox_\u0000' }),
  credentials('a long ID', { client_id: 'a'.repeat(16_000) }),
  credentials('a long key', { client_secret: 'a'.repeat(16_000) }),
  ...['distribution.listing.write', 'DISTRIBUTION.LISTING.READ', '*', 'a\u0000b', 'catalog'].map(
    (scope): Case => [
      invalidScope,
      JSON.stringify(scope),
      (partner) => ({ form: { ...whole(partner), scope } }),
    ],
  ),
  [
    invalidScope,
    'one scope that is granted and one that is not',
    (partner) => ({ form: { ...whole(partner), scope: 'distribution.listing.read openid' } }),
  ],
  ...[
    `${testBaseUrl}/`,
    `${testBaseUrl}/v1`,
    'https://api.example.com',
    testBaseUrl.toUpperCase(),
  ].map((resource): Case => [
    invalidTarget,
    resource,
    (partner) => ({ form: { ...whole(partner), resource } }),
  ]),
];

suite('token', () => {
  let service: TestService;
  before(async () => {
    service = await startTestService({ LATCHKEY_ROLES: 'api' });
  });
  after(() => service.stop());

  for (const [expected, name, asked] of table) {
    test(`${expected.join(' ')} › ${name}`, async () => {
      // A partner of its own: the limit is not what is tried here.
      const partner = await service.partner();
      await refusedToken(service.origin, expected, asked(partner));
    });
  }

  test('400 invalid_scope › a scope of a capability that is not granted', async () => {
    const partner = await service.partner({ grants: ['catalog', 'search'] });
    const form = { ...whole(partner), scope: 'distribution.listing.read reservation.quote.create' };
    await refusedToken(service.origin, invalidScope, { form });
  });

  // Spec: ACCESS-5.
  test('the order of errors › body, parameters, credentials, grant_type, client, target, scope', async () => {
    const partner = await service.partner();
    // Each one wrong from here on; what comes before is put right, one after another.
    const wrong = {
      grant_type: 'password',
      client_id: partner.credentials.applicationId,
      client_secret: 'lk_wrong',
      resource: 'https://elsewhere.example.com',
      scope: 'openid',
    };
    const text = new URLSearchParams(wrong).toString();
    const steps: [readonly [number, string], TokenAsked][] = [
      [invalidRequest, { rawBody: `${text}&scope=x`, headers: { 'content-type': 'text/plain' } }],
      [invalidRequest, { rawBody: `${text}&scope=x` }],
      [invalidRequest, { form: wrong, headers: asBasic(partner) }],
      [[400, 'unsupported_grant_type'], { form: wrong }],
      [invalidClient, { form: { ...wrong, ...grant } }],
      [invalidTarget, { form: { ...wrong, ...grant, ...inForm(partner.credentials) } }],
      [invalidScope, { form: { ...whole(partner), scope: 'openid', resource: testBaseUrl } }],
    ];
    for (const [expected, asked] of steps) await refusedToken(service.origin, expected, asked);
  });

  test('400 invalid_request › two Authorization headers', async () => {
    const partner = await service.partner();
    const { authorization } = asBasic(partner);
    // `fetch` would make one header of them.
    const response = await responseTo(service.origin, [
      'POST /oauth/token HTTP/1.1',
      'Host: latchkey.test',
      `Authorization: ${authorization}`,
      `Authorization: ${authorization}`,
      `Content-Type: ${formType}`,
      'Content-Length: 29',
      '',
      'grant_type=client_credentials',
    ]);
    assert.ok(response);
    assert.equal(response.status, 400, response.text);
    assert.equal((JSON.parse(response.text) as { error: string }).error, 'invalid_request');
  });
});
