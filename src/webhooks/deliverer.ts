import type { Log } from '../platform/log.ts';
import { inTraceOf } from '../bookings/index.ts';
import { limits } from '../contract/limits.ts';
import type { Executor } from '../platform/postgres/database.ts';
import {
  claimWebhooks,
  listActiveEndpoints,
  type ClaimRules,
  type WebhookClaim,
} from './store/claims.ts';
import { startLoop, type Loop } from '../platform/loop.ts';
import { giveUpAfter } from '../platform/sleeper.ts';
import { createAgenda } from './agenda.ts';
import { createConnections } from '../platform/sending/connections.ts';
import { createResolve, type Resolve } from '../platform/sending/destination.ts';
import { createDial, type Dial } from '../platform/sending/dial.ts';
import { setSendingResult } from '../platform/sending/trace.ts';
import { currentSpan } from '../platform/tracing/tracing.ts';
import type { RemoteRules } from '../platform/sending/remote-url.ts';
import {
  type BulkheadAttempt,
  createBulkheads,
  type BulkheadLimits,
} from '../platform/sending/bulkheads.ts';
import { createRecorder } from './recorder.ts';
import { decideResult } from './result.ts';
import {
  type Answered,
  startAttempt,
  type Attempt,
  type Schedule,
  type SenderContext,
} from './sender.ts';

export interface DelivererContext {
  executor: Executor;
  log: Log;
  rules: RemoteRules;
  /** Replacements of the network and of time, for tests. */
  resolve?: Resolve;
  dial?: Dial;
  later?: Schedule;
  /** A monotonic counter of milliseconds. */
  now?: () => number;
  bulkheads?: BulkheadLimits;
}

/** Sends events to the endpoints of their applications. */
export interface Deliverer {
  /** Call after events of this application were committed. Without an application: anything may have changed. */
  wake(applicationId?: string): void;
  /** Claims nothing more, and waits for attempts in flight for a limited time. */
  stop(): Promise<void>;
}

const roundMs = 1_000;
const endpointsAtOnce = 64;
const stopWithinMs = 5_000;
// Longer than a claim and an attempt together.
const leaseSeconds = 30;
const inFlight = 5;
const inFlightFailing = 1;
// To claim for an endpoint costs as much as one delivery more. So it waits for a few free slots, but not so long that
// they stay empty.
const refillMs = 3;
const defaultBulkheads: BulkheadLimits = {
  quick: 256,
  trial: 64,
  slow: 256,
  waiting: 1_024,
  quickMs: 500,
};

const laterByTimer: Schedule = (ms, act) => {
  const timer = setTimeout(act, ms);
  return () => clearTimeout(timer);
};

/** A test event belongs to no booking, and so to no trace. */
function inTraceOfEvent(
  executor: Executor,
  { applicationId, event }: WebhookClaim,
  work: () => Promise<Answered>,
): Promise<Answered> {
  const { checkoutId } = event.data;
  if (typeof checkoutId !== 'string' || event.sequence === null) return work();
  const booking = { applicationId, bookingId: checkoutId };
  return inTraceOf(executor, booking, 'webhook.send', 'client', async () => {
    currentSpan()?.set({ 'latchkey.event': event.type });
    const answered = await work();
    setSendingResult(answered);
    return answered;
  });
}

