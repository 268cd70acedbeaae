/** A partner's program that webhooks are posted to, on this machine. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A delivery as it arrived. */
export interface Received {
  headers: IncomingHttpHeaders;
  body: string;
}

export interface LocalReceiver {
  url: string;
  received: Received[];
  /** What it answers from now on. */
  answer: { status: number; body: string };
  close(): Promise<void>;
}

/** Starts a receiver that takes everything in until told otherwise. */
export async function startLocalReceiver(): Promise<LocalReceiver> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      receiver.received.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
      response.writeHead(receiver.answer.status, { 'content-type': 'text/plain' });
      response.end(receiver.answer.body);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const receiver: LocalReceiver = {
    url: `http://127.0.0.1:${port}/hook`,
    received: [],
    answer: { status: 204, body: '' },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return receiver;
}
