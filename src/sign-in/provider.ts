/** Signing in with an OpenID provider: the code flow with PKCE, state and nonce. */
import type { Log } from '../platform/log.ts';
import type * as OpenIdClient from 'openid-client';
import { refuse, type Refusal, RefusalError } from '../contract/errors.ts';
import { refuseOperator } from '../contract/operator/errors.ts';
import type { Vault } from '../platform/vault.ts';

/** The provider of the configuration. */
export interface ProviderSettings {
  issuer: URL;
  clientId: string;
  clientSecret: string;
}

/** The library, which is loaded only if a provider is configured. */
type Library = typeof OpenIdClient;

/** A provider that is ready to use. */
export interface OpenIdProvider {
  host: string;
  /** Begins signing in. `pending` is sealed, and the browser returns it with the answer. */
  begin(): Promise<{ url: string; pending: string }>;
  /** The verified email address of an answer: the query with which the browser returned. Throws `unavailable`. */
  emailOf(query: string, pending: string): Promise<string | Refusal<'unauthenticated'>>;
}

interface Pending {
  state: string;
  nonce: string;
  verifier: string;
  endsAt: number;
}

const minutes = 10;
const timeoutSeconds = 2;
const sealContext = 'sign-in at a provider';

const notAvailable = (cause: unknown): RefusalError => {
  const error = new RefusalError({
    ...refuse('unavailable'),
    message: 'The sign-in provider cannot be reached.',
  });
  error.cause = cause;
  return error;
};

/** Reads the provider's own document once. A failure is tried again at the next call. */
function discovered(client: Library, { issuer, clientId, clientSecret }: ProviderSettings) {
  let known: Promise<OpenIdClient.Configuration> | null = null;
  // The configuration allows plain HTTP only on this machine, outside `live`.
  const execute = issuer.protocol === 'http:' ? [client.allowInsecureRequests] : [];
  return () => {
    known ??= client
      .discovery(issuer, clientId, clientSecret, undefined, { execute, timeout: timeoutSeconds })
      .catch((error: unknown) => {
        known = null;
        throw notAvailable(error);
      });
    return known;
  };
}

function opened(vault: Vault, pending: string): Pending | null {
  try {
    const sealed = Buffer.from(pending, 'base64url');
    const known = JSON.parse(vault.open('staff', sealed, sealContext)) as Pending;
    return known.endsAt > Date.now() ? known : null;
  } catch {
    return null;
  }
}

/** Whether the provider did not answer, or only that something went wrong on its side. */
function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { cause, code } = error as Error & { code?: unknown };
  if (cause instanceof Response) return cause.status >= 500;
  // `fetch` throws a TypeError with the error of the network as its cause.
  return code === 'OAUTH_TIMEOUT' || (error instanceof TypeError && cause instanceof Error);
}

/** The error code of OAuth in an answer of the provider, such as `invalid_client`. */
function oauthErrorOf(client: Library, error: unknown): string | undefined {
  const isAnswer =
    error instanceof client.ResponseBodyError || error instanceof client.AuthorizationResponseError;
  // It can come from the browser, so only an error code is logged, not any text.
  return isAnswer && /^[a-z_]{1,40}$/.test(error.error) ? error.error : undefined;
}

/** The claims about the address: of the ID token, or of the provider's user info. */
async function claimsOf(
  client: Library,
  configuration: OpenIdClient.Configuration,
  tokens: Awaited<ReturnType<Library['authorizationCodeGrant']>>,
): Promise<Readonly<Record<string, unknown>>> {
  const claims = tokens.claims()!;
  if (claims['email'] !== undefined) return claims;
  return client.fetchUserInfo(configuration, tokens.access_token, claims.sub);
}

/** Opens the provider of the configuration. It is asked when somebody first signs in with it. */
export async function openProvider(
  settings: ProviderSettings,
  vault: Vault,
  baseUrl: string,
  log: Pick<Log, 'warn'>,
): Promise<OpenIdProvider> {
  const client = await import('openid-client');
  const configuration = discovered(client, settings);
  const redirectUri = `${baseUrl}/operator/provider`;
  return {
    host: settings.issuer.host,
    async begin() {
      const known = await configuration();
      const [state, nonce] = [client.randomState(), client.randomNonce()];
      const verifier = client.randomPKCECodeVerifier();
      const url = client.buildAuthorizationUrl(known, {
        redirect_uri: redirectUri,
        scope: 'openid email',
        state,
        nonce,
        // A session begins confirmed, so who signs in must prove it now, whatever session the provider has.
        prompt: 'login',
        max_age: String(minutes * 60),
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      });
      const pending: Pending = { state, nonce, verifier, endsAt: Date.now() + minutes * 60_000 };
      const sealed = vault.seal('staff', JSON.stringify(pending), sealContext);
      return { url: url.href, pending: sealed.toString('base64url') };
    },
    async emailOf(query, pending) {
      const refusal = refuseOperator('unauthenticated', 'provider');
      const expected = opened(vault, pending);
      if (expected === null) return refusal;
      const known = await configuration();
      try {
        const tokens = await client.authorizationCodeGrant(
          known,
          new URL(`${redirectUri}?${query}`),
          {
            pkceCodeVerifier: expected.verifier,
            expectedState: expected.state,
            expectedNonce: expected.nonce,
            idTokenExpected: true,
            // Refuses an ID token without `auth_time`, or with an older one.
            maxAge: minutes * 60,
          },
        );
        const claims = await claimsOf(client, known, tokens);
        const { email } = claims;
        return typeof email === 'string' && claims['email_verified'] === true ? email : refusal;
      } catch (error) {
        if (isOutage(error)) throw notAvailable(error);
        log.warn(
          { err: error, oauthError: oauthErrorOf(client, error) },
          'sign-in at the provider failed',
        );
        return refusal;
      }
    },
  };
}
