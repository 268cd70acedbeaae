/** Strict OAuth clients, as partners use them, at the token endpoint. */
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { after, before, suite, test } from 'node:test';
import * as oauth from 'oauth4webapi';
import * as openid from 'openid-client';
import { limits } from '../../src/contract/limits.ts';
import { scopes } from '../../src/contract/scopes.ts';
import { mintKey } from '../../src/access/application-key.ts';
import type { Credentials, Partner } from '../harness/partner.ts';
import { testBaseUrl } from '../harness/base-url.ts';
import { startTestService, type TestService } from '../harness/service.ts';

/** The token, or the error as the client surfaces it. */
type Asked =
  | { accessToken: string; tokenType: string; expiresIn: number; scope: string }
  | { status: number; error: string; description: string };

/** How a client authenticates. */
type Method = 'basic' | 'post';

/** A client library: asks for a token with these credentials. */
type Client = (
  origin: string,
  credentials: Credentials,
  method: Method,
  parameters: Record<string, string>,
) => Promise<Asked>;

const tokenPath = '/oauth/token';
const authorizationServer = (origin: string) => ({
  issuer: testBaseUrl,
  token_endpoint: `${origin}${tokenPath}`,
});

interface TokenResponse {
  access_token: string;
  token_type: string;
  expires_in?: number | undefined;
  scope?: string | undefined;
}

const taken = (response: TokenResponse): Asked => ({
  accessToken: response.access_token,
  tokenType: response.token_type.toLowerCase(),
  expiresIn: response.expires_in ?? 0,
  scope: response.scope ?? '',
});

// The client throws a 401 as a challenge; the body has the details.
async function refusedBy(error: unknown): Promise<Asked> {
  if (error instanceof oauth.ResponseBodyError) {
    const { status, error: code, error_description: description = '' } = error;
    return { status, error: code, description };
  }
  if (error instanceof oauth.WWWAuthenticateChallengeError) {
    assert.equal(error.cause[0]?.scheme, 'basic');
    const body = (await error.response.json()) as Record<string, string>;
    const { error: code = '', error_description: description = '' } = body;
    return { status: error.status, error: code, description };
  }
  throw error;
}

const viaOauth4webapi: Client = async (origin, credentials, method, parameters) => {
  const server = authorizationServer(origin);
  const client = { client_id: credentials.applicationId };
  const authenticate = { basic: oauth.ClientSecretBasic, post: oauth.ClientSecretPost }[method];
  const response = await oauth.clientCredentialsGrantRequest(
    server,
    client,
    authenticate(credentials.applicationKey),
    parameters,
    { [oauth.allowInsecureRequests]: true },
  );
  return oauth
    .processClientCredentialsResponse(server, client, response)
    .then(taken)
    .catch(refusedBy);
};

const viaOpenidClient: Client = async (origin, credentials, method, parameters) => {
  const authenticate = { basic: openid.ClientSecretBasic, post: openid.ClientSecretPost }[method];
  const configuration = new openid.Configuration(
    authorizationServer(origin),
    credentials.applicationId,
    {},
    authenticate(credentials.applicationKey),
  );
  openid.allowInsecureRequests(configuration);
  return openid.clientCredentialsGrant(configuration, parameters).then(taken).catch(refusedBy);
};

interface SimpleOauth2 {
  ClientCredentials: new (options: object) => {
    getToken(parameters: Record<string, string>): Promise<{ token: TokenResponse }>;
  };
}

const { ClientCredentials } = createRequire(import.meta.url)('simple-oauth2') as SimpleOauth2;

const viaSimpleOauth2: Client = async (origin, credentials, method, parameters) => {
  const client = new ClientCredentials({
    client: { id: credentials.applicationId, secret: credentials.applicationKey },
    auth: { tokenHost: origin, tokenPath },
    options: { authorizationMethod: method === 'basic' ? 'header' : 'body' },
  });
  try {
    return taken((await client.getToken(parameters)).token);
  } catch (error) {
    const { data } = error as { data?: { payload: Record<string, string> } };
    const { statusCode } = (error as { output: { statusCode: number } }).output;
    assert.ok(data, String(error));
    const { error: code = '', error_description: description = '' } = data.payload;
    return { status: statusCode, error: code, description };
  }
};

const clients: Readonly<Record<string, Client>> = {
  oauth4webapi: viaOauth4webapi,
  'openid-client': viaOpenidClient,
  'simple-oauth2': viaSimpleOauth2,
};
const methods = ['basic', 'post'] as const;

suite('OAuth clients', () => {
  let service: TestService;
  let partner: Partner;
  before(async () => {
    service = await startTestService({ LATCHKEY_ROLES: 'api' });
  });
  after(() => service.stop());

  for (const [name, client] of Object.entries(clients)) {
    for (const method of methods) {
      const ask = (
        parameters: Record<string, string> = {},
        credentials: Credentials = partner.credentials,
      ) => client(service.origin, credentials, method, parameters);

      test(`${name} › ${method} › a token that opens the site`, async () => {
        partner = await service.partner();
        const response = await ask();
        assert.ok('accessToken' in response, JSON.stringify(response));
        assert.equal(response.tokenType, 'bearer');
        assert.ok(response.expiresIn > 0 && response.expiresIn <= limits.accessTokenSeconds);
        assert.deepEqual(response.scope.split(' '), scopes);
        await partner.succeed('distribution.site.get', { token: response.accessToken }, 200);
      });

      test(`${name} › ${method} › scope and resource`, async () => {
        partner = await service.partner();
        const scope = 'distribution.listing.read reservation.quote.create';
        const response = await ask({ scope, resource: testBaseUrl });
        assert.ok('accessToken' in response, JSON.stringify(response));
        assert.equal(response.scope, scope);
      });

      test(`${name} › ${method} › errors come out as the client's own`, async () => {
        partner = await service.partner();
        const { applicationKey } = mintKey('simulation');
        const wrongKey = { ...partner.credentials, applicationKey };
        const responses: [Asked, number, string][] = [
          [await ask({ scope: 'nothing' }), 400, 'invalid_scope'],
          [await ask({ resource: 'https://api.example.com' }), 400, 'invalid_target'],
          [await ask({}, wrongKey), 401, 'invalid_client'],
        ];
        for (const [response, status, error] of responses) {
          assert.ok('error' in response, JSON.stringify(response));
          assert.deepEqual([response.status, response.error], [status, error]);
          assert.ok(response.description, 'says why');
        }
      });
    }
  }

  test('too many requests › the error and its Retry-After reach the client', async () => {
    partner = await service.partner();
    const { credentials } = partner;
    const asked = Array.from({ length: limits.tokensPerMinute + 5 }, () =>
      viaOauth4webapi(service.origin, credentials, 'basic', {}),
    );
    const responses = await Promise.all(asked);
    const last = responses.find((response) => 'error' in response);
    assert.ok(last, 'nothing was refused');
    assert.deepEqual([last.status, last.error], [429, 'rate_limited']);
  });

  test('headers › JSON with no-store', async () => {
    partner = await service.partner();
    const { credentials } = partner;
    for (const form of [{ grant_type: 'client_credentials' }, { grant_type: 'password' }]) {
      const body = new URLSearchParams({
        ...form,
        client_id: credentials.applicationId,
        client_secret: credentials.applicationKey,
      });
      const { headers } = await fetch(`${service.origin}${tokenPath}`, { method: 'POST', body });
      assert.match(headers.get('content-type') ?? '', /^application\/json\b/);
      assert.equal(headers.get('cache-control'), 'no-store');
      assert.equal(headers.get('pragma'), 'no-cache');
    }
  });
});
