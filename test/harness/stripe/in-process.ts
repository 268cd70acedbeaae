/** The stand-in as a `fetch` without sockets, for the provider's own client. */
import { decodeForm } from './parameters.ts';
import type { Request, StandIn } from './stand-in.ts';

/** A request of the client as the stand-in reads it. */
export function requestOf(url: URL, method: string, headers: Headers, body: string): Request {
  return {
    method,
    path: url.pathname,
    parameters: decodeForm(method === 'GET' ? url.search.slice(1) : body),
    key: headers.get('idempotency-key'),
    authorization: headers.get('authorization'),
    version: headers.get('stripe-version'),
  };
}

/** A `fetch` that asks the stand-in. Without an answer it rejects at once, so a simulation needs no timer. */
export const standInFetch =
  (standIn: StandIn): typeof fetch =>
  async (input, init) => {
    init?.signal?.throwIfAborted();
    const body = typeof init?.body === 'string' ? init.body : '';
    const headers = new Headers(init?.headers);
    const reply = standIn.reply(
      requestOf(new URL(String(input)), init?.method ?? 'GET', headers, body),
    );
    if (reply.kind !== 'answer') throw new TypeError('fetch failed');
    const { answer } = reply;
    return Response.json(answer.body, { status: answer.status, headers: answer.headers ?? {} });
  };