/** Starts the deliverer of this process. Any number of processes may have one. */
export function startDeliverer(context: DelivererContext): Deliverer {
  const { executor, log, rules } = context;
  const connections = createConnections(context.dial ?? createDial());
  const sender: SenderContext = {
    rules,
    connections,
    resolve: context.resolve ?? createResolve(),
    later: context.later ?? laterByTimer,
    inTrace: (claim, work) => inTraceOfEvent(executor, claim, work),
  };
  const claimRules: ClaimRules = {
    inFlight,
    inFlightFailing,
    leaseSeconds,
    windowDays: limits.eventFeedDays,
  };
  const bulkheads = createBulkheads(
    context.bulkheads ?? defaultBulkheads,
    context.now ?? (() => performance.now()),
  );
  const recorder = createRecorder(executor, {
    behind: (error, waiting) => log.warn({ err: error, waiting }, 'webhook results wait'),
    unrecorded: (error, deliveryId) =>
      log.error({ err: error, deliveryId }, 'webhook result cannot be recorded'),
    stopped: (endpoint) => log.warn(endpoint, 'endpoint stopped'),
  });
  const agenda = createAgenda();
  const inFlightAttempts = new Map<Promise<void>, Attempt>();
  let refilling: NodeJS.Timeout | null = null;

  function wakeIfDue(): void {
    if (agenda.due.size > 0) looks.wake();
  }

  function refill(): void {
    refilling = null;
    agenda.refill();
    wakeIfDue();
  }

  async function discover(): Promise<void> {
    connections.tidy();
    const endpoints = await listActiveEndpoints(executor);
    agenda.found(endpoints);
    bulkheads.keep(new Set(endpoints.map(({ endpointId }) => endpointId)));
    for (const { endpointId, failing } of endpoints) if (failing) bulkheads.failing(endpointId);
    wakeIfDue();
  }

  function logSecretError({ secretError: err, endpointId, applicationId }: WebhookClaim): void {
    if (err === null) return;
    log.error({ err, endpointId, applicationId }, 'webhook secret cannot be read');
  }

  async function finish(
    claim: WebhookClaim,
    { done }: Attempt,
    slot: BulkheadAttempt,
  ): Promise<void> {
    const { endpointId, deliveryId } = claim;
    const attempted = await done;
    bulkheads.end(slot, attempted.error === null);
    await recorder.record(decideResult(claim, attempted, Math.random()));
    if (agenda.ended(endpointId)) refilling ??= setTimeout(refill, refillMs);
    // Others may have waited for its slot in the bulkhead.
    wakeIfDue();
    const { status, error, durationMs } = attempted;
    if (error === null) return;
    logSecretError(claim);
    log.info({ endpointId, deliveryId, status, error, durationMs }, 'attempt failed');
  }

  function begin(claim: WebhookClaim): void {
    if (claim.failing) bulkheads.failing(claim.endpointId);
    const slot = { target: claim.endpointId };
    bulkheads.begin(slot);
    const attempt = startAttempt(sender, claim);
    const running = finish(claim, attempt, slot).finally(() => inFlightAttempts.delete(running));
    inFlightAttempts.set(running, attempt);
  }

  /** Selects endpoints with free slots in their bulkheads, with the number of slots. */
  function choose(): Map<string, number> {
    const chosen = new Map<string, number>();
    bulkheads.sort();
    for (const id of agenda.due) {
      if (chosen.size === endpointsAtOnce) break;
      const slots = Math.min(inFlight, bulkheads.freeSlots(id));
      if (slots > 0) chosen.set(id, slots);
    }
    return chosen;
  }

  async function look(signal: AbortSignal): Promise<number | void> {
    await recorder.caughtUp();
    const chosen = choose();
    if (chosen.size === 0 || signal.aborted) return;
    agenda.take(chosen.keys());
    const { claims, examined } = await claimWebhooks(executor, chosen, claimRules);
    agenda.examined(examined);
    claims.forEach(begin);
    // More endpoints may be due now.
    return 0;
  }

  /** Gives up attempts in flight. They are repeated after their leases expire. */
  function giveUp(): void {
    recorder.stop();
    for (const { expire } of inFlightAttempts.values()) expire();
  }

  const looks: Loop = startLoop({ name: 'claim webhooks', everyMs: roundMs, work: look, log });
  const rounds = startLoop({ name: 'find endpoints', everyMs: roundMs, work: discover, log });
  return {
    wake(applicationId) {
      if (applicationId === undefined) return rounds.wake();
      agenda.happened(applicationId);
      wakeIfDue();
    },
    async stop() {
      await giveUpAfter(stopWithinMs, giveUp, async () => {
        await Promise.all([looks.stop(), rounds.stop()]);
        await Promise.all(inFlightAttempts.keys());
      });
      await connections.destroy();
    },
  };
}
