/** The configuration: what the environment may say, and what is said where it may not. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { ConfigError, readConfig, readServiceConfig, type Config } from '../src/config.ts';

const defaults: Config = {
  environment: 'simulation',
  host: 'localhost',
  port: 8080,
  baseUrl: 'http://localhost:8080',
  dataDir: '.latchkey',
  databaseUrl: null,
  databaseConnections: 10,
  httpConnections: 2_000,
  masterKey: null,
  tls: null,
  trustedProxy: null,
  roles: ['api', 'worker'],
  logLevel: 'info',
};

const fixtures = path.join(import.meta.dirname, 'fixtures/tls');
const tls = {
  LATCHKEY_TLS_CERT_FILE: path.join(fixtures, 'localhost.crt'),
  LATCHKEY_TLS_KEY_FILE: path.join(fixtures, 'localhost.key'),
};
const proxy = { LATCHKEY_TRUSTED_PROXY: '10.0.0.0/8' };
const key = Buffer.alloc(32, 1);

/** What is wrong with an environment; nothing: an empty list. */
function problems(
  env: NodeJS.ProcessEnv,
  read: (env: NodeJS.ProcessEnv) => Config = readConfig,
): readonly string[] {
  try {
    read(env);
    return [];
  } catch (error) {
    assert.ok(error instanceof ConfigError, String(error));
    return error.problems;
  }
}

describe('configuration', () => {
  it('has a default for everything', () => {
    assert.deepEqual(readConfig({}), defaults);
    assert.deepEqual(readServiceConfig({}), { ...defaults, certificate: null });
  });

  it('takes an empty variable as absent, and spaces around a value as none of it', () => {
    const env = { PORT: '', DATABASE_URL: '  ', BASE_URL: '', LATCHKEY_ROLES: '' };
    assert.deepEqual(readConfig(env), defaults);
    assert.equal(readConfig({ PORT: ' 81 ' }).port, 81);
  });

  const taken: readonly { env: NodeJS.ProcessEnv; config: Partial<Config> }[] = [
    { env: { PORT: '9000' }, config: { port: 9000, baseUrl: 'http://localhost:9000' } },
    { env: { LATCHKEY_HOST: '127.0.0.1' }, config: { host: '127.0.0.1' } },
    { env: { LATCHKEY_HOST: '::1' }, config: { host: '::1' } },
    { env: { BASE_URL: 'https://a.example' }, config: { baseUrl: 'https://a.example' } },
    { env: { BASE_URL: 'https://a.example/b//' }, config: { baseUrl: 'https://a.example/b' } },
    { env: { LATCHKEY_DATA_DIR: '/var/lib/latch key' }, config: { dataDir: '/var/lib/latch key' } },
    { env: { DATABASE_URL: 'postgres://u:p@h/d' }, config: { databaseUrl: 'postgres://u:p@h/d' } },
    { env: { DATABASE_URL: 'postgresql:///d' }, config: { databaseUrl: 'postgresql:///d' } },
    {
      env: { DATABASE_URL: 'postgres://u:p@/d?host=/run/x' },
      config: { databaseUrl: 'postgres://u:p@/d?host=/run/x' },
    },
    { env: { LATCHKEY_DATABASE_CONNECTIONS: '200' }, config: { databaseConnections: 200 } },
    { env: { LATCHKEY_HTTP_CONNECTIONS: '100000' }, config: { httpConnections: 100_000 } },
    { env: { LATCHKEY_MASTER_KEY: key.toString('base64') }, config: { masterKey: key } },
    { env: { LATCHKEY_ROLES: 'worker' }, config: { roles: ['worker'] } },
    { env: { LATCHKEY_ROLES: 'worker, api' }, config: { roles: ['api', 'worker'] } },
    { env: { LATCHKEY_LOG_LEVEL: 'silent' }, config: { logLevel: 'silent' } },
    { env: proxy, config: { trustedProxy: '10.0.0.0/8' } },
    {
      env: { LATCHKEY_TRUSTED_PROXY: '10.1.2.3, fd00::/8,::1' },
      config: { trustedProxy: '10.1.2.3, fd00::/8,::1' },
    },
    {
      env: tls,
      config: {
        tls: { certFile: tls.LATCHKEY_TLS_CERT_FILE, keyFile: tls.LATCHKEY_TLS_KEY_FILE },
        baseUrl: 'https://localhost:8080',
      },
    },
  ];
  for (const { env, config } of taken) {
    it(`takes ${JSON.stringify(env).replaceAll(fixtures, '')}`, () => {
      assert.deepEqual(readConfig(env), { ...defaults, ...config });
    });
  }

  const refused: Readonly<Record<string, readonly string[]>> = {
    PORT: ['0', '65536', '-1', '80.5', '0x50', 'http', '1e3'],
    BASE_URL: ['localhost:8080', 'ftp://a.example', 'https://a.example/?', 'https://a.example/#x'],
    DATABASE_URL: ['mysql://h/d', 'h/d', ':'],
    LATCHKEY_ENVIRONMENT: ['production', 'LIVE'],
    LATCHKEY_DATABASE_CONNECTIONS: ['0', '201', 'many'],
    LATCHKEY_HTTP_CONNECTIONS: ['9', '100001', 'many'],
    LATCHKEY_MASTER_KEY: ['secret', Buffer.alloc(31).toString('base64'), '!'.repeat(44)],
    LATCHKEY_TRUSTED_PROXY: ['proxy.example', '10.0.0.0/33', '10.0.0.0/0', '::1/129', '1.2.3.4,'],
    LATCHKEY_ROLES: ['web', 'api,web', 'api,api', ','],
    LATCHKEY_LOG_LEVEL: ['verbose', 'INFO'],
  };
  for (const [name, values] of Object.entries(refused)) {
    it(`refuses what ${name} cannot be, by name`, () => {
      for (const value of values) {
        const found = problems({ [name]: value });
        assert.equal(found.length, 1, `${name}=${value}: ${found.join('; ')}`);
        assert.ok(found.join().startsWith(`${name} must `), found.join());
      }
    });
  }

  it('shows nothing of a secret that it refuses', () => {
    const env = {
      DATABASE_URL: 'mysql://user:hush@h/d',
      LATCHKEY_MASTER_KEY: 'hush',
      BASE_URL: 'https://user:hush@a.example',
    };
    const found = problems(env);
    assert.equal(found.length, 3);
    assert.doesNotMatch(found.join(), /hush/);
  });

  it('names all problems at once', () => {
    const env = {
      PORT: 'x',
      BASE_URL: 'x',
      DATABASE_URL: 'x',
      LATCHKEY_HOST: '0.0.0.0',
      LATCHKEY_ENVIRONMENT: 'x',
      LATCHKEY_DATABASE_CONNECTIONS: 'x',
      LATCHKEY_MASTER_KEY: 'x',
      LATCHKEY_TLS_KEY_FILE: 'x',
      LATCHKEY_ROLES: 'api,x',
      LATCHKEY_LOG_LEVEL: 'x',
    };
    const named = problems(env).map((problem) => problem.split(' ', 1)[0]);
    const expected = [...Object.keys(env), 'LATCHKEY_TLS_CERT_FILE'];
    assert.deepEqual(
      named.toSorted(),
      expected.filter((name) => name !== 'LATCHKEY_TLS_KEY_FILE').toSorted(),
    );
  });
});

