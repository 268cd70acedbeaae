/** `latchkey-partner conformance` against a service of the simulation. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, suite, test } from 'node:test';
import { main } from '../../packages/partner/src/command/main.ts';
import type { Run } from '../../src/contract/sandbox/conformance.ts';
import { eventually } from '../harness/eventually.ts';
import type { Partner } from '../harness/partner.ts';
import { order } from '../harness/sandbox.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { programOfSource } from './guide-program.ts';

let service: TestService;
let folder: string;
before(async () => {
  [service, folder] = await Promise.all([
    startTestService(),
    mkdtemp(path.join(tmpdir(), 'latchkey-conformance-')),
  ]);
});
after(async () => {
  await service.stop();
  await rm(folder, { recursive: true });
});

const variablesOf = ({ credentials }: Partner) => ({
  LATCHKEY_BASE_URL: service.origin,
  LATCHKEY_APPLICATION_ID: credentials.applicationId,
  LATCHKEY_APPLICATION_KEY: credentials.applicationKey,
});

async function run(
  partner: Partner,
  words: string[],
  signal = new AbortController().signal,
  origin = service.origin,
) {
  const out: string[] = [];
  const errors: string[] = [];
  const code = await main(['conformance', ...words], {
    out: (text) => out.push(text),
    error: (text) => errors.push(text),
    env: { ...variablesOf(partner), LATCHKEY_BASE_URL: origin },
    ask: null,
    signal,
  });
  return { code, text: out.join('\n'), error: errors.join('\n') };
}

/** A proxy that ends the connection in place of the first reply to each POST whose path matches. */
async function startLossyProxy(target: string, lossyPath: RegExp) {
  const met = new Set<string>();
  const proxy = createServer(async (request, response) => {
    const { method = 'GET', url = '' } = request;
    const { authorization = '', 'content-type': type } = request.headers;
    const body = await buffer(request);
    const reply = await fetch(`${target}${url}`, {
      method,
      headers: { authorization, ...(type !== undefined && { 'content-type': type }) },
      ...(body.length > 0 && { body }),
    });
    const content = Buffer.from(await reply.arrayBuffer());
    if (method === 'POST' && lossyPath.test(url) && !met.has(url)) {
      met.add(url);
      request.socket.destroy();
      return;
    }
    response.writeHead(reply.status, { 'content-type': reply.headers.get('content-type') ?? '' });
    response.end(content);
  });
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  return {
    origin: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    get lost() {
      return met.size;
    },
    async close() {
      proxy.closeAllConnections();
      await promisify(proxy.close.bind(proxy))();
    },
  };
}

const profile = ['--profile', 'checkout'];

