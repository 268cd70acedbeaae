/** The receiver on this machine: each new event of an application is posted to a local program, in order. */
import { setTimeout as sleep } from 'node:timers/promises';
import { limits } from '../contract/limits.ts';
import { findApplication, unknownApplication } from '../access/index.ts';
import { DatabaseUnavailableError } from '../platform/postgres/database.ts';
import { readFeed, type StoredEvent } from '../events/index.ts';
import { webhookMessage } from '../webhooks/index.ts';
import type { CommandContext } from './command.ts';
import { listenSecret } from './listen-secret.ts';

/** What is forwarded, and where. */
export type ForwardingParts = Pick<CommandContext, 'database' | 'dataDir' | 'tell' | 'ending'> & {
  applicationId: string;
  forwardTo: string;
};

const pollMs = 500;
const tryAgainMs = 1_000;
const answerWithinMs = 15_000;
const eventsAtOnce = 50;

/** What the local program answered; `absent`: it did not, and is to be asked again. */
type Reply = { status: number | 'timeout' } | { absent: string };

const rest = (ms: number, signal: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { signal }).catch(() => undefined);

function reasonOf(error: unknown): string {
  const { cause, message } = error as Error;
  const { code, message: inner } = (cause ?? {}) as { code?: string; message?: string };
  return code ?? inner ?? message;
}

async function post(
  { forwardTo, ending }: ForwardingParts,
  { headers, body }: ReturnType<typeof webhookMessage>,
): Promise<Reply> {
  const tooLate = AbortSignal.timeout(answerWithinMs);
  try {
    const answer = await fetch(forwardTo, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
      redirect: 'manual',
      signal: AbortSignal.any([ending, tooLate]),
    });
    await answer.body?.cancel();
    return { status: answer.status };
  } catch (error) {
    return tooLate.aborted ? { status: 'timeout' } : { absent: reasonOf(error) };
  }
}

/** Posts an event until somebody has answered. False: it was told to end before. */
async function forward(
  parts: ForwardingParts,
  secret: string,
  event: StoredEvent,
): Promise<boolean> {
  const { tell, ending, forwardTo } = parts;
  for (let tries = 1; !ending.aborted; tries += 1) {
    const began = Date.now();
    const message = webhookMessage(event, [secret], began);
    const reply = await post(parts, message);
    const durationMs = Date.now() - began;
    if ('status' in reply) {
      const { status } = reply;
      const { type, sequence } = event;
      const eventId = message.headers['webhook-id'];
      tell(
        { eventId, type, sequence, status, durationMs },
        `${sequence}  ${type}  ${eventId}  ${status}  ${durationMs} ms`,
      );
      return true;
    }
    if (tries === 1 && !ending.aborted) {
      const { absent } = reply;
      tell(
        { waitingFor: forwardTo, reason: absent },
        `Nobody answers at ${forwardTo} (${absent}). Start your program: the event is sent again every second, and the others after it.`,
      );
    }
    await rest(tryAgainMs, ending);
  }
  return false;
}

/** Reads the events after a sequence; waits for as long as the database is away. */
async function readAfter(
  { database, applicationId, tell, ending }: ForwardingParts,
  after: number,
): Promise<StoredEvent[]> {
  for (let tries = 1; !ending.aborted; tries += 1) {
    try {
      const page = { after, type: undefined, atMost: eventsAtOnce };
      const windowDays = limits.eventFeedDays;
      return (await readFeed(database, applicationId, { ...page, windowDays })).events;
    } catch (error) {
      if (!(error instanceof DatabaseUnavailableError)) throw error;
      const text = 'The database does not answer: is the service running? It is asked again.';
      if (tries === 1) tell({ waitingFor: 'database' }, text);
      await rest(tryAgainMs, ending);
    }
  }
  return [];
}

/** Follows the feed from now on, until it is told to end. Returns how many events were answered. */
export async function forwardEvents(parts: ForwardingParts): Promise<number> {
  const { database, applicationId, forwardTo, tell, ending } = parts;
  const application = await findApplication(database, applicationId);
  if (!application) throw unknownApplication(applicationId);
  const { secret, file } = await listenSecret(parts.dataDir, applicationId);
  let after = (
    await readFeed(database, applicationId, {
      after: Number.MAX_SAFE_INTEGER,
      type: undefined,
      atMost: 1,
      windowDays: limits.eventFeedDays,
    })
  ).lastSequence;
  tell(
    { applicationId, forwardTo, secret },
    `Events of "${application.name}" go to ${forwardTo}.\nThey are signed with ${secret}, the same at each run (kept in ${file}). Ctrl-C ends this.`,
  );
  let forwarded = 0;
  while (!ending.aborted) {
    const events = await readAfter(parts, after);
    for (const event of events) {
      if (!(await forward(parts, secret, event))) return forwarded;
      after = event.sequence;
      forwarded += 1;
    }
    if (events.length < eventsAtOnce) await rest(pollMs, ending);
  }
  return forwarded;
}
