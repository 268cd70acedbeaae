/** `latchkey-partner mcp`: a client of the official SDK, by both transports, against a service of the simulation. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { once } from 'node:events';
import { request } from 'node:http';
import { createRequire } from 'node:module';
import { connect as connectSocket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, suite, test } from 'node:test';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { CallToolResult, Tool } from '@modelcontextprotocol/sdk/types.js';
import { main } from '../../packages/partner/src/command/main.ts';
import { operations } from '../../packages/partner/src/contract/operations.ts';
import { toolRows } from '../../packages/partner/src/mcp/tools.ts';
import { eventually } from '../harness/eventually.ts';
import { daysAhead, guest, type Partner } from '../harness/partner.ts';
import { startTestService, type TestService } from '../harness/service.ts';

// As an install of this project has it, in JavaScript.
const installed = path.join(import.meta.dirname, '../../packages/partner/bin/latchkey-partner.js');
const token = 'a-token-of-this-test';
const json = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
};

interface Served {
  url: string;
  tools: string[];
  end(): Promise<number>;
}

const textOf = ({ content }: CallToolResult): string => {
  const [first] = content;
  assert.equal(first?.type, 'text');
  return first.text;
};

suite('latchkey-partner mcp', () => {
  let service: TestService;
  let partner: Partner;

  before(async () => {
    service = await startTestService();
    partner = await service.partner({ settlement: 'partner' });
  });
  after(() => service.stop());

  const envOf = ({ credentials }: Partner, more: Record<string, string> = {}) => ({
    LATCHKEY_BASE_URL: service.origin,
    LATCHKEY_APPLICATION_ID: credentials.applicationId,
    LATCHKEY_APPLICATION_KEY: credentials.applicationKey,
    ...more,
  });

  async function run(words: string[], env: Record<string, string>, end = new AbortController()) {
    const out: string[] = [];
    const errors: string[] = [];
    const code = main(['mcp', ...words], {
      out: (text) => out.push(text),
      error: (text) => errors.push(text),
      env,
      ask: null,
      signal: end.signal,
    });
    return { code, out, errors };
  }

  async function serve(words: string[] = [], env = envOf(partner)): Promise<Served> {
    const end = new AbortController();
    const { code, out, errors } = await run(
      ['--http', '--port', '0', '--json', ...words],
      env,
      end,
    );
    await eventually(() => Promise.resolve(out.length > 0 || errors.length > 0), 10_000);
    assert.deepEqual(errors, []);
    const { url, tools } = JSON.parse(out[0]!) as { url: string; tools: string[] };
    return {
      url,
      tools,
      end() {
        end.abort();
        return code;
      },
    };
  }

  async function connect(url: string, bearer?: string) {
    const client = new Client({ name: 'test', version: '1.0.0' });
    const headers = bearer === undefined ? {} : { authorization: `Bearer ${bearer}` };
    // Its declaration is older than `exactOptionalPropertyTypes`.
    const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
    await client.connect(transport as never);
    await client.listTools();
    return client;
  }

  const call = async (client: Client, name: string, input: Record<string, unknown>) =>
    (await client.callTool({ name, arguments: input })) as CallToolResult;

  async function resultOf<Result>(client: Client, name: string, input: Record<string, unknown>) {
    const result = await call(client, name, input);
    assert.ok(!result.isError, JSON.stringify(result));
    assert.deepEqual(JSON.parse(textOf(result)), result.structuredContent);
    return result.structuredContent as Result;
  }

  const stay = { checkIn: daysAhead(40), checkOut: daysAhead(43), party: { adults: 2 } };

  interface Quoted {
    quoteId: string;
    charges: { currency: string; total: number };
    terms: { version: string };
  }

  async function quoteBy(client: Client): Promise<Quoted> {
    const found = await resultOf<{ items: { listing: { listingId: string } }[] }>(
      client,
      'search_homes',
      { ...stay, limit: 3 },
    );
    const { listingId } = found.items[0]!.listing;
    return resultOf<Quoted>(client, 'create_quote', { ...stay, listingId });
  }

  // The client of the SDK checks each result against the schema that the tool has declared.
  async function readEverything(client: Client) {
    const { items } = await resultOf<{
      items: { listing: { listingId: string }; total: number }[];
    }>(client, 'search_homes', { ...stay, limit: 2 });
    assert.equal(items.length, 2);
    const { listingId } = items[0]!.listing;
    const home = await resultOf<{ listingId: string }>(client, 'get_home', { listingId });
    assert.equal(home.listingId, listingId);
    const range = { startDate: stay.checkIn, endDate: stay.checkOut };
    const calendar = await resultOf<{ days: object[] }>(client, 'get_calendar', {
      listingId,
      ...range,
    });
    assert.equal(calendar.days.length, 4);
    const { charges } = await resultOf<Quoted>(client, 'create_quote', { ...stay, listingId });
    assert.ok(charges.total > 0);
  }

  test('by standard input and output › reads homes and quotes, and ends with its client', async () => {
    const client = new Client({ name: 'test', version: '1.0.0' });
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [installed, 'mcp'],
      env: { ...envOf(partner), PATH: process.env['PATH'] ?? '' },
    });
    await client.connect(transport);
    const { tools } = await client.listTools();
    assert.deepEqual(
      tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint]),
      [
        ['search_homes', true],
        ['get_home', true],
        ['get_calendar', true],
        ['create_quote', true],
      ],
    );
    await readEverything(client);
    const { pid } = transport;
    await client.close();
    // Closing its input is enough: the client sends a signal only to a server that does not end by itself.
    assert.throws(() => process.kill(pid!, 0), { code: 'ESRCH' });
  });

  test('by HTTP › reads homes and quotes, and ends with its signal', async () => {
    const served = await serve();
    const client = await connect(served.url);
    await readEverything(client);
    await client.close();
    assert.equal(await served.end(), 0);
  });

  test('reservations › switched on: request, the same again, outcome', async () => {
    const served = await serve(
      ['--allow-reservations'],
      envOf(partner, { LATCHKEY_MCP_TOKEN: token }),
    );
    const client = await connect(served.url, token);
    const { quoteId, terms } = await quoteBy(client);
    const input = { quoteId, termsVersion: terms.version, termsAccepted: true, guest: guest() };
    interface Request {
      reservationRequestId: string;
      state: string;
      reference: string | null;
    }
    const first = await resultOf<Request>(client, 'request_reservation', input);
    const again = await resultOf<Request>(client, 'request_reservation', input);
    assert.equal(again.reservationRequestId, first.reservationRequestId);
    const { reservationRequestId } = first;
    const ended = await resultOf<Request>(client, 'get_reservation_request', {
      reservationRequestId,
      waitSeconds: 30,
    });
    assert.equal(ended.state, 'confirmed');
    const kept = await partner.succeed('reservation.reservation.get', {
      params: { reference: ended.reference! },
    });
    assert.equal(kept.state, 'confirmed');
    await client.close();
    await served.end();
  });

  test('reservations › an outcome that is not known yet is returned as it stands when the wait is over', async () => {
    const served = await serve(
      ['--allow-reservations'],
      envOf(partner, { LATCHKEY_MCP_TOKEN: token }),
    );
    const client = await connect(served.url, token);
    const { quoteId, terms } = await quoteBy(client);
    const { reservationRequestId } = await resultOf<{ reservationRequestId: string }>(
      client,
      'request_reservation',
      { quoteId, termsVersion: terms.version, termsAccepted: true, guest: guest('uncertain') },
    );
    const { state } = await resultOf<{ state: string }>(client, 'get_reservation_request', {
      reservationRequestId,
      waitSeconds: 1,
    });
    assert.ok(['pending', 'unresolved'].includes(state), state);
    await client.close();
    await served.end();
  });

  test('reservations › not offered unless switched on', async () => {
    const served = await serve();
    const client = await connect(served.url);
    assert.ok(!served.tools.includes('request_reservation'));
    await assert.rejects(call(client, 'request_reservation', {}), /There is no tool/);
    await client.close();
    await served.end();
  });

  test('reservations › not offered where the guests pay by card at the service', async () => {
    const card = await service.partner({ settlement: 'card' });
    const refused = await run(
      ['--http', '--port', '0', '--allow-reservations'],
      envOf(card, { LATCHKEY_MCP_TOKEN: token }),
    );
    assert.equal(await refused.code, 2);
    assert.match(refused.errors.join(), /Only applications that settle with their guests/);
  });

  test('reservations › to find out whether they can be offered reserves nothing', async () => {
    const own = await service.partner();
    const served = await serve(['--allow-reservations'], envOf(own, { LATCHKEY_MCP_TOKEN: token }));
    await served.end();
    const { items } = await own.succeed('reservation.reservationRequest.list');
    assert.deepEqual(items, []);
  });

  test('reservations › over HTTP only with a token', async () => {
    const without = await run(['--http', '--port', '0', '--allow-reservations'], envOf(partner));
    assert.equal(await without.code, 2);
    assert.match(without.errors.join(), /LATCHKEY_MCP_TOKEN/);
    const served = await serve([], envOf(partner, { LATCHKEY_MCP_TOKEN: token }));
    await assert.rejects(connect(served.url));
    await assert.rejects(connect(served.url, 'another'));
    await served.end();
  });

  test('errors › say what happened, what to do, and the request ID', async () => {
    const served = await serve();
    const client = await connect(served.url);
    const unknown = await call(client, 'get_home', {
      listingId: '00000000-0000-7000-8000-000000000000',
    });
    assert.equal(unknown.isError, true);
    assert.match(textOf(unknown), /^not_found: .*\n.*Search again.*\nRequest ID: [0-9a-f-]{36}$/);
    const wrong = await call(client, 'search_homes', {
      checkIn: 'May',
      party: { adults: 0 },
      x: 1,
    });
    assert.equal(wrong.isError, true);
    for (const problem of ['checkOut', 'checkIn must match', 'party.adults must be >= 1', '(x)']) {
      assert.ok(textOf(wrong).includes(problem), textOf(wrong));
    }
    const past = await call(client, 'search_homes', {
      ...stay,
      checkIn: daysAhead(-5),
      checkOut: daysAhead(-2),
    });
    assert.equal(past.isError, true);
    assert.match(textOf(past), /Details: /);
    await client.close();
    await served.end();
  });

  test('errors › a service that nobody reaches is named, and the server goes on', async () => {
    const served = await serve([], { ...envOf(partner), LATCHKEY_BASE_URL: 'http://127.0.0.1:1' });
    const client = await connect(served.url);
    const silent = await call(client, 'search_homes', stay);
    assert.match(textOf(silent), /^no_answer: .*\n.*could not be reached/);
    await client.close();
    await served.end();
  });

  interface Raw {
    status: number;
    headers: Record<string, unknown>;
    text: string;
  }

  function raw(
    url: string,
    { method = 'POST', headers = {}, body = '', place = '/mcp' } = {},
  ): Promise<Raw> {
    return new Promise((resolve, reject) => {
      const sent = request(new URL(place, url), {
        method,
        headers: {
          ...json,
          ...headers,
        },
      });
      sent.on('error', reject);
      sent.on('response', (response) => {
        let text = '';
        response.on('data', (part: Buffer) => (text += part.toString()));
        response.on('end', () =>
          resolve({ status: response.statusCode!, headers: response.headers, text }),
        );
      });
      sent.end(body);
    });
  }

  /** The status of a request whose first line no client would send. */
  async function lineStatus(url: string, line: string): Promise<number> {
    const socket = connectSocket(Number(new URL(url).port), '127.0.0.1');
    socket.write(`${line}\r\nhost: localhost\r\ncontent-length: 0\r\n\r\n`);
    const [first] = (await once(socket, 'data')) as [Buffer];
    socket.destroy();
    return Number(first.toString().slice(9, 12));
  }

  test('HTTP › a port that cannot be had is named', async () => {
    const served = await serve();
    for (const [port, problem] of [
      [new URL(served.url).port, /in use/],
      ['70000', /at most 65535/],
    ] as const) {
      const refused = await run(['--http', '--port', port], envOf(partner));
      assert.equal(await refused.code, 2);
      assert.match(refused.errors.join(), problem);
    }
    await served.end();
  });

  test('HTTP › only this machine, only POST, and bounded', async () => {
    const served = await serve();
    const list = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    const status = async (input: Parameters<typeof raw>[1]) =>
      (await raw(served.url, { body: list, ...input })).status;
    assert.equal(await status({}), 200);
    assert.equal(await status({ headers: { host: 'evil.example' } }), 403);
    assert.equal(await status({ headers: { host: 'localhost.evil.example:80' } }), 403);
    assert.equal(await status({ headers: { origin: 'https://evil.example' } }), 403);
    assert.equal(await status({ headers: { origin: 'null' } }), 403);
    assert.equal(await status({ headers: { origin: 'http://localhost:6274' } }), 200);
    assert.equal(await status({ place: '/' }), 404);
    assert.equal(await lineStatus(served.url, 'POST // HTTP/1.1'), 404);
    assert.equal(await status({ method: 'GET', body: '' }), 405);
    assert.equal(await status({ method: 'DELETE', body: '' }), 405);
    assert.equal(await status({ body: 'no json' }), 400);
    assert.equal(
      await status({ body: JSON.stringify({ ...JSON.parse(list), x: 'x'.repeat(300_000) }) }),
      413,
    );
    assert.equal(await status({ headers: { 'mcp-protocol-version': '1999-01-01' } }), 400);
    await served.end();
  });

  test('HTTP › more calls at once than it takes are told to come back', async () => {
    const served = await serve();
    // Bodies that do not end hold their places.
    const held = Array.from({ length: 20 }, () => {
      const sent = request(served.url, { method: 'POST', headers: json });
      sent.on('error', () => undefined);
      sent.write('{');
      return sent;
    });
    let refused: Raw | undefined;
    await eventually(async () => {
      refused = await raw(served.url, { body: '{}' });
      return refused.status === 503;
    }, 10_000);
    assert.equal(refused!.headers['retry-after'], '1');
    for (const sent of held) sent.destroy();
    await eventually(async () => (await raw(served.url, { body: '{}' })).status !== 503, 10_000);
    await served.end();
  });

  test('no tool is an operation with a session, and no schema names one', async () => {
    const served = await serve(
      ['--allow-reservations'],
      envOf(partner, { LATCHKEY_MCP_TOKEN: token }),
    );
    const client = await connect(served.url, token);
    const { tools } = (await client.listTools()) as { tools: Tool[] };
    assert.equal(tools.length, Object.keys(toolRows).length);
    for (const { operation } of Object.values(toolRows)) {
      assert.ok(!('session' in operations[operation]), operation);
    }
    assert.doesNotMatch(
      JSON.stringify(tools.map(({ inputSchema, outputSchema }) => ({ inputSchema, outputSchema }))),
      /session/i,
    );
    await client.close();
    await served.end();
  });

  test('the official conformance suite passes, but for what the list names', async () => {
    const served = await serve();
    const output = await mkdtemp(path.join(tmpdir(), 'latchkey-mcp-'));
    const manifest = createRequire(import.meta.url).resolve(
      '@modelcontextprotocol/conformance/package.json',
    );
    const list = path.join(import.meta.dirname, 'mcp-conformance.yaml');
    try {
      const { stdout } = await promisify(execFile)(process.execPath, [
        path.join(path.dirname(manifest), 'dist/index.js'),
        'server',
        '--url',
        served.url,
        '--suite',
        'all',
        '--expected-failures',
        list,
        '-o',
        output,
      ]);
      for (const scenario of [
        'server-initialize',
        'ping',
        'tools-list',
        'dns-rebinding-protection',
      ]) {
        assert.match(stdout, new RegExp(`✓ ${scenario}: [1-9]\\d* passed, 0 failed`));
      }
    } finally {
      await rm(output, { recursive: true, force: true });
      await served.end();
    }
  });
});
