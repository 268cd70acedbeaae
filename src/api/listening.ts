/** Opens and closes the sockets of the server, with readable errors and without losing requests. */
import type { FastifyInstance } from 'fastify';
import { createServer, Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** The server cannot listen; the message says how to fix it. */
export class ListenError extends Error {}

const requestsEndWithinMs = 4_000;
const drainMs = 500;
const sweepMs = 50;

const reasons: Readonly<Record<string, (host: string, port: number) => string>> = {
  EADDRINUSE: (host, port) =>
    `Port ${port} on ${host} is in use by another process. Stop that one, or set PORT to a free port.`,
  EACCES: (host, port) =>
    `Port ${port} on ${host} is not open to this account. Set PORT to a port from 1024 up.`,
  EADDRNOTAVAIL: (host) =>
    `LATCHKEY_HOST=${host} is no address of this machine. Set it to one, or to 0.0.0.0 for all.`,
  ENOTFOUND: (host) => `LATCHKEY_HOST=${host} is no name that this machine can resolve.`,
};

function toListenError(error: unknown, host: string, port: number): unknown {
  const { code = '' } = error as NodeJS.ErrnoException;
  const reason = reasons[code]?.(host, port);
  return reason === undefined ? error : new ListenError(reason, { cause: error });
}

function opened(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('listening', resolve);
    server.once('error', reject);
    server.listen({ host, port });
  });
}

const closed = (server: Server): Promise<void> =>
  new Promise((resolve) => server.close(() => resolve()));

/**
 * Closes the listener first and the connections later. Calls that still arrive on open connections get
 * their response with `Connection: close`. Sending `Connection: close` earlier makes clients reconnect
 * just before the listener closes.
 */
function closeListenerFirst(app: FastifyInstance): void {
  app.addHook('preClose', async () => {
    if (!app.server.listening) return;
    // Unlike the `close` of `http`, this keeps idle connections open.
    Server.prototype.close.call(app.server);
    await sleep(drainMs);
  });
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (!app.server.listening) reply.header('connection', 'close');
    done();
  });
}

async function listenOn(app: FastifyInstance, host: string, port: number): Promise<void> {
  closeListenerFirst(app);
  await app.listen({ host, port });
}

/**
 * `localhost` has two addresses, and a server listens on one. A second server accepts connections to the
 * other and passes them on. (Fastify's own second server lacks the handlers of the first.)
 */
async function listenOnLocalhost(app: FastifyInstance, port: number): Promise<void> {
  const secondServer = createServer({ allowHalfOpen: true, noDelay: true }, (socket: Socket) =>
    app.server.emit('connection', socket),
  );
  secondServer.maxConnections = app.server.maxConnections;
  secondServer.on('drop', (dropped) => app.server.emit('drop', dropped));
  let secondClosed: Promise<void> | undefined;
  app.addHook('preClose', async () => {
    secondClosed = closed(secondServer);
  });
  app.addHook('onClose', async () => secondClosed);
  await listenOn(app, '127.0.0.1', port);
  await opened(secondServer, '::1', port).catch((error: NodeJS.ErrnoException) => {
    // Without IPv6 there is no second address.
    if (error.code === 'EADDRINUSE') throw error;
  });
}

/** Listens, on both addresses if the host is `localhost`. Throws `ListenError`. */
export async function listen(
  app: FastifyInstance,
  { host, port }: { host: string; port: number },
): Promise<void> {
  try {
    await (host === 'localhost' ? listenOnLocalhost(app, port) : listenOn(app, host, port));
  } catch (error) {
    throw toListenError(error, host, port);
  }
}

/** Closes the listener and waits for requests in flight. Those that take too long are aborted. */
export async function closeGracefully(app: FastifyInstance): Promise<void> {
  const closeIdle = (): void => app.server.closeIdleConnections();
  // A finished request leaves an idle connection, which nothing else closes.
  let sweep: NodeJS.Timeout | undefined;
  const sweeping = setTimeout(() => (sweep = setInterval(closeIdle, sweepMs)), drainMs);
  const cut = setTimeout(() => app.server.closeAllConnections(), requestsEndWithinMs);
  try {
    await app.close();
  } finally {
    clearTimeout(sweeping);
    clearInterval(sweep);
    clearTimeout(cut);
  }
}