// Spec: SANDBOX-4.
suite('the command for conformance runs', () => {
  test('a correct program passes its scenario, and the report is written', async () => {
    const partner = await service.partner();
    const file = path.join(folder, 'conformance.mjs');
    const report = path.join(folder, 'report.jose');
    await writeFile(file, await programOfSource());
    const variables = Object.entries(variablesOf(partner)).map(
      ([name, value]) => `${name}=${value}`,
    );
    const command = `${variables.join(' ')} exec ${process.execPath} ${file}`;
    const words = ['--only', 'catalog-pages', '--command', command, '--report', report];
    const { code, text } = await run(partner, [...profile, ...words]);
    assert.match(text, /✓ catalog-pages/);
    assert.match(text, /ended: incomplete. 1 passed, 0 failed/);
    assert.equal(code, 1, 'the others were not asked');
    assert.match(await readFile(report, 'utf8'), /^[\w-]+\.[\w-]+\.[\w-]+$/);
  });

  test('a failure is told with its rule; no outcome, or another exit code, is a crash', async () => {
    const partner = await service.partner();
    const only = ['--only', 'catalog-pages,nights-taken'];
    const command = 'case $LATCHKEY_SCENARIO in catalog-pages) exit 3;; *) echo nothing;; esac';
    const { code, text } = await run(partner, [...profile, ...only, '--command', command]);
    assert.equal(code, 1);
    assert.match(text, /✗ catalog-pages/);
    assert.match(text, /The program said `crashed`; expected `refused`/);
    assert.match(text, /Rule: A list is read page by page/);
    assert.match(text, /ended: failed/);
  });

  test('--json prints the final run alone', async () => {
    const partner = await service.partner();
    const words = ['--only', 'rule-refused', '--json', '--command', `echo '{"ended":"refused"}'`];
    const { text } = await run(partner, [...profile, ...words]);
    const final = JSON.parse(text) as Run;
    assert.equal(final.state, 'failed');
    const judged = final.scenarios.find(({ scenario }) => scenario === 'rule-refused')!;
    assert.deepEqual(
      judged.findings.map(({ message }) => message),
      ['The stay was not quoted.'],
    );
  });

  test('--run goes on with a run that was begun elsewhere', async () => {
    const partner = await service.partner();
    const body = { profile: 'checkout' as const, only: ['rule-refused' as const] };
    const { runId } = await order(partner, 'sandbox.run.start', { body });
    const open = await run(partner, [...profile, '--command', 'true']);
    assert.deepEqual([open.code, open.text.includes(`go on with it by --run`)], [1, true]);
    const words = ['--run', runId, '--command', `echo '{"ended":"refused"}'`];
    const { text } = await run(partner, words);
    assert.match(text, /✗ rule-refused[^]*The stay was not quoted/);
    const final = await order(partner, 'sandbox.run.get', { params: { runId } });
    assert.equal(final.state, 'failed');
  });

  test('an outcome that the service does not understand is a crash, and is told', async () => {
    const partner = await service.partner();
    const words = ['--only', 'rule-refused', '--command', `echo '{"ended":"perhaps"}'`];
    const { text } = await run(partner, [...profile, ...words]);
    assert.match(text, /The outcome is not understood/);
    assert.match(text, /said `crashed`/);
  });

  test('replies that are lost change nothing: neither run nor scenario is begun twice', async () => {
    const partner = await service.partner();
    const lossy = await startLossyProxy(service.origin, /conformance-runs(\/.*\/(start|finish))?$/);
    const words = ['--only', 'rule-refused', '--command', `echo '{"ended":"refused"}'`];
    const signal = new AbortController().signal;
    const { text, error } = await run(partner, [...profile, ...words], signal, lossy.origin);
    await lossy.close();
    assert.equal(lossy.lost, 4, error);
    assert.match(text, /✗ rule-refused[^]*has ended: failed/);
    const { items } = await order(partner, 'sandbox.run.list');
    const attempts = items.map(({ scenarios }) =>
      scenarios.map((one) => one.attempts).reduce((sum, one) => sum + one),
    );
    assert.deepEqual(attempts, [1]);
  });

  test('wrong usage', async () => {
    const partner = await service.partner();
    const command = ['--command', 'true'];
    assert.equal((await run(partner, ['--profile', 'other', ...command])).code, 2);
    assert.equal((await run(partner, profile)).code, 2);
    assert.equal((await run(partner, [...profile, ...command, '--only', 'nothing'])).code, 2);
    const foreign = await run(partner, ['--profile', 'card', ...command]);
    assert.deepEqual([foreign.code, /settlement/.test(foreign.error)], [1, true]);
  });

  test('Ctrl-C ends the program and the run', async () => {
    const partner = await service.partner();
    const end = new AbortController();
    const words = ['--only', 'rule-refused', '--command', 'sleep 600'];
    const running = run(partner, [...profile, ...words], end.signal);
    const state = async () => {
      const { items } = await order(partner, 'sandbox.run.list');
      const scenarios = items[0]?.scenarios ?? [];
      return scenarios.some((one) => one.state === 'running') ? 'running' : items[0]?.state;
    };
    await eventually(async () => (await state()) === 'running');
    end.abort();
    assert.equal((await running).code, 130);
    assert.equal(await state(), 'abandoned');
  });
});
