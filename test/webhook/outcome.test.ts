/** The state of a delivery and its endpoint after each kind of response. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { createServer as createTlsServer, type Server } from 'node:https';
import { createServer as createPlainServer, type AddressInfo, type Socket } from 'node:net';
import path from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import {
  findWebhookDelivery,
  type WebhookDeliveryInFull,
} from '../../src/webhooks/store/deliveries.ts';
import type {
  WebhookAttemptError,
  WebhookDelivery,
} from '../../src/webhooks/store/delivery-rows.ts';
import { createDial } from '../../src/platform/sending/dial.ts';
import { attemptTimeoutMs } from '../../src/platform/sending/exchange.ts';
import { eventually } from '../harness/eventually.ts';
import { respond, Receiver, silence, type Reply } from '../harness/receiver.ts';
import { sql } from '../harness/rows.ts';
import type { OwnEndpoint } from '../harness/webhooks.ts';
import { ManualClock } from './manual-clock.ts';
import { openWebhookSystem, type WebhookSystem } from './webhook-system.ts';

const day = 86_400;
const fixtures = path.join(import.meta.dirname, '../fixtures/tls');

/** Writes as long as the client reads. */
function endless(response: ServerResponse): void {
  response.write('x'.repeat(10_000), (error) => {
    if (!error && !response.destroyed) endless(response);
  });
}

