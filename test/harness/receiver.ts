/** A partner's webhook endpoint whose responses the test chooses. */
import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { eventually } from './eventually.ts';

/** A request that arrived. */
export interface Arrival {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  /** By the receiver's own counter. */
  at: number;
}

/** Responds to a request that was read. */
export type Reply = (response: ServerResponse, arrival: Arrival) => void;

export const respond =
  (status: number, headers: Record<string, string> = {}, body = ''): Reply =>
  (response) => {
    response.writeHead(status, headers).end(body);
  };

/** Never responds. */
export const silence: Reply = () => undefined;

/** A server on loopback. */
export class Receiver {
  readonly arrivals: Arrival[] = [];
  /** The response to each request; 204 by default. */
  reply: Reply = respond(204);
  /** The most requests that were open at once, by path. */
  readonly mostOpen = new Map<string, number>();
  readonly #open = new Map<string, number>();
  readonly #sockets = new Set<Socket>();
  readonly #server = createServer();

  static async start(reply?: Reply): Promise<Receiver> {
    const receiver = new Receiver();
    if (reply) receiver.reply = reply;
    const listener: RequestListener = (request, response) => void receiver.#take(request, response);
    receiver.#server
      .on('request', listener)
      .on('connection', (socket) => receiver.#sockets.add(socket))
      .listen(0, '127.0.0.1');
    await once(receiver.#server, 'listening');
    return receiver;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Connections that were ever opened. */
  get connections(): number {
    return this.#sockets.size;
  }

  url(path = '/hook'): string {
    return `http://127.0.0.1:${this.port}${path}`;
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '';
    const open = (this.#open.get(path) ?? 0) + 1;
    this.#open.set(path, open);
    this.mostOpen.set(path, Math.max(open, this.mostOpen.get(path) ?? 0));
    response.once('close', () => this.#open.set(path, (this.#open.get(path) ?? 1) - 1));
    const at = performance.now();
    const body = (await buffer(request)).toString();
    const arrival = { path, headers: request.headers, body, at };
    this.arrivals.push(arrival);
    this.reply(response, arrival);
  }

  /** What arrived at a path, as `sequence` has it. */
  sequences(path = '/hook'): number[] {
    const here = this.arrivals.filter((arrival) => arrival.path === path);
    return here.map(({ body }) => (JSON.parse(body) as { sequence: number }).sequence);
  }

  async receives(count: number, withinMs?: number): Promise<Arrival[]> {
    await eventually(async () => this.arrivals.length >= count, withinMs);
    return this.arrivals;
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }
}
