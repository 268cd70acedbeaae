/** `latchkey-partner events` and `listen`: the event feed on a terminal, or posted to a program. */
import { createHash } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { FollowedEvents } from '../client/client.ts';
import type { Event } from '../contract/types.ts';
import { waits } from '../client/settings.ts';
import { signWebhook } from '../webhooks.ts';
import { type CommandContext, NotPossibleError, textOf, UsageError } from './context.ts';

const typesOf = (context: CommandContext): ReadonlySet<string> | null => {
  const text = textOf(context, 'types');
  return text === undefined ? null : new Set(text.split(',').map((type) => type.trim()));
};

/** Where to begin: a date (UTC), an instant, a cursor, or `latest`. */
function beginning(
  context: CommandContext,
  otherwise: string | undefined,
): { from?: string; cursor?: string } {
  const since = textOf(context, 'since') ?? otherwise;
  if (since === undefined) return {};
  if (/^\d{4}-\d{2}-\d{2}$/.test(since)) return { from: `${since}T00:00:00Z` };
  const isInstant = since === 'latest' || /^\d{4}-\d{2}-\d{2}T/.test(since);
  return isInstant ? { from: since } : { cursor: since };
}

const line = ({ sequence, type, id, data }: Event): string => {
  const { reference, checkoutId, state } = data as {
    reference?: string;
    checkoutId?: string;
    state?: string;
  };
  return `${sequence}  ${type}  ${id}  ${reference ?? checkoutId ?? ''}  ${state ?? ''}`.trimEnd();
};

/** Prints what the feed has, oldest first; with `--follow` also what comes, until Ctrl-C. */
export async function events(context: CommandContext): Promise<number> {
  const { client, flags, say, show, signal } = context;
  const types = typesOf(context);
  const print = ({ events: found }: Pick<FollowedEvents, 'events'>) => {
    for (const event of found.filter(({ type }) => types?.has(type) ?? true)) {
      say(line(event));
      show(event);
    }
  };
  if (flags['follow'] === true) {
    for await (const page of client.follow({ ...beginning(context, undefined), signal }))
      print(page);
    return 0;
  }
  let query: Record<string, string> = beginning(context, undefined) as Record<string, string>;
  let isEmpty = true;
  for (;;) {
    const page = await client.call(
      'reservation.event.list',
      { query: { ...query, limit: 50 } },
      { signal },
    );
    const { items, nextCursor, hasMore } = page;
    print({ events: items });
    isEmpty &&= items.length === 0;
    if (!hasMore) {
      if (!isEmpty) say(`Continue with --since ${nextCursor}`);
      return 0;
    }
    query = { cursor: nextCursor };
  }
}

interface Posted {
  status: number | null;
  milliseconds: number;
  problem?: string;
}

/** By `node:http`, not `fetch`: only this address may have any certificate. */
function post(
  url: URL,
  headers: Readonly<Record<string, string>>,
  body: string,
  isAnyCertificate: boolean,
): Promise<Posted> {
  const began = Date.now();
  const options = { method: 'POST', headers, timeout: 15_000 };
  return new Promise((resolve) => {
    const request =
      url.protocol === 'https:'
        ? httpsRequest(url, { ...options, rejectUnauthorized: !isAnyCertificate })
        : httpRequest(url, options);
    const end = (status: number | null, problem?: string) =>
      resolve({
        status,
        milliseconds: Date.now() - began,
        ...(problem !== undefined && { problem }),
      });
    request.on('response', (response) => {
      response.resume();
      end(response.statusCode ?? null);
    });
    request.on('timeout', () => request.destroy(new Error('no response within 15 seconds')));
    request.on('error', (error) => end(null, error.message));
    request.end(body);
  });
}

const retryDelays = [1, 2, 5, 10, 30] as const;

interface Target {
  url: URL;
  secret: string;
}

function targetOf(context: CommandContext): Target {
  const address = textOf(context, 'forward-to');
  if (address === undefined || !URL.canParse(address)) {
    throw new UsageError('listen needs --forward-to URL, such as http://localhost:3000/hook.');
  }
  const { LATCHKEY_APPLICATION_KEY: key = '', LATCHKEY_WEBHOOK_SECRET: known } = context.env;
  const given = textOf(context, 'secret') ?? known;
  // The same at each run without a file: only who has the key can know it.
  const derived = createHash('sha256').update(`latchkey-partner listen ${key}`).digest('base64');
  return { url: new URL(address), secret: given ?? `whsec_${derived}` };
}

/** Posts an event; with `--retry` until a 2xx. Returns whether it was taken. */
async function deliver(
  context: CommandContext,
  { url, secret }: Target,
  event: Event,
): Promise<boolean> {
  const { flags, say, show, signal } = context;
  const body = JSON.stringify(event);
  for (let attempt = 0; !signal.aborted; attempt += 1) {
    const signed = await signWebhook(body, { id: event.id, secret });
    const headers = {
      ...signed,
      'content-type': 'application/json',
      'user-agent': 'latchkey-partner',
    };
    const posted = await post(url, headers, body, flags['insecure'] === true);
    say(`${line(event)}  →  ${posted.status ?? posted.problem}  ${posted.milliseconds} ms`);
    show({ eventId: event.id, type: event.type, sequence: event.sequence, ...posted });
    if (posted.status !== null && posted.status >= 200 && posted.status < 300) return true;
    if (flags['retry'] !== true) return false;
    const delay = retryDelays[Math.min(attempt, retryDelays.length - 1)]!;
    await waits(delay * 1_000, signal).catch(() => undefined);
  }
  return false;
}

async function findEvent({ client, signal }: CommandContext, id: string): Promise<Event> {
  let query: Record<string, string> = {};
  for (;;) {
    const page = await client.call(
      'reservation.event.list',
      { query: { ...query, limit: 50 } },
      { signal },
    );
    const found = page.items.find((event) => event.id === id);
    if (found) return found;
    if (!page.hasMore) throw new NotPossibleError(`The feed has no event ${id}.`);
    query = { cursor: page.nextCursor };
  }
}

/** Posts each event to a program, signed as a webhook, in order, until Ctrl-C. */
export async function listen(context: CommandContext): Promise<number> {
  const { client, say, show, signal } = context;
  const target = targetOf(context);
  const again = textOf(context, 'resend');
  if (again !== undefined) {
    return (await deliver(context, target, await findEvent(context, again))) ? 0 : 1;
  }
  const types = typesOf(context);
  const begin = beginning(context, 'latest');
  // Read before it is announced: what happens from then on is posted.
  const { nextCursor } =
    begin.from === 'latest'
      ? await client.call('reservation.event.list', { query: begin }, { signal })
      : { nextCursor: undefined };
  const from = nextCursor === undefined ? begin : { cursor: nextCursor };
  say(`Events go to ${target.url.href}, signed with ${target.secret}. Press Ctrl-C to stop.`);
  show({ forwardTo: target.url.href, secret: target.secret });
  for await (const page of client.follow({ ...from, everySeconds: 1, signal })) {
    for (const event of page.events) {
      if (types?.has(event.type) ?? true) await deliver(context, target, event);
    }
  }
  return 0;
}