describe('after an attempt', () => {
  let webhookSystem: WebhookSystem;
  let receiver: Receiver;
  const clock = new ManualClock();

  before(async () => {
    webhookSystem = await openWebhookSystem();
    const trusted = readFileSync(path.join(fixtures, 'localhost.crt'), 'utf8');
    webhookSystem.start({ later: clock.later, dial: createDial(trusted) });
  });
  beforeEach(async () => {
    receiver = await Receiver.start();
  });
  afterEach(() => receiver.close());
  after(() => webhookSystem.close());

  async function one(applicationId: string): Promise<WebhookDeliveryInFull> {
    const [delivery] = (await webhookSystem.deliveries(applicationId)) as [WebhookDelivery];
    const { deliveryId } = delivery;
    return (await findWebhookDelivery(webhookSystem.database, applicationId, deliveryId))!;
  }

  /** Waits until one event has had this number of attempts at this endpoint. */
  async function attempted({ applicationId }: OwnEndpoint, times: number): Promise<void> {
    await eventually(async () => {
      const [delivery] = await webhookSystem.deliveries(applicationId);
      return delivery?.attempts === times && delivery.nextAttemptAt !== null;
    }, 20_000);
  }

  /** One event at an endpoint of its own, attempted once. */
  async function failOnce(url: string): Promise<OwnEndpoint> {
    const endpoint = await webhookSystem.endpoint(url);
    await webhookSystem.happen(endpoint.applicationId);
    await attempted(endpoint, 1);
    return endpoint;
  }

  /** How long after its failure a delivery waits, in seconds. */
  async function waitsFor({ endpointId }: OwnEndpoint): Promise<number> {
    const [row] = await sql<{ seconds: number }>(
      webhookSystem.database,
      `SELECT extract(epoch FROM d.due_at - (a.started_at + a.duration_ms * interval '1 ms'))::float8
          AS seconds
        FROM webhook_deliveries d JOIN webhook_attempts a USING (delivery_id)
        WHERE d.endpoint_id = $1 ORDER BY a.number DESC LIMIT 1`,
      [endpointId],
    );
    return row!.seconds;
  }

  function assertBetween(value: number, least: number, most: number): void {
    assert.ok(value >= least - 0.1 && value <= most + 5, `${value} is not in ${least} to ${most}`);
  }

  /** Servers that are no HTTP servers. */
  async function rawServer(onSocket: (socket: Socket) => void) {
    const sockets = new Set<Socket>();
    const server = createPlainServer((socket) => {
      sockets.add(socket.on('error', () => undefined));
      onSocket(socket);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return {
      port: (server.address() as AddressInfo).port,
      close: () => {
        server.close();
        sockets.forEach((socket) => socket.destroy());
      },
    };
  }

  const replies: readonly {
    name: string;
    reply: Reply;
    error: WebhookAttemptError | null;
    status: number | null;
  }[] = [
    { name: '200', reply: respond(200), error: null, status: 200 },
    { name: '299', reply: respond(299), error: null, status: 299 },
    { name: '301', reply: respond(301, { location: '/' }), error: 'redirect', status: 301 },
    { name: '308', reply: respond(308, { location: '/' }), error: 'redirect', status: 308 },
    { name: '304', reply: respond(304), error: 'redirect', status: 304 },
    { name: '400', reply: respond(400), error: 'status', status: 400 },
    { name: '404', reply: respond(404), error: 'status', status: 404 },
    { name: '500', reply: respond(500, {}, 'no'), error: 'status', status: 500 },
    {
      name: 'a connection that closes before the response',
      reply: (response) => void response.socket?.destroy(),
      error: 'connection',
      status: null,
    },
    {
      name: 'a connection that closes within a 2xx response',
      reply: (response) => {
        response.writeHead(200, { 'content-length': '100' });
        response.write('half', () => response.socket?.destroy());
      },
      error: null,
      status: 200,
    },
    {
      name: 'a 2xx response without end',
      reply: (response) => {
        response.writeHead(200);
        endless(response);
      },
      error: null,
      status: 200,
    },
    {
      name: 'a failed response without end',
      reply: (response) => {
        response.writeHead(500);
        endless(response);
      },
      error: 'status',
      status: 500,
    },
  ];
  for (const { name, reply, error, status } of replies) {
    it(`${name}: ${error ?? 'delivered'}`, async () => {
      receiver.reply = reply;
      const { applicationId } = await webhookSystem.endpoint(receiver.url());
      await webhookSystem.happen(applicationId);
      await eventually(
        async () => (await webhookSystem.deliveries(applicationId))[0]?.attempts === 1,
      );
      const { lastError, lastStatus, state, attemptsMade } = await one(applicationId);
      assert.deepEqual({ lastError, lastStatus }, { lastError: error, lastStatus: status });
      assert.equal(state, error === null ? 'delivered' : 'retrying');
      assert.ok((attemptsMade[0]?.response?.length ?? 0) <= 2_048);
    });
  }

  it('endless headers: response_too_long', async () => {
    const server = await rawServer((socket) => {
      socket.once('data', () => socket.write(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(40_000)}`));
    });
    const { applicationId } = await failOnce(`http://127.0.0.1:${server.port}/`);
    assert.equal((await one(applicationId)).lastError, 'response_too_long');
    server.close();
  });

  it('a response that is not HTTP, or a closed port: connection', async () => {
    const server = await rawServer((socket) => socket.end('220 smtp.example.com ESMTP\r\n'));
    const { applicationId } = await failOnce(`http://127.0.0.1:${server.port}/`);
    assert.equal((await one(applicationId)).lastError, 'connection');
    server.close();
    const closed = await failOnce(`http://127.0.0.1:${server.port}/`);
    assert.equal((await one(closed.applicationId)).lastError, 'connection');
  });

  it('a refused handshake, or a certificate for another name: tls', async () => {
    const server = await rawServer((socket) => socket.once('data', () => socket.end('no')));
    const { applicationId } = await failOnce(`https://127.0.0.1:${server.port}/`);
    assert.equal((await one(applicationId)).lastError, 'tls');
    server.close();
    const wrongName = await failOnce(`https://wrong.localhost:${await tlsPort()}/`);
    assert.equal((await one(wrongName.applicationId)).lastError, 'tls');
  });

  let tlsServer: Server | null = null;
  after(() => tlsServer?.close());

  async function tlsPort(): Promise<number> {
    const key = readFileSync(path.join(fixtures, 'localhost.key'));
    const cert = readFileSync(path.join(fixtures, 'localhost.crt'));
    tlsServer ??= createTlsServer({ key, cert }, (request, response) => {
      request.resume().on('end', () => response.writeHead(204).end());
    }).listen(0);
    tlsServer.unref();
    if (!tlsServer.listening) await new Promise((resolve) => tlsServer?.once('listening', resolve));
    return (tlsServer.address() as AddressInfo).port;
  }

  it('a valid certificate: delivered over TLS', async () => {
    const { applicationId } = await webhookSystem.endpoint(`https://localhost:${await tlsPort()}/`);
    await webhookSystem.happen(applicationId);
    await webhookSystem.reaches(applicationId, 'delivered', 1);
  });

  // Spec: WEBHOOK-4.
  it('a response after 14.9 seconds: delivered; none after 15 seconds: timeout', async () => {
    assert.equal(attemptTimeoutMs, 15_000);
    let respondNow = (): void => undefined;
    receiver.reply = (response) => (respondNow = () => response.writeHead(200).end());
    const { applicationId } = await webhookSystem.endpoint(receiver.url());
    await webhookSystem.happen(applicationId);
    await receiver.receives(1);
    clock.pass(14_900);
    respondNow();
    await webhookSystem.reaches(applicationId, 'delivered', 1);

    receiver.reply = silence;
    const late = await webhookSystem.endpoint(receiver.url('/late'));
    await webhookSystem.happen(late.applicationId);
    await receiver.receives(2);
    clock.pass(15_001);
    await attempted(late, 1);
    assert.equal((await one(late.applicationId)).lastError, 'timeout');
  });

  it('the timeout covers the whole attempt: a slow body does not extend it', async () => {
    receiver.reply = (response) => {
      response.writeHead(500);
      response.write('drop');
    };
    const { applicationId } = await webhookSystem.endpoint(receiver.url());
    await webhookSystem.happen(applicationId);
    await receiver.receives(1);
    await eventually(async () => clock.waiting > 0);
    // The head has arrived when the drop has.
    await new Promise((resolve) => setTimeout(resolve, 200));
    clock.pass(15_001);
    await eventually(
      async () => (await webhookSystem.deliveries(applicationId))[0]?.attempts === 1,
    );
    const { lastError, attemptsMade } = await one(applicationId);
    assert.equal(lastError, 'status');
    assert.equal(attemptsMade[0]?.response, 'drop');
  });

  // Spec: WEBHOOK-5.
  it('a failure is retried after 5 seconds, 5 minutes, half an hour and so on, ten attempts in total', async () => {
    receiver.reply = respond(500);
    const waits = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, day];
    const endpoint = await failOnce(receiver.url());
    for (const [index, wait] of waits.entries()) {
      await attempted(endpoint, index + 1);
      assertBetween(await waitsFor(endpoint), wait, wait * 1.1);
      await webhookSystem.pass(endpoint, wait * 1.1 + 1);
    }
    await webhookSystem.reaches(endpoint.applicationId, 'exhausted', 1);
    const { attemptsMade, attempts, nextAttemptAt } = await one(endpoint.applicationId);
    assert.equal(attempts, 10);
    assert.equal(nextAttemptAt, null);
    assert.deepEqual(
      attemptsMade.map(({ number }) => number),
      [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
    );
    const ids = new Set(receiver.arrivals.map(({ headers }) => headers['webhook-id']));
    assert.equal(ids.size, 1, 'every attempt has the ID of the event');
  });

  for (const status of [429, 503]) {
    it(`Retry-After of ${status} can make the delay longer, not shorter`, async () => {
      receiver.reply = respond(status, { 'retry-after': '3600' });
      assertBetween(await waitsFor(await failOnce(receiver.url())), 3_600, 3_600);
      receiver.reply = respond(status, { 'retry-after': '1' });
      assertBetween(await waitsFor(await failOnce(receiver.url('/less'))), 5, 5.5);
      const at = new Date(Date.now() + 7_200_000).toUTCString();
      receiver.reply = respond(status, { 'retry-after': at });
      assertBetween(await waitsFor(await failOnce(receiver.url('/date'))), 7_190, 7_200);
      receiver.reply = respond(status, { 'retry-after': '31536000' });
      assertBetween(await waitsFor(await failOnce(receiver.url('/year'))), day, day);
    });
  }

  it('Retry-After of 500 is ignored', async () => {
    receiver.reply = respond(500, { 'retry-after': '3600' });
    assertBetween(await waitsFor(await failOnce(receiver.url())), 5, 5.5);
  });

  // Spec: WEBHOOK-6.
  it('410 disables the endpoint at once', async () => {
    receiver.reply = respond(410);
    const endpoint = await failOnce(receiver.url());
    const { state, stateReason } = await webhookSystem.read(endpoint);
    assert.deepEqual({ state, stateReason }, { state: 'disabled', stateReason: 'gone' });
    receiver.reply = respond(204);
    await webhookSystem.happen(endpoint.applicationId, 3);
    await webhookSystem.pass(endpoint, day);
    const other = await webhookSystem.endpoint(receiver.url('/other'));
    await webhookSystem.happen(other.applicationId);
    await webhookSystem.reaches(other.applicationId, 'delivered', 1);
    assert.equal(receiver.sequences().length, 1, 'nothing is sent there any more');
    assert.equal((await webhookSystem.read(endpoint)).missed, 3);
  });

  const failingFor = ({ endpointId }: OwnEndpoint, seconds: number) =>
    sql(
      webhookSystem.database,
      `UPDATE webhook_endpoints SET failing_since = failing_since - make_interval(secs => $2)
        WHERE endpoint_id = $1`,
      [endpointId, seconds],
    );

  // Spec: WEBHOOK-6.
  it('five days without success pause the endpoint and record since when', async () => {
    receiver.reply = respond(500);
    const endpoint = await failOnce(receiver.url());
    const since = (await webhookSystem.read(endpoint)).failingSince;
    assert.ok(since !== null);
    await failingFor(endpoint, 5 * day - 3_600);
    await webhookSystem.pass(endpoint, 6);
    await attempted(endpoint, 2);
    assert.equal((await webhookSystem.read(endpoint)).state, 'active', 'not yet five days');
    await failingFor(endpoint, 3_600);
    await webhookSystem.pass(endpoint, 331);
    await attempted(endpoint, 3);
    const paused = await webhookSystem.read(endpoint);
    assert.deepEqual([paused.state, paused.stateReason], ['paused', 'failing']);
    assert.equal(paused.failingSince, since - 5 * day * 1_000);
  });

  it('one success restarts the five days', async () => {
    receiver.reply = respond(500);
    const endpoint = await failOnce(receiver.url());
    await failingFor(endpoint, 6 * day);
    receiver.reply = respond(204);
    await webhookSystem.pass(endpoint, 6);
    await webhookSystem.reaches(endpoint.applicationId, 'delivered', 1);
    assert.equal((await webhookSystem.read(endpoint)).failingSince, null);
    receiver.reply = respond(500);
    await webhookSystem.happen(endpoint.applicationId);
    await attempted(endpoint, 1);
    const { state, failingSince } = await webhookSystem.read(endpoint);
    assert.equal(state, 'active');
    assert.ok(Date.now() - failingSince! < 600_000);
  });

  // Spec: WEBHOOK-6.
  it('an endpoint that fails has one attempt at a time, and five again after it succeeds', async () => {
    receiver.reply = respond(500);
    const endpoint = await failOnce(receiver.url());
    receiver.mostOpen.clear();
    receiver.reply = (response) => setTimeout(() => response.writeHead(500).end(), 20);
    const from = receiver.arrivals.length;
    await webhookSystem.happen(endpoint.applicationId, 20);
    await eventually(async () => receiver.arrivals.length >= from + 10);
    assert.equal(receiver.mostOpen.get('/hook'), 1);
    receiver.reply = (response) => setTimeout(() => response.writeHead(204).end(), 20);
    await webhookSystem.happen(endpoint.applicationId, 30);
    await eventually(async () => receiver.mostOpen.get('/hook') === 5, 20_000);
  });
});
