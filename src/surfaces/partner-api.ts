import { untilKnown } from '../catalog/index.ts';
import type { FastifyRequest } from 'fastify';
import type {
  AccessTokens,
  Application,
  ApplicationRegistry,
  PartnerActor,
  Quotas,
  TokenClaims,
} from '../access/index.ts';
import { isInNetworks } from '../platform/allowed-networks.ts';
import { canonicalJson } from '../api/identity.ts';
import { after, type MaybePromise } from '../api/maybe-promise.ts';
import type { Interference, QuotaPort, Surface } from '../api/surface.ts';
import { isRefusal, type ReasonOf, type Refusal, refuse } from '../contract/errors.ts';
import type { Tier } from '../contract/limits.ts';
import { type OperationId, operations } from '../contract/partner/operations.ts';
import { capabilityOf, type Capability, type Scope } from '../contract/scopes.ts';
import type { Settlement } from '../contract/wire.ts';
import {
  playFaults,
  playScenario,
  recordExchange,
  withOwnNights,
  witnessOf,
} from '../sandbox/index.ts';
import { partnerOperations } from './partner-operations.ts';
import {
  type BookingContext,
  checkoutSessions,
  dailyLimitRefusal,
  type Payment,
} from '../bookings/index.ts';

/** The dependencies of the partners' operations. */
export interface PartnerContext extends BookingContext {
  /** The path of the base URL, which prefixes every returned address. Can be empty. */
  basePath: string;
}

/** The dependencies of authentication and quotas. */
export interface AccessContext {
  tokens: AccessTokens;
  registry: ApplicationRegistry;
  quotas: Quotas;
}

const bearer = /^Bearer +([A-Za-z0-9._~+/=-]+) *$/i;

const usualStart = 'Bearer ';

const tokenOf = (authorization: string): string | undefined => bearer.exec(authorization)?.[1];

/** The last token of a connection. The next call nearly always has the same one. */
interface LastToken {
  authorization: string;
  claims: TokenClaims;
}

const lastTokens = new WeakMap<object, LastToken>();

/** Returns the claims of a token that was verified before. Undefined: it must be verified. */
function knownClaims(
  tokens: AccessTokens,
  connection: object,
  authorization: string,
): TokenClaims | undefined {
  const last = lastTokens.get(connection);
  if (last?.authorization === authorization && tokens.isCurrent(last.claims)) return last.claims;
  if (!authorization.startsWith(usualStart)) return undefined;
  const claims = tokens.remembered(authorization.slice(usualStart.length));
  if (claims) lastTokens.set(connection, { authorization, claims });
  return claims;
}

const unauthenticated = (reason: ReasonOf<'unauthenticated'>) =>
  refuse('unauthenticated', { reason });

async function verifiedClaims(tokens: AccessTokens, authorization: string) {
  const token = tokenOf(authorization);
  if (token === undefined) return unauthenticated('malformed');
  const claims = tokens.remembered(token) ?? (await tokens.verify(token));
  return typeof claims === 'string' ? unauthenticated(claims) : claims;
}

/** An authenticated application with the claims of its token. */
interface PartnerCaller extends PartnerActor {
  scopes: TokenClaims['scopes'];
}

const isRevoked = ({ tokenId, keyId }: TokenClaims, { revoked }: Application): boolean =>
  revoked !== undefined &&
  revoked.size > 0 &&
  (revoked.has(tokenId) || (keyId !== null && revoked.has(keyId)));

/** Whether the application has ended a token in the sandbox. Spec: SANDBOX-3. */
function isEnded({ issuedAt, tokenId }: TokenClaims, { sandbox }: Application): boolean {
  const until = sandbox?.tokensEndAt ?? null;
  return until !== null && issuedAt <= until && tokenId !== sandbox?.keptToken;
}

/** Whether the key that a token was issued for may be used from an address. */
function isFromAllowed(
  { keyId }: TokenClaims,
  { networksOfKeys }: Application,
  { ip }: FastifyRequest,
): boolean {
  if (keyId === null || !networksOfKeys || networksOfKeys.size === 0) return true;
  return isInNetworks(networksOfKeys.get(keyId) ?? null, ip);
}

