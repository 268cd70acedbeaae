/** `latchkey-partner` and `bookStay`, against a service of the simulation. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, suite, test } from 'node:test';
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
import { Receiver } from '../harness/receiver.ts';
import { startTestService, type TestService } from '../harness/service.ts';

suite('the partner command', () => {
  let service: TestService;
  let partner: Partner;
  let env: Record<string, string>;
  let client: LatchkeyClient;

  before(async () => {
    service = await startTestService();
    partner = await service.partner({ settlement: 'partner' });
    const { applicationId, applicationKey } = partner.credentials;
    env = {
      LATCHKEY_BASE_URL: service.origin,
      LATCHKEY_APPLICATION_ID: applicationId,
      LATCHKEY_APPLICATION_KEY: applicationKey,
    };
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
    const [{ findings }] = json(out) as [{ findings: { check: string; result: string }[] }];
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

  test('listen › posts what comes, signed; --resend posts one again', async () => {
    const receiver = await Receiver.start();
    const end = new AbortController();
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    const words = ['--forward-to', receiver.url(), '--secret', secret, '--json'];
    const out: string[] = [];
    const running = run(['listen', ...words], { signal: end.signal, out });
    await eventually(() => Promise.resolve(out.length > 0), 10_000);
    const booked = await run(['book', '--yes', '--json']);
    assert.equal(booked.code, 0);
    await eventually(() => Promise.resolve(receiver.arrivals.length > 0), 10_000);
    const [first] = receiver.arrivals;
    const event = await verifyWebhook(first!.headers, first!.body, secret);
    end.abort();
    assert.equal((await running).code, 0);
    const again = await run(['listen', ...words, '--resend', event.id]);
    assert.equal(again.code, 0);
    await receiver.close();
  });
});
