/** Sends requests by `node:http`, which takes a third of the CPU of `fetch`. */
import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';

/** A request to send. */
export interface Sending {
  method: string;
  headers: Record<string, string>;
  body?: string | Buffer;
  /** On abort, the caller disconnects. */
  signal?: AbortSignal;
}

/** A response with its whole body. */
export interface Received {
  status: number;
  headers: Headers;
  text: string;
}

const agent = new Agent({ keepAlive: true });

/** Sends a request. Rejects if no complete response comes. */
export function send(url: string, { body, ...options }: Sending): Promise<Received> {
  const { promise, resolve, reject } = Promise.withResolvers<Received>();
  const sent = request(url, { ...options, agent }, (response) => {
    const { statusCode, headersDistinct } = response;
    const pairs = Object.entries(headersDistinct).flatMap(([name, values = []]) =>
      values.map((value): [string, string] => [name, value]),
    );
    const whole = (received: string): Received => ({
      status: statusCode!,
      headers: new Headers(pairs),
      text: received,
    });
    text(response).then(whole).then(resolve, reject);
  });
  sent.on('error', reject);
  sent.end(body);
  return promise;
}
