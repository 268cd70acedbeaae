/** Requests that arrive slowly, or not at all, and connections that are too many. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, afterEach, before, suite, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  remainingMs,
  withDeadline,
  withDeadlinePaused,
} from '../../../src/platform/postgres/deadline.ts';
import type { Partner } from '../../harness/partner.ts';
import { assertEnvelope, RawConnection, requestText } from '../../harness/raw-http.ts';
import { startTestService, type TestService } from '../../harness/service.ts';

// What a request may ask of the database takes five seconds; this is more.
const slowMs = 5_500;
const timeoutMs = 1_000;
// The timeout, the longest time until the next look, and what a busy machine adds.
const refusedWithinMs = timeoutMs + 2_000 + 3_000;

suite('slow requests', () => {
  let service: TestService;
  let partner: Partner;
  let headers: Record<string, string>;
  const open: RawConnection[] = [];
  before(async () => {
    service = await startTestService({ LATCHKEY_ROLES: 'api' });
    partner = await service.partner();
    headers = {
      Authorization: `Bearer ${await partner.token()}`,
      'Content-Type': 'application/json',
    };
  });
  afterEach(() => {
    for (const connection of open.splice(0)) connection.close();
    Object.assign(service.service.app.server, { requestTimeout: 30_000, headersTimeout: 10_000 });
  });
  after(() => service.stop());

  async function connect(): Promise<RawConnection> {
    const connection = await RawConnection.open(service.origin);
    open.push(connection);
    return connection;
  }

  const halves = (text: string) => ({ first: text.slice(0, 20), second: text.slice(20) });

  test('body › 201 › the time that a body takes does not count against the database deadline', async () => {
    const body = { quoteId: randomUUID(), ...(await partner.freeStay()) };
    const { first, second } = halves(JSON.stringify(body));
    const connection = await connect();
    const length = { 'Content-Length': String(first.length + second.length) };
    connection.write(requestText('POST /v1/quotes', { ...headers, ...length }));
    connection.write(first);
    await sleep(slowMs);
    connection.write(second);
    const response = await connection.response();
    assert.ok(response);
    assert.equal(response.status, 201, response.text);
  });

  test('body › 400 invalid_input › a body that does not arrive in time; the error envelope', async () => {
    // Node takes the longer of the two for the whole request.
    const { server } = service.service.app;
    Object.assign(server, { requestTimeout: timeoutMs, headersTimeout: timeoutMs });
    const connection = await connect();
    connection.write(requestText('POST /v1/quotes', { ...headers, 'Content-Length': '200' }));
    connection.write('{"quoteId":');
    const response = await connection.response({ withinMs: refusedWithinMs });
    assertEnvelope(response, 400, 'invalid_input');
    assert.equal(response!.headers.get('connection'), 'close');
    await connection.end();
  });

  test('headers › 400 invalid_input › headers without an end', async () => {
    service.service.app.server.headersTimeout = timeoutMs;
    const connection = await connect();
    connection.write('GET /v1/site HTTP/1.1\r\nHost: a\r\n');
    assertEnvelope(await connection.response({ withinMs: refusedWithinMs }), 400, 'invalid_input');
    await connection.end();
  });

  test('headers › a connection on which nothing comes is closed without a response', async () => {
    service.service.app.server.headersTimeout = timeoutMs;
    const connection = await connect();
    assert.equal(await connection.response({ withinMs: refusedWithinMs }), null);
  });

  test('timeouts › 30 seconds for a request, 10 seconds for its headers', () => {
    const { requestTimeout, headersTimeout } = service.service.app.server;
    assert.deepEqual(
      { requestTimeout, headersTimeout },
      { requestTimeout: 30_000, headersTimeout: 10_000 },
    );
  });

  test('deadline › stops only while it is paused', async () => {
    await withDeadline(1_000, async () => {
      await sleep(50);
      await withDeadlinePaused(() => sleep(200));
      const left = remainingMs();
      assert.ok(left > 800 && left < 955, `${left} ms`);
      await sleep(50);
      assert.ok(remainingMs() < left - 45);
    });
    await withDeadlinePaused(async () => undefined);
    assert.equal(remainingMs(), Infinity);
  });
});

suite('connections', () => {
  const most = 10;
  let service: TestService;
  before(async () => {
    service = await startTestService({
      LATCHKEY_ROLES: 'api',
      LATCHKEY_HTTP_CONNECTIONS: String(most),
    });
  });
  after(() => service.stop());

  test('bound › for one more connection the one that has been idle for longest is closed', async () => {
    const request = requestText('GET /healthz');
    const open = await Promise.all(
      Array.from({ length: most }, () => RawConnection.open(service.origin)),
    );
    for (const connection of open) {
      connection.write(request);
      assert.equal((await connection.response())?.status, 200);
    }
    const taken = await RawConnection.open(service.origin);
    await open[0]!.end();
    for (const connection of [...open.slice(1), taken]) {
      connection.write(request);
      assert.equal((await connection.response())?.status, 200);
      connection.close();
    }
    open[0]!.close();
  });
});