describe('configuration: transport', () => {
  const cases: readonly { env: NodeJS.ProcessEnv; problem: RegExp | null }[] = [
    { env: { LATCHKEY_HOST: '0.0.0.0' }, problem: /^LATCHKEY_HOST is not loopback/ },
    { env: { LATCHKEY_HOST: 'a.example' }, problem: /^LATCHKEY_HOST is not loopback/ },
    { env: { LATCHKEY_HOST: '0.0.0.0', ...tls }, problem: null },
    { env: { LATCHKEY_HOST: '0.0.0.0', ...proxy }, problem: null },
    { env: { LATCHKEY_HOST: '0.0.0.0', LATCHKEY_ROLES: 'worker' }, problem: null },
    { env: { ...tls, BASE_URL: 'http://localhost:8080' }, problem: /^BASE_URL must be https/ },
    { env: { ...proxy, BASE_URL: 'http://localhost:8080' }, problem: null },
    {
      env: { LATCHKEY_TLS_CERT_FILE: 'a' },
      problem: /^LATCHKEY_TLS_KEY_FILE is required beside LATCHKEY_TLS_CERT_FILE/,
    },
    {
      env: { LATCHKEY_TLS_KEY_FILE: 'a' },
      problem: /^LATCHKEY_TLS_CERT_FILE is required beside LATCHKEY_TLS_KEY_FILE/,
    },
  ];
  for (const { env, problem } of cases) {
    it(`${problem ? 'refuses' : 'takes'} ${Object.keys(env).join(' with ')}`, () => {
      const found = problems(env);
      assert.equal(found.length, problem ? 1 : 0, found.join('; '));
      if (problem) assert.match(found.join(), problem);
    });
  }
});

for (const environment of ['test', 'live']) {
  const env = { LATCHKEY_ENVIRONMENT: environment };
  const complete = { ...env, ...tls, BASE_URL: 'https://a.example' };

  describe(`configuration: ${environment}`, () => {
    it('needs a base URL and TLS, or a proxy that ends it', () => {
      const [baseUrl = '', transport = '', ...more] = problems(env);
      assert.match(baseUrl, new RegExp(`^BASE_URL is required in ${environment}`));
      assert.match(transport, new RegExp(`^${environment} is not served over plain HTTP`));
      assert.deepEqual(more, []);
      assert.deepEqual(problems({ ...env, ...proxy, BASE_URL: 'http://a.example' }), [
        `BASE_URL must be https in ${environment}.`,
      ]);
      assert.deepEqual(problems(complete), []);
      assert.deepEqual(problems({ ...env, ...proxy, BASE_URL: 'https://a.example' }), []);
    });

    it('is not served until the operator has an inventory here, and says so', () => {
      const [problem = '', ...more] = problems(complete, readServiceConfig);
      assert.match(problem, new RegExp(`^LATCHKEY_ENVIRONMENT is ${environment}, .*inventory`));
      assert.deepEqual(more, []);
      assert.equal(problems(env, readServiceConfig).length, 3);
    });
  });
}

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
