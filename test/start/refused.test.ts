/** Starts that cannot be: each says why, in words for people, and leaves nothing behind. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { noOtherAccount, nobody } from '../harness/accounts.ts';
import { postmasterOf } from '../harness/embedded.ts';
import { createTestDatabase, type TestDatabase } from '../harness/postgres.ts';
import { sql } from '../harness/rows.ts';
import { freePort } from '../harness/free-port.ts';
import { launch, onDatabase, serve, type Launch } from '../harness/service-process.ts';
import { makeDataFolders } from '../harness/data-folders.ts';
import { copyUsed } from '../harness/used-folder.ts';
import { mountSmallDisk } from '../faults/small-disk.ts';

const dataFolders = await makeDataFolders();
const disk = await mountSmallDisk(160);
after(async () => {
  await dataFolders.clear();
  await disk?.remove();
});

const hasIPv6 = Object.values(networkInterfaces()).some((addresses) =>
  addresses?.some(({ address }) => address === '::1'),
);
const isRoot = process.geteuid?.() === 0;
const elsewhere = isRoot ? await noOtherAccount() : false;

/** Starts, and expects an end with nothing but this to say. */
async function refuses(options: Launch, ...expected: (string | RegExp)[]): Promise<string> {
  const service = await launch(options);
  assert.deepEqual(await service.ended, { code: 1, signal: null }, service.output);
  assert.match(service.stderr, /^Latchkey did not start\. /);
  assert.doesNotMatch(service.output, /^ +at |node:internal|"stack"/m);
  for (const text of expected) {
    if (typeof text === 'string') assert.ok(service.stderr.includes(text), service.stderr);
    else assert.match(service.stderr, text);
  }
  assert.equal(await postmasterOf(options.dataDir), null);
  return service.output;
}

/** Somebody else listens there while the work is done. */
async function whileTaken(port: number, host: string, work: () => Promise<unknown>): Promise<void> {
  const server = createServer().listen({ port, host });
  await once(server, 'listening');
  try {
    await work();
  } finally {
    server.close();
  }
}

describe('a start is refused: the configuration', () => {
  it('with all problems at once', async () => {
    const env = { PORT: 'x', LATCHKEY_HOST: '0.0.0.0', LATCHKEY_ROLES: 'y', BASE_URL: 'z' };
    const dataDir = dataFolders.folder();
    const output = await refuses({ dataDir, env }, 'The configuration is not valid:');
    const problems = output.split('\n').filter((line) => line.startsWith('  - '));
    assert.deepEqual(
      problems.map((line) => line.split(' ')[3]).toSorted(),
      Object.keys(env).toSorted(),
    );
  });
});

describe('a start is refused: the data folder', () => {
  it('used by another service, which keeps running', async () => {
    const dataDir = await dataFolders.usedFolder();
    const first = await serve({ dataDir });
    const second = await launch({ dataDir });
    assert.deepEqual(await second.ended, { code: 1, signal: null });
    assert.match(second.stderr, /^Latchkey did not start\. The data folder .* is in use by the /);
    assert.doesNotMatch(second.stderr, /^ +at /m);
    assert.equal(await first.readiness(), 200);
    await first.stop();
  });

  it('not writable', { skip: elsewhere }, async () => {
    const dataDir = dataFolders.folder();
    await mkdir(dataDir);
    await chmod(dataDir, 0o555);
    const identity = isRoot ? { identity: nobody } : {};
    const notWritable = `The data folder ${dataDir} is not writable`;
    await refuses({ dataDir, ...identity }, notWritable, 'LATCHKEY_DATA_DIR');
  });

  it(
    'on a full disk, and its next start with room serves',
    { skip: !disk && 'nothing can be mounted here' },
    async () => {
      assert.ok(disk);
      const dataDir = path.join(disk.folder, 'data');
      await copyUsed('', dataDir);
      await disk.fill();
      await refuses(
        { dataDir },
        'The disk is full (ENOSPC: no space left on device, write). Make room, then start again.',
      );
      await disk.makeRoom();
      const service = await serve({ dataDir });
      await service.stop();
    },
  );

  it('with an invalid master key', async () => {
    const dataDir = await dataFolders.usedFolder();
    const file = path.join(dataDir, 'master.key');
    await writeFile(file, 'not a key');
    await refuses({ dataDir }, `${file} is not 32 bytes in base64.`);
  });

  it('with another master key than that of the database', async () => {
    const dataDir = await dataFolders.usedFolder();
    const env = { LATCHKEY_MASTER_KEY: Buffer.alloc(32, 9).toString('base64') };
    await refuses({ dataDir, env }, 'sealed with another master key', 'LATCHKEY_MASTER_KEY');
  });
});

