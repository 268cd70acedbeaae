import { limits } from '../../contract/limits.ts';
import type { Executor } from '../../db/database.ts';
import {
  claimWebhooks,
  listActiveEndpoints,
  type ClaimRules,
  type WebhookClaim,
} from '../../db/webhook-claims.ts';
import type { WebhookResult } from '../../db/webhook-results.ts';
import { sweepWebhooks } from '../../db/webhook-sweeps.ts';
import { createConnections } from './connections.ts';
import { createResolve, type Resolve } from './destination.ts';
import { createDial, type Dial } from './dial.ts';
import type { EndpointRules } from './endpoint-url.ts';
import { createLanes, type LaneLimits } from './lanes.ts';
import { createRecorder } from './recorder.ts';
import { readRetryAfter, retryInSeconds } from './retry.ts';
import { startAttempt, type Attempt, type Attempted, type Later } from './sender.ts';
import { createSleeper } from './sleeper.ts';

/** The log, as far as the deliverer uses it. */
export interface DelivererLog {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

export interface DelivererParts {
  executor: Executor;
  log: DelivererLog;
  rules: EndpointRules;
  /** What tests put in the place of the network and of time. */
  resolve?: Resolve;
  dial?: Dial;
  later?: Later;
  lanes?: LaneLimits;
  leaseSeconds?: number;
}

/** Sends events to the endpoints of their applications. */
export interface Deliverer {
  /** Events of this application were committed; of none named: anything may have changed. */
  wake(applicationId?: string): void;
  /** Takes nothing up any more, and waits a while for what is under way. */
  stop(): Promise<void>;
}

const roundMs = 1_000;
const sweepEveryRounds = 60;
const sweepAtMost = 500;
const keptDays = 30;
const endpointsAtOnce = 64;
// Each with endpoints of its own: what becomes free while one claims is taken up by the other.
const claimersAtOnce = 2;
const worthAnother = 8;
const stopWithinMs = 5_000;
// Longer than a claim, its answer and all that an attempt may take.
const defaultLeaseSeconds = 30;
const inFlight = 5;
const inFlightFailing = 1;
const defaultLanes: LaneLimits = {
  quick: 256,
  trial: 64,
  slow: 256,
  waiting: 1_024,
  quickMs: 500,
};

const laterByTimer: Later = (ms, act) => {
  const timer = setTimeout(act, ms);
  return () => clearTimeout(timer);
};

/** What becomes of a delivery after an attempt. Spec: Webhooks, retries. */
function resultOf(claim: WebhookClaim, attempted: Attempted): WebhookResult {
  const { status, error, response, durationMs } = attempted;
  const attempt = {
    deliveryId: claim.deliveryId,
    fence: claim.fence,
    durationMs,
    status,
    response,
  };
  if (error === null) return { ...attempt, error, state: 'delivered', retryInSeconds: null };
  const asks = status === 429 || status === 503 ? attempted.retryAfter : null;
  const asked = asks === null ? null : readRetryAfter(asks, claim.present + durationMs);
  const retry = retryInSeconds(claim.failedAttempts + 1, asked, Math.random());
  return {
    ...attempt,
    error,
    state: retry === null ? 'exhausted' : 'pending',
    retryInSeconds: retry,
  };
}

/** Starts the deliverer of this process. Any number of processes may have one. */
export function startDeliverer(parts: DelivererParts): Deliverer {
  const { executor, log, rules } = parts;
  const connections = createConnections(parts.dial ?? createDial());
  const sender = {
    rules,
    connections,
    resolve: parts.resolve ?? createResolve(),
    later: parts.later ?? laterByTimer,
  };
  const claimRules: ClaimRules = {
    inFlight,
    inFlightFailing,
    leaseSeconds: parts.leaseSeconds ?? defaultLeaseSeconds,
    windowDays: limits.eventFeedDays,
  };
  const lanes = createLanes(parts.lanes ?? defaultLanes, () => performance.now());
  const recorder = createRecorder(executor, log, ({ endpointId, ...stopped }) =>
    log.warn({ endpointId, ...stopped }, 'endpoint is sent nothing more'),
  );
  const underWay = new Map<Promise<void>, Attempt>();
  const byApplication = new Map<string, Set<string>>();
  /** To be looked at, those that wait longest first. */
  const due = new Set<string>();
  /** At which there was more than there was room for. */
  const behind = new Set<string>();
  const looks = createSleeper(roundMs);
  const rounds = createSleeper(roundMs);
  let claiming = 0;
  let stopping = false;

  async function discover(): Promise<void> {
    const endpoints = await listActiveEndpoints(executor);
    byApplication.clear();
    for (const { endpointId, applicationId, failing, behind: isBehind } of endpoints) {
      const siblings = byApplication.get(applicationId) ?? new Set();
      byApplication.set(applicationId, siblings.add(endpointId));
      if (failing) lanes.failing(endpointId);
      if (isBehind) due.add(endpointId);
    }
    const active = new Set(endpoints.map(({ endpointId }) => endpointId));
    lanes.keep(active);
    for (const id of due) if (!active.has(id)) due.delete(id);
    for (const id of behind) if (!active.has(id)) behind.delete(id);
    if (due.size > 0) looks.wake();
  }

  async function attempt(claim: WebhookClaim, started: Attempt): Promise<void> {
    const { endpointId, deliveryId } = claim;
    try {
      const attempted = await started.done;
      lanes.end(claim, attempted.error === null);
      await recorder.record(resultOf(claim, attempted));
      const { status, error, durationMs } = attempted;
      if (error !== null)
        log.info({ endpointId, deliveryId, status, error, durationMs }, 'attempt failed');
    } finally {
      if (behind.has(endpointId)) due.add(endpointId);
      if (due.size > 0) looks.wake();
    }
  }

  function begin(claim: WebhookClaim): void {
    if (claim.failing) lanes.failing(claim.endpointId);
    lanes.begin(claim);
    const started = startAttempt(sender, claim);
    const running = attempt(claim, started)
      .catch((error: unknown) => log.error({ err: error }, 'attempt broke; the lease decides'))
      .finally(() => underWay.delete(running));
    underWay.set(running, started);
  }

  /** As many endpoints as there is room for in their lanes, and for how much each. */
  function choose(): Map<string, number> {
    lanes.sort();
    const chosen = new Map<string, number>();
    for (const id of due) {
      if (chosen.size === endpointsAtOnce) break;
      const room = Math.min(inFlight, lanes.room(id));
      if (room > 0) chosen.set(id, room);
    }
    return chosen;
  }

  /** Returns whether there is more to look at right now. */
  async function look(): Promise<boolean> {
    await recorder.caughtUp();
    if (claiming > 0 && due.size < worthAnother) return false;
    const chosen = choose();
    if (chosen.size === 0 || stopping) return false;
    for (const id of chosen.keys()) due.delete(id);
    claiming += 1;
    const { claims, looked } = await claimWebhooks(executor, chosen, claimRules).finally(
      () => (claiming -= 1),
    );
    for (const { endpointId, more, lookAgain } of looked) {
      if (more) behind.add(endpointId);
      else behind.delete(endpointId);
      if (lookAgain) due.add(endpointId);
    }
    claims.forEach(begin);
    return true;
  }

  /** Runs a chore; what fails now is tried again in its next round. */
  async function chore<T>(name: string, work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      log.warn({ err: error, chore: name }, 'chore failed; it is tried again');
      return undefined;
    }
  }

  async function takeUpDue(): Promise<void> {
    while (!stopping) {
      const more = await chore('claim webhooks', look);
      if (!more) await looks.sleep();
    }
  }

  async function keepRounds(): Promise<void> {
    for (let round = 0; !stopping; round += 1) {
      await chore('find endpoints', discover);
      connections.tidy();
      if (round % sweepEveryRounds === 0) {
        await chore('sweep webhooks', () => sweepWebhooks(executor, keptDays, sweepAtMost));
      }
      await rounds.sleep();
    }
  }

  const claimers = Array.from({ length: claimersAtOnce }, takeUpDue);
  const running = Promise.all([...claimers, keepRounds()]);
  return {
    wake(applicationId) {
      if (applicationId === undefined) return rounds.wake();
      const endpoints = byApplication.get(applicationId);
      if (!endpoints) return;
      for (const id of endpoints) due.add(id);
      looks.wake();
    },
    async stop() {
      stopping = true;
      looks.wake();
      rounds.wake();
      const endWaiting = setTimeout(() => {
        for (const { expire } of underWay.values()) expire();
        recorder.stop();
      }, stopWithinMs);
      await running;
      await Promise.all(underWay.keys());
      clearTimeout(endWaiting);
      await connections.destroy();
    },
  };
}
