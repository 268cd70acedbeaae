/** A stop: said first, then done, with no request lost and nothing left behind. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createConnection, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { postmasterOf } from '../harness/embedded.ts';
import { eventually } from '../harness/eventually.ts';
import { createTestDatabase, type TestDatabase } from '../harness/postgres.ts';
import { launch, onDatabase, serve, type ServiceProcess } from '../harness/service-process.ts';
import { makeDataFolders } from '../harness/data-folders.ts';

const dataFolders = await makeDataFolders();
after(() => dataFolders.clear());

const wellDone = { code: 0, signal: null };

/** A request of which the head and half the body have arrived. */
async function halfSent(service: ServiceProcess): Promise<{ socket: Socket; rest: string }> {
  const body = 'grant_type=client_credentials&client_id=x&client_secret=y';
  const socket = createConnection(service.port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write(
    'POST /oauth/token HTTP/1.1\r\nhost: localhost\r\n' +
      'content-type: application/x-www-form-urlencoded\r\n' +
      `content-length: ${body.length}\r\n\r\n${body.slice(0, 10)}`,
  );
  // Until the service has taken it up.
  await sleep(100);
  return { socket, rest: body.slice(10) };
}

async function responseOn(socket: Socket): Promise<string> {
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  await once(socket, 'close');
  return text;
}

/** Sends requests one after the other for the given time, and counts their results. */
async function load(service: ServiceProcess, goOn: () => boolean): Promise<Map<string, number>> {
  const ends = new Map<string, number>();
  while (goOn()) {
    const end = await fetch(`${service.origin}/.well-known/jwks.json`).then(
      async (response) => {
        await response.arrayBuffer();
        return String(response.status);
      },
      (error: Error) => String((error.cause as Error | undefined)?.message ?? error.message),
    );
    ends.set(end, (ends.get(end) ?? 0) + 1);
  }
  return ends;
}

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  describe(`on ${signal}, the service and its PostgreSQL`, () => {
    let service: ServiceProcess;
    before(async () => {
      service = await serve({ dataDir: await dataFolders.usedFolder() });
    });

    it('are unready but still serve, then close the listener and end', async () => {
      const postmaster = await postmasterOf(service.dataDir);
      assert.ok(postmaster);
      const { socket, rest } = await halfSent(service);
      const answered = responseOn(socket);
      const begin = performance.now();
      service.kill(signal);
      await eventually(async () => (await service.readiness()) === 503, 1_000, 5);
      const response = await fetch(`${service.origin}/.well-known/jwks.json`);
      assert.equal(response.status, 200);
      assert.notEqual(response.headers.get('connection'), 'close');
      await response.arrayBuffer();
      await eventually(async () => (await service.readiness()) === undefined, 3_000);
      // Long after the listener has closed, calls in progress still finish.
      await sleep(300);
      assert.equal(await postmasterOf(service.dataDir), postmaster);
      socket.write(rest);
      assert.match(await answered, /^HTTP\/1\.1 401 /);
      assert.deepEqual(await service.ended, wellDone);
      assert.ok(performance.now() - begin < 5_000);
    });

    it('leave no PostgreSQL running, and log why they stopped', async () => {
      assert.equal(await postmasterOf(service.dataDir), null);
      assert.ok(service.log().some(({ msg, reason }) => msg === 'stopping' && reason === signal));
      assert.equal(service.stderr, '');
    });
  });
}

describe('a stop', () => {
  let database: TestDatabase;
  const start = () => serve({ dataDir: dataFolders.folder(), env: onDatabase(database) });

  before(async () => {
    database = await createTestDatabase();
  });
  after(() => database.drop());

  it('loses no request that is sent before the listener closes', async () => {
    const service = await start();
    let goOn = true;
    const loads = Array.from({ length: 6 }, () => load(service, () => goOn));
    await sleep(200);
    const ended = service.stop();
    await sleep(300);
    goOn = false;
    for (const ends of await Promise.all(loads)) assert.deepEqual([...ends.keys()], ['200']);
    assert.deepEqual(await ended, wellDone);
  });

  it('does not wait forever for a request that never ends, nor for an idle connection', async () => {
    const service = await start();
    const { socket } = await halfSent(service);
    const idle = createConnection(service.port, '127.0.0.1');
    await once(idle, 'connect');
    const closed = [responseOn(socket), responseOn(idle)];
    const begin = performance.now();
    assert.deepEqual(await service.stop(), wellDone);
    assert.ok(performance.now() - begin < 8_000);
    await Promise.all(closed);
  });

  it('accepts the signal twice, as from npm and the terminal', async () => {
    const service = await start();
    service.kill('SIGINT');
    await sleep(50);
    service.kill('SIGINT');
    assert.deepEqual(await service.ended, wellDone);
  });

  it('reaches the service through npm, which waits for it', async () => {
    const env = { ...onDatabase(database), HOME: tmpdir() };
    const service = await serve({ dataDir: dataFolders.folder(), env, by: 'npm' });
    assert.deepEqual(await service.stop(), wellDone);
    assert.ok(service.log().some(({ reason }) => reason === 'SIGTERM'));
    assert.equal(await service.readiness(), undefined);
  });

  it('during a start leaves no PostgreSQL running', async () => {
    const dataDir = await dataFolders.usedFolder();
    const service = await launch({ dataDir });
    await service.says('PostgreSQL is ready');
    assert.deepEqual(await service.stop(), wellDone);
    assert.equal(await postmasterOf(dataDir), null);
  });
});
