import type { Log } from '../platform/log.ts';
import type { Executor } from '../platform/postgres/database.ts';
import { inBatches, startLoop } from '../platform/loop.ts';
import { createConnections } from '../platform/sending/connections.ts';
import { createResolve } from '../platform/sending/destination.ts';
import { createDial } from '../platform/sending/dial.ts';
import type { RemoteRules } from '../platform/sending/remote-url.ts';
import { newWebhookSecret } from '../platform/sending/signature.ts';
import { startAttempt, type SenderContext } from './sender.ts';
import type { WebhookClaim } from './store/claims.ts';
import { openSecrets } from './store/endpoint-secrets.ts';
import {
  claimOrdered,
  type DueDelivery,
  endOrdered,
  sweepOrdered,
} from './store/ordered-deliveries.ts';

const everyMs = 500;
const atOnce = 32;
const leaseSeconds = 30;
const sweepEveryMs = 600_000;
const sweptAtOnce = 5_000;

function secretsOf(executor: Executor, due: DueDelivery): string[] {
  if (due.bad_signature) return [newWebhookSecret()];
  const { secret, previous } = openSecrets(executor, due);
  return previous ? [secret, previous.secret] : [secret];
}

/** An ordered delivery, as the sender takes it. */
const claimOf = (executor: Executor, due: DueDelivery): WebhookClaim => ({
  deliveryId: due.delivery_id,
  endpointId: due.endpoint_id,
  applicationId: due.application_id,
  fence: 0,
  url: due.url,
  secrets: secretsOf(executor, due),
  secretError: null,
  failing: false,
  failedAttempts: 0,
  now: due.now + due.skew_seconds * 1_000,
  event: {
    eventId: due.forged_id ?? due.event_id,
    type: due.type,
    sequence: due.sequence,
    data: due.data,
    createdAt: due.created_at,
  },
});

/** Makes the deliveries that partners order in the sandbox. Spec: SANDBOX-3. */
export function startOrderedDeliveries(context: {
  executor: Executor;
  log: Pick<Log, 'warn'>;
  rules: RemoteRules;
}): { wake(): void; stop(): Promise<void> } {
  const { executor, log, rules } = context;
  const connections = createConnections(createDial());
  const sender: SenderContext = {
    rules,
    connections,
    resolve: createResolve(),
    later(ms, act) {
      const timer = setTimeout(act, ms);
      return () => clearTimeout(timer);
    },
  };
  const send = async (due: DueDelivery): Promise<void> => {
    const { status } = await startAttempt(sender, claimOf(executor, due)).done;
    await endOrdered(executor, due.delivery_id, status);
  };
  /** The last delivery of each endpoint: it gets one after the other, in their order. */
  const last = new Map<string, Promise<void>>();
  const sendAfterLast = (due: DueDelivery): void => {
    const { endpoint_id: endpointId } = due;
    const mine = (last.get(endpointId) ?? Promise.resolve())
      .then(() => send(due))
      .catch((error: unknown) => log.warn({ err: error }, 'an ordered delivery failed'))
      .finally(() => {
        if (last.get(endpointId) === mine) last.delete(endpointId);
      });
    last.set(endpointId, mine);
  };
  const work = async (): Promise<number> => {
    const due = await claimOrdered(executor, atOnce, leaseSeconds);
    for (const one of due) sendAfterLast(one);
    return due.length === atOnce ? 0 : everyMs;
  };
  const loop = startLoop({ name: 'make ordered deliveries', everyMs, work, log });
  const sweeps = startLoop({
    name: 'sweep ordered deliveries',
    everyMs: sweepEveryMs,
    work: inBatches(sweptAtOnce, (atMost) => sweepOrdered(executor, atMost)),
    log,
  });
  return {
    wake: () => loop.wake(),
    async stop() {
      await Promise.all([loop.stop(), sweeps.stop()]);
      await Promise.all(last.values());
      await connections.destroy();
    },
  };
}
