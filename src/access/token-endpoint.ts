import { timingSafeEqual } from 'node:crypto';
import { limits } from '../contract/limits.ts';
import { scopesOf, type Scope } from '../contract/scopes.ts';
import type { TokenErrorCode } from '../contract/errors.ts';
import type { Environment } from '../contract/wire.ts';
import { findUsableKeyDigest, touchKey } from '../db/application-keys.ts';
import type { Application } from '../db/applications.ts';
import type { Executor } from '../db/database.ts';
import type { AccessTokens } from './access-token.ts';
import { keyDigest, keyIdOf } from './application-key.ts';
import type { ApplicationRegistry } from './application-registry.ts';
import { createBuckets } from './buckets.ts';

/** A token request as it came. Spec: Per-operation shapes, token. */
export interface TokenRequest {
  form: URLSearchParams;
  /** The `Authorization` header. */
  authorization: string | undefined;
  /** Where it came from, for callers that we do not know. */
  sourceAddress: string;
}

export interface IssuedToken {
  accessToken: string;
  expiresIn: number;
  scope: string;
}

/** An answer in the OAuth form. */
export interface TokenRefusal {
  error: TokenErrorCode;
  description: string;
  retryAfterSeconds?: number;
}

/** Exchanges an application key for an access token. Spec: Authentication, 3. */
export type TokenExchange = (request: TokenRequest) => Promise<IssuedToken | TokenRefusal>;

const refusal = (error: TokenErrorCode, description: string): TokenRefusal => ({
  error,
  description,
});

const wrongClient = refusal('invalid_client', 'The application ID or key is not valid here.');
const readParameters = ['grant_type', 'client_id', 'client_secret', 'scope', 'resource'] as const;
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const noDigest = Buffer.alloc(32);

interface Credentials {
  clientId: string;
  secret: string;
}

const isRefusal = (value: object): value is TokenRefusal => 'error' in value;

// The parts of HTTP Basic are form-encoded (RFC 6749, 2.3.1).
function formDecoded(text: string): string {
  return decodeURIComponent(text.replaceAll('+', ' '));
}

function basicCredentials(authorization: string): Credentials | null {
  const [, encoded] = /^Basic +([A-Za-z0-9+/]+={0,2}) *$/i.exec(authorization) ?? [];
  const text = encoded && Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text ? text.indexOf(':') : -1;
  if (!text || colon < 1) return null;
  try {
    return {
      clientId: formDecoded(text.slice(0, colon)),
      secret: formDecoded(text.slice(colon + 1)),
    };
  } catch {
    return null;
  }
}

function credentialsOf({ form, authorization }: TokenRequest): Credentials | TokenRefusal {
  // A parameter without a value counts as absent (RFC 6749, 3.2).
  const clientId = form.get('client_id') || null;
  const secret = form.get('client_secret') || null;
  if (authorization !== undefined) {
    if (secret !== null) return refusal('invalid_request', 'Credentials were sent twice.');
    const basic = basicCredentials(authorization);
    if (!basic) return refusal('invalid_client', 'The Authorization header is not HTTP Basic.');
    if (clientId !== null && clientId !== basic.clientId) {
      return refusal('invalid_request', 'client_id differs from the HTTP Basic credentials.');
    }
    return basic;
  }
  if (!clientId || !secret) return refusal('invalid_client', 'No credentials were sent.');
  return { clientId, secret };
}

function formRefusal(form: URLSearchParams): TokenRefusal | null {
  const twice = readParameters.find((name) => form.getAll(name).length > 1);
  if (twice) return refusal('invalid_request', `${twice} was sent more than once.`);
  return null;
}

function grantTypeRefusal(form: URLSearchParams): TokenRefusal | null {
  const grantType = form.get('grant_type');
  if (!grantType) return refusal('invalid_request', 'grant_type is missing.');
  if (grantType !== 'client_credentials') {
    return refusal('unsupported_grant_type', 'Only client_credentials is offered.');
  }
  return null;
}

/** The scopes of the application, narrowed to those asked for; null: one of them was not granted. */
function narrowedScopes(application: Application, asked: string | null): Scope[] | null {
  const granted: Scope[] = application.grants.flatMap((grant) => [...scopesOf[grant]]);
  const wanted = (asked ?? '').split(' ').filter(Boolean);
  if (wanted.length === 0) return granted;
  if (wanted.some((scope) => !(granted as string[]).includes(scope))) return null;
  return granted.filter((scope) => wanted.includes(scope));
}

/** The token endpoint, apart from HTTP. */
export function createTokenExchange(parts: {
  executor: Executor;
  registry: ApplicationRegistry;
  tokens: AccessTokens;
  environment: Environment;
  baseUrl: string;
}): TokenExchange {
  const perApplication = createBuckets();
  const perAddress = createBuckets();

  function limited(application: Application | undefined, address: string): TokenRefusal | null {
    const wait = application
      ? perApplication.take(application.applicationId, limits.tokensPerMinute)
      : perAddress.take(address, limits.unknownClientTokensPerMinute);
    if (wait === 0) return null;
    return {
      ...refusal('rate_limited', 'Too many token requests: keep a token until it expires.'),
      retryAfterSeconds: wait,
    };
  }

  // An unknown key is compared all the same, so that it takes as long as a wrong one.
  async function rightKey(applicationId: string, secret: string): Promise<string | null> {
    const keyId = keyIdOf(secret, parts.environment);
    const stored = await findUsableKeyDigest(parts.executor, keyId ?? '', applicationId);
    const same = timingSafeEqual(stored ?? noDigest, keyDigest(secret));
    return same && stored ? keyId : null;
  }

  return async (request) => {
    const malformed = formRefusal(request.form);
    if (malformed) return malformed;
    const credentials = credentialsOf(request);
    if (isRefusal(credentials)) return credentials;
    const clientId = credentials.clientId.toLowerCase();
    const isUuid = uuid.test(clientId);
    const application = isUuid ? await parts.registry.find(clientId) : undefined;
    const over = limited(application, request.sourceAddress);
    if (over) return over;
    const wrongGrant = grantTypeRefusal(request.form);
    if (wrongGrant) return wrongGrant;
    if (!isUuid) return wrongClient;
    // Looked for whoever asks: an unknown or suspended application takes the way of a wrong key.
    const keyId = await rightKey(clientId, credentials.secret);
    if (!application || application.suspendedAt !== null || keyId === null) return wrongClient;
    const resource = request.form.get('resource');
    if (resource && resource !== parts.baseUrl) {
      return refusal('invalid_target', `resource must be ${parts.baseUrl}.`);
    }
    const scopes = narrowedScopes(application, request.form.get('scope'));
    if (!scopes) return refusal('invalid_scope', 'A scope was asked for that is not granted.');
    await touchKey(parts.executor, keyId);
    const { token, expiresIn } = await parts.tokens.issue(application.applicationId, scopes);
    return { accessToken: token, expiresIn, scope: scopes.join(' ') };
  };
}
