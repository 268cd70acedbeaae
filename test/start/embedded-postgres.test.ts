/** The embedded PostgreSQL with real processes: started, killed, crowded, misplaced. */
import assert from 'node:assert/strict';
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFile,
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, afterEach, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';
import {
  EmbeddedPostgresError,
  startEmbeddedPostgres,
  type EmbeddedPostgres,
} from '../../src/platform/embedded-postgres/index.ts';
import { startServerIn } from '../../src/platform/embedded-postgres/start.ts';
import { superuserOf } from '../harness/superuser.ts';
import { scratchFolder } from '../harness/scratch-folder.ts';

type Connection = EmbeddedPostgres['connection'];

const embeddedModule = new URL('../../src/platform/embedded-postgres/index.ts', import.meta.url)
  .href;
const isRoot = process.geteuid?.() === 0;
const notLinux = process.platform !== 'linux' && 'looks into /proc';
const notRoot = !isRoot && 'not root';
const noOtherAccount = notRoot || (await tryOtherAccount());
const noUserNamespace = noOtherAccount || (await tryUserNamespace());
const root = await realpath(await mkdtemp(join(scratchFolder, 'lk-')));
// Under root the server runs as nobody and must be able to enter this folder.
await chmod(root, 0o711);

const servers: EmbeddedPostgres[] = [];
const services: ChildProcess[] = [];
let folders = 0;
let original: Promise<string> | undefined;

afterEach(async () => {
  for (const service of services.splice(0)) await kill(service, 'SIGKILL');
  await Promise.all(servers.splice(0).map((server) => server.stop()));
});

after(async () => {
  for (const pid of await postmastersUnder(root)) process.kill(pid, 'SIGQUIT');
  await waitUntil(async () => (await postmastersUnder(root)).length === 0);
  await rm(root, { recursive: true, force: true, maxRetries: 5 });
});