describe('a start is refused: the port', () => {
  it('in use, before a data folder is made', async () => {
    const dataDir = path.join(dataFolders.folder(), 'new');
    const port = await freePort();
    const why = `Port ${port} on localhost is in use by another process.`;
    await whileTaken(port, '127.0.0.1', () => refuses({ dataDir, port }, why, 'PORT'));
    assert.equal(existsSync(dataDir), false);
  });
});

describe('a start is refused: the database', () => {
  let database: TestDatabase;
  let env: Record<string, string>;
  let dataDir: string;

  before(async () => {
    database = await createTestDatabase();
    env = onDatabase(database);
    dataDir = dataFolders.folder();
  });
  after(() => database.drop());

  const url = (part: string, value: string): Record<string, string> => {
    const [place = '', query] = (env['DATABASE_URL'] ?? '').split('?');
    const members = new URLSearchParams(query);
    if (part === 'database') return { ...env, DATABASE_URL: `postgres:///${value}?${members}` };
    members.set(part, value);
    return { ...env, DATABASE_URL: `${place}?${members}` };
  };

  it('that does not exist or denies access', async () => {
    const port = String(await freePort());
    const nobodyThere = { ...env, DATABASE_URL: `postgres://u:hush@localhost:${port}/d` };
    const unreachable = 'PostgreSQL cannot be reached: ';
    const outputs = [
      await refuses({ dataDir, env: nobodyThere }, unreachable, 'ECONNREFUSED'),
      await refuses({ dataDir, env: url('database', 'nowhere') }, unreachable, '"nowhere"'),
      await refuses({ dataDir, env: url('user', 'stranger') }, unreachable, '"stranger"'),
    ];
    assert.doesNotMatch(outputs.join(), /hush/);
  });

  it('of a newer version', async () => {
    await sql(database.database, `INSERT INTO schema_migrations VALUES ('999999_later.sql', '')`);
    await refuses({ dataDir, env }, '999999_later.sql', 'made by a newer version');
    await sql(database.database, `DELETE FROM schema_migrations WHERE name LIKE '999999%'`);
  });

  it('whose applied migrations have changed since', async () => {
    const change = () =>
      sql(database.database, 'UPDATE schema_migrations SET digest = reverse(digest)');
    await change();
    await refuses({ dataDir, env }, 'has changed since it was applied');
    await change();
  });

  it('without permission to create tables', async () => {
    const empty = await createTestDatabase(2, 'template1');
    await sql(empty.database, 'ALTER SCHEMA public RENAME TO closed');
    await refuses({ dataDir, env: onDatabase(empty) }, 'no schema has been selected');
    await empty.drop();
  });

  it('of another environment', async () => {
    const move = (environment: string) =>
      sql(database.database, 'UPDATE installation SET environment = $1', [environment]);
    await move('live');
    await refuses(
      { dataDir, env },
      'belongs to the environment live, not to simulation: set LATCHKEY_ENVIRONMENT=live',
    );
    await move('simulation');
  });

  it('an address of another machine, or a port in use on one address of localhost', async () => {
    const proxied = { ...env, LATCHKEY_TRUSTED_PROXY: '10.0.0.0/8', LATCHKEY_HOST: '203.0.113.1' };
    await refuses({ dataDir, env: proxied }, 'LATCHKEY_HOST=203.0.113.1 is no address of this');
    if (!hasIPv6) return;
    const port = await freePort();
    const why = `Port ${port} on localhost is in use`;
    await whileTaken(port, '::1', () => refuses({ dataDir, env, port }, why));
  });
});
