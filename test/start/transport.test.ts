/** How the service is reached: over TLS with a certificate of its own, or through a proxy that it trusts. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request as requestPlain } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { createConnection } from 'node:net';
import { networkInterfaces } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { eventually } from '../harness/eventually.ts';
import { createTestDatabase, type TestDatabase } from '../harness/postgres.ts';
import { launch, onDatabase, serve, type ServiceProcess } from '../harness/service-process.ts';
import { makeDataFolders } from '../harness/data-folders.ts';

const dataFolders = await makeDataFolders();
let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});
after(async () => {
  await dataFolders.clear();
  await database.drop();
});

const fixtures = path.join(import.meta.dirname, '../fixtures/tls');
const certFile = path.join(fixtures, 'localhost.crt');
const hasIPv6 = Object.values(networkInterfaces()).some((addresses) =>
  addresses?.some(({ address }) => address === '::1'),
);
const hosts = hasIPv6 ? ['127.0.0.1', '::1'] : ['127.0.0.1'];

/** The status of a GET over TLS, checked against the certificate; rejects where there is none. */
async function getSecurely(host: string, port: number, from: string): Promise<number | undefined> {
  const ca = readFileSync(certFile);
  const sent = request({ host, port, path: from, ca, agent: false }).end();
  const [response] = (await once(sent, 'response')) as [{ statusCode?: number; resume(): void }];
  response.resume();
  return response.statusCode;
}

describe('with a certificate', () => {
  let service: ServiceProcess;
  before(async () => {
    const env = {
      ...onDatabase(database),
      LATCHKEY_TLS_CERT_FILE: certFile,
      LATCHKEY_TLS_KEY_FILE: path.join(fixtures, 'localhost.key'),
    };
    service = await launch({ dataDir: dataFolders.folder(), env });
    await service.says('Latchkey serves');
  });

  it('serves over TLS, and prints the https URL', async () => {
    for (const host of hosts) assert.equal(await getSecurely(host, service.port, '/readyz'), 200);
    assert.ok(service.stdout.includes(` https://localhost:${service.port}/v1\n`));
  });

  it('tells browsers to keep to https for a year', async () => {
    const ca = readFileSync(certFile);
    const options = { host: '127.0.0.1', port: service.port, path: '/readyz', ca, agent: false };
    const [response] = (await once(request(options).end(), 'response')) as [IncomingMessage];
    response.resume();
    assert.equal(response.headers['strict-transport-security'], 'max-age=31536000');
  });

  it('serves nothing over plain HTTP', async () => {
    await assert.rejects(fetch(`http://127.0.0.1:${service.port}/readyz`));
    assert.equal(await getSecurely('127.0.0.1', service.port, '/readyz'), 200);
  });

  it('stops as without TLS', async () => {
    const ended = service.stop();
    await eventually(
      async () => (await getSecurely('127.0.0.1', service.port, '/readyz')) === 503,
      1_000,
      5,
    );
    assert.deepEqual(await ended, { code: 0, signal: null });
  });
});

describe('on loopback', () => {
  it('serves both addresses of localhost equally, also for malformed requests', async () => {
    const service = await serve({ dataDir: dataFolders.folder(), env: onDatabase(database) });
    const responses = await Promise.all(
      hosts.map(async (host) => {
        const socket = createConnection(service.port, host);
        let text = '';
        socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        socket.write('NONSENSE\r\n\r\n');
        await once(socket, 'close');
        return text.replaceAll(/[0-9a-f-]{36}/g, 'ID').replace(/Date: .*/i, '');
      }),
    );
    assert.match(responses[0] ?? '', /^HTTP\/1\.1 4\d\d [^]*"error"/);
    assert.equal(new Set(responses).size, 1);
    const alive = await fetch(`http://localhost:${service.port}/healthz`);
    assert.equal(alive.status, 200);
    await service.stop();
  });
});

/** Requests a token for an unknown application, as if from this address. */
async function stranger(
  service: ServiceProcess,
  forwardedFor: string,
): Promise<number | undefined> {
  const body = `grant_type=client_credentials&client_id=${randomUUID()}&client_secret=x`;
  const sent = requestPlain(`${service.origin}/oauth/token`, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-forwarded-for': forwardedFor,
    },
  }).end(body);
  const [response] = (await once(sent, 'response')) as [{ statusCode?: number; resume(): void }];
  response.resume();
  return response.statusCode;
}

describe('a proxy', () => {
  const strangersAMinute = 60;

  /** The statuses for another address, when the allowance of the first one is used up. */
  async function othersStatuses(env: Record<string, string>): Promise<Set<number | undefined>> {
    const service = await serve({
      dataDir: dataFolders.folder(),
      env: { ...onDatabase(database), ...env },
    });
    const first = () => stranger(service, '198.51.100.1');
    for (let count = 0; count < strangersAMinute; count += 1) assert.equal(await first(), 401);
    // One more is allowed each second, so a slow machine needs a few more calls.
    await eventually(async () => (await first()) === 429, 20_000, 0);
    const statuses = new Set<number | undefined>();
    for (let count = 0; count < strangersAMinute / 3; count += 1) {
      statuses.add(await stranger(service, '198.51.100.2'));
    }
    await service.stop();
    return statuses;
  }

  it('that is trusted provides the source address, and plain HTTP is allowed beyond loopback', async () => {
    const env = { LATCHKEY_TRUSTED_PROXY: '10.0.0.0/8, 127.0.0.1', LATCHKEY_HOST: '0.0.0.0' };
    assert.deepEqual(await othersStatuses(env), new Set([401]));
  });

  it('that is not trusted is ignored', async () => {
    assert.ok((await othersStatuses({})).has(429));
  });
});
