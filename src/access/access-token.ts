import type { JWTHeaderParameters, JWTPayload } from 'jose';
import * as joseErrors from 'jose/errors';
import { SignJWT } from 'jose/jwt/sign';
import { jwtVerify } from 'jose/jwt/verify';
import { LRUCache } from 'lru-cache';
import { hash } from 'node:crypto';
import type { ReasonOf } from '../contract/errors.ts';
import { limits } from '../contract/limits.ts';
import type { Scope } from '../contract/scopes.ts';
import type { DatabaseClock } from '../platform/clock.ts';
import type { EpochMs } from '../contract/time.ts';
import { instantOfUuid, isUuid, uuidAt } from '../platform/uuid.ts';
import { signingAlgorithm, type SigningKeys } from './signing-keys.ts';

/** The claims of a valid token. */
export interface TokenClaims {
  applicationId: string;
  scopes: ReadonlySet<string>;
  /** Seconds since 1970. */
  expiresAt: number;
  issuedAt: EpochMs;
  tokenId: string;
  /** The key that it was issued for; null: a version before this one has issued it. */
  keyId: string | null;
  /** The ID of the key that has signed it. */
  signedBy: string;
}

/** Issues and checks access tokens. Spec: ACCESS-7. */
export interface AccessTokens {
  issue(
    applicationId: string,
    scopes: readonly Scope[],
    keyId: string,
  ): Promise<{ token: string; expiresIn: number }>;
  /** Whether a token with these claims is unexpired, and the key that has signed it still verifies. */
  isCurrent(claims: TokenClaims): boolean;
  /** The claims of a token that was verified before and is current. Undefined: it must be verified. */
  remembered(token: string): TokenClaims | undefined;
  /**
   * The claims, or why there are none. It expires by the database's clock; throws `DatabaseUnavailableError` if it
   * must read that clock and cannot.
   */
  verify(token: string): Promise<TokenClaims | TokenFault>;
  /** Forgets all verified tokens. */
  drop(): void;
}

/** Why a token is refused. `signature`: not issued here, or for another audience. */
export type TokenFault = Extract<
  ReasonOf<'unauthenticated'>,
  'malformed' | 'expired' | 'signature'
>;

/** The faults that have a type of their own; every other one means that the token is not ours. */
const faults: readonly [new (...given: never[]) => Error, TokenFault][] = [
  [joseErrors.JWTExpired, 'expired'],
  [joseErrors.JWSInvalid, 'malformed'],
  [joseErrors.JWTInvalid, 'malformed'],
  [joseErrors.JOSENotSupported, 'malformed'],
];

const faultOf = (error: joseErrors.JOSEError): TokenFault =>
  faults.find(([type]) => error instanceof type)?.[1] ?? 'signature';

// A verification costs several times as much as the rest of a cheap read.
const cachedTokens = 10_000;
const longestToken = 4_096;
const digestOf = (token: string): string => hash('sha256', token, 'base64');

// Clocks of processes differ by less.
const mostAheadSeconds = 60;

/** Whether a token lives as long as ours, from now: a stolen signing key could write any times. */
function hasOurLife({ iat = Infinity, exp = Infinity }: JWTPayload, now: EpochMs): boolean {
  return exp - iat <= limits.accessTokenSeconds && iat <= now / 1000 + mostAheadSeconds;
}

/** Tokens in the RFC 9068 profile; `baseUrl` is issuer and audience. */
export function createAccessTokens(
  keys: SigningKeys,
  baseUrl: string,
  clock: Pick<DatabaseClock, 'now' | 'ask'>,
): AccessTokens {
  const verified = new LRUCache<string, TokenClaims>({ max: cachedTokens });

  const isCurrent = ({ expiresAt, signedBy }: TokenClaims): boolean =>
    expiresAt * 1000 > clock.now() && keys.verifies(signedBy);

  function remembered(token: string): TokenClaims | undefined {
    const digest = digestOf(token);
    const claims = verified.get(digest);
    if (!claims || isCurrent(claims)) return claims;
    verified.delete(digest);
    return undefined;
  }

  const keyOf = async (header: JWTHeaderParameters) => {
    const key = header.kid === undefined ? undefined : await keys.find(header.kid);
    if (!key) throw new joseErrors.JWKSNoMatchingKey();
    return key;
  };

  const verifyAt = (token: string, now: EpochMs) =>
    jwtVerify(token, keyOf, {
      algorithms: [signingAlgorithm],
      typ: 'at+jwt',
      issuer: baseUrl,
      audience: baseUrl,
      currentDate: new Date(now),
      requiredClaims: ['exp', 'iat', 'sub', 'client_id', 'scope'],
    });

  /** Only the database's clock decides that a token has expired; this process's clock avoids most of the queries. */
  const verifyNow = (token: string) =>
    verifyAt(token, clock.now()).catch(async (error: unknown) => {
      if (!(error instanceof joseErrors.JWTExpired)) throw error;
      return verifyAt(token, await clock.ask());
    });

  async function check(token: string): Promise<TokenClaims | TokenFault> {
    try {
      const { payload, protectedHeader } = await verifyNow(token);
      const { sub } = payload;
      if (sub !== payload['client_id'] || !isUuid(sub ?? '')) return 'signature';
      const isOurs = hasOurLife(payload, clock.now()) || hasOurLife(payload, await clock.ask());
      if (!isOurs) return 'signature';
      return {
        applicationId: String(sub),
        scopes: new Set(String(payload['scope']).split(' ')),
        expiresAt: payload.exp ?? 0,
        issuedAt: instantOfUuid(payload.jti ?? '') ?? (payload.iat ?? 0) * 1000,
        tokenId: payload.jti ?? '',
        keyId: typeof payload['key_id'] === 'string' ? payload['key_id'] : null,
        signedBy: protectedHeader.kid ?? '',
      };
    } catch (error) {
      if (error instanceof joseErrors.JOSEError) return faultOf(error);
      throw error;
    }
  }

  return {
    async issue(applicationId, scopes, keyId) {
      await keys.ready();
      const key = keys.current();
      const now = clock.now();
      const issuedAt = Math.floor(now / 1000);
      const claims = { client_id: applicationId, scope: scopes.join(' '), key_id: keyId };
      const token = await new SignJWT(claims)
        .setProtectedHeader({ alg: signingAlgorithm, typ: 'at+jwt', kid: key.keyId })
        .setIssuer(baseUrl)
        .setAudience(baseUrl)
        .setSubject(applicationId)
        .setJti(uuidAt(now))
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + limits.accessTokenSeconds)
        .sign(key.privateKey);
      return { token, expiresIn: limits.accessTokenSeconds };
    },
    isCurrent,
    remembered,
    drop: () => verified.clear(),
    async verify(token) {
      if (token.length > longestToken) return 'malformed';
      const claims = await check(token);
      if (typeof claims !== 'string') verified.set(digestOf(token), claims);
      return claims;
    },
  };
}
