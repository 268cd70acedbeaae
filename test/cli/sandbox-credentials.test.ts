/** The credentials of the simulation: made once, kept, and made anew when they are lost. */
import assert from 'node:assert/strict';
import { chmod, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';
import {
  defaultPoolLimits,
  openDatabase,
  type Database,
} from '../../src/platform/postgres/database.ts';
import { findRunningPostgres } from '../../src/platform/embedded-postgres/index.ts';
import {
  ensureSandboxCredentials,
  sandboxApplications,
  type SandboxCredentials,
} from '../../src/installation/sandbox-credentials.ts';
import type { Storage } from '../../src/installation/storage.ts';
import { addCatalog } from '../harness/catalogs.ts';
import {
  getToken,
  newInstallation,
  readSite,
  type Installation,
  type RunningService,
} from './installation.ts';
import { listKeys } from '../harness/acts.ts';

const settlements = ['card', 'partner'];
const [card] = sandboxApplications;

describe('sandbox credentials, from start to start', () => {
  let installation: Installation;
  let service: RunningService | undefined;

  before(async () => {
    installation = await newInstallation();
  });
  afterEach(async () => {
    await service?.stop();
  });
  after(() => installation.remove());

  // Spec: SIMULATION-8.
  it('are there after the first start, for the owner alone, without a warning', async () => {
    service = await installation.serve();
    const { baseUrl, applications } = await installation.credentials();
    assert.equal(baseUrl, service.baseUrl);
    assert.deepEqual(
      applications.map(({ settlement }) => settlement),
      settlements,
    );
    assert.equal((await stat(installation.credentialsFile)).mode & 0o777, 0o600);
    for (const application of applications) {
      const site = await readSite(baseUrl, await getToken(baseUrl, application));
      const { capabilities } = (await site.json()) as { capabilities: string[] };
      assert.deepEqual(capabilities, ['catalog', 'search', 'quotes', 'checkout', 'signals']);
    }
    const { stdout, exitCode } = await service.stop();
    assert.doesNotMatch(stdout, /new keys were issued/);
    assert.doesNotMatch(stdout, /lk_sandbox_/);
    assert.equal(exitCode, 0);
  });

  it('are kept by a restart; only the base URL follows', async () => {
    const earlier = await installation.credentials();
    service = await installation.serve();
    const later = await installation.credentials();
    assert.deepEqual(later, { ...earlier, baseUrl: service.baseUrl });
    for (const application of later.applications) await getToken(service.baseUrl, application);
    assert.doesNotMatch((await service.stop()).stdout, /new keys were issued/);
  });

  it('are issued again when the file is lost, and the start reports this', async () => {
    const earlier = await installation.credentials();
    await rm(installation.credentialsFile);
    service = await installation.serve();
    const later = await installation.credentials();
    assert.equal((await stat(installation.credentialsFile)).mode & 0o777, 0o600);
    for (const [index, application] of later.applications.entries()) {
      assert.equal(application.applicationId, earlier.applications[index]?.applicationId);
      assert.notEqual(application.applicationKey, earlier.applications[index]?.applicationKey);
      await getToken(service.baseUrl, application);
    }
    assert.match((await service.stop()).stdout, /was not there: new keys were issued/);
  });
});

describe('sandbox credentials, on one database', () => {
  let installation: Installation;
  let storage: Storage;
  let folders = 0;
  let dataDir: string;

  before(async () => {
    installation = await newInstallation();
    storage = await installation.storage();
    await addCatalog(storage.database, 'homes');
  });
  after(async () => {
    await storage.close();
    await installation.remove();
  });

  const newFolder = (): string => {
    folders += 1;
    return path.join(installation.dataDir, `folder-${folders}`);
  };
  const fileIn = (folder: string): string => path.join(folder, 'sandbox-credentials.json');

  const ensure = async (
    folder: string,
    { database = storage.database, baseUrl = 'http://localhost:8080' } = {},
  ): Promise<{ credentials: SandboxCredentials; reports: string[] }> => {
    const reports: string[] = [];
    const credentials = await ensureSandboxCredentials({
      database,
      dataDir: folder,
      baseUrl,
      environment: 'simulation',
      report: (message) => reports.push(message),
    });
    assert.deepEqual(JSON.parse(await readFile(fileIn(folder), 'utf8')), credentials);
    return { credentials, reports };
  };

  const keyIdsOf = ({ applications }: SandboxCredentials): (string | undefined)[] =>
    applications.map(({ applicationKey }) => applicationKey.split('_')[2]);

  it('are made once by many processes that start at the same moment', async () => {
    dataDir = newFolder();
    const connection = await findRunningPostgres(installation.dataDir);
    assert.ok(connection);
    const slow = { connections: 1, waitMs: 10_000, statementMs: 10_000 };
    const limits = { ...defaultPoolLimits, ...slow };
    const databases: Database[] = Array.from({ length: 8 }, () =>
      openDatabase(connection, storage.database.vault, limits, () => undefined),
    );
    const all = await Promise.all(databases.map((database) => ensure(dataDir, { database })));
    await Promise.all(databases.map((database) => database.close()));

    const [first] = all;
    for (const { credentials, reports } of all) {
      assert.deepEqual(credentials, first?.credentials);
      assert.deepEqual(reports, []);
    }
    for (const { applicationId } of sandboxApplications) {
      assert.equal((await listKeys(storage.database, applicationId)).length, 1);
    }
    assert.deepEqual(await readdir(dataDir), ['sandbox-credentials.json']);
  });

  it('are left alone, to the last byte, as long as they are good', async () => {
    const text = `\n${await readFile(fileIn(dataDir), 'utf8')}\n`;
    await writeFile(fileIn(dataDir), text);
    const { mtimeMs } = await stat(fileIn(dataDir));
    const { reports } = await ensure(dataDir);
    assert.deepEqual(reports, []);
    assert.equal(await readFile(fileIn(dataDir), 'utf8'), text);
    assert.equal((await stat(fileIn(dataDir))).mtimeMs, mtimeMs);
  });

  it('follow the base URL, and keep what else is in the file', async () => {
    const earlier = JSON.parse(await readFile(fileIn(dataDir), 'utf8')) as SandboxCredentials;
    await writeFile(fileIn(dataDir), JSON.stringify({ ...earlier, remark: 'mine' }));
    await ensure(dataDir, { baseUrl: 'http://localhost:9999' });
    const later: unknown = JSON.parse(await readFile(fileIn(dataDir), 'utf8'));
    assert.deepEqual(later, { ...earlier, remark: 'mine', baseUrl: 'http://localhost:9999' });
  });

  it('are issued to each data folder of its own', async () => {
    const here = await ensure(dataDir);
    const there = await ensure(newFolder());
    assert.match(there.reports.join(), /was not there: new keys were issued for .* and /);
    assert.deepEqual((await ensure(dataDir)).credentials, here.credentials);
  });

  it('are issued anew for the one application whose key was revoked or has expired', async () => {
    const { credentials: earlier } = await ensure(dataDir);
    const [keyId] = keyIdsOf(earlier);
    await storage.database.query({
      name: 'revoke-manually',
      text: `UPDATE application_keys SET revoked_at = now() WHERE key_id = '${keyId}'`,
    });
    const { credentials: later, reports } = await ensure(dataDir);
    assert.notEqual(later.applications[0]?.applicationKey, earlier.applications[0]?.applicationKey);
    assert.equal(later.applications[1]?.applicationKey, earlier.applications[1]?.applicationKey);
    assert.equal(reports.length, 1);
    assert.match(reports[0] ?? '', /revoked or expired: new keys were issued for Sandbox, card-/);

    await storage.database.query({
      name: 'expire-manually',
      text: `UPDATE application_keys SET expires_at = now() WHERE key_id = '${keyIdsOf(later)[1]}'`,
    });
    const again = await ensure(dataDir);
    assert.equal(again.reports.length, 1);
    assert.deepEqual((await ensure(dataDir)).reports, []);
  });

  it('are issued anew where the file is unreadable, of another database, or tampered with', async () => {
    const { credentials } = await ensure(dataDir);
    const [first, second] = credentials.applications;
    assert.ok(first && second);
    const foreign = {
      ...credentials,
      applications: [
        { ...first, applicationKey: `lk_sandbox_000000000000_${'0'.repeat(43)}_000000` },
        { ...second, applicationKey: first.applicationKey },
      ],
    };
    const contents = ['', '{', '[]', '{"baseUrl":1}', JSON.stringify(foreign)];
    for (const content of contents) {
      const folder = newFolder();
      await mkdir(folder, { recursive: true });
      await writeFile(fileIn(folder), content);
      const { reports } = await ensure(folder);
      assert.equal(reports.length, 1, content);
      assert.match(reports[0] ?? '', /new keys were issued for .* and /);
      assert.doesNotMatch(reports[0] ?? '', /lk_sandbox_/);
      assert.equal((await stat(fileIn(folder))).mode & 0o777, 0o600);
      assert.deepEqual((await ensure(folder)).reports, []);
    }
  });

  it('are not issued at all when the file cannot be written', async () => {
    const folder = newFolder();
    await mkdir(fileIn(folder), { recursive: true });
    await chmod(folder, 0o711);
    const earlier = await listKeys(storage.database, card.applicationId);
    await assert.rejects(ensure(folder), /sandbox-credentials\.json cannot be written: /);
    assert.deepEqual(await listKeys(storage.database, card.applicationId), earlier);
    assert.deepEqual(await readdir(folder), ['sandbox-credentials.json']);
  });

  it('are for the simulation alone', async () => {
    const context = { database: storage.database, dataDir, baseUrl: 'https://x.test' };
    const report = (): void => undefined;
    await assert.rejects(
      ensureSandboxCredentials({ ...context, environment: 'live', report }),
      /live has no sandbox applications/,
    );
  });
});
