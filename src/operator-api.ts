import type { FastifyRequest } from 'fastify';
import { isFromAnotherSite, type MakeBuckets } from './access/index.ts';
import { after } from './api/maybe.ts';
import type { QuotaPort, Surface } from './api/surface.ts';
import { refuse } from './contract/errors.ts';
import { refuseOperator } from './contract/operator/errors.ts';
import { operatorLimits } from './contract/operator/limits.ts';
import { operatorOperations as rows } from './contract/operator/operations.ts';
import { changesSomething } from './contract/operator/refusals.ts';
import { scopesOfRole } from './contract/operator/roles.ts';
import type { OperatorRow } from './contract/operator/row.ts';
import { type OperatorContext, operatorOperations } from './operator/index.ts';
import { findTokenActor, type OperatorActor } from './staff/index.ts';

/** A quota for each member of staff and each token, and one for each address that signs in. */
function quotaPort(makeBuckets: MakeBuckets): QuotaPort<OperatorActor> {
  const buckets = makeBuckets('operator');
  const consume = (name: string, perMinute: number) =>
    after(buckets.take(name, perMinute), (retryAfterSeconds) =>
      retryAfterSeconds === 0 ? null : { ...refuse('rate_limited'), retryAfterSeconds },
    );
  return {
    consume: (actor, _row, { ip }: FastifyRequest) =>
      actor
        ? consume(actor.name, operatorLimits.callsPerMinute)
        : consume(`address ${ip}`, operatorLimits.triesPerMinute),
    refund: () => undefined,
    debit: () => undefined,
    state: () => null,
  };
}

const bearer = /^bearer ([\w-]+)$/i;

/** The operator's API, authenticated by a token. Refuses calls from other sites. */
export const operatorSurface = (
  context: OperatorContext,
  buckets: MakeBuckets,
): Surface<OperatorActor, string> => ({
  name: 'operator',
  rows,
  operations: operatorOperations,
  context,
  challenge: 'Bearer realm="latchkey operator"',
  authenticate: ({ headers }) =>
    bearer.exec(headers.authorization ?? '')?.[1] ??
    refuseOperator('unauthenticated', 'credentials'),
  standing: async (token) =>
    (await findTokenActor(context.database, token)) ??
    refuseOperator('unauthenticated', 'credentials'),
  grant(actor, row: OperatorRow, request) {
    if (row.scope && !(actor && scopesOfRole[actor.role].includes(row.scope))) {
      return refuseOperator('forbidden', 'role');
    }
    return changesSomething(row) && isFromAnotherSite(request, context.baseUrl)
      ? refuseOperator('forbidden', 'cross_site')
      : null;
  },
  quota: quotaPort(buckets),
});