function callerOf(
  claims: TokenClaims,
  application: Application | undefined,
  request: FastifyRequest,
) {
  if (!application) return unauthenticated('revoked');
  if (application.suspendedAt !== null) return unauthenticated('suspended');
  if (isRevoked(claims, application)) return unauthenticated('revoked');
  if (isEnded(claims, application)) return unauthenticated('expired');
  if (!isFromAllowed(claims, application, request)) {
    return refuse('forbidden', { reason: 'network' });
  }
  const { applicationId } = application;
  return {
    applicationId,
    applicationName: application.name,
    application,
    tokenId: claims.tokenId,
    scopes: claims.scopes,
  };
}

/** Reads the application. Its catalog may be so new that this process has not read it yet. */
async function findCaller(
  { catalog }: PartnerContext,
  registry: ApplicationRegistry,
  claims: TokenClaims,
  request: FastifyRequest,
) {
  const found = await registry.find(claims.applicationId);
  if (found) await untilKnown(catalog, found.catalogId);
  return callerOf(claims, found, request);
}

const ofTier =
  (tier: Tier) =>
  (refusal: Refusal<'rate_limited'> | null): Refusal<'rate_limited'> | null =>
    refusal && { ...refusal, details: { tier } };

const quotaPort = (quotas: Quotas): QuotaPort<PartnerCaller> => ({
  consume: (caller, { tier }) =>
    caller
      ? after(quotas.consume(caller.application, tier as Tier), ofTier(tier as Tier))
      : refuse('rate_limited'),
  repeat: ({ application }, { tier }) =>
    after(quotas.repeat(application, tier as Tier), ofTier(tier as Tier)),
  refund: ({ application }, { tier }) => quotas.refund(application, tier as Tier),
  debit: ({ application }, { tier }) => quotas.debit(application, tier as Tier),
  state: ({ application }, { tier }) =>
    after(quotas.state(application, tier as Tier), (state) => ({ name: tier!, ...state })),
});

// A token can be older than the grants of its application.
const mayUse = ({ scopes, application }: PartnerCaller, scope: Scope): boolean =>
  scopes.has(scope) && application.grants.includes(capabilityOf[scope]);

function isCheckout(found: unknown): found is { checkout: { settlement: Settlement } } {
  return typeof found === 'object' && found !== null && 'checkout' in found;
}

/** Whether applications of a settlement can book here. Spec: CARD-9. */
const isServed = (payment: Payment, settlement: Settlement): boolean =>
  settlement === 'partner' || payment.isConfigured;

/** The grants of an application that this deployment can serve. Spec: ACCESS-1. */
export const servedGrants =
  (payment: Payment) =>
  ({ grants, settlement }: Application): readonly Capability[] =>
    isServed(payment, settlement) ? grants : grants.filter((grant) => grant !== 'checkout');

/** The refusal of an operation that is for the other settlement. Spec: CHECKOUT-9, REQUEST-4. */
const settlementRefusals = {
  card: refuse('payment_not_required'),
  partner: refuse('not_configured'),
} as const;

/**
 * The partners' API, authenticated by access tokens. A token and application that were used recently are
 * authenticated from memory, without waiting. Spec: ACCESS-7, ACCESS-9.
 */
export const partnerSurface = (
  context: PartnerContext,
  { tokens, registry, quotas }: AccessContext,
): Surface<PartnerCaller, TokenClaims> => ({
  name: 'partner',
  rows: operations,
  operations: partnerOperations,
  context,
  basePath: context.basePath,
  authenticate({ raw }: FastifyRequest) {
    const { authorization } = raw.headers;
    if (authorization === undefined) return unauthenticated('missing');
    return knownClaims(tokens, raw.socket, authorization) ?? verifiedClaims(tokens, authorization);
  },
  standing(claims, request) {
    const known = registry.known(claims.applicationId);
    if (known && context.catalog.has(known.catalogId)) return callerOf(claims, known, request);
    return findCaller(context, registry, claims, request);
  },
  grant: (caller, scope) =>
    mayUse(caller, scope as Scope) ? null : refuse('forbidden', { reason: 'scope', scope }),
  sameSite: null,
  quota: quotaPort(quotas),
  sessions: checkoutSessions(context),
  confirmsTime: context.confirmsTime,
  settlement(wanted, { application }, found) {
    if (wanted === 'configured') {
      return isServed(context.payment, application.settlement) ? null : refuse('not_configured');
    }
    // A checkout keeps the settlement with which it was created.
    const { settlement } = isCheckout(found) ? found.checkout : application;
    return settlement === wanted ? null : settlementRefusals[wanted];
  },
  dailyLimit: ({ applicationId, application }) =>
    application.reservationsPerDay === null
      ? null
      : dailyLimitRefusal(context.executor, applicationId),
  // Keyed, so that nobody can find out a guest's details by guessing.
  digests: (input) => context.executor.vault.macs('input-digest', canonicalJson(input)),
});

