/** Which connections stay open when there are too many, and how many calls an address has behind a proxy. */
import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { once } from 'node:events';
import { after, afterEach, before, beforeEach, suite, test } from 'node:test';
import { limitConnections } from '../../src/api/connections.ts';
import { createServer as createApp } from '../../src/api/server.ts';
import { eventually } from '../harness/eventually.ts';
import { send } from '../harness/http-client.ts';
import { RawConnection, requestText } from '../harness/raw-http.ts';

suite('connections above the limit', () => {
  let server: Server;
  let closed: string[] = [];
  let sockets: Socket[] = [];
  /** Ends the calls that run. */
  let running: (() => void)[] = [];
  let network: string | null = null;

  beforeEach(async () => {
    [closed, sockets, running, network] = [[], [], [], null];
    server = createServer((_request, response) => running.push(() => response.end()));
    const limits = { most: 3, mostOfNetwork: 2, networkOf: () => network };
    limitConnections(server, limits, (reason) => closed.push(reason));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(() => {
    sockets.forEach((socket) => socket.destroy());
    server.close();
    server.closeAllConnections();
  });

  const accepted = () => once(server, 'connection');

  async function opened(): Promise<Socket> {
    const isAccepted = accepted();
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.on('error', () => undefined);
    sockets.push(socket);
    await isAccepted;
    return socket;
  }

  async function calls(socket: Socket): Promise<void> {
    const earlier = running.length;
    socket.write(requestText('GET /'));
    await eventually(async () => running.length > earlier);
  }

  const isClosed = (socket: Socket) => eventually(async () => socket.resume().closed);

  test('the longest idle one is closed, whether it has called or not', async () => {
    const [first, second, third] = [await opened(), await opened(), await opened()];
    await calls(first);
    running[0]!();
    await once(first, 'data');
    await opened();
    await isClosed(second);
    await opened();
    await isClosed(third);
    await opened();
    await isClosed(first);
    assert.deepEqual(closed, ['idle', 'idle', 'idle']);
  });

  test('one with a call is not closed; if all have one, the new one is', async () => {
    const busy = [await opened(), await opened(), await opened()];
    for (const socket of busy) await calls(socket);
    await isClosed(await opened());
    assert.deepEqual(closed, ['full']);
    assert.ok(busy.every((socket) => !socket.closed));
  });

  test('a network has a limit of its own, and room again after one of its connections ends', async () => {
    network = '203.0.113.5';
    const first = await opened();
    await opened();
    await isClosed(await opened());
    assert.deepEqual(closed, ['network']);
    first.destroy();
    await eventually(async () => {
      const { promise, resolve } = Promise.withResolvers<number>();
      server.getConnections((_error, count) => resolve(count));
      return (await promise) === 1;
    });
    assert.equal((await opened()).closed, false);
    assert.deepEqual(closed, ['network']);
  });
});

suite('calls in flight behind a proxy', () => {
  const settings = {
    tls: null,
    trustedProxy: '127.0.0.1',
    logger: false,
    connections: 1_000,
  } as const;
  const app = createApp(settings);
  let running: (() => void)[] = [];
  let origin = '';
  before(async () => {
    app.get('/wait', () => new Promise<string>((resolve) => running.push(() => resolve('done'))));
    app.get('/now', async () => 'now');
    origin = await app.listen({ port: 0, host: '127.0.0.1' });
  });
  after(() => app.close());

  const from = (address: string, path = '/now') =>
    send(`${origin}${path}`, { method: 'GET', headers: { 'x-forwarded-for': address } });

  test('an address has 200, whole networks of IPv6 together; others are not refused', async () => {
    const { port } = app.server.address() as AddressInfo;
    const waiting = await Promise.all(
      Array.from({ length: 200 }, async (_, nth) => {
        const connection = await RawConnection.open(`http://127.0.0.1:${port}`);
        connection.write(requestText('GET /wait', { 'X-Forwarded-For': `2001:db8::${nth}` }));
        return connection;
      }),
    );
    await eventually(async () => running.length === 200);
    const refused = await from('2001:db8::ffff');
    assert.equal(refused.status, 429);
    assert.equal(refused.headers.get('retry-after'), '1');
    assert.equal(
      (JSON.parse(refused.text) as { error: { code: string } }).error.code,
      'rate_limited',
    );
    assert.equal((await from('2001:db8:0:1::1')).status, 200);
    assert.equal((await from('127.0.0.1')).status, 200, 'the proxy itself has no limit');
    running.forEach((end) => end());
    running = [];
    await Promise.all(waiting.map((connection) => connection.response()));
    waiting.forEach((connection) => connection.close());
    await eventually(async () => (await from('2001:db8::ffff')).status === 200);
  });
});
