import assert from 'node:assert/strict';
import { checkAgainstDocument } from './document.ts';
import { send } from './http-client.ts';
import type { Credentials } from './partner.ts';

/** A token request. `rawBody` is sent as it is. */
export interface TokenAsked {
  form?: Record<string, string> | [string, string][];
  rawBody?: string | Buffer;
  headers?: Record<string, string>;
}

/** A response of the token endpoint; missing members are undefined. */
export interface TokenResponse {
  status: number;
  headers: Headers;
  accessToken: string | undefined;
  tokenType: string | undefined;
  expiresIn: number | undefined;
  scope: string | undefined;
  error: string | undefined;
  /** `error_description`; empty where there is none. */
  description: string;
}

/** An `Authorization` header of HTTP Basic. */
export const basic = (user: string, password: string): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

/** The credentials of an application as form parameters. */
export const inForm = ({ applicationId, applicationKey }: Credentials) => ({
  client_id: applicationId,
  client_secret: applicationKey,
});

/** Calls the token endpoint and returns any response, checked against the document. */
export async function askToken(origin: string, asked: TokenAsked = {}): Promise<TokenResponse> {
  const form = new URLSearchParams(asked.form ?? {}).toString();
  const { status, headers, text } = await send(`${origin}/oauth/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...asked.headers },
    body: asked.rawBody ?? form,
  });
  const body = JSON.parse(text) as Record<string, never>;
  checkAgainstDocument('token', status, body);
  assert.match(headers.get('content-type') ?? '', /^application\/json/);
  assert.match(headers.get('x-request-id') ?? '', /^[0-9a-f-]{36}$/);
  assert.equal(headers.get('cache-control'), 'no-store');
  const basicWanted = headers.get('www-authenticate')?.startsWith('Basic') ?? false;
  assert.equal(basicWanted, status === 401, 'WWW-Authenticate: Basic, on 401 alone');
  return {
    status,
    headers,
    accessToken: body['access_token'],
    tokenType: body['token_type'],
    expiresIn: body['expires_in'],
    scope: body['scope'],
    error: body['error'],
    description: body['error_description'] ?? '',
  };
}

/** Asks for a token with these credentials, and further parameters. */
export const exchange = (
  origin: string,
  credentials: Credentials,
  form: Record<string, string> = {},
): Promise<TokenResponse> =>
  askToken(origin, {
    form: { grant_type: 'client_credentials', ...inForm(credentials), ...form },
  });

/** Asks for a token that must be refused so. */
export async function refusedToken(
  origin: string,
  expected: readonly [status: number, error: string],
  asked: TokenAsked,
): Promise<TokenResponse> {
  const response = await askToken(origin, asked);
  assert.deepEqual([response.status, response.error], expected, response.description);
  assert.ok(response.description, 'an error describes itself');
  return response;
}
