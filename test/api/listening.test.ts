/** A busy process that stops: the system resets connections that wait to be accepted when a listener closes. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AddressInfo } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import { closeGracefully, listen } from '../../src/api/listening.ts';
import { RawConnection, requestText } from '../harness/raw-http.ts';

const callers = 60;
/** For how long one call occupies the process. */
const callMs = 5;

function busyApp(): FastifyInstance {
  const app = Fastify({ forceCloseConnections: 'idle', return503OnClosing: false });
  app.get('/', () => {
    const until = performance.now() + callMs;
    while (performance.now() < until);
    return {};
  });
  return app;
}

/** Calls again after each response, until one is the last of its connection. */
async function callUntilLast(connection: RawConnection): Promise<string> {
  for (;;) {
    connection.write(requestText('GET /'));
    // The process answers all callers itself, so a busy machine takes long.
    const response = await connection.response({ withinMs: 60_000 });
    if (!response) return 'no response';
    if (response.headers.get('connection') === 'close') return 'last response';
  }
}

describe('a stop', () => {
  for (const host of ['127.0.0.1', 'localhost', '0.0.0.0']) {
    it(`accepts the connections that wait, and responds to their calls: ${host}`, async () => {
      const app = busyApp();
      await listen(app, { host, port: 0 });
      const { port } = app.server.address() as AddressInfo;
      const origin = `http://127.0.0.1:${port}`;
      const endings = Array.from({ length: callers }, async () =>
        callUntilLast(await RawConnection.open(origin)),
      );
      // Some calls run; most connections have not been accepted.
      await new Promise(setImmediate);
      await closeGracefully(app);
      assert.deepEqual(new Set(await Promise.all(endings)), new Set(['last response']));
    });
  }
});
