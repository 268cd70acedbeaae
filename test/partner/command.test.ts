/** `latchkey-partner` and `bookStay`, against a service of the simulation. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, suite, test } from 'node:test';
import { promisify } from 'node:util';
import { main } from '../../packages/partner/src/command/main.ts';
import {
  bookStay,
  createClient,
  type LatchkeyClient,
  type Quote,
  verifyWebhook,
} from '../../packages/partner/src/index.ts';
import { eventually } from '../harness/eventually.ts';
import type { Partner } from '../harness/partner.ts';
import { Receiver, respond } from '../harness/receiver.ts';
import { startTestService, type TestService } from '../harness/service.ts';

const fixtures = path.resolve(import.meta.dirname, '../fixtures/tls');

suite('the partner command', () => {
  let service: TestService;
  let partner: Partner;
  let env: Record<string, string>;
  let client: LatchkeyClient;

  const variablesOf = ({ applicationId, applicationKey }: Partner['credentials']) => ({
    LATCHKEY_BASE_URL: service.origin,
    LATCHKEY_APPLICATION_ID: applicationId,
    LATCHKEY_APPLICATION_KEY: applicationKey,
  });

  before(async () => {
    service = await startTestService();
    partner = await service.partner({ settlement: 'partner' });
    const { applicationId, applicationKey } = partner.credentials;
    env = variablesOf(partner.credentials);
    client = createClient({ baseUrl: service.origin, applicationId, applicationKey });
  });
  after(() => service.stop());

  async function run(
    words: string[],
    {
      answers,
      out = [],
      signal = new AbortController().signal,
      variables = env,
    }: {
      answers?: string[];
      out?: string[];
      signal?: AbortSignal;
      variables?: Record<string, string>;
    } = {},
  ) {
    const errors: string[] = [];
    const code = await main(words, {
      out: (text) => out.push(text),
      error: (text) => errors.push(text),
      env: variables,
      ask: answers ? () => Promise.resolve(answers.shift() ?? '') : null,
      signal,
    });
    return { code, out, error: errors.join('\n'), text: out.join('\n') };
  }

  const json = (out: string[]) => out.map((line) => JSON.parse(line) as Record<string, unknown>);

  test('faults and logs › set rules from a file, see their hits, find a call by its request ID', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'latchkey-faults-'));
    const file = path.join(folder, 'rules.json');
    const rule = { match: { operation: 'distribution.site.get', nth: 1 }, do: { respond: 503 } };
    await writeFile(file, JSON.stringify({ seed: 3, rules: [rule] }));
    try {
      assert.match((await run(['faults'])).text, /^No faults are ordered/);
      assert.equal((await run(['faults', '--set', file])).code, 0);
      await client.call('distribution.site.get');
      const [{ rules }] = json((await run(['faults', '--json'])).out) as [
        { rules: { hits: { requestId: string }[] }[] },
      ];
      const { requestId } = rules[0]!.hits[0]!;
      const one = () => run(['logs', requestId]);
      await eventually(async () => (await one()).code === 0);
      assert.match(
        (await one()).text,
        /503 .*distribution\.site\.get .*unavailable .*rule 1: respond 503/,
      );
      const list = await run(['logs', '--status', '5xx', '--limit', '1', '--json']);
      assert.equal(json(list.out)[0]?.['requestId'], requestId);
      assert.match((await run(['faults', '--clear'])).text, /^No faults/);
    } finally {
      await run(['faults', '--clear']);
      await rm(folder, { recursive: true, force: true });
    }
  });

  test('faults and logs › wrong usage, and what the service refuses', async () => {
    assert.equal((await run(['faults', '--set', '/nowhere.json'])).code, 2);
    assert.equal((await run(['faults', '--set', 'a', '--clear'])).code, 2);
    assert.equal((await run(['logs', 'one', 'two'])).code, 2);
    assert.equal((await run(['logs', randomUUID()])).code, 1);
  });

  test('doctor › everything is well', async () => {
    const { code, out } = await run(['doctor', '--json']);
    const [{ findings }] = json(out) as [
      { findings: { check: string; result: string; message: string }[] },
    ];
    const quotas = findings.find(({ check }) => check === 'quotas');
    assert.match(quotas!.message, /^\d+ of \d+ calls of the tier "read" in 60 seconds are left/);
    assert.deepEqual(
      findings.map(({ check, result }) => `${check} ${result}`),
      [
        'reachability ok',
        'contract ok',
        'clock ok',
        'key ok',
        'scopes ok',
        'quotas ok',
        'catalog ok',
      ],
    );
    assert.equal(code, 0);
  });

  test('doctor › a wrong key and an address where nobody listens are named, with advice', async () => {
    const wrong = { ...env, LATCHKEY_APPLICATION_KEY: `${env['LATCHKEY_APPLICATION_KEY']}x` };
    const refused = await run(['doctor'], { variables: wrong });
    assert.equal(refused.code, 1);
    assert.match(refused.text, /✗ key: .*Check LATCHKEY_APPLICATION_ID/);
    const nowhere = { ...env, LATCHKEY_BASE_URL: 'http://127.0.0.1:1' };
    const silent = await run(['doctor'], { variables: nowhere });
    assert.equal(silent.code, 1);
    assert.match(silent.text, /✗ reachability: .*does not respond/);
  });

  test('wrong usage › exit code 2, and what is missing', async () => {
    const missing = await run(['doctor'], { variables: {} });
    assert.deepEqual(
      [missing.code, missing.error],
      [2, 'Set LATCHKEY_BASE_URL, LATCHKEY_APPLICATION_ID, LATCHKEY_APPLICATION_KEY.'],
    );
    assert.equal((await run(['frobnicate'])).code, 2);
    assert.equal((await run(['book', '--adults', 'two'])).code, 2);
    assert.equal((await run(['book', '--nothing'])).code, 2);
    assert.equal((await run(['listen'])).code, 2);
    const help = await run(['book', '--help']);
    assert.equal(help.code, 0);
    assert.match(help.text, /--check-in …/);
  });

  test('book › a person chooses a home, sees price and terms, and confirms', async () => {
    const answers = ['2', 'y'];
    const { code, text } = await run(['book', '--reference', 'ORDER-1'], { answers });
    assert.equal(code, 0, text);
    assert.match(text, /Confirmed: /);
    assert.deepEqual(answers, []);
  });

  test('book › nothing without a yes, and nothing where nobody can be asked', async () => {
    const declined = await run(['book'], { answers: ['', 'n'] });
    assert.equal(declined.code, 1);
    assert.match(declined.text, /Not booked: declined/);
    const silent = await run(['book', '--json']);
    assert.deepEqual(
      [silent.code, silent.error],
      [2, 'There is nobody to ask: confirm with --yes.'],
    );
  });

  test('book › sold out meanwhile', async () => {
    const words = ['book', '--yes', '--json', '--email', 'ada+sold_out@example.com'];
    const { code, out } = await run(words);
    assert.equal(code, 1);
    assert.deepEqual(json(out).at(-1), { state: 'failed', reason: 'sold_out' });
  });

  test('bookStay › a price that changes is shown and accepted anew', async () => {
    const stay = await partner.freeStay();
    const shown: Quote[] = [];
    const steps: (string | null)[] = [];
    const result = await bookStay(
      client,
      {
        ...stay,
        guest: {
          firstName: 'Ada',
          lastName: 'Lovelace',
          email: 'ada+price_changed@example.com',
          phone: '+351912345678',
        },
        accept: (quote) => shown.push(quote) < 3,
      },
      { onProgress: ({ session }) => void steps.push(session) },
    );
    assert.deepEqual(result, { state: 'failed', reason: 'declined' });
    assert.equal(shown.length, 3);
    assert.equal(new Set(shown.map(({ quoteId }) => quoteId)).size, 3);
    assert.deepEqual(
      steps.map((session) => session !== null),
      [false, true, false, true],
    );
  });

  test('events › of the bookings, by type, and from a cursor', async () => {
    const { code, out } = await run(['events', '--json', '--types', 'reservation.confirmed']);
    assert.equal(code, 0);
    assert.ok(json(out).length > 0);
    assert.ok(json(out).every(({ type }) => type === 'reservation.confirmed'));
    const { text } = await run(['events']);
    const [, cursor = ''] = /--since (\S+)$/m.exec(text) ?? [];
    assert.deepEqual((await run(['events', '--since', cursor])).out, []);
  });

  test('book › is told what to do where guests pay by card at the service', async () => {
    const { credentials } = await service.partner({ settlement: 'card' });
    const { code, text } = await run(['book', '--yes'], { variables: variablesOf(credentials) });
    assert.equal(code, 1);
    assert.match(text, /Not booked: needs_payment\.\nGuests of this application pay by card/);
  });

  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

  test('listen › posts what comes from now on, signed', async () => {
    const receiver = await Receiver.start();
    const end = new AbortController();
    const words = ['--forward-to', receiver.url(), '--secret', secret, '--json'];
    const out: string[] = [];
    const running = run(['listen', ...words], { signal: end.signal, out });
    await eventually(() => Promise.resolve(out.length > 0), 10_000);
    const booked = await run(['book', '--yes', '--json']);
    assert.equal(booked.code, 0);
    await eventually(() => Promise.resolve(receiver.arrivals.length > 0), 10_000);
    const [first] = receiver.arrivals;
    const event = await verifyWebhook(first!.headers, first!.body, secret);
    const { checkOut } = (json(booked.out)[0] as { confirmation: { checkOut: string } })
      .confirmation;
    assert.equal((event.data as { checkOut?: string }).checkOut, checkOut);
    end.abort();
    assert.equal((await running).code, 0);
    await receiver.close();
  });

  test('listen › --since a day and --types post what was, in order', async () => {
    assert.equal((await run(['book', '--yes'])).code, 0);
    const receiver = await Receiver.start();
    const end = new AbortController();
    const types = 'reservation.confirmed,checkout.resolved';
    const yesterday = new Date(Date.now() - 864e5).toISOString().slice(0, 10);
    const words = ['--forward-to', receiver.url(), '--since', yesterday, '--types', types];
    const known = json((await run(['events', '--json', '--types', types])).out);
    const running = run(['listen', ...words], { signal: end.signal });
    await eventually(() => Promise.resolve(receiver.arrivals.length >= known.length), 10_000);
    const posted = receiver.arrivals.map(({ body }) => (JSON.parse(body) as { id: string }).id);
    assert.deepEqual(
      posted,
      known.map(({ id }) => id),
    );
    end.abort();
    assert.equal((await running).code, 0);
    await receiver.close();
  });

  test('listen › --resend posts an event once, with --retry until it is taken', async () => {
    assert.equal((await run(['book', '--yes'])).code, 0);
    const [event] = json((await run(['events', '--json'])).out) as { id: string }[];
    const receiver = await Receiver.start();
    let refusals = 1;
    receiver.reply = (response, arrival) =>
      respond((refusals -= 1) >= 0 ? 503 : 204)(response, arrival);
    const words = ['listen', '--forward-to', receiver.url(), '--resend', event!.id];
    const refused = await run(words);
    assert.equal(refused.code, 1);
    assert.match(refused.text, /→ {2}503/);
    refusals = 1;
    assert.equal((await run([...words, '--retry'])).code, 0);
    assert.equal(receiver.arrivals.length, 3);
    await receiver.close();
    const nobody = await run(words);
    assert.equal(nobody.code, 1);
    assert.match(nobody.text, /ECONNREFUSED/);
    const unknown = await run([...words.slice(0, -1), 'evt_nothing']);
    assert.deepEqual([unknown.code, unknown.error], [1, 'The feed has no event evt_nothing.']);
  });

  test('listen › --insecure takes any certificate of the program, and nothing else does', async () => {
    const [event] = json((await run(['events', '--json'])).out) as { id: string }[];
    const read = (name: string) => readFileSync(path.join(fixtures, name));
    let posts = 0;
    const server = createTlsServer(
      { key: read('localhost.key'), cert: read('localhost.crt') },
      (request, response) => {
        posts += 1;
        request.resume();
        response.writeHead(204).end();
      },
    );
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const words = ['listen', '--forward-to', `https://127.0.0.1:${port}`, '--resend', event!.id];
    const checked = await run(words);
    assert.deepEqual([checked.code, posts], [1, 0]);
    assert.match(checked.text, /certificate/);
    assert.deepEqual([(await run([...words, '--insecure'])).code, posts], [0, 1]);
    server.closeAllConnections();
    await promisify(server.close.bind(server))();
  });
});
