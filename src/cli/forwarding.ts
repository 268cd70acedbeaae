/** Posts each new event of an application to a local program, in order. */
import { setTimeout as sleep } from 'node:timers/promises';
import { limits } from '../contract/limits.ts';
import { findApplication, noApplication } from '../access/index.ts';
import { isRefusal, type Refusal } from '../contract/errors.ts';
import { DatabaseUnavailableError } from '../platform/postgres/database-errors.ts';
import { readFeed, type StoredEvent } from '../events/index.ts';
import { webhookMessage } from '../webhooks/index.ts';
import type { CommandContext } from './command.ts';
import { listenSecret } from './listen-secret.ts';

/** The input of the forwarding. */
export type ForwardingContext = Pick<
  CommandContext,
  'database' | 'dataDir' | 'report' | 'ending'
> & {
  applicationId: string;
  forwardTo: string;
};

const pollMs = 500;
const tryAgainMs = 1_000;
const responseTimeoutMs = 15_000;
const eventsAtOnce = 50;

/** The response of the local program. `absent`: there was none, and the request is repeated. */
type Reply = { status: number | 'timeout' } | { absent: string };

const rest = (ms: number, signal: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { signal }).catch(() => undefined);

function reasonOf(error: unknown): string {
  const { cause, message } = error as Error;
  const { code, message: inner } = (cause ?? {}) as { code?: string; message?: string };
  return code ?? inner ?? message;
}

async function post(
  { forwardTo, ending }: ForwardingContext,
  { headers, body }: ReturnType<typeof webhookMessage>,
): Promise<Reply> {
  const tooLate = AbortSignal.timeout(responseTimeoutMs);
  try {
    const response = await fetch(forwardTo, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
      redirect: 'manual',
      signal: AbortSignal.any([ending, tooLate]),
    });
    await response.body?.cancel();
    return { status: response.status };
  } catch (error) {
    return tooLate.aborted ? { status: 'timeout' } : { absent: reasonOf(error) };
  }
}

/** Posts an event until the program responds. False: it was interrupted before. */
async function forward(
  context: ForwardingContext,
  secret: string,
  event: StoredEvent,
): Promise<boolean> {
  const { report, ending, forwardTo } = context;
  for (let tries = 1; !ending.aborted; tries += 1) {
    const began = Date.now();
    const message = webhookMessage(event, [secret], began);
    const reply = await post(context, message);
    const durationMs = Date.now() - began;
    if ('status' in reply) {
      const { status } = reply;
      const { type, sequence } = event;
      const eventId = message.headers['webhook-id'];
      report(
        { eventId, type, sequence, status, durationMs },
        `${sequence}  ${type}  ${eventId}  ${status}  ${durationMs} ms`,
      );
      return true;
    }
    if (tries === 1 && !ending.aborted) {
      const { absent } = reply;
      report(
        { waitingFor: forwardTo, reason: absent },
        `No response from ${forwardTo} (${absent}). Start your program: the event is sent again every second, and later events after it.`,
      );
    }
    await rest(tryAgainMs, ending);
  }
  return false;
}

/** Reads the events after a sequence. Waits while the database is unavailable. */
async function readAfter(
  { database, applicationId, report, ending }: ForwardingContext,
  after: number,
): Promise<StoredEvent[]> {
  for (let tries = 1; !ending.aborted; tries += 1) {
    try {
      const page = { after, type: undefined, atMost: eventsAtOnce };
      const windowDays = limits.eventFeedDays;
      return (await readFeed(database, applicationId, { ...page, windowDays })).events;
    } catch (error) {
      if (!(error instanceof DatabaseUnavailableError)) throw error;
      const text = 'The database is unavailable. Is the service running? Trying again.';
      if (tries === 1) report({ waitingFor: 'database' }, text);
      await rest(tryAgainMs, ending);
    }
  }
  return [];
}

/** Follows the feed from now on until it is interrupted. Returns the number of forwarded events. */
export async function forwardEvents(
  context: ForwardingContext,
): Promise<number | Refusal<'not_found' | 'conflict'>> {
  const { database, applicationId, forwardTo, report, ending } = context;
  const application = await findApplication(database, applicationId);
  if (!application) return noApplication(applicationId);
  const kept = await listenSecret(context.dataDir, applicationId);
  if (isRefusal(kept)) return kept;
  const { secret, file } = kept;
  let after = (
    await readFeed(database, applicationId, {
      after: Number.MAX_SAFE_INTEGER,
      type: undefined,
      atMost: 1,
      windowDays: limits.eventFeedDays,
    })
  ).lastSequence;
  report(
    { applicationId, forwardTo, secret },
    `Events of "${application.name}" go to ${forwardTo}.\nThey are signed with ${secret}, which is the same at each run (stored in ${file}). Press Ctrl-C to stop.`,
  );
  let forwarded = 0;
  while (!ending.aborted) {
    const events = await readAfter(context, after);
    for (const event of events) {
      if (!(await forward(context, secret, event))) return forwarded;
      after = event.sequence;
      forwarded += 1;
    }
    if (events.length < eventsAtOnce) await rest(pollMs, ending);
  }
  return forwarded;
}
