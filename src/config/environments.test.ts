/** What `test` and `live` need beyond the simulation: keys, transport, a folder and a certificate of their own. */
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import {
  bucket,
  key,
  problems,
  proxy,
  records,
  secret,
  tls,
} from '../../test/harness/config-problems.ts';
import { isLoopbackAllowed, readServiceConfig } from './config.ts';

const keyFolder = await mkdtemp(path.join(tmpdir(), 'latchkey-keys-'));
after(() => rm(keyFolder, { recursive: true, force: true }));
const keyFile = path.join(keyFolder, 'keys');
await writeFile(keyFile, key.toString('base64'));

const service = (env: NodeJS.ProcessEnv): readonly string[] => problems(env, readServiceConfig);

// The default folder exists where somebody has run the simulation in this one.
const unused = { LATCHKEY_DATA_DIR: path.join(import.meta.dirname, 'no-such-folder') };

describe('configuration: test', () => {
  const env = { ...unused, LATCHKEY_ENVIRONMENT: 'test' };

  it('needs nothing more than the simulation, on loopback', () => {
    const config = readServiceConfig({ ...env, PORT: '9000' });
    assert.equal(config.environment, 'test');
    assert.equal(config.baseUrl, 'http://localhost:9000');
  });

  it('may send to this machine only while it listens there, as the simulation', () => {
    const allowed = (more: NodeJS.ProcessEnv) =>
      isLoopbackAllowed(readServiceConfig({ ...unused, ...proxy, ...more }));
    const posting = (more: NodeJS.ProcessEnv) =>
      service({
        ...unused,
        ...proxy,
        ...more,
        LATCHKEY_RECORDS_URL: 'http://127.0.0.1:9/r',
        LATCHKEY_RECORDS_SECRET: secret,
      });
    for (const environment of ['simulation', 'test']) {
      const here = { LATCHKEY_ENVIRONMENT: environment };
      const everywhere = { ...here, LATCHKEY_HOST: '0.0.0.0' };
      assert.deepEqual([allowed(here), allowed(everywhere)], [true, false]);
      assert.deepEqual(posting(here), []);
      assert.deepEqual(posting(everywhere), [
        'LATCHKEY_RECORDS_URL must be an https URL without user.',
      ]);
    }
  });

  it('serves plain HTTP on loopback only', () => {
    const [problem = '', ...more] = service({ ...env, LATCHKEY_HOST: '0.0.0.0' });
    assert.match(problem, /^LATCHKEY_HOST is not loopback/);
    assert.deepEqual(more, []);
    assert.deepEqual(service({ ...env, ...proxy, LATCHKEY_HOST: '0.0.0.0' }), []);
  });
});

describe('configuration: live', () => {
  const env = { ...unused, LATCHKEY_ENVIRONMENT: 'live' };
  const withKey = { ...env, LATCHKEY_MASTER_KEY: key.toString('base64') };
  const complete = { ...withKey, ...tls, BASE_URL: 'https://a.example' };

  // Spec: ENVIRONMENT-2.
  it('needs a master key, an https base URL, and TLS or a proxy that ends it', () => {
    const [masterKey = '', transport = '', baseUrl = '', ...more] = service(env);
    assert.match(masterKey, /^LATCHKEY_MASTER_KEY is required in live/);
    assert.match(transport, /^live is not served over plain HTTP/);
    assert.match(baseUrl, /^BASE_URL is required in live/);
    assert.deepEqual(more, []);
    assert.deepEqual(service(complete), []);
    assert.deepEqual(service({ ...withKey, ...proxy, BASE_URL: 'https://a.example' }), []);
    assert.deepEqual(service({ ...withKey, ...proxy, BASE_URL: 'http://a.example' }), [
      'BASE_URL must be https in live.',
    ]);
  });

  it('needs no transport for a process that only works', () => {
    const worker = { ...withKey, LATCHKEY_ROLES: 'worker', BASE_URL: 'https://a.example' };
    assert.deepEqual(service(worker), []);
  });

  it('posts records by https only, also to this machine', () => {
    for (const url of ['http://localhost:9', 'http://127.0.0.1']) {
      assert.deepEqual(service({ ...complete, ...records, LATCHKEY_RECORDS_URL: url }), [
        'LATCHKEY_RECORDS_URL must be an https URL without user.',
      ]);
    }
    assert.deepEqual(service({ ...complete, ...records }), []);
  });

  it('stores pictures by https only, also on this machine', () => {
    const here = { ...bucket, LATCHKEY_PICTURES_URL: 'http://localhost:9000/homes' };
    assert.deepEqual(service({ ...complete, ...here }), [
      'LATCHKEY_PICTURES_URL must be an https URL of a bucket.',
    ]);
    assert.deepEqual(service({ ...complete, ...bucket }), []);
  });

  it('gives commands what they need beside a running service: the master key', () => {
    assert.deepEqual(problems(withKey), []);
    assert.equal(problems(env).length, 1);
  });
});

