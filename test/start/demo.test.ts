/** What a partner developer tries first, against a service started as a person starts it: the demo and the first guide. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { money } from '../../src/demo/format.ts';
import { freePort } from '../harness/free-port.ts';
import { serve, type ServiceProcess } from '../harness/service-process.ts';
import { makeDataFolders } from '../harness/data-folders.ts';

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
const dataFolders = await makeDataFolders();
after(() => dataFolders.clear());

/** Runs a program as a person does who has set nothing but where the data are. */
async function ran(program: string, words: readonly string[], dataDir: string): Promise<Ran> {
  const searched = [path.dirname(process.execPath), process.env['PATH']].join(path.delimiter);
  const child = spawn(program, words, {
    cwd: project,
    env: { PATH: searched, LATCHKEY_DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  let err = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, out, err };
}

const demo = (dataDir: string): Promise<Ran> =>
  ran(process.execPath, ['src/demo/main.ts'], dataDir);

const fileIn = (dataDir: string): string => path.join(dataDir, 'sandbox-credentials.json');

const credentialsIn = async (dataDir: string): Promise<CredentialsFile> =>
  JSON.parse(await readFile(fileIn(dataDir), 'utf8')) as CredentialsFile;

/** A folder that holds these credentials and nothing else. */
async function folderWith(credentials: unknown): Promise<string> {
  const folder = dataFolders.folder();
  await mkdir(folder);
  await writeFile(fileIn(folder), JSON.stringify(credentials));
  return folder;
}

const headingsOf = (out: string): string[] =>
  [...out.matchAll(/^ *\d+\. (.+)$/gm)].map(([, heading = '']) => heading);

const booking = ['Checkout', 'Guest'];
const outcome = ['Reservation', 'Events'];
const steps = [
  ['Token', 'Site', 'Listings', 'Search', 'Calendar', 'Quote'],
  [...booking, 'Payment setup', 'Payment method', 'Submit', 'Confirmation', ...outcome],
  ['Token', 'Quote', 'Reservation request', ...outcome],
  ['Quote', ...booking, 'Submit', 'What to do next', 'Quote'],
].flat();

function checkSteps(out: string): void {
  const headings = headingsOf(out);
  assert.deepEqual(
    headings.filter((heading) => heading !== 'Poll'),
    steps,
  );
  assert.ok(headings.includes('Poll'));
  assert.match(out, /environment +simulation/);
  assert.match(out, /paymentSetup\.state +ready/);
  assert.equal(out.match(/^ +state, version +confirmed, \d+$/gm)?.length, 2);
  assert.equal(out.match(/sequence \d+ +reservation\.confirmed/g)?.length, 2);
  assert.match(out, /nextActions +refresh_quote\n +failure\.reason +sold_out/);
  assert.equal(out.includes('\u001B'), false, 'no colours without a terminal');
}

function checkSecrets(out: string, { applications }: CredentialsFile): void {
  for (const { applicationKey } of applications) {
    assert.equal(out.includes(applicationKey.slice(0, 20)), false, 'an application key');
    assert.equal(out.includes(applicationKey.split('_')[3] ?? ''), false, 'its secret');
  }
  // A token has dots; a capability is 43 characters; a client secret names itself.
  assert.match(out, /Session-Capability: \S{6}…/);
  assert.doesNotMatch(out, /eyJ[\w-]+\.[\w-]+/);
  assert.doesNotMatch(out, /(?<![\w-])[\w-]{43}(?![\w-])/);
  assert.doesNotMatch(out, /_secret_/);
}

/** Small machines have no `curl`. */
const noCurl = spawnSync('curl', ['--version']).status !== 0 && 'there is no curl';

const oneSentence = /^[^\n]+\n$/;

/** The shell commands of a guide, in their order. */
async function guideCommands(name: string): Promise<string> {
  const guide = await readFile(path.join(project, `docs/partners/${name}.md`), 'utf8');
  const blocks = [...guide.matchAll(/^```bash\n(.*?)^```$/gms)].map(([, block = '']) => block);
  assert.ok(blocks.length > 5);
  // A person types more slowly than other tests keep this machine busy.
  return blocks.join('').replaceAll(/^sleep 1$/gm, 'sleep 3');
}

describe('demo and guide', () => {
  let dataDir: string;
  let service: ServiceProcess;

  before(async () => {
    dataDir = await dataFolders.usedFolder();
    service = await serve({ dataDir });
  });
  after(() => service.stop());

  it('the demo runs both kinds of booking and a refusal, twice, and shows no secret', async () => {
    for (let round = 1; round <= 2; round += 1) {
      const { code, out, err } = await demo(dataDir);
      assert.equal(err, '');
      assert.equal(code, 0);
      checkSteps(out);
      checkSecrets(out, await credentialsIn(dataDir));
    }
  });

  it('the commands of the guide can be pasted', { skip: noCurl }, async () => {
    const script = `set -euo pipefail\n${await guideCommands('first-booking')}`;
    const { code, out, err } = await ran('bash', ['-c', script], dataDir);
    assert.equal(code, 0, `${out}${err}`);
    assert.match(out, /^simulation\n/);
    assert.match(out, /^ready 4$/m);
    assert.equal(out.match(/^confirmed view_confirmation$/gm)?.length, 2, out);
    assert.match(out, /^\d+ reservation\.confirmed$/m);
  });

  it('the commands of the guide to search can be pasted', { skip: noCurl }, async () => {
    const script = `set -euo pipefail\n${await guideCommands('search')}`;
    const { code, out, err } = await ran('bash', ['-c', script], dataDir);
    assert.equal(code, 0, `${out}${err}`);
    assert.match(out, /, Kyoto$/m);
    assert.match(out, /^\d+(\.\d)? km /m);
    assert.match(out, /^\d+ EUR /m);
    assert.match(out, /^\d{4}-\d{2}-\d{2} \d{4}-\d{2}-\d{2} \d+ /m);
  });

  it('the demo says what to run if the service does not respond', async () => {
    const baseUrl = `http://localhost:${await freePort()}`;
    const folder = await folderWith({ ...(await credentialsIn(dataDir)), baseUrl });
    const { code, err } = await demo(folder);
    assert.equal(code, 1);
    assert.match(err, oneSentence);
    assert.ok(err.includes(baseUrl) && err.includes('npm start'), err);
  });

  it('the demo says what to run if there are no credentials', async () => {
    const { code, out, err } = await demo(dataFolders.folder());
    assert.equal(code, 1);
    assert.equal(out, '');
    assert.match(err, oneSentence);
    assert.ok(err.includes('sandbox-credentials.json') && err.includes('npm start'), err);
  });

  it('the demo says what to do if the credentials belong to another service', async () => {
    const { baseUrl, applications } = await credentialsIn(dataDir);
    const strange = applications.map((application) => ({
      ...application,
      applicationKey: `${application.applicationKey.slice(0, -1)}-`,
    }));
    const { code, err } = await demo(await folderWith({ baseUrl, applications: strange }));
    assert.equal(code, 1);
    assert.match(err, oneSentence);
    assert.match(err, /refuses the key/);
  });

  it('the demo says what to do if the credentials file is invalid', async () => {
    const { code, err } = await demo(await folderWith({ baseUrl: 'http://localhost' }));
    assert.equal(code, 1);
    assert.match(err, oneSentence);
  });
});

describe('money in the demo', () => {
  it("is shown in the currency's own decimals", () => {
    assert.equal(money(118_160, 'USD'), '$1,181.60');
    assert.equal(money(84_000, 'JPY'), '¥84,000');
    assert.equal(money(1_234_567, 'KWD').replaceAll('\u00A0', ' '), 'KWD 1,234.567');
  });
});
