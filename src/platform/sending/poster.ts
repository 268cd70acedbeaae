import type { EpochMs } from '../../contract/time.ts';
import { giveUpAfter } from '../sleeper.ts';
import { traceHeaders } from '../tracing/tracing.ts';
import { createConnections } from './connections.ts';
import { createDial } from './dial.ts';
import { attemptTimeoutMs, type Exchange, type ExchangeResult, startExchange } from './exchange.ts';
import { hostOf } from './host.ts';
import { signedHeaders } from './signature.ts';

/** A receiver of signed requests that the operator runs. */
export interface PostReceiver {
  url: URL;
  /** Each request is signed with each of them, `whsec_…`. */
  secrets: readonly string[];
}

/** The result of a request. */
export interface Posted extends ExchangeResult {
  /** Why it was not taken, for the operator; null: it was. */
  problem: string | null;
}

/** Posts signed JSON to one receiver. */
export interface Poster {
  /** A request that is sent again has the same ID. */
  post(id: string, body: string, now: EpochMs): Promise<Posted>;
  /** Removes closed connections. */
  tidy(): void;
  /** Ends the requests in flight, and closes the connections. */
  close(): Promise<void>;
}

const problemOf = ({ error, status }: ExchangeResult): string | null =>
  error === null || status === null ? error : `${error} ${status}`;

/** Creates a poster. */
export function createPoster({ url, secrets }: PostReceiver, userAgent: string): Poster {
  const connections = createConnections(createDial());
  const inFlight = new Set<Exchange>();
  return {
    async post(id, body, now) {
      const exchange = startExchange(connections.to(url, hostOf(url)), {
        path: `${url.pathname}${url.search}`,
        headers: {
          'content-type': 'application/json',
          'user-agent': userAgent,
          ...signedHeaders(secrets, id, body, now),
          ...traceHeaders(),
        },
        body,
      });
      inFlight.add(exchange);
      try {
        const expire = () => exchange.expire();
        const result = await giveUpAfter(attemptTimeoutMs, expire, () => exchange.result);
        return { ...result, problem: problemOf(result) };
      } finally {
        inFlight.delete(exchange);
      }
    },
    tidy: () => connections.tidy(),
    async close() {
      for (const exchange of inFlight) exchange.expire();
      await connections.destroy();
    },
  };
}
