import { timingSafeEqual } from 'node:crypto';
import { limits } from '../contract/limits.ts';
import { scopesOf, type Scope } from '../contract/scopes.ts';
import type { TokenErrorCode } from '../contract/errors.ts';
import type { Environment } from '../contract/wire.ts';
import { findUsableKey, touchKey } from './store/application-keys.ts';
import type { Application } from './store/applications.ts';
import { revokeToken } from './store/revoked-tokens.ts';
import type { Executor } from '../platform/postgres/database.ts';
import { networkOf } from '../platform/network.ts';
import { isUuid } from '../platform/uuid.ts';
import type { AccessTokens } from './access-token.ts';
import { isInNetworks } from '../platform/allowed-networks.ts';
import { keyIdOf } from './application-key.ts';
import type { ApplicationRegistry } from './application-registry.ts';
import type { MakeBuckets } from './buckets.ts';
import { secretDigest } from '../platform/secret.ts';

/** A token request. Spec: ACCESS-4. */
export interface TokenRequest {
  form: URLSearchParams;
  /** The `Authorization` header. */
  authorization: string | undefined;
  /** The source IP address. Wrong secrets and unknown clients are counted by its network. */
  sourceAddress: string;
  /** Called with the application once its secret is known to be right. True: the exchange ends without a result. */
  onClient?(application: Application): Promise<boolean>;
}

export interface IssuedToken {
  accessToken: string;
  expiresIn: number;
  scope: string;
}

/** An error response of OAuth. */
export interface TokenRefusal {
  error: TokenErrorCode;
  description: string;
  retryAfterSeconds?: number;
}

/** Exchanges an application key for an access token. Spec: ACCESS-4. */
export interface TokenExchange {
  /** Null: `onClient` has ended it. */
  issue(request: TokenRequest): Promise<IssuedToken | TokenRefusal | null>;
  /** Ends an access token of the caller; null: done, or there is no such token. Spec: ACCESS-12. */
  revoke(request: TokenRequest): Promise<TokenRefusal | null>;
}

const refusal = (error: TokenErrorCode, description: string): TokenRefusal => ({
  error,
  description,
});

const overLimit = (retryAfterSeconds: number): TokenRefusal => ({
  ...refusal('rate_limited', 'Too many token requests: keep a token until it expires.'),
  retryAfterSeconds,
});

const wrongClient = refusal('invalid_client', 'The application ID or key is not valid here.');
const readParameters = [
  'grant_type',
  'client_id',
  'client_secret',
  'scope',
  'resource',
  'token',
] as const;
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

/** Returns the requested scopes, or all scopes of the application. Null: a requested scope is not granted. */
function narrowedScopes(application: Application, asked: string | null): Scope[] | null {
  const granted: Scope[] = application.grants.flatMap((grant) => [...scopesOf[grant]]);
  const wanted = (asked ?? '').split(' ').filter(Boolean);
  if (wanted.length === 0) return granted;
  if (wanted.some((scope) => !(granted as string[]).includes(scope))) return null;
  return granted.filter((scope) => wanted.includes(scope));
}