describe('configuration: the data folder of another environment', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'latchkey-config-'));
  after(() => rm(folder, { recursive: true, force: true }));
  await mkdir(path.join(folder, 'used'));
  const dataDir = path.join(folder, 'used');
  await writeFile(path.join(dataDir, 'sandbox-credentials.json'), '{}');
  await writeFile(path.join(dataDir, 'master.key'), '');
  const live = {
    LATCHKEY_MASTER_KEY: key.toString('base64'),
    BASE_URL: 'https://a.example',
    ...tls,
  };

  const found = (environment: string, dataFolder = dataDir): string[] =>
    service({
      ...live,
      LATCHKEY_ENVIRONMENT: environment,
      LATCHKEY_DATA_DIR: dataFolder,
    }).map((problem) => problem.split(' ', 3).join(' '));

  it('is refused with the keys of the simulation, in live also with a master key', () => {
    const keys = `${path.join(dataDir, 'sandbox-credentials.json')} holds keys`;
    const masterKey = `${path.join(dataDir, 'master.key')} is a`;
    assert.deepEqual(found('simulation'), []);
    assert.deepEqual(found('test'), [keys]);
    assert.deepEqual(found('live'), [keys, masterKey]);
    assert.deepEqual(found('live', path.join(folder, 'unused')), []);
  });

  it('holds no file with master keys in live, and the two settings are not used together', () => {
    const { LATCHKEY_MASTER_KEY: _, ...env } = live;
    const withFile = (more: NodeJS.ProcessEnv) =>
      service({ ...env, LATCHKEY_ENVIRONMENT: 'live', LATCHKEY_MASTER_KEY_FILE: keyFile, ...more });
    assert.deepEqual(withFile({ LATCHKEY_DATA_DIR: path.join(folder, 'unused') }), []);
    assert.deepEqual(withFile({ LATCHKEY_DATA_DIR: keyFolder }), [
      'LATCHKEY_MASTER_KEY_FILE must not be in the data folder in live.',
    ]);
    assert.deepEqual(
      withFile({
        LATCHKEY_DATA_DIR: path.join(folder, 'unused'),
        LATCHKEY_MASTER_KEY: key.toString('base64'),
      }),
      ['LATCHKEY_MASTER_KEY_FILE must not be set beside LATCHKEY_MASTER_KEY.'],
    );
  });
});

describe('configuration: the certificate', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'latchkey-config-'));
  after(() => rm(folder, { recursive: true, force: true }));
  const missing = path.join(folder, 'missing.pem');
  const noPem = path.join(folder, 'no.pem');
  await writeFile(noPem, 'a certificate');

  it('is read with its key', () => {
    const { certificate } = readServiceConfig(tls);
    assert.match(String(certificate?.cert), /BEGIN CERTIFICATE/);
    assert.match(String(certificate?.key), /BEGIN PRIVATE KEY/);
  });

  it('is a problem among the others where it cannot be read or used', () => {
    const serve = (env: NodeJS.ProcessEnv) => problems({ ...tls, ...env }, readServiceConfig);
    for (const name of Object.keys(tls)) {
      const [port = '', unread = ''] = serve({ PORT: 'x', [name]: missing });
      assert.match(port, /^PORT /);
      assert.match(unread, /missing\.pem cannot be read: ENOENT/);
      assert.match(serve({ [name]: noPem }).join(), /are not a certificate and its key in PEM/);
    }
  });

  it('is not looked at where nothing is served', () => {
    const env = { ...tls, LATCHKEY_TLS_CERT_FILE: missing };
    assert.deepEqual(problems({ ...env, LATCHKEY_ROLES: 'worker' }, readServiceConfig), []);
    assert.deepEqual(problems(env), []);
  });
});
