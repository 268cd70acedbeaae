/** A first start and a second one, as a partner developer has them. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmod, mkdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { noOtherAccount, nobody } from '../harness/accounts.ts';
import { Partner, type Credentials } from '../harness/partner.ts';
import { makeDataFolders } from '../harness/data-folders.ts';
import { serve, type Identity, type ServiceProcess } from '../harness/service-process.ts';

const run = promisify(execFile);
const dataFolders = await makeDataFolders();
after(() => dataFolders.clear());

const noCurl = await run('bash', ['-c', 'command -v curl']).then(
  () => false as const,
  () => 'no bash or no curl here',
);

interface CredentialsFile {
  baseUrl: string;
  applications: (Omit<Credentials, 'keyId'> & { name: string })[];
}

const fileOf = (dataDir: string, name: string): string => path.join(dataDir, name);

async function credentialsIn(dataDir: string): Promise<CredentialsFile> {
  const text = await readFile(fileOf(dataDir, 'sandbox-credentials.json'), 'utf8');
  return JSON.parse(text) as CredentialsFile;
}

async function partnerOf(service: ServiceProcess): Promise<Partner> {
  const { applications } = await credentialsIn(service.dataDir);
  const application = applications.find(({ settlement }) => settlement === 'partner');
  assert.ok(application);
  return new Partner(service.origin, { ...application, keyId: '' });
}

/** The command in the welcome message, as a user would copy it. */
function curlIn(output: string): string {
  const [command] = /^ +curl [^]*?[^\\]$/m.exec(output) ?? [];
  assert.ok(command, output);
  return command;
}

/** Tests of a first start, by root or another account. */
function firstStart(name: string, folder: () => Promise<string>, identity?: Identity): void {
  describe(name, () => {
    let service: ServiceProcess;
    let dataDir: string;

    it('serves', async () => {
      dataDir = await folder();
      service = await serve({ dataDir, ...(identity && { identity }) });
      const alive = await fetch(`http://localhost:${service.port}/healthz`);
      assert.equal(alive.status, 200);
    });

    it('prints the URL and the applications, but no key', async () => {
      const { applications } = await credentialsIn(dataDir);
      const url = `http://localhost:${service.port}`;
      const file = fileOf(dataDir, 'sandbox-credentials.json');
      for (const text of [url, `${url}/v1`, `${url}/docs`, `${url}/openapi.json`, file]) {
        assert.ok(service.stdout.includes(` ${text}\n`), text);
      }
      for (const { name: title, applicationId, applicationKey } of applications) {
        assert.ok(service.stdout.includes(`${applicationId}  ${title}`));
        assert.ok(!service.output.includes(applicationKey));
      }
      assert.equal(service.stderr, '');
    });

    it('makes credentials and master key readable only by their owner', async () => {
      const { baseUrl, applications } = await credentialsIn(dataDir);
      assert.equal(baseUrl, `http://localhost:${service.port}`);
      assert.deepEqual(
        applications.map(({ settlement }) => settlement),
        ['card', 'partner'],
      );
      for (const file of ['sandbox-credentials.json', 'master.key']) {
        assert.equal((await stat(fileOf(dataDir, file))).mode & 0o777, 0o600, file);
      }
    });

    it('prints a curl command that gets a token', { skip: noCurl }, async () => {
      const { stdout } = await run('bash', ['-c', curlIn(service.stdout)], { cwd: '/' });
      const token = JSON.parse(stdout) as { token_type: string; scope: string };
      assert.equal(token.token_type, 'Bearer');
      assert.match(token.scope, /reservation\.checkout\.write/);
    });

    it('stops on a signal', async () => {
      assert.deepEqual(await service.stop(), { code: 0, signal: null });
    });
  });
}

firstStart('a first start', async () => dataFolders.folder());
describe(
  'started by root, with PostgreSQL as the account nobody',
  { skip: await noOtherAccount() },
  () => {
    const folder = async (): Promise<string> => {
      const dataDir = dataFolders.folder(` it's "here"`);
      await mkdir(dataDir);
      await chmod(dataDir, 0o777);
      return dataDir;
    };
    firstStart('a first start by nobody, in a folder of an awkward name', folder, nobody);
  },
);

describe('a later start on the same folder', () => {
  let dataDir: string;
  let port: number;
  let keyWritten: number;

  const writtenAt = async (name: string): Promise<number> =>
    (await stat(fileOf(dataDir, name))).mtimeMs;

  it('keeps credentials and data', async () => {
    dataDir = await dataFolders.usedFolder();
    keyWritten = await writtenAt('master.key');
    const first = await serve({ dataDir });
    const before = await credentialsIn(dataDir);
    const partner = await partnerOf(first);
    const open = await partner.submittedCheckout();
    const { reference } = await partner.statusOnce(open, ['confirmed']);
    const feed = await partner.succeed('reservation.event.list');
    await first.stop();

    const second = await serve({ dataDir });
    ({ port } = second);
    const { baseUrl, applications } = await credentialsIn(dataDir);
    assert.equal(baseUrl, `http://localhost:${second.port}`);
    assert.deepEqual(applications, before.applications);
    const again = await partnerOf(second);
    const checkout = await again.succeed('reservation.checkout.get', open.at);
    assert.equal(checkout.reference, reference);
    assert.deepEqual(checkout.guest?.email, 'ada@example.com');
    assert.deepEqual(await again.succeed('reservation.event.list'), feed);
    assert.doesNotMatch(second.output, /new keys|initialising/);
    await second.stop();
  });

  it('does not rewrite its files if nothing has changed', async () => {
    const written = await writtenAt('sandbox-credentials.json');
    const third = await serve({ dataDir, port });
    assert.equal(await writtenAt('sandbox-credentials.json'), written);
    assert.equal(await writtenAt('master.key'), keyWritten);
    await third.stop();
  });
});

it('logs a readable line a call where text is asked for', async () => {
  const dataDir = await dataFolders.usedFolder();
  const service = await serve({ dataDir, env: { LATCHKEY_LOG_FORMAT: 'text' } });
  const partner = await partnerOf(service);
  const { headers } = await partner.call('distribution.site.get');
  await service.stop();
  const line = service.stdout.split('\n').find((text) => text.includes('distribution.site.get'));
  assert.match(
    line ?? '',
    /^\d\d:\d\d:\d\d INFO {2}distribution\.site\.get {2}200 {2}[\d.]+ ms {2}\S.* {2}[0-9a-f-]{36}$/,
  );
  assert.ok(line?.endsWith(headers.get('x-request-id')!));
  assert.ok(!service.stdout.includes('\u001b'), 'no colours outside of a terminal');
});
