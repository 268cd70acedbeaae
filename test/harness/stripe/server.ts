/** The stand-in behind a local HTTP server, as `STRIPE_API_URL` names it. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { requestOf } from './in-process.ts';
import type { StandIn } from './stand-in.ts';

async function respond(
  standIn: StandIn,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://stand-in');
  const headers = new Headers(request.headers as Record<string, string>);
  const body = await text(request);
  const reply = standIn.reply(requestOf(url, request.method ?? 'GET', headers, body));
  if (reply.kind === 'silence') return;
  if (reply.kind === 'cut') {
    request.socket.destroy();
    return;
  }
  const { answer, delayMs } = reply;
  if (delayMs > 0) await pause(delayMs);
  const common = { 'content-type': 'application/json', 'request-id': 'req_standin' };
  response.writeHead(answer.status, { ...common, ...answer.headers });
  response.end(JSON.stringify(answer.body));
}

/** A running server. */
export interface StandInServer extends AsyncDisposable {
  url: string;
}

function close(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}

/** Serves the stand-in on loopback. */
export async function serveStandIn(standIn: StandIn): Promise<StandInServer> {
  const server = createServer((request, response) => {
    void respond(standIn, request, response).catch((error: unknown) => {
      response.destroy(error as Error);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, [Symbol.asyncDispose]: () => close(server) };
}
