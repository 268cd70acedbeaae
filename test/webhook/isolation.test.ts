/**
 * Endpoints that do not respond, or respond incorrectly, beside one that works. The time of an attempt does not
 * pass here: what waits for them waits for ever.
 */
import assert from 'node:assert/strict';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { after, afterEach, beforeEach, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../harness/eventually.ts';
import { respond, Receiver, silence } from '../harness/receiver.ts';
import { sql } from '../harness/rows.ts';
import { ManualClock } from './manual-clock.ts';
import { openWebhookSystem, type WebhookSystem } from './webhook-system.ts';

const events = 120;

/** A server that misuses its connections. */
class BadEndpoint {
  /** Sent to those who connected. */
  sent = 0;
  readonly sockets = new Set<Socket>();
  readonly #server: Server;

  constructor(onSocket: (socket: Socket, badEndpoint: BadEndpoint) => void) {
    this.#server = createServer((socket) => {
      this.sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => this.sockets.delete(socket));
      onSocket(socket, this);
    });
  }

  async listen(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  url(scheme = 'http'): string {
    return `${scheme}://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  close(): void {
    this.#server.close();
    for (const socket of this.sockets) socket.destroy();
  }
}

const piece = Buffer.alloc(16_384, 'x');

function flood(socket: Socket, badEndpoint: BadEndpoint): void {
  if (socket.destroyed) return;
  badEndpoint.sent += piece.length;
  socket.write(piece, (error) => !error && setImmediate(flood, socket, badEndpoint));
}

/** The kinds of faulty receivers. */
const badEndpoints: readonly {
  name: string;
  scheme?: string;
  onSocket: ConstructorParameters<typeof BadEndpoint>[0];
}[] = [
  { name: 'accepts the request and never responds', onSocket: (socket) => void socket.resume() },
  {
    name: 'sends its head a byte at a time',
    onSocket(socket) {
      const head = 'HTTP/1.1 200 OK\r\nx-padding: y';
      let index = 0;
      const drip = setInterval(() => socket.write(head[index++] ?? 'y'), 20);
      socket.on('close', () => clearInterval(drip)).resume();
    },
  },
  {
    name: 'sends its body a byte at a time',
    onSocket(socket) {
      socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9999\r\n\r\n'));
      const drip = setInterval(() => socket.write('y'), 20);
      socket.on('close', () => clearInterval(drip));
    },
  },
  {
    name: 'never ends its body',
    onSocket(socket, badEndpoint) {
      socket.once('data', () => {
        socket.write('HTTP/1.1 500 No\r\ntransfer-encoding: identity\r\n\r\n');
        flood(socket, badEndpoint);
      });
    },
  },
  {
    name: 'redirects to itself',
    onSocket: (socket) =>
      socket.on('data', () =>
        socket.write('HTTP/1.1 307 There\r\nlocation: /\r\ncontent-length: 0\r\n\r\n'),
      ),
  },
  { name: 'refuses TLS', scheme: 'https', onSocket: (socket) => void socket.resume().end('no') },
  {
    name: 'never completes the TLS handshake',
    scheme: 'https',
    onSocket: (socket) => void socket.resume(),
  },
  { name: 'closes the connection', onSocket: (socket) => void socket.destroy() },
  { name: 'closes half of the connection', onSocket: (socket) => void socket.resume().end() },
  {
    name: 'sends 100 Continue forever',
    onSocket(socket) {
      const more = setInterval(() => socket.write('HTTP/1.1 102 Processing\r\n\r\n'), 20);
      socket.on('close', () => clearInterval(more)).resume();
    },
  },
];

describe('a healthy endpoint', () => {
  let webhookSystem: WebhookSystem;
  let receiver: Receiver;
  let clock: ManualClock;
  const opened: BadEndpoint[] = [];
  const others: Receiver[] = [];

  beforeEach(async () => {
    webhookSystem = await openWebhookSystem();
    receiver = await Receiver.start();
    clock = new ManualClock();
  });
  afterEach(async () => {
    clock.pass(60_000);
    await webhookSystem.close();
    await receiver.close();
  });
  after(async () => {
    opened.forEach((server) => server.close());
    await Promise.all(others.map((other) => other.close()));
  });

  async function badEndpoint(
    onSocket: ConstructorParameters<typeof BadEndpoint>[0],
  ): Promise<BadEndpoint> {
    const listening = await new BadEndpoint(onSocket).listen();
    opened.push(listening);
    return listening;
  }

  for (const { name, scheme, onSocket } of badEndpoints) {
    // Spec: WEBHOOK-10.
    it(`is served in order beside one that ${name}`, async () => {
      const bad = await badEndpoint(onSocket);
      const applicationId = await webhookSystem.application();
      await webhookSystem.endpoint(bad.url(scheme), { applicationId });
      await webhookSystem.endpoint(receiver.url(), { applicationId });
      webhookSystem.start({ later: clock.later });
      await webhookSystem.happen(applicationId, events);
      await receiver.receives(events, 15_000);
      receiver.sequences().forEach((sequence, index) => {
        assert.ok(Math.abs(sequence - 1 - index) < 5, `${sequence} came at index ${index}`);
      });
      assert.ok(bad.sockets.size <= 5, `${bad.sockets.size} connections at once`);
      assert.ok(bad.sent < 8_000_000, `took ${bad.sent} bytes`);
    });
  }

  it('is served beside more silent endpoints than there are slots', async () => {
    const silent = await Receiver.start(silence);
    others.push(silent);
    const bulkheads = { quick: 10, trial: 4, slow: 6, waiting: 40, quickMs: 100 };
    const applicationId = await webhookSystem.application();
    const silentOnes = 30;
    for (let n = 0; n < silentOnes; n += 1) {
      await webhookSystem.endpoint(silent.url(`/${n}`), { applicationId });
    }
    webhookSystem.start({ later: clock.later, now: clock.now, bulkheads });
    await webhookSystem.happen(applicationId, 20);
    await eventually(async () => {
      clock.pass(bulkheads.quickMs);
      return silent.arrivals.length >= silentOnes;
    }, 15_000);
    // From here on, no attempt becomes slow because this machine is.
    clock.pass(bulkheads.quickMs);
    const healthy = await webhookSystem.endpoint(receiver.url());
    await webhookSystem.happen(healthy.applicationId, events);
    await receiver.receives(events, 15_000);
    await sleep(500);
    const [row] = await sql<{ count: number }>(
      webhookSystem.database,
      'SELECT count(*)::integer AS count FROM webhook_deliveries WHERE leased',
    );
    assert.ok(row!.count <= bulkheads.waiting + bulkheads.trial, `${row!.count} in flight`);
  });

  it('is served beside one whose DNS query never returns', async () => {
    const applicationId = await webhookSystem.application();
    await webhookSystem.endpoint('https://slow.test/hook', { applicationId });
    await webhookSystem.endpoint(receiver.url(), { applicationId });
    webhookSystem.start({ later: clock.later, resolve: () => new Promise(() => undefined) });
    await webhookSystem.happen(applicationId, events);
    await receiver.receives(events, 15_000);
  });

  it('is served beside one that has thousands of failed deliveries due', async () => {
    const failing = await Receiver.start(respond(500));
    others.push(failing);
    const applicationId = await webhookSystem.application();
    const bad = await webhookSystem.endpoint(failing.url(), { applicationId });
    await sql(
      webhookSystem.database,
      `INSERT INTO webhook_deliveries (endpoint_id, application_id, event_type, test_event)
        SELECT $1, $2, 'checkout.resolved', '{}' FROM generate_series(1, 5000)`,
      [bad.endpointId, applicationId],
    );
    await webhookSystem.endpoint(receiver.url(), { applicationId });
    webhookSystem.start({ later: clock.later });
    await webhookSystem.happen(applicationId, events);
    await receiver.receives(events, 15_000);
  });
});
