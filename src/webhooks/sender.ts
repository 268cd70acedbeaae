import type { WebhookClaim } from './store/claims.ts';
import type { WebhookAttemptError } from './store/delivery-rows.ts';
import type { Connections } from '../platform/sending/connections.ts';
import {
  findDestination,
  type Destination,
  type Resolve,
} from '../platform/sending/destination.ts';
import type { RemoteRules } from '../platform/sending/remote-url.ts';
import {
  type ExchangeResult,
  attemptTimeoutMs,
  type Exchange,
  startExchange,
  withoutResponse,
} from '../platform/sending/exchange.ts';
import { traceHeaders } from '../platform/tracing/tracing.ts';
import { webhookMessage } from './message.ts';

/** The result of an attempt, without its duration. */
export type Answered = ExchangeResult<WebhookAttemptError>;

/** The result of an attempt. */
export interface Attempted extends Answered {
  durationMs: number;
}

/** An attempt in flight. */
export interface Attempt {
  done: Promise<Attempted>;
  /** Ends the attempt now. */
  expire(): void;
}

/** Schedules a callback. Returns a function that cancels it. */
export type Schedule = (ms: number, act: () => void) => () => void;

export interface SenderContext {
  rules: RemoteRules;
  resolve: Resolve;
  connections: Connections;
  later: Schedule;
  /** Runs an attempt in the trace of its booking. Absent: in none. */
  inTrace?(claim: WebhookClaim, work: () => Promise<Answered>): Promise<Answered>;
}

const addressesTried = 4;

function postOf(claim: WebhookClaim, url: URL) {
  const { headers, body } = webhookMessage(claim.event, claim.secrets, claim.now);
  return {
    path: `${url.pathname}${url.search}`,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Latchkey-Webhooks',
      ...headers,
      ...traceHeaders(),
    },
    body,
  };
}

/** Orders addresses: those with open connections first. */
function inOrder(destination: readonly string[], isConnected: (address: string) => boolean) {
  const known = destination.filter(isConnected);
  return [...new Set([...known, ...destination])].slice(0, addressesTried);
}

/** Starts one attempt of a claimed delivery, with newly checked addresses. */
export function startAttempt(context: SenderContext, claim: WebhookClaim): Attempt {
  const { connections } = context;
  const begin = performance.now();
  const { promise: late, resolve: endWait } = Promise.withResolvers<'late'>();
  let exchange: Exchange | null = null;
  let expired = false;

  function expire(): void {
    expired = true;
    endWait('late');
    exchange?.expire();
  }

  const find = (): Promise<Destination | 'late'> =>
    Promise.race([findDestination(claim.url, context.rules, context.resolve), late]);

  async function answer(): Promise<Answered> {
    if (claim.secretError !== null) return withoutResponse('secret_unreadable');
    const destination = await find();
    if (destination === 'late' || expired) return withoutResponse('timeout');
    if ('error' in destination) return withoutResponse(destination.error);
    const { url } = destination;
    const post = postOf(claim, url);
    const isConnected = (address: string): boolean => connections.has(url, address);
    let last: ExchangeResult = withoutResponse('connection');
    for (const address of inOrder(destination.addresses, isConnected)) {
      exchange = startExchange(connections.to(url, address), post);
      last = await exchange.result;
      // Tries another address of the host only if nothing was sent.
      if (last.error !== 'connection' || last.sent || expired) break;
    }
    return last;
  }

  const { inTrace = (_claim, work) => work() } = context;
  const takeBack = context.later(attemptTimeoutMs, expire);
  const done = inTrace(claim, answer)
    .catch((): Answered => withoutResponse('connection'))
    .then((answered) => ({ ...answered, durationMs: Math.round(performance.now() - begin) }))
    .finally(takeBack);
  return { done, expire };
}
