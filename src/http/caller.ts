import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AccessTokens, Application, ApplicationRegistry, Quotas } from '../access/index.ts';
import { refuse, type Refusal } from '../contract/errors.ts';
import type { Tier } from '../contract/limits.ts';
import type { Scope } from '../contract/scopes.ts';

/** Who calls, and how the call stands with its quota. */
export interface Caller {
  application: Application;
  tier: Tier;
  /** `open`: the quota step was not reached. */
  quota: 'open' | 'taken' | 'exempt';
}

/** What the steps before validation work with. */
export interface AccessParts {
  tokens: AccessTokens;
  registry: ApplicationRegistry;
  quotas: Quotas;
}

const bearer = /^Bearer +([A-Za-z0-9._~+/=-]+) *$/i;

/** Who calls, and why not; a caller without the grant is known all the same. */
export interface Admission {
  caller: Caller | null;
  refusal: Refusal<'unauthenticated' | 'forbidden'> | null;
}

const nobody: Admission = { caller: null, refusal: refuse('unauthenticated') };

/** Token, then standing, then grant. Spec: Authentication, 4, 6 and 7. */
export async function admit(
  parts: AccessParts,
  authorization: string | undefined,
  scope: Scope,
  tier: Tier,
): Promise<Admission> {
  const [, token] = bearer.exec(authorization ?? '') ?? [];
  const claims = token === undefined ? undefined : await parts.tokens.verify(token);
  if (!claims) return nobody;
  const application = await parts.registry.find(claims.applicationId);
  if (!application || application.suspendedAt !== null) return nobody;
  if (claims.scopes.has(scope)) {
    return { caller: { application, tier, quota: 'open' }, refusal: null };
  }
  // A call without the grant uses no quota, and is told how it stands.
  const caller: Caller = { application, tier, quota: 'exempt' };
  return { caller, refusal: refuse('forbidden', { reason: 'scope' }) };
}

/** The quota step: takes one call, once. */
export function meter(parts: AccessParts, caller: Caller): Refusal<'rate_limited'> | null {
  if (caller.quota !== 'open') return null;
  caller.quota = 'taken';
  return parts.quotas.take(caller.application, caller.tier);
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