describe('embedded PostgreSQL: start and stop', () => {
  it('creates the database on the first start and keeps its data over a restart', async () => {
    const dataDir = newFolder();
    const first = await start(dataDir);
    assert.deepEqual(first.connection, {
      host: join(dataDir, 'postgres'),
      port: 5432,
      user: 'latchkey',
      database: 'latchkey',
    });
    await query(first.connection, 'CREATE TABLE kept AS SELECT 42 AS answer');
    await first.stop();

    const second = await start(dataDir);
    assert.deepEqual(await query(second.connection, 'SELECT answer FROM kept'), [{ answer: 42 }]);
  });

  it('is durable, uses UTC and UTF-8, and gives the service a role that is not a superuser', async () => {
    const { connection } = await start(await usedFolder());
    const [settings] = await query(
      connection,
      `SELECT current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS commit,
        current_setting('full_page_writes') AS pages, current_setting('data_checksums') AS checksums,
        current_setting('TimeZone') AS zone, current_setting('server_version_num')::int / 10000 AS version,
        (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) AS superuser,
        (SELECT concat_ws(' ', pg_encoding_to_char(encoding), datlocprovider, datlocale)
          FROM pg_database WHERE datname = current_database()) AS locale,
        upper('straße œ') AS upper`,
    );
    assert.deepEqual(settings, {
      fsync: 'on',
      commit: 'on',
      pages: 'on',
      checksums: 'on',
      zone: 'UTC',
      version: 18,
      superuser: false,
      locale: 'UTF8 b C.UTF-8',
      upper: 'STRAßE Œ',
    });
    await query(connection, 'CREATE EXTENSION btree_gist');
    await query(connection, 'CREATE DATABASE another TEMPLATE latchkey');
  });

  it('listens on a Unix socket that other accounts cannot reach, and on no port', async () => {
    const { connection } = await start(await usedFolder());
    assert.equal((await stat(connection.host)).mode & 0o777, 0o700);
    const socket = join(connection.host, '.s.PGSQL.5432');
    assert.equal((await stat(socket)).mode & 0o777, 0o700);
    const [row] = await query(
      connection,
      `SELECT current_setting('listen_addresses') AS addresses`,
    );
    assert.deepEqual(row, { addresses: '' });
  });

  it('stops at once, can be stopped twice, reports no unexpected exit, and releases the folder', async () => {
    const dataDir = await usedFolder();
    const server = await start(dataDir);
    const exits: string[] = [];
    server.onExit((reason) => exits.push(reason));
    const client = new Client(server.connection);
    client.on('error', () => undefined);
    await client.connect();

    const begin = performance.now();
    await Promise.all([server.stop(), server.stop()]);
    await server.stop();
    assert.ok(performance.now() - begin < 5_000);
    assert.deepEqual(await postmastersUnder(dataDir), []);
    assert.deepEqual(exits, []);
    assert.deepEqual((await readdir(dataDir)).toSorted(), [
      'postgres',
      'postgres.lock',
      'postgres.log',
    ]);
    await start(dataDir);
  });

  it('uses a short temporary folder for the socket if the path of the data folder is too long', async () => {
    const dataDir = join(newFolder(), 'x'.repeat(60), 'y'.repeat(60));
    const server = await start(dataDir);
    const { host } = server.connection;
    assert.ok(Buffer.byteLength(host) < 80, host);
    assert.equal((await stat(host)).mode & 0o777, 0o700);
    await query(server.connection, 'SELECT 1');
    await server.stop();
    await assert.rejects(stat(host), { code: 'ENOENT' });
  });

  it('works in a folder whose name has commas, quotes, spaces and any letters', async () => {
    const { connection } = await start(join(newFolder(), `a, "b" 'c' ü`));
    await query(connection, 'SELECT 1');
  });

  it('lets nobody be superuser on the socket without the password of the cluster, also in a folder of before', async () => {
    const dataDir = await usedFolder();
    const cluster = join(dataDir, 'postgres');
    const passwordFile = join(cluster, 'superuser.password');
    const rules = join(cluster, 'pg_hba.conf');
    const isGuarded = async (connection: Connection) => {
      for (const password of [undefined, '', 'wrong']) {
        const { password: _, ...socket } = connection;
        const wrong = { ...socket, user: 'postgres', database: 'postgres' };
        await assert.rejects(
          query(password === undefined ? wrong : { ...wrong, password }, 'SELECT 1'),
          /password/,
        );
      }
      const right = await superuserOf({ ...connection, database: 'postgres' });
      const known = right as Connection;
      const asked = `SELECT rolsuper FROM pg_roles WHERE rolname = current_user`;
      assert.deepEqual(await query(known, asked), [{ rolsuper: true }]);
      assert.equal((await stat(passwordFile)).mode & 0o777, 0o600);
      assert.equal((await stat(passwordFile)).uid, (await stat(cluster)).uid);
    };
    const first = await start(dataDir);
    await isGuarded(first.connection);
    await first.stop();

    // As an earlier version has made it.
    const text = await readFile(rules, 'utf8');
    await writeFile(rules, text.replaceAll(/^(# Latchkey|local .*scram).*\n/gm, ''));
    await rm(passwordFile);
    const second = await start(dataDir);
    await isGuarded(second.connection);
    const password = await readFile(passwordFile, 'utf8');
    await second.stop();

    const third = await start(dataDir);
    await isGuarded(third.connection);
    assert.equal(await readFile(passwordFile, 'utf8'), password);
  });

  it('requires a random password if it listens on a loopback port', async () => {
    const dataDir = newFolder();
    const quiet = { dataDir, log: () => undefined };
    const first = await startServerIn(quiet, 'loopback');
    servers.push(first);
    const { connection } = first;
    assert.equal(connection.host, '127.0.0.1');
    assert.match(connection.password ?? '', /^[\w-]{32}$/);
    const passwordFile = join(dataDir, 'postgres', 'latchkey.password');
    assert.equal((await stat(passwordFile)).mode & 0o777, 0o600);
    await query(connection, 'CREATE TABLE kept AS SELECT 42 AS answer');
    for (const wrong of [
      { password: 'wrong' },
      { user: 'postgres', database: 'postgres' },
      { user: 'postgres', database: 'postgres', password: '' },
    ]) {
      await assert.rejects(
        query({ ...connection, ...wrong }, 'SELECT 1'),
        /authentication|password/,
      );
    }
    await first.stop();

    const second = await startServerIn(quiet, 'loopback');
    servers.push(second);
    assert.equal(second.connection.password, connection.password);
    assert.deepEqual(await query(second.connection, 'SELECT answer FROM kept'), [{ answer: 42 }]);
  });

  it('logs no value that a guest entered', async () => {
    const dataDir = await usedFolder();
    const { connection } = await start(dataDir);
    await query(connection, 'CREATE TABLE guests (email text UNIQUE, nights int)');
    const insert = 'INSERT INTO guests VALUES ($1, $2)';
    await query(connection, insert, ['ada@guest.example', 3]);
    await assert.rejects(query(connection, insert, ['ada@guest.example', 4]), { code: '23505' });
    await assert.rejects(query(connection, insert, ['b', 'ada@guest.example']), { code: '22P02' });
    const log = await readFile(join(dataDir, 'postgres.log'), 'utf8');
    assert.match(log, /ready to accept connections/);
    assert.doesNotMatch(log, /guest|INSERT/);
  });

  it(
    'keeps the service’s environment, with the secrets in it, from the server',
    { skip: notLinux },
    async () => {
      const dataDir = await usedFolder();
      process.env['LATCHKEY_TEST_SECRET'] = 'hush';
      process.env['PGOPTIONS'] = '-c nonsense=1';
      try {
        await start(dataDir);
        const [postmaster] = await postmastersUnder(dataDir);
        const environment = await readFile(`/proc/${postmaster}/environ`, 'utf8');
        assert.doesNotMatch(environment, /hush|PGOPTIONS/);
      } finally {
        delete process.env['LATCHKEY_TEST_SECRET'];
        delete process.env['PGOPTIONS'];
      }
    },
  );

  it('starts a new log when the old one is over 5 MB', async () => {
    const dataDir = newFolder();
    await mkdir(dataDir, { recursive: true, mode: 0o711 });
    await writeFile(join(dataDir, 'postgres.log'), 'old\n'.repeat(1_500_000));
    await start(dataDir);
    assert.ok((await stat(join(dataDir, 'postgres.log'))).size < 10_000);
    assert.ok((await stat(join(dataDir, 'postgres.log.1'))).size > 5_000_000);
  });
});

describe('embedded PostgreSQL: killed', () => {
  it('stops the server that a killed service left running, and starts with all data', async () => {
    const dataDir = await usedFolder();
    const { service, connection } = await startService(dataDir);
    await query(connection, 'CREATE TABLE kept AS SELECT 42 AS answer');
    const [orphan] = await postmastersUnder(dataDir);
    await kill(service, 'SIGKILL');
    assert.deepEqual(await postmastersUnder(dataDir), [orphan]);

    const server = await start(dataDir);
    const [now, ...more] = await postmastersUnder(dataDir);
    assert.notEqual(now, orphan);
    assert.deepEqual(more, []);
    assert.deepEqual(await query(server.connection, 'SELECT answer FROM kept'), [{ answer: 42 }]);
  });

  it('notifies the service when the server is killed, and recovers at the next start', async () => {
    const dataDir = await usedFolder();
    const server = await start(dataDir);
    await query(server.connection, 'CREATE TABLE kept AS SELECT 42 AS answer');
    const reasons: string[] = [];
    const notified = new Promise<void>((resolve) => {
      server.onExit((reason) => {
        reasons.push(reason);
        resolve();
      });
    });
    const [postmaster = 0] = await postmastersUnder(dataDir);
    process.kill(postmaster, 'SIGKILL');
    await notified;

    const next = await start(dataDir);
    assert.deepEqual(await query(next.connection, 'SELECT answer FROM kept'), [{ answer: 42 }]);
    await server.stop();
    assert.match(reasons.join(), /^PostgreSQL was ended by SIGKILL; its log is .*postgres\.log$/);
  });

  it(
    'ends when one of its processes crashes, so that a restart is always a start',
    { timeout: 30_000 },
    async () => {
      const dataDir = await usedFolder();
      const server = await start(dataDir);
      await query(server.connection, 'CREATE TABLE kept AS SELECT 42 AS answer');
      const ended = new Promise<string>((resolve) => void server.onExit(resolve));
      const [postmaster = 0] = await postmastersUnder(dataDir);
      process.kill(await childOf(postmaster, 'checkpointer'), 'SIGKILL');
      assert.match(await ended, /^PostgreSQL ended with exit code 1; its log is .*postgres\.log$/);
      assert.deepEqual(await postmastersUnder(dataDir), []);

      const next = await start(dataDir);
      assert.deepEqual(await query(next.connection, 'SELECT answer FROM kept'), [{ answer: 42 }]);
    },
  );

  it('recovers when service and server are killed together', async () => {
    const dataDir = await usedFolder();
    const { service, connection } = await startService(dataDir);
    await query(connection, 'CREATE TABLE kept AS SELECT 42 AS answer');
    const [postmaster = 0] = await postmastersUnder(dataDir);
    await kill(service, 'SIGKILL');
    process.kill(postmaster, 'SIGKILL');
    const server = await start(dataDir);
    assert.deepEqual(await query(server.connection, 'SELECT answer FROM kept'), [{ answer: 42 }]);
  });

  it('waits for the running backends of a killed server', async () => {
    const dataDir = await usedFolder();
    const server = await start(dataDir);
    const client = new Client(server.connection);
    client.on('error', () => undefined);
    await client.connect();
    // Computes without ever looking whether the server still lives.
    const busy = client.query(`SELECT count(*) FROM generate_series(1, 15000000)`);
    const settled = busy.catch(() => undefined);
    const active = `SELECT FROM pg_stat_activity WHERE state = 'active' AND pid <> pg_backend_pid()`;
    await waitUntil(async () => (await query(server.connection, active)).length > 0);
    const [postmaster = 0] = await postmastersUnder(dataDir);
    process.kill(postmaster, 'SIGKILL');
    await new Promise<string>((resolve) => void server.onExit(resolve));
    const next = await start(dataDir);
    await query(next.connection, 'SELECT 1');
    const log = await readFile(join(dataDir, 'postgres.log'), 'utf8');
    assert.match(log, /pre-existing shared memory block/);
    await client.end().catch(() => undefined);
    await settled;
  });

  it('does not stop another process that has reused the PID of the dead server', async () => {
    const dataDir = await usedFolder();
    const stranger = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60000)']);
    services.push(stranger);
    await once(stranger, 'spawn');
    const cluster = join(dataDir, 'postgres');
    const lines = [stranger.pid, cluster, 1, 5432, cluster, '', '', 'ready', ''];
    await writeFile(join(cluster, 'postmaster.pid'), lines.join('\n'));
    await writeFile(join(cluster, '.s.PGSQL.5432.lock'), lines.join('\n'));

    const { connection } = await start(dataDir);
    await query(connection, 'SELECT 1');
    assert.equal(stranger.exitCode ?? stranger.signalCode, null);
  });

  it('starts with an empty postmaster.pid, as after a power cut', async () => {
    const dataDir = await usedFolder();
    await writeFile(join(dataDir, 'postgres', 'postmaster.pid'), '');
    await start(dataDir);
  });

  it('starts after a first start that was killed at any moment', async () => {
    for (const milliseconds of [250, 450, 650]) {
      const dataDir = newFolder();
      const service = spawnService(dataDir);
      await sleep(milliseconds);
      await kill(service, 'SIGKILL');
      const { connection, stop } = await start(dataDir);
      await query(connection, 'SELECT 1');
      await stop();
      assert.deepEqual(
        (await readdir(dataDir)).filter((name) => name.includes('.new-')),
        [],
      );
    }
  });

  it('removes the incomplete files of an interrupted first start', async () => {
    const dataDir = newFolder();
    const halfMade = join(dataDir, 'postgres.new-abcdef');
    await mkdir(join(halfMade, 'base'), { recursive: true, mode: 0o711 });
    await writeFile(join(halfMade, 'PG_VERSION'), '18\n');
    await mkdir(join(dataDir, 'postgres'));
    await start(dataDir);
    await assert.rejects(stat(halfMade), { code: 'ENOENT' });
  });

  it('keeps serving after Ctrl-C until the service stops it', async () => {
    const dataDir = await usedFolder();
    const { service, connection } = await startService(dataDir);
    assert.ok(service.pid);
    process.kill(-service.pid, 'SIGINT');
    await sleep(200);
    await query(connection, 'SELECT 1');
    service.stdin?.write('stop\n');
    await once(service, 'exit');
    assert.deepEqual(await postmastersUnder(dataDir), []);
  });
});

describe('embedded PostgreSQL: refused', () => {
  it('names the process that uses the data folder, and does not affect it', async () => {
    const dataDir = await usedFolder();
    const { service, connection } = await startService(dataDir);
    await refuses(dataDir, `The data folder ${dataDir} is in use by the process ${service.pid} (`);
    await query(connection, 'SELECT 1');
  });

  it('gives the folder to one of several concurrent starts', async () => {
    const dataDir = newFolder();
    const others = Array.from({ length: 3 }, () => firstLine(spawnService(dataDir)));
    const here = await Promise.allSettled([start(dataDir), start(dataDir)]);
    const refusals = here.flatMap((end) => (end.status === 'rejected' ? [String(end.reason)] : []));
    for (const line of await Promise.all(others)) {
      if (line.error !== undefined) refusals.push(line.error);
    }
    assert.equal(refusals.length, 4);
    for (const refusal of refusals) assert.match(refusal, /is in use by the process \d+/);
    assert.equal((await postmastersUnder(dataDir)).length, 1);
  });

  it('leaves the folder unlocked after a start that could not write into it', async () => {
    const dataDir = await usedFolder();
    const holderFile = join(dataDir, 'postgres.lock-holder');
    await mkdir(holderFile);
    await refuses(dataDir, `The data folder ${dataDir} cannot be locked (EISDIR`);
    await rm(holderFile, { recursive: true });
    await start(dataDir);
  });

  it('reports a file at the path of the data folder, or above it', async () => {
    const file = newFolder();
    await writeFile(file, '');
    await refuses(file, `The data folder ${file} is a file, not a folder.`);
    await refuses(join(file, 'below'), 'would lie inside something that is a file');
  });

  it('reports that the data folder cannot be created', async () => {
    await refuses('/proc/nonexistent', 'The data folder /proc/nonexistent cannot be made (');
  });

  it(
    'reports that the data folder is not writable',
    { skip: isRoot && 'root writes anywhere' },
    async () => {
      const dataDir = newFolder();
      await mkdir(dataDir, { mode: 0o500 });
      await refuses(dataDir, `The data folder ${dataDir} is not writable (EACCES).`);
    },
  );

  it('does not touch the files of another major version', async () => {
    const dataDir = await usedFolder();
    const cluster = join(dataDir, 'postgres');
    await writeFile(join(cluster, 'PG_VERSION'), '17\n');
    await refuses(dataDir, `The database in ${cluster} was made by PostgreSQL 17`);
    await writeFile(join(cluster, 'PG_VERSION'), '18\n');
    await start(dataDir);
  });

  it('does not touch a folder with other content, or a file', async () => {
    const dataDir = newFolder();
    const cluster = join(dataDir, 'postgres');
    await mkdir(cluster, { recursive: true, mode: 0o711 });
    await writeFile(join(cluster, 'letters.txt'), 'Dear Ada');
    await refuses(dataDir, `${cluster} is not a PostgreSQL database folder`);
    assert.deepEqual(await readdir(cluster), ['letters.txt']);

    await rename(join(cluster, 'letters.txt'), join(dataDir, 'letters.txt'));
    await rm(cluster, { recursive: true });
    await writeFile(cluster, '');
    await refuses(dataDir, `${cluster} is not a PostgreSQL database folder`);
  });

  it('shows the end of the server’s log if it does not start, and releases the folder', async () => {
    const dataDir = await usedFolder();
    const settings = join(dataDir, 'postgres', 'postgresql.conf');
    const intact = await readFile(settings, 'utf8');
    await appendFile(settings, 'no_such_setting = on\n');
    await refuses(dataDir, 'no_such_setting');
    await writeFile(settings, intact);
    await start(dataDir);
  });
});

describe('embedded PostgreSQL: accounts', () => {
  it(
    'runs as nobody when root starts it, with files that are nobody’s',
    { skip: noOtherAccount },
    async () => {
      const dataDir = newFolder();
      const { connection } = await start(dataDir);
      const uid = await serverUid(connection);
      assert.notEqual(uid, 0);
      assert.equal((await stat(join(dataDir, 'postgres'))).uid, uid);
      assert.equal((await stat(dataDir)).uid, 0);
    },
  );

  it(
    'runs in a user namespace that the account nobody cannot enter',
    { skip: noUserNamespace },
    async () => {
      const closed = newFolder();
      await mkdir(closed, { mode: 0o700 });
      const dataDir = join(closed, 'data');
      const server = await start(dataDir);
      await query(server.connection, 'CREATE TABLE kept AS SELECT 42 AS answer');
      await server.stop();
      const { service, connection } = await startService(dataDir);
      assert.deepEqual(await query(connection, 'SELECT answer FROM kept'), [{ answer: 42 }]);
      await kill(service, 'SIGKILL');
      await start(dataDir);
      assert.equal((await postmastersUnder(dataDir)).length, 1);
      assert.equal((await stat(join(dataDir, 'postgres'))).uid, 0);
    },
  );

  it(
    'puts the socket where nobody can enter, when root’s data folder has a long path',
    { skip: noOtherAccount },
    async () => {
      const dataDir = join(newFolder(), 'x'.repeat(100));
      const { connection } = await start(dataDir);
      assert.notEqual((await stat(connection.host)).uid, 0);
      await query(connection, 'SELECT 1');
    },
  );

  it(
    'runs as the user who made the files when root starts it later',
    { skip: noOtherAccount },
    async () => {
      const dataDir = await folderForAll();
      const { service, connection } = await startService(dataDir, { uid: 1, gid: 1 });
      await query(connection, 'CREATE TABLE kept AS SELECT 42 AS answer');
      service.stdin?.write('stop\n');
      await once(service, 'exit');
      const server = await start(dataDir);
      assert.deepEqual(await query(server.connection, 'SELECT answer FROM kept'), [{ answer: 42 }]);
      assert.equal(await serverUid(server.connection), 1);
    },
  );

  it('runs for a user id that has no passwd entry', { skip: noUserNamespace }, async () => {
    const dataDir = await folderForAll();
    const nameless = { uid: 54321, gid: 54321 };
    const { service, connection } = await startService(dataDir, nameless);
    assert.equal((await stat(connection.host)).uid, 54321);
    service.stdin?.write('stop\n');
    await once(service, 'exit');
    await startService(dataDir, nameless);
  });

  it('reports that the files belong to another account', { skip: noOtherAccount }, async () => {
    const dataDir = await folderForAll();
    await (await start(dataDir)).stop();
    for (const name of ['postgres.lock', 'postgres.log']) await rm(join(dataDir, name));
    const { error } = await firstLine(spawnService(dataDir, { uid: 1, gid: 1 }));
    assert.match(error ?? '', /belong to the user id \d+, and this process has the user id 1\./);
  });
});

function newFolder(): string {
  folders += 1;
  return join(root, String(folders));
}

/** A folder that has been started in before, copied: the first start is most of the time that a test takes. */
async function usedFolder(): Promise<string> {
  original ??= makeUsedFolder();
  const copy = newFolder();
  // Unlike `fs.cp`, this keeps the owner.
  await promisify(execFile)('cp', ['-pR', await original, copy]);
  return copy;
}

async function makeUsedFolder(): Promise<string> {
  const dataDir = newFolder();
  const server = await startEmbeddedPostgres({ dataDir, log: () => undefined });
  await server.stop();
  return dataDir;
}

async function folderForAll(): Promise<string> {
  const folder = newFolder();
  await mkdir(folder);
  await chmod(folder, 0o777);
  return folder;
}

async function start(dataDir: string): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ dataDir, log: () => undefined });
  servers.push(server);
  return server;
}