/** Creates the token endpoint without its HTTP part. Spec: ACCESS-6. */
export function createTokenExchange(context: {
  executor: Executor;
  registry: ApplicationRegistry;
  tokens: AccessTokens;
  environment: Environment;
  baseUrl: string;
  buckets: MakeBuckets;
}): TokenExchange {
  const rightSecrets = context.buckets('right secrets');
  const wrongSecrets = context.buckets('wrong secrets');
  const unknownClients = context.buckets('unknown clients');

  /**
   * Finds the application of a client ID. Counts an ID that was never seen before it reads the database, so
   * that invented IDs cannot overload the database.
   */
  async function findClient(
    clientId: string,
    network: string,
  ): Promise<Application | TokenRefusal | undefined> {
    if (context.registry.wasThere(clientId)) return context.registry.find(clientId);
    const { unknownClientTokensPerMinute: perMinute } = limits;
    const wait = await unknownClients.take(network, perMinute);
    if (wait > 0) return overLimit(wait);
    if (!isUuid(clientId)) return undefined;
    const application = await context.registry.find(clientId);
    if (application) await unknownClients.giveBack(network, perMinute);
    return application;
  }

  /**
   * Counts a wrong secret by its ID and by its network, whether or not the ID exists, so that nobody learns which do.
   * A network that has tried an unknown ID was counted for that before.
   */
  async function countWrong(
    clientId: string,
    application: Application | undefined,
    network: string,
  ): Promise<number> {
    const { wrongSecretsPerMinute, unknownClientTokensPerMinute } = limits;
    const [ofNetwork, ofId] = await Promise.all([
      application ? unknownClients.take(network, unknownClientTokensPerMinute) : 0,
      isUuid(clientId) ? wrongSecrets.take(`${clientId} ${network}`, wrongSecretsPerMinute) : 0,
    ]);
    return Math.max(ofNetwork, ofId);
  }

  // Compares an unknown key with a dummy digest, so that it takes as long as a wrong one.
  async function rightKey(
    applicationId: string,
    secret: string,
    address: string,
  ): Promise<string | null> {
    const keyId = keyIdOf(secret, context.environment);
    const stored = await findUsableKey(context.executor, keyId ?? '', applicationId);
    const same = timingSafeEqual(stored?.digest ?? noDigest, secretDigest(secret));
    // A right key from another network gets the answer of a wrong one, so that the answer reveals nothing.
    return same && stored && isInNetworks(stored.networks, address) ? keyId : null;
  }

  /** The application and key of a request, with each request counted. Null: they are not valid. */
  async function authenticated(
    request: TokenRequest,
  ): Promise<{ application: Application; keyId: string } | TokenRefusal | null> {
    const malformed = formRefusal(request.form);
    if (malformed) return malformed;
    const credentials = credentialsOf(request);
    if (isRefusal(credentials)) return credentials;
    const clientId = credentials.clientId.toLowerCase();
    const network = networkOf(request.sourceAddress);
    const application = await findClient(clientId, network);
    if (application && isRefusal(application)) return application;
    // Always looks the key up, so that an unknown or suspended application takes as long as a wrong key.
    const keyId = isUuid(clientId)
      ? await rightKey(clientId, credentials.secret, request.sourceAddress)
      : null;
    // Separately, so that a caller who knows only an ID cannot lock its owner out.
    const wait =
      keyId !== null && application
        ? await rightSecrets.take(application.applicationId, limits.tokensPerMinute)
        : await countWrong(clientId, application, network);
    if (wait > 0) return overLimit(wait);
    const isUsable = application && application.suspendedAt === null && keyId !== null;
    return isUsable ? { application, keyId } : null;
  }

  async function issue(request: TokenRequest): Promise<IssuedToken | TokenRefusal | null> {
    const client = await authenticated(request);
    if (client && isRefusal(client)) return client;
    if (client && (await request.onClient?.(client.application))) return null;
    const wrongGrant = grantTypeRefusal(request.form);
    if (wrongGrant) return wrongGrant;
    if (!client) return wrongClient;
    const { application, keyId } = client;
    const resource = request.form.get('resource');
    if (resource && resource !== context.baseUrl) {
      return refusal('invalid_target', `resource must be ${context.baseUrl}.`);
    }
    const scopes = narrowedScopes(application, request.form.get('scope'));
    if (!scopes) return refusal('invalid_scope', 'A scope was asked for that is not granted.');
    await touchKey(context.executor, keyId);
    const { token, expiresIn } = await context.tokens.issue(
      application.applicationId,
      scopes,
      keyId,
    );
    return { accessToken: token, expiresIn, scope: scopes.join(' ') };
  }

  async function revoke(request: TokenRequest): Promise<TokenRefusal | null> {
    const client = await authenticated(request);
    if (client && isRefusal(client)) return client;
    if (!client) return wrongClient;
    const token = request.form.get('token');
    if (!token) return refusal('invalid_request', 'token is missing.');
    const claims = await context.tokens.verify(token);
    // A token that is not valid needs no revocation (RFC 7009, 2.2).
    if (typeof claims === 'string') return null;
    const { applicationId } = client.application;
    if (claims.applicationId !== applicationId) {
      return refusal('invalid_request', 'The token belongs to another application.');
    }
    const { tokenId, expiresAt } = claims;
    // Every token of this service has a UUID as `jti`.
    if (isUuid(tokenId)) await revokeToken(context.executor, { applicationId, tokenId, expiresAt });
    context.registry.forget(applicationId);
    return null;
  }

  return { issue, revoke };
}
