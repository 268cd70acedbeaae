import type { FastifyRequest } from 'fastify';
import { isFromAnotherSite } from '../api/another-site.ts';
import { createCallQuota, type MakeBuckets } from '../access/index.ts';
import type { Surface } from '../api/surface.ts';
import { refuseOperator } from '../contract/operator/errors.ts';
import { operatorLimits } from '../contract/operator/limits.ts';
import { operatorOperations as rows } from '../contract/operator/operations.ts';
import { type OperatorScope, scopesOfRole } from '../contract/operator/roles.ts';
import {
  announceChanges,
  createOnce,
  type OperatorContext,
  operatorOperations,
} from '../operator/index.ts';
import type { Origin } from '../platform/audit/origin.ts';
import {
  findSessionActor,
  findTokenActor,
  type OperatorActor,
  staffCookie,
} from '../sign-in/index.ts';

const bearer = /^bearer ([\w-]+)$/i;

/** The credentials of a call. */
interface Credentials {
  by: 'token' | 'session';
  secret: string;
}

/** A token, or else the cookie of a session. A call with another `Authorization` has neither. */
function credentialsOf({ headers }: FastifyRequest): Credentials | null {
  const { authorization, cookie } = headers;
  const [by, secret] =
    authorization === undefined
      ? (['session', staffCookie.read(cookie)] as const)
      : (['token', bearer.exec(authorization)?.[1]] as const);
  return secret ? { by, secret } : null;
}

const findActor = { token: findTokenActor, session: findSessionActor } as const;

const ofPersons =
  'What lives on without a token is made by a member of staff in a session, or by the command line.';

/** The operator's API, authenticated by a token or a session. Refuses calls from other sites. */
export const operatorSurface = (
  context: OperatorContext,
  buckets: MakeBuckets,
): Surface<OperatorActor, Credentials> => ({
  name: 'operator',
  rows,
  operations: announceChanges(operatorOperations, context),
  context,
  challenge: 'Bearer realm="latchkey operator"',
  authenticate: (request) =>
    credentialsOf(request) ?? refuseOperator('unauthenticated', 'credentials'),
  standing: async ({ by, secret }, { ip }) =>
    (await findActor[by](context.database, secret, ip)) ??
    refuseOperator('unauthenticated', 'credentials'),
  grant({ role, scopes, session }, scope) {
    if (session?.mustAddSecondFactor) return refuseOperator('forbidden', 'second_factor');
    const may = scopesOfRole[role].includes(scope as OperatorScope);
    if (!may) return refuseOperator('forbidden', 'role');
    const isNarrower = scopes && !scopes.includes(scope);
    return isNarrower ? refuseOperator('forbidden', 'scope') : null;
  },
  sameSite: (request) =>
    isFromAnotherSite(request, context.baseUrl) ? refuseOperator('forbidden', 'cross_site') : null,
  membersOnly: ({ session }) => (session ? null : refuseOperator('forbidden', 'members_only')),
  lasting: ({ session }) =>
    session ? null : { ...refuseOperator('forbidden', 'step_up'), message: ofPersons },
  stepUp: ({ isSteppedUp }) => (isSteppedUp ? null : refuseOperator('forbidden', 'step_up')),
  once: (create, work) => createOnce(context, create, work),
  quota: createCallQuota(buckets('operator'), operatorLimits, ({ name }) => name),
});

/** From where a call of the operator's API or the portal is made. Undefined: it is another call. */
export function originOf(request: FastifyRequest): Origin | undefined {
  // The route, not the address as it was sent: an encoded letter must not hide where a call is from.
  const { url: route = '' } = request.routeOptions;
  const isOfPortal = route.startsWith('/portal/');
  if (!isOfPortal && !route.startsWith('/operator/')) return undefined;
  const { headers, ip: address } = request;
  const ofStaff = headers.authorization === undefined ? 'console' : 'api';
  return {
    by: isOfPortal ? 'portal' : ofStaff,
    address,
    userAgent: headers['user-agent'] ?? '',
  };
}