/** Plays what an application has ordered for a call, or for a token exchange. */
export function interfereWith(
  { executor, now }: Pick<PartnerContext, 'executor' | 'now'>,
  { applicationId, sandbox, scenario }: Application,
  operation: OperationId | 'token',
  request: FastifyRequest,
): MaybePromise<Interference> {
  if (scenario) {
    return operation === 'token'
      ? recordExchange({ executor, now }, scenario, request.id).then(() => null)
      : null;
  }
  if (!sandbox?.plays) return null;
  return playFaults(executor, playedCall(applicationId, operation, request), now());
}

const playedCall = (
  applicationId: string,
  operation: OperationId | 'token',
  request: FastifyRequest,
) => ({
  applicationId,
  operation,
  tier: operation === 'token' ? null : operations[operation].tier,
  requestId: request.id,
  note: (fault: string) => {
    request.fault = fault;
  },
});

/** The partners' API, with what applications have ordered in the sandbox. Spec: SANDBOX-1. */
export const withSandbox = (
  surface: ReturnType<typeof partnerSurface>,
  context: PartnerContext,
  { registry }: Pick<AccessContext, 'registry'>,
  takeEffect: (applicationId: string) => Promise<void>,
): ReturnType<typeof partnerSurface> => ({
  ...surface,
  // Also a call that is refused here, such as with an ended token, is seen.
  standing: (claims, request) =>
    after(surface.standing(claims, request), (found) => {
      const application = isRefusal(found)
        ? registry.lastRead(claims.applicationId)
        : (found as PartnerCaller).application;
      const scenario = application?.scenario;
      if (scenario && request.execution) request.execution.witness = witnessOf(context, scenario);
      return found;
    }),
  play: (actor, call, request) =>
    actor.application.scenario
      ? playScenario(
          { booking: context, takeEffect },
          actor,
          call,
          playedCall(actor.applicationId, call.operation as OperationId, request),
        )
      : null,
  interfere(actor, operation, request) {
    const { application } = actor;
    if (!application.sandbox?.plays) return null;
    const id = operation as OperationId;
    // A call for which no quota is left ends there: it is not counted, so that a flood costs others no more.
    return after(surface.quota.state(actor, operations[id]), (state) =>
      state?.remaining === 0 ? null : interfereWith(context, application, id, request),
    );
  },
  contextOf: ({ applicationId, application }) =>
    application.sandbox?.hasNights || application.scenario
      ? withOwnNights(context, applicationId)
      : context,
});

/** The application of a request. Null: it is not a partner's request. */
export const applicationOf = ({ execution }: FastifyRequest): Application | null =>
  execution?.route.surface.name === 'partner' && execution.actor
    ? (execution.actor as PartnerCaller).application
    : null;

/** The application of a request's token, for any path; null: there is none, or it is suspended. */
export async function findApplicationOfToken(
  { tokens, registry }: AccessContext,
  request: FastifyRequest,
): Promise<Application | null> {
  const { raw } = request;
  const { authorization } = raw.headers;
  if (authorization === undefined) return null;
  const claims =
    knownClaims(tokens, raw.socket, authorization) ?? (await verifiedClaims(tokens, authorization));
  const caller = isRefusal(claims)
    ? claims
    : callerOf(claims, await registry.find(claims.applicationId), request);
  return isRefusal(caller) ? null : caller.application;
}