async function refuses(dataDir: string, message: string): Promise<void> {
  await assert.rejects(start(dataDir), (error) => {
    assert.ok(error instanceof EmbeddedPostgresError);
    assert.ok(error.message.includes(message), error.message);
    return true;
  });
}

/** A separate process that runs the server, as a service would, until it is stopped. */
function spawnService(
  dataDir: string,
  identity: { uid?: number; gid?: number } = {},
): ChildProcess {
  const program = `
    const { startEmbeddedPostgres } = await import(${JSON.stringify(embeddedModule)});
    process.on('SIGINT', () => {});
    const say = (line) => console.log(JSON.stringify(line));
    try {
      const dataDir = ${JSON.stringify(dataDir)};
      const server = await startEmbeddedPostgres({ dataDir, log: () => {} });
      process.stdin.once('data', () => server.stop().then(() => process.exit()));
      say({ connection: server.connection });
    } catch (error) {
      say({ error: error.message });
    }`;
  const service = spawn(process.execPath, ['--input-type=module', '-e', program], {
    ...identity,
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  services.push(service);
  return service;
}

/** The server makes its socket itself. */
async function serverUid({ host }: Connection): Promise<number> {
  return (await stat(join(host, '.s.PGSQL.5432'))).uid;
}

async function startService(
  dataDir: string,
  identity?: { uid: number; gid: number },
): Promise<{ service: ChildProcess; connection: Connection }> {
  const service = spawnService(dataDir, identity);
  const { connection, error } = await firstLine(service);
  assert.ok(connection, error ?? 'no connection');
  return { service, connection };
}

async function firstLine(
  service: ChildProcess,
): Promise<{ connection?: Connection; error?: string }> {
  assert.ok(service.stdout);
  const lines = createInterface({ input: service.stdout });
  const [line] = await once(lines, 'line');
  return JSON.parse(String(line));
}

async function kill(service: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (service.exitCode !== null || service.signalCode !== null) return;
  service.kill(signal);
  await once(service, 'exit');
}

async function query(
  connection: Connection,
  sql: string,
  values: unknown[] = [],
): Promise<object[]> {
  const client = new Client(connection);
  await client.connect();
  try {
    return (await client.query(sql, values)).rows;
  } finally {
    await client.end();
  }
}

const listProcesses = (): Promise<ListedProcess[]> =>
  process.platform === 'linux' ? listFromProc() : listFromPs();

/** The process of a server that has this word in its title. */
async function childOf(postmaster: number, word: string): Promise<number> {
  const children = (await listProcesses()).filter(({ parent }) => parent === postmaster);
  const found = children.find(({ command }) => command.includes(word));
  assert.ok(found, `PostgreSQL has no ${word}`);
  return found.pid;
}

/** The ids of the postmasters whose cluster lies under the folder. */
async function postmastersUnder(folder: string): Promise<number[]> {
  const processes = await listProcesses();
  const wanted = processes.filter(({ command }) => command.includes(`/postgres -D ${folder}/`));
  // A child of a postmaster has its command line for a moment, until it gives itself a title.
  const found = new Set(wanted.map(({ pid }) => pid));
  return wanted.filter(({ parent }) => !found.has(parent)).map(({ pid }) => pid);
}

interface ListedProcess {
  pid: number;
  parent: number;
  command: string;
}

async function listFromProc(): Promise<ListedProcess[]> {
  const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > 0);
  return Promise.all(
    pids.map(async (pid) => {
      const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
      const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
      const parent = Number(/^PPid:\s*(\d+)/m.exec(status)?.[1] ?? 0);
      return { pid, parent, command: command.replaceAll('\0', ' ') };
    }),
  );
}

async function listFromPs(): Promise<ListedProcess[]> {
  const { stdout } = await promisify(execFile)('ps', ['-axww', '-o', 'pid=,ppid=,command=']);
  return stdout.split('\n').map((line) => {
    const [pid = 0, parent = 0] = line.trim().split(/\s+/, 2).map(Number);
    return { pid, parent, command: line };
  });
}

async function waitUntil(condition: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + 10_000;
  while (!(await condition())) {
    assert.ok(performance.now() < end);
    await sleep(20);
  }
}

/** Why the tests that need a second account cannot run here, if so. */
async function tryOtherAccount(): Promise<string | false> {
  const program = ['--input-type=module', '-e', `import ${JSON.stringify(embeddedModule)}`];
  const trial = spawn(process.execPath, program, { uid: 1, gid: 1, cwd: '/', stdio: 'ignore' });
  return (await succeeds(trial)) ? false : 'no other account can get at this project';
}

async function tryUserNamespace(): Promise<string | false> {
  const trial = spawn('unshare', ['--user', '--map-user=65534', 'true'], { stdio: 'ignore' });
  return (await succeeds(trial)) ? false : 'no user namespaces here';
}

function succeeds(trial: ChildProcess): Promise<boolean> {
  return new Promise((resolve) => {
    trial.once('error', () => resolve(false));
    trial.once('exit', (code) => resolve(code === 0));
  });
}
