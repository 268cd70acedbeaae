import type { Log } from '../platform/log.ts';
import { type EpochMs, instant } from '../contract/time.ts';
import { startClaiming } from '../platform/claims.ts';
import { startLoop } from '../platform/loop.ts';
import type { Executor } from '../platform/postgres/database.ts';
import { createPoster, type Poster } from '../platform/sending/poster.ts';
import { delayAsked, delays, retryInSeconds } from '../platform/sending/retry.ts';
import { attentionSources } from './sources.ts';
import { type AlertClaim, claimAlerts, followAttention, writeAlertResult } from './store/alerts.ts';
import { type AttentionItem, readAttention } from './store/waiting.ts';

/** Where the operator looks. */
export interface AlertsReceiver {
  url: URL;
  /** Each request is signed with each of them, `whsec_…`. */
  secrets: readonly string[];
}

/** The dependencies of the alerts. */
export interface AlertsContext {
  executor: Executor;
  receiver: AlertsReceiver;
  log: Pick<Log, 'warn'>;
}

const roundMs = 1_000;
const inFlightAtMost = 8;
const leaseSeconds = 30;
const followedAtMost = 10_000;

/** An item as lists and alerts show it. */
export const itemView = ({ since, deadline, ...item }: AttentionItem) => ({
  ...item,
  since: instant(since),
  deadline: instant(deadline),
});

/** What leaves the service: without the phone number, which only staff who act need. */
function toldView(item: AttentionItem): object {
  const { phone: _, ...told } = itemView(item);
  return told;
}

const bodyOf = (type: 'opened' | 'closed' | 'test', item: object): string =>
  JSON.stringify({ type, item });

/** The item with its guest, as far as it still waits. */
async function itemOf(
  { executor }: AlertsContext,
  { kind, subject, item }: AlertClaim,
): Promise<object> {
  const waiting = await readAttention(executor, attentionSources, followedAtMost);
  const found = waiting.find((one) => one.kind === kind && one.subject === subject);
  if (found) return toldView(found);
  const { since, deadline, ...kept } = item as { since: EpochMs; deadline: EpochMs | null };
  return {
    kind,
    subject,
    guest: null,
    ...kept,
    since: instant(since),
    deadline: instant(deadline),
  };
}

async function tell(context: AlertsContext, poster: Poster, claim: AlertClaim): Promise<void> {
  const { executor, log } = context;
  const { itemId, type, attempts, now } = claim;
  const id = `alert_${itemId}_${type}`;
  const answer = await poster.post(id, bodyOf(type, await itemOf(context, claim)), now);
  const { problem } = answer;
  const failed = Math.min(attempts, delays);
  const asked = delayAsked(answer, now);
  const againIn = problem === null ? 0 : (retryInSeconds(failed, asked, Math.random()) ?? 0);
  await writeAlertResult(executor, claim, problem, againIn);
  if (problem !== null) log.warn({ itemId, type, attempts, problem }, 'alert not accepted');
}

/**
 * Tells the operator of each new item of the one list of what waits for people, and when it is closed. Any number of
 * processes may run it. Spec: MONEY-9.
 */
export function startAlerts(context: AlertsContext): { stop(): Promise<void> } {
  const { executor, receiver, log } = context;
  const poster = createPoster(receiver, 'Latchkey-Alerts');
  const claiming = startClaiming<AlertClaim>({
    name: 'send alerts',
    everyMs: roundMs,
    inFlightAtMost,
    async claim(atMost) {
      poster.tidy();
      return { claims: await claimAlerts(executor, atMost, leaseSeconds) };
    },
    process: (claim) =>
      tell(context, poster, claim).catch((error: unknown) => {
        const { itemId, type } = claim;
        log.warn({ err: error, itemId, type }, 'alert not written; sent again');
      }),
    log,
  });
  const following = startLoop({
    name: 'follow what waits for people',
    everyMs: roundMs,
    async work() {
      const items = await readAttention(executor, attentionSources, followedAtMost);
      if ((await followAttention(executor, items)) > 0) claiming.wake();
    },
    log,
  });
  return {
    async stop() {
      await Promise.all([following.stop(), claiming.stop()]);
      await poster.close();
    },
  };
}

/** Sends one alert that is about nothing. Returns why it was not taken; null: it was. */
export async function sendTestAlert(
  receiver: AlertsReceiver,
  id: string,
  now: EpochMs,
): Promise<string | null> {
  const poster = createPoster(receiver, 'Latchkey-Alerts');
  const item = {
    kind: 'test',
    reference: null,
    checkoutId: null,
    guest: null,
    listing: null,
    amount: null,
    currency: null,
    reason: 'This is a test.',
    since: instant(now),
    deadline: null,
  };
  try {
    return (await poster.post(id, bodyOf('test', item), now)).problem;
  } finally {
    await poster.close();
  }
}
