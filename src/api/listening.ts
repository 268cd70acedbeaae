/** Opens and closes the sockets of the server, with readable errors and without losing requests. */
import type { FastifyInstance } from 'fastify';
import { createServer, Server, type Socket } from 'node:net';
import { setImmediate as nextLoopIteration, setTimeout as sleep } from 'node:timers/promises';
import { startLoop } from '../platform/loop.ts';
import { giveUpAfter } from '../platform/sleeper.ts';

/** The server cannot listen; the message says how to fix it. */
export class ListenError extends Error {}

const requestsEndWithinMs = 4_000;
const acceptWithinMs = 2_000;
const enoughQuietIterations = 3;
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

/**
 * Closes the listener after every connection that waits has been accepted: the system resets the others,
 * with the calls that they have sent. libuv accepts one connection in each iteration of the event loop.
 */
async function closeListener(server: Server): Promise<void> {
  const deadline = performance.now() + acceptWithinMs;
  let quietIterations = 0;
  const accepted = (): void => {
    quietIterations = 0;
  };
  server.on('connection', accepted).on('drop', accepted);
  while (quietIterations < enoughQuietIterations && performance.now() < deadline) {
    quietIterations += 1;
    await nextLoopIteration();
  }
  server.off('connection', accepted).off('drop', accepted);
  // Unlike the `close` of `http`, this keeps idle connections open.
  Server.prototype.close.call(server);
}

/** What closing an app needs to know. */
interface Listening {
  servers: Server[];
  /** While the listeners close, new requests wait for this. */
  closing: Promise<void> | null;
}

const listening = new WeakMap<FastifyInstance, Listening>();

/** Whether the listeners have closed, so that every connection ends after its response. */
export const isClosing = (app: FastifyInstance): boolean =>
  !app.server.listening && listening.has(app);

async function listenOn(app: FastifyInstance, host: string, port: number): Promise<void> {
  const state: Listening = { servers: [app.server], closing: null };
  app.addHook('onRequest', (_request, _reply, done) => {
    if (state.closing === null) done();
    else void state.closing.finally(done);
  });
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (isClosing(app)) reply.header('connection', 'close');
    done();
  });
  await app.listen({ host, port });
  listening.set(app, state);
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
  const secondClosed = new Promise<void>((resolve) => {
    secondServer.once('close', resolve);
  });
  app.addHook('onClose', async () => {
    if (listening.get(app)?.servers.includes(secondServer)) await secondClosed;
  });
  await listenOn(app, '127.0.0.1', port);
  try {
    await opened(secondServer, '::1', port);
    listening.get(app)!.servers.push(secondServer);
  } catch (error) {
    // Without IPv6 there is no second address.
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') throw error;
  }
}

async function tryToListen(host: string, port: number): Promise<void> {
  const server = createServer();
  await opened(server, host, port);
  await new Promise((resolve) => server.close(resolve));
}

/** Checks that the address can be listened on, before anything is stored or started for it. Throws `ListenError`. */
export async function checkAddress({ host, port }: { host: string; port: number }): Promise<void> {
  try {
    await tryToListen(host === 'localhost' ? '127.0.0.1' : host, port);
  } catch (error) {
    throw toListenError(error, host, port);
  }
}

/**
 * Listens, on both addresses if the host is `localhost`. End it with `closeGracefully`. Throws `ListenError`.
 */
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

/** Closes the listeners. Meanwhile new requests wait: they would slow down the event loop. */
async function closeListeners(app: FastifyInstance): Promise<void> {
  const state = listening.get(app);
  if (!state) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  state.closing = promise;
  await Promise.all(state.servers.map(closeListener));
  state.closing = null;
  resolve();
  await sleep(drainMs);
}

/**
 * Closes the listeners first and the connections later. Calls that still arrive on open connections get
 * their response with `Connection: close`. Sending `Connection: close` earlier makes clients reconnect
 * just before the listener closes. Waits for requests in flight; those that take too long are aborted.
 */
export async function closeGracefully(app: FastifyInstance): Promise<void> {
  const { server } = app;
  await closeListeners(app);
  // A finished request leaves an idle connection, which nothing else closes.
  const sweep = startLoop({
    name: 'close idle connections',
    everyMs: sweepMs,
    afterMs: sweepMs,
    work: async () => server.closeIdleConnections(),
    log: app.log,
  });
  const cut = () => server.closeAllConnections();
  await giveUpAfter(requestsEndWithinMs, cut, () => app.close()).finally(sweep.stop);
}
