import type { WebhookClaim } from './store/claims.ts';
import type { Connections } from './connections.ts';
import { findDestination, type Destination, type Resolve } from './destination.ts';
import type { EndpointRules } from './endpoint-url.ts';
import { startExchange, unanswered, type Answer, type Exchange } from './exchange.ts';
import { webhookMessage } from './message.ts';

/** What came of an attempt. */
export interface Attempted extends Answer {
  durationMs: number;
}

/** An attempt that is under way. */
export interface Attempt {
  done: Promise<Attempted>;
  /** Ends it without waiting any longer. */
  expire(): void;
}

/** Calls back after a time, unless it is taken back. */
export type Later = (ms: number, act: () => void) => () => void;

export interface SenderParts {
  rules: EndpointRules;
  resolve: Resolve;
  connections: Connections;
  later: Later;
}

/** From the name to the end of the answer. Spec: Webhooks, answered within 15 seconds. */
export const answerWithinMs = 15_000;

const addressesTried = 4;

function postOf(claim: WebhookClaim, url: URL) {
  const { headers, body } = webhookMessage(claim.event, claim.secrets, claim.now);
  return {
    path: `${url.pathname}${url.search}`,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Latchkey-Webhooks',
      ...headers,
    },
    body,
  };
}

/** Addresses to which there are connections first. */
function inOrder(destination: readonly string[], isConnected: (address: string) => boolean) {
  const known = destination.filter(isConnected);
  return [...new Set([...known, ...destination])].slice(0, addressesTried);
}

/** Attempts what is claimed, once, at an address that is judged anew. */
export function startAttempt(parts: SenderParts, claim: WebhookClaim): Attempt {
  const { connections } = parts;
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
    Promise.race([findDestination(claim.url, parts.rules, parts.resolve), late]);

  async function answer(): Promise<Answer> {
    if (claim.secretError !== null) return unanswered('secret_unreadable');
    const destination = await find();
    if (destination === 'late' || expired) return unanswered('timeout');
    if ('error' in destination) return unanswered(destination.error);
    const { url } = destination;
    const post = postOf(claim, url);
    const isConnected = (address: string): boolean => connections.has(url, address);
    let last = unanswered('connection');
    for (const address of inOrder(destination.addresses, isConnected)) {
      exchange = startExchange(connections.to(url, address), post);
      last = await exchange.answer;
      // Another address of the same host only where nobody was there to take it.
      if (last.error !== 'connection' || last.sent || expired) break;
    }
    return last;
  }

  const takeBack = parts.later(answerWithinMs, expire);
  const done = answer()
    .catch(() => unanswered('connection'))
    .then((answered) => ({ ...answered, durationMs: Math.round(performance.now() - begin) }))
    .finally(takeBack);
  return { done, expire };
}
