import type { FastifyReply, FastifyRequest } from 'fastify';
import type { IncomingMessage } from 'node:http';
import type {
  AccessTokens,
  Application,
  ApplicationRegistry,
  Quotas,
  TokenClaims,
} from '../access/index.ts';
import { refuse, type Refusal } from '../contract/errors.ts';
import type { Tier } from '../contract/limits.ts';
import type { Scope } from '../contract/scopes.ts';

/** Who calls, and how the call stands with its quota. */
export interface Caller {
  application: Application;
  tier: Tier;
  /** `open`: the quota step was not reached. `refused`: there was nothing left to take. */
  quota: 'open' | 'taken' | 'refused' | 'exempt';
}

/** What the steps before validation work with. */
export interface AccessParts {
  tokens: AccessTokens;
  registry: ApplicationRegistry;
  quotas: Quotas;
}

const bearer = /^Bearer +([A-Za-z0-9._~+/=-]+) *$/i;

const usualStart = 'Bearer ';

const tokenOf = (authorization: string): string | undefined => bearer.exec(authorization)?.[1];

/** Who calls, and why not; a caller without the grant is known all the same. */
export interface Admission {
  caller: Caller | null;
  refusal: Refusal<'unauthenticated' | 'forbidden'> | null;
}

const nobody: Admission = { caller: null, refusal: refuse('unauthenticated') };

/** What the operation asks of its caller. */
interface Wanted {
  scope: Scope;
  tier: Tier;
}

/** Standing, then grant. Spec: Authentication, 6 and 7. */
function admission(
  claims: TokenClaims,
  application: Application | undefined,
  { scope, tier }: Wanted,
): Admission {
  if (!application || application.suspendedAt !== null) return nobody;
  if (claims.scopes.has(scope)) {
    return { caller: { application, tier, quota: 'open' }, refusal: null };
  }
  // A call without the grant uses no quota, and is told how it stands.
  const caller: Caller = { application, tier, quota: 'exempt' };
  return { caller, refusal: refuse('forbidden', { reason: 'scope' }) };
}

/** What a connection brought last: nearly always it brings the same again. */
interface Brought {
  authorization: string;
  claims: TokenClaims;
}

const lastBrought = new WeakMap<object, Brought>();

/** The claims of a token that was verified before; undefined: it is to be verified. */
function knownClaims(
  { tokens }: AccessParts,
  connection: object,
  authorization: string,
): TokenClaims | undefined {
  const last = lastBrought.get(connection);
  if (last?.authorization === authorization && tokens.isCurrent(last.claims)) return last.claims;
  if (!authorization.startsWith(usualStart)) return undefined;
  const claims = tokens.remembered(authorization.slice(usualStart.length));
  if (claims) lastBrought.set(connection, { authorization, claims });
  return claims;
}

async function admitUnknown(
  parts: AccessParts,
  authorization: string,
  wanted: Wanted,
): Promise<Admission> {
  const token = tokenOf(authorization);
  const claims = token && (parts.tokens.remembered(token) ?? (await parts.tokens.verify(token)));
  if (!claims) return nobody;
  return admission(claims, await parts.registry.find(claims.applicationId), wanted);
}

/**
 * Token, then standing, then grant. At once where both were seen lately, as in nearly every call.
 * Spec: Authentication, 4, 6 and 7.
 */
export function admit(
  parts: AccessParts,
  { headers: { authorization }, socket }: IncomingMessage,
  wanted: Wanted,
): Admission | Promise<Admission> {
  if (authorization === undefined) return nobody;
  const claims = knownClaims(parts, socket, authorization);
  const application = claims && parts.registry.known(claims.applicationId);
  if (!application) return admitUnknown(parts, authorization, wanted);
  return admission(claims, application, wanted);
}

/** The quota step: takes one call, once, and says the same when it is asked again. */
export function meter(parts: AccessParts, caller: Caller): Refusal<'rate_limited'> | null {
  if (caller.quota === 'taken' || caller.quota === 'exempt') return null;
  const refusal = parts.quotas.take(caller.application, caller.tier);
  caller.quota = refusal ? 'refused' : 'taken';
  return refusal;
}

/** A repeat uses no quota, also where that showed only after the quota step. */
export function exempt(parts: AccessParts, caller: Caller): void {
  if (caller.quota === 'taken') parts.quotas.giveBack(caller.application, caller.tier);
  caller.quota = 'exempt';
}

/** Before the answer goes out: a call that ended before the quota step is debited all the same. */
export function settleQuota(
  parts: AccessParts,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const { caller } = request;
  if (!caller) return;
  const { application, tier } = caller;
  if (caller.quota === 'open') {
    parts.quotas.debit(application, tier);
    caller.quota = 'taken';
  }
  const { perMinute, remaining, fullInSeconds } = parts.quotas.state(application, tier);
  reply.header('ratelimit-policy', `"${tier}";q=${perMinute};w=60`);
  reply.header('ratelimit', `"${tier}";r=${remaining};t=${fullInSeconds}`);
}
