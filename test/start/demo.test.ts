/** `npm run demo` against a service that was started as a person starts it, and without one. */
import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { money } from '../../src/demo/format.ts';

interface Ran {
  code: number | null;
  out: string;
  err: string;
}

interface CredentialsFile {
  baseUrl: string;
  applications: { applicationKey: string }[];
}

const project = path.resolve(import.meta.dirname, '../..');
const startWithinMs = 60_000;

/** The environment of a person who has set nothing. */
const plain = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(LATCHKEY_|DATABASE_URL|BASE_URL)/.test(name)),
);

const folders: string[] = [];

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'lk-demo-'));
  // Started by root, PostgreSQL runs as another account and has to get through here.
  await chmod(folder, 0o711);
  folders.push(folder);
  return folder;
}

async function freePort(): Promise<number> {
  const probe = createServer();
  probe.listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}

async function demo(dataDir: string, env: NodeJS.ProcessEnv = {}): Promise<Ran> {
  const child = spawn(process.execPath, ['src/demo/main.ts'], {
    cwd: project,
    env: { ...plain, LATCHKEY_DATA_DIR: dataDir, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  let err = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, out, err };
}

async function isReady(baseUrl: string): Promise<boolean> {
  const answer = await fetch(`${baseUrl}/readyz`).catch(() => null);
  await answer?.body?.cancel();
  return answer?.status === 200;
}

async function stopped(service: ChildProcess): Promise<void> {
  if (service.exitCode !== null || service.signalCode !== null) return;
  service.kill('SIGTERM');
  await once(service, 'exit');
}

const credentialsIn = async (dataDir: string): Promise<CredentialsFile> =>
  JSON.parse(
    await readFile(path.join(dataDir, 'sandbox-credentials.json'), 'utf8'),
  ) as CredentialsFile;

const headingsOf = (out: string): string[] =>
  [...out.matchAll(/^ *\d+\. (.+)$/gm)].map(([, heading = '']) => heading);

const oneSentence = /^[^\n]+\n$/;

describe('the demo', () => {
  let service: ChildProcess;
  let dataDir: string;
  let said = '';

  before(async () => {
    dataDir = await newFolder();
    const port = await freePort();
    service = spawn(process.execPath, ['src/main.ts'], {
      cwd: project,
      env: { ...plain, LATCHKEY_DATA_DIR: dataDir, PORT: String(port) },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [service.stdout, service.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => (said += text));
    }
    const deadline = Date.now() + startWithinMs;
    while (!(await isReady(`http://localhost:${port}`))) {
      assert.equal(service.exitCode, null, `the service did not start: ${said}`);
      assert.ok(Date.now() < deadline, `the service is not ready: ${said}`);
      await sleep(50);
    }
  });

  after(async () => {
    await stopped(service);
    await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })));
  });

  it('walks both kinds of booking and a refusal, twice, and shows no secret', async () => {
    for (let round = 1; round <= 2; round += 1) {
      const { code, out, err } = await demo(dataDir);
      assert.equal(err, '');
      assert.equal(code, 0);
      checkSteps(out);
      await checkSecrets(out);
    }
  });

  function checkSteps(out: string): void {
    assert.deepEqual(
      headingsOf(out).filter((heading) => heading !== 'Poll'),
      [
        'Token',
        'Site',
        'Listings',
        'Search',
        'Calendar',
        'Quote',
        'Checkout',
        'Guest',
        'Payment setup',
        'Payment method',
        'Submit',
        'Confirmation',
        'Reservation',
        'Events',
        'Token',
        'Quote',
        'Reservation request',
        'Reservation',
        'Events',
        'Quote',
        'Checkout',
        'Guest',
        'Submit',
        'What to do next',
        'Quote',
      ],
    );
    assert.match(out, /environment +simulation/);
    assert.match(out, /paymentSetup\.state +ready/);
    assert.match(out, /Session-Capability: /);
    assert.equal(out.match(/^ +state, version +confirmed, \d+$/gm)?.length, 2);
    assert.equal(out.match(/sequence \d+ +reservation\.confirmed/g)?.length, 2);
    assert.match(out, /nextActions +refresh_quote\n +failure\.reason +sold_out/);
    assert.equal(out.includes('\u001B'), false, 'no colours without a terminal');
  }

  async function checkSecrets(out: string): Promise<void> {
    const { applications } = await credentialsIn(dataDir);
    for (const { applicationKey } of applications) {
      assert.equal(out.includes(applicationKey.slice(0, 20)), false, 'an application key');
      assert.equal(out.includes(applicationKey.split('_')[3] ?? ''), false, 'its secret');
    }
    // A token has two dots; a capability is 43 characters; a client secret names itself.
    assert.doesNotMatch(out, /eyJ[\w-]+\.[\w-]+/);
    assert.doesNotMatch(out, /(?<![\w-])[\w-]{43}(?![\w-])/);
    assert.doesNotMatch(out, /_secret_/);
  }

  it('says what to run when nothing answers', async () => {
    const folder = await newFolder();
    const baseUrl = `http://localhost:${await freePort()}`;
    const credentials = { ...(await credentialsIn(dataDir)), baseUrl };
    const file = path.join(folder, 'sandbox-credentials.json');
    await writeFile(file, JSON.stringify(credentials));
    const { code, err } = await demo(folder);
    assert.equal(code, 1);
    assert.match(err, oneSentence);
    assert.ok(err.includes(baseUrl) && err.includes('npm start'), err);
  });

  it('says what to run when there are no credentials', async () => {
    const { code, out, err } = await demo(path.join(await newFolder(), 'nothing'));
    assert.equal(code, 1);
    assert.equal(out, '');
    assert.match(err, oneSentence);
    assert.ok(err.includes('sandbox-credentials.json') && err.includes('npm start'), err);
  });

  it('says what to do when the credentials are not those of the service', async () => {
    const folder = await newFolder();
    const credentials = await credentialsIn(dataDir);
    const strange = credentials.applications.map((application) => ({
      ...application,
      applicationKey: `${application.applicationKey.slice(0, -1)}-`,
    }));
    const file = path.join(folder, 'sandbox-credentials.json');
    await writeFile(file, JSON.stringify({ ...credentials, applications: strange }));
    const { code, err } = await demo(folder);
    assert.equal(code, 1);
    assert.match(err, oneSentence);
    assert.match(err, /does not take the key/);
  });
});

describe('the demo: money', () => {
  it("is shown in the currency's own decimals", () => {
    assert.equal(money(118_160, 'USD'), '$1,181.60');
    assert.equal(money(84_000, 'JPY'), '¥84,000');
    assert.equal(money(1_234_567, 'KWD').replaceAll('\u00A0', ' '), 'KWD 1,234.567');
  });
});
