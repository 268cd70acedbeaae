import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, suite, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Partner } from '../../harness/partner.ts';
import {
  assertEnvelope,
  RawConnection,
  requestText,
  type RawResponse,
} from '../../harness/raw-http.ts';
import { startTestService, type TestService } from '../../harness/service.ts';

const json = { 'Content-Type': 'application/json' };

suite('malformed HTTP', () => {
  let service: TestService;
  let partner: Partner;
  let authorization: { Authorization: string };
  before(async () => {
    service = await startTestService({ LATCHKEY_ROLES: 'api' });
    partner = await service.partner();
    authorization = { Authorization: `Bearer ${await partner.token()}` };
  });
  after(() => service.stop());

  /** After each of them the service still serves. */
  async function on(work: (connection: RawConnection) => Promise<void>): Promise<void> {
    const connection = await RawConnection.open(service.origin);
    try {
      await work(connection);
    } finally {
      connection.close();
    }
    await partner.succeed('distribution.site.get', {}, 200);
  }

  /** Expects one response in the envelope, and a closed connection. */
  const refused = (bytes: string | Buffer, status: number, code: string): Promise<void> =>
    on(async (connection) => {
      connection.write(bytes);
      const response = await connection.response();
      assertEnvelope(response, status, code);
      assert.equal(response!.headers.get('connection'), 'close');
      await connection.end();
    });

  test('400 › a second Host, in any case and with the same value', () =>
    on(async (connection) => {
      for (const second of ['Host: b', 'host: a']) {
        connection.write(`GET /v1/site HTTP/1.1\r\nHost: a\r\n${second}\r\n\r\n`);
        assertEnvelope(await connection.response(), 400, 'invalid_input');
      }
    }));

  const notHttp: [name: string, bytes: string | Buffer][] = [
    ['a path without its slash', 'GET v1/site HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['a path with blanks', 'GET /v1/si te HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['a version that there is not', 'GET /v1/site HTTP/9.9\r\nHost: a\r\n\r\n'],
    ['another protocol', 'GET /v1/site SIP/2.0\r\nHost: a\r\n\r\n'],
    ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['high bytes in the path', Buffer.from('GET /v1/\xe9 HTTP/1.1\r\nHost: a\r\n\r\n', 'latin1')],
    ['a header without a colon', 'GET /v1/site HTTP/1.1\r\nHost\r\n\r\n'],
    ['a blank before the colon', 'GET /v1/site HTTP/1.1\r\nHost : a\r\n\r\n'],
    ['a NUL in a header', 'GET /v1/site HTTP/1.1\r\nHost: a\r\nX-A: \u0000\r\n\r\n'],
    [
      'Content-Length that is no number',
      'POST /v1/quotes HTTP/1.1\r\nHost: a\r\nContent-Length: ten\r\n\r\n',
    ],
    [
      'Content-Length twice, differing',
      'POST /v1/quotes HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}',
    ],
    [
      'Content-Length beside chunks',
      'POST /v1/quotes HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n',
    ],
  ];
  for (const [name, bytes] of notHttp) {
    test(`400 invalid_input › ${name}`, () => refused(bytes, 400, 'invalid_input'));
  }

  const brokenChunks = 'POST /v1/quotes HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n';

  test('400 invalid_input › a chunk size that is not a number', () =>
    refused(
      `${brokenChunks}Authorization: ${authorization.Authorization}\r\n\r\nzz\r\n`,
      400,
      'invalid_input',
    ));

  test('401 unauthenticated › authentication comes before the body, with one response', () =>
    on(async (connection) => {
      connection.write(`${brokenChunks}\r\nzz\r\n`);
      assertEnvelope(await connection.response(), 401, 'unauthenticated');
      await connection.end();
    }));

  const notMethods: [name: string, bytes: string | Buffer][] = [
    ['an unknown one', 'FROB /v1/site HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['in small letters', 'get /v1/site HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['words', 'good morning\r\n\r\n'],
    ['the beginning of TLS', Buffer.from('16030100c8010000c40303', 'hex')],
    ['CONNECT', 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n'],
  ];
  for (const [name, bytes] of notMethods) {
    test(`404 not_found › method › ${name}`, () => refused(bytes, 404, 'not_found'));
  }

  test('400 invalid_input › headers over the limit, one long or many', async () => {
    const many = Array.from({ length: 2_000 }, (_, nth) => `X-${nth}: aaaaaaaaaaaaaaaaaaaa\r\n`);
    for (const headers of [`X-A: ${'a'.repeat(60_000)}\r\n`, many.join('')]) {
      await refused(`GET /v1/site HTTP/1.1\r\nHost: a\r\n${headers}\r\n`, 400, 'invalid_input');
    }
    const path = `/v1/listings/${'a'.repeat(60_000)}`;
    await refused(requestText(`GET ${path}`), 400, 'invalid_input');
  });

  test('400 invalid_input › a client that continues to send can read the response', () =>
    on(async (connection) => {
      connection.socket.pause();
      connection.write('FROB');
      for (let nth = 0; nth < 20; nth += 1) connection.write('x'.repeat(100_000));
      await sleep(100);
      connection.socket.resume();
      assertEnvelope(await connection.response(), 404, 'not_found');
      await connection.end();
    }));

  test('400 invalid_input › a missing Host; HTTP/1.0 needs none', () =>
    on(async (connection) => {
      const request = (version: string) =>
        `GET /v1/site HTTP/${version}\r\nAuthorization: ${authorization.Authorization}\r\n\r\n`;
      connection.write(request('1.1'));
      const response = await connection.response();
      assertEnvelope(response, 400, 'invalid_input');
      assert.match(response!.text, /"header\/host"/);
      connection.write(request('1.0'));
      assert.equal((await connection.response())?.status, 200);
    }));

  test('CONNECT › a reset connection has no effect on others', () =>
    on(async () => {
      const { port } = new URL(service.origin);
      for (let nth = 0; nth < 30; nth += 1) {
        const { promise, resolve } = Promise.withResolvers<void>();
        const socket = connect(Number(port), '127.0.0.1', () => {
          socket.write('CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n', () => {
            socket.resetAndDestroy();
            resolve();
          });
        });
        await promise;
      }
    }));

  test('Upgrade › is ignored: the request gets a normal response', () =>
    on(async (connection) => {
      const headers = { ...authorization, Connection: 'Upgrade', Upgrade: 'websocket' };
      connection.write(requestText('GET /v1/site', headers));
      assert.equal((await connection.response())?.status, 200);
    }));

  test('OPTIONS * and an absolute path › 404 and 200', () =>
    on(async (connection) => {
      connection.write(requestText('OPTIONS *'));
      assertEnvelope(await connection.response(), 404, 'not_found');
      connection.write(requestText('GET http://latchkey.test/v1/site', authorization));
      assert.equal((await connection.response())?.status, 200);
    }));

  for (const [expect, interim] of [
    ['100-continue', true],
    ['something-else', false],
  ] as const) {
    test(`Expect › ${expect} › the same response as without it`, () =>
      on(async (connection) => {
        const headers = { ...authorization, ...json, Expect: expect, 'Content-Length': '2' };
        connection.write(requestText('POST /v1/quotes', headers));
        if (interim) assert.equal((await connection.response())?.status, 100);
        connection.write('{}');
        assertEnvelope(await connection.response(), 400, 'invalid_input');
      }));
  }

  test('pipelined › responses are in order', () =>
    on(async (connection) => {
      const lines = ['GET /v1/reservations/LK-0000-0000', 'GET /v1/nothing', 'GET /v1/site'];
      connection.write(Buffer.concat(lines.map((line) => requestText(line, authorization))));
      const responses: (RawResponse | null)[] = [];
      for (const _ of lines) responses.push(await connection.response());
      assert.deepEqual(
        responses.map((response) => response?.status),
        [404, 404, 200],
      );
      assert.match(responses[0]!.headers.get('ratelimit') ?? '', /read/);
      assert.equal(responses[1]!.headers.get('ratelimit'), null);
    }));

  test('pipelined › a complete request gets its own response before input that is not HTTP', () =>
    on(async (connection) => {
      const { quoteId, ...quote } = { quoteId: crypto.randomUUID(), ...(await partner.freeStay()) };
      const body = JSON.stringify({ quoteId, ...quote });
      // As from a client that counts characters in place of bytes.
      connection.write(requestText('POST /v1/quotes', { ...authorization, ...json }, body));
      connection.write('"}\r\n\r\n');
      const made = await connection.response();
      assert.ok(made);
      assert.equal(made.status, 201, made.text);
      assert.equal((JSON.parse(made.text) as { quoteId: string }).quoteId, quoteId);
      assertEnvelope(await connection.response(), 404, 'not_found');
      await connection.end();
    }));

  test('truncated body › a half-closed connection gets a response and is closed', () =>
    on(async (connection) => {
      const headers = { ...authorization, ...json, 'Content-Length': '200' };
      connection.write(requestText('POST /v1/quotes', headers));
      connection.write('{"quoteId":');
      connection.socket.end();
      assertEnvelope(await connection.response(), 400, 'invalid_input');
      await connection.end();
    }));

  test('truncated body › a reset connection has no effect, and nothing is created', () =>
    on(async (connection) => {
      const quoteId = crypto.randomUUID();
      const body = JSON.stringify({ quoteId, ...(await partner.freeStay()) });
      const headers = { ...authorization, ...json, 'Content-Length': `${body.length + 1}` };
      connection.write(requestText('POST /v1/quotes', headers));
      connection.write(body);
      await sleep(50);
      connection.socket.resetAndDestroy();
      const input = { body: { checkoutId: crypto.randomUUID(), quoteId } };
      const error = await partner.refused('reservation.checkout.create', input);
      assert.equal(error.code, 'not_found');
    }));
});
