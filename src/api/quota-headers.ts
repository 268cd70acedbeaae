import type { FastifyReply } from 'fastify';
import type { Actor } from './call.ts';
import type { Execution } from './execution.ts';
import { after, type MaybePromise } from './maybe.ts';
import type { QuotaPort, QuotaState } from './surface.ts';

function writeHeaders(reply: FastifyReply, state: QuotaState | null): void {
  if (!state) return;
  const { name, perMinute, remaining, fullInSeconds } = state;
  reply.header('ratelimit-policy', `"${name}";q=${perMinute};w=60`);
  reply.header('ratelimit', `"${name}";r=${remaining};t=${fullInSeconds}`);
}

/**
 * Runs before the response is sent. A call that ended before the quota step consumes one call too; the
 * headers show what is left. Does nothing if the caller is unknown.
 */
export function settleQuota(execution: Execution, reply: FastifyReply): MaybePromise<void> {
  const { route, actor } = execution;
  if (!actor) return undefined;
  const quota = route.surface.quota as QuotaPort<Actor>;
  const showState = () =>
    after(quota.state(actor, route.row), (state) => writeHeaders(reply, state));
  if (execution.quota !== 'open') return showState();
  execution.quota = 'consumed';
  return after(quota.debit(actor, route.row), showState);
}
