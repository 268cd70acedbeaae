/** The configuration: what the environment may say, and what is said where it may not. */
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import {
  isLoopbackAllowed,
  ConfigError,
  readConfig,
  readServiceConfig,
  type Config,
} from './config.ts';
import { settings as settingRows } from './settings.ts';

const defaults: Config = {
  environment: 'simulation',
  host: 'localhost',
  port: 8080,
  baseUrl: 'http://localhost:8080',
  dataDir: '.latchkey',
  databaseUrl: null,
  databaseOwnerUrl: null,
  databaseConnections: 10,
  traces: null,
  replicaUrl: null,
  replicaWaitMs: 1_000,
  httpConnections: 2_000,
  masterKeys: null,
  tls: null,
  trustedProxy: null,
  roles: ['api', 'worker'],
  records: null,
  alerts: null,
  auditTrail: null,
  plainConnections: 'private',
  cardPayments: null,
  isOutsideOff: false,
  pictureBucket: null,
  calendarMinutes: 30,
  calendarBeforeConfirm: true,
  logFormat: null,
  logLevel: 'info',
  redisUrl: null,
  metricsPort: null,
  signInProvider: null,
};

const fixtures = path.join(import.meta.dirname, '../../test/fixtures/tls');
const tls = {
  LATCHKEY_TLS_CERT_FILE: path.join(fixtures, 'localhost.crt'),
  LATCHKEY_TLS_KEY_FILE: path.join(fixtures, 'localhost.key'),
};
const proxy = { LATCHKEY_TRUSTED_PROXY: '10.0.0.0/8' };
const key = Buffer.alloc(32, 1);
const otherKey = Buffer.alloc(32, 4);
const keyFolder = await mkdtemp(path.join(tmpdir(), 'latchkey-keys-'));
after(() => rm(keyFolder, { recursive: true, force: true }));
const keyFile = path.join(keyFolder, 'keys');
await writeFile(keyFile, `${otherKey.toString('base64')}\n\n${key.toString('base64')}\n`);
const brokenKeyFile = path.join(keyFolder, 'broken');
await writeFile(brokenKeyFile, `${key.toString('base64')}\nsecret\n`);
const secret = `whsec_${Buffer.alloc(32, 2).toString('base64')}`;
const otherSecret = `whsec_${Buffer.alloc(24, 3).toString('base64')}`;
const recordsUrl = 'https://records.example/reservations?of=latchkey';
const bucketUrl = 'https://bucket.s3.example/homes';
const bucket = {
  LATCHKEY_PICTURES_URL: bucketUrl,
  LATCHKEY_PICTURES_KEY_ID: 'id',
  LATCHKEY_PICTURES_SECRET_KEY: 'hush',
};
const records = { LATCHKEY_RECORDS_URL: recordsUrl, LATCHKEY_RECORDS_SECRET: secret };

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
    assert.deepEqual(readServiceConfig({}), {
      ...defaults,
      certificate: null,
      failpoint: null,
    });
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
    { env: { BASE_URL: 'HTTPS://A.example/B' }, config: { baseUrl: 'https://a.example/B' } },
    { env: { LATCHKEY_DATA_DIR: '/var/lib/latch key' }, config: { dataDir: '/var/lib/latch key' } },
    { env: { DATABASE_URL: 'postgres://u:p@h/d' }, config: { databaseUrl: 'postgres://u:p@h/d' } },
    {
      env: { DATABASE_URL: 'postgres://one,other/d' },
      config: { databaseUrl: 'postgres://one,other/d' },
    },
    { env: { DATABASE_URL: 'postgresql:///d' }, config: { databaseUrl: 'postgresql:///d' } },
    {
      env: { DATABASE_URL: 'postgres://u:p@/d?host=/run/x' },
      config: { databaseUrl: 'postgres://u:p@/d?host=/run/x' },
    },
    {
      env: { DATABASE_URL: 'postgres://h/d', DATABASE_REPLICA_URL: 'postgres://r/d' },
      config: { databaseUrl: 'postgres://h/d', replicaUrl: 'postgres://r/d' },
    },
    { env: { LATCHKEY_REPLICA_WAIT_MS: '0' }, config: { replicaWaitMs: 0 } },
    { env: { LATCHKEY_DATABASE_CONNECTIONS: '80' }, config: { databaseConnections: 80 } },
    {
      env: { LATCHKEY_DATABASE_CONNECTIONS: '200', DATABASE_URL: 'postgres://db/latchkey' },
      config: { databaseConnections: 200, databaseUrl: 'postgres://db/latchkey' },
    },
    { env: { LATCHKEY_HTTP_CONNECTIONS: '100000' }, config: { httpConnections: 100_000 } },
    { env: { LATCHKEY_MASTER_KEY: key.toString('base64') }, config: { masterKeys: [key] } },
    {
      env: { LATCHKEY_MASTER_KEY: `${otherKey.toString('base64')},${key.toString('base64')}` },
      config: { masterKeys: [otherKey, key] },
    },
    { env: { LATCHKEY_MASTER_KEY_FILE: keyFile }, config: { masterKeys: [otherKey, key] } },
    { env: { LATCHKEY_ROLES: 'worker' }, config: { roles: ['worker'] } },
    { env: { LATCHKEY_ROLES: 'worker, api' }, config: { roles: ['api', 'worker'] } },
    { env: { LATCHKEY_LOG_LEVEL: 'silent' }, config: { logLevel: 'silent' } },
    { env: { REDIS_URL: 'redis://h:1/2' }, config: { redisUrl: 'redis://h:1/2' } },
    {
      env: {
        OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/',
        OTEL_TRACES_SAMPLER_ARG: '0.25',
      },
      config: { traces: { endpoint: 'http://collector:4318', share: 0.25 } },
    },
    { env: { LATCHKEY_METRICS_PORT: '9464' }, config: { metricsPort: 9_464 } },
    { env: { LATCHKEY_CALENDAR_MINUTES: '1440' }, config: { calendarMinutes: 1_440 } },
    { env: { LATCHKEY_CALENDAR_BEFORE_CONFIRM: 'off' }, config: { calendarBeforeConfirm: false } },
    { env: proxy, config: { trustedProxy: '10.0.0.0/8' } },
    {
      env: { LATCHKEY_TRUSTED_PROXY: '10.1.2.3, fd00::/8,::1' },
      config: { trustedProxy: '10.1.2.3, fd00::/8,::1' },
    },
    {
      env: { ...bucket, LATCHKEY_PICTURES_URL: `${bucketUrl}/` },
      config: {
        pictureBucket: { url: bucketUrl, region: 'us-east-1', keyId: 'id', secretKey: 'hush' },
      },
    },
    {
      env: { ...bucket, LATCHKEY_PICTURES_REGION: 'eu-west-3' },
      config: {
        pictureBucket: { url: bucketUrl, region: 'eu-west-3', keyId: 'id', secretKey: 'hush' },
      },
    },
    {
      env: records,
      config: { records: { url: new URL(recordsUrl), secrets: [secret] } },
    },
    {
      env: { ...records, LATCHKEY_RECORDS_SECRET: `${secret}  ${otherSecret}` },
      config: { records: { url: new URL(recordsUrl), secrets: [secret, otherSecret] } },
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
    DATABASE_URL: [
      'mysql://h/d',
      'h/d',
      ':',
      'postgres:///d?host=/a,/b,/c&port=1,2',
      'postgres://one,other/d?target_session_attrs=standby',
    ],
    // Without DATABASE_URL.
    DATABASE_REPLICA_URL: ['postgres://h/d', 'h/d'],
    LATCHKEY_REPLICA_WAIT_MS: ['-1', '60001', 'long'],
    LATCHKEY_ENVIRONMENT: ['production', 'LIVE'],
    LATCHKEY_DATABASE_CONNECTIONS: ['0', '81', '201', 'many'],
    LATCHKEY_HTTP_CONNECTIONS: ['9', '100001', 'many'],
    LATCHKEY_MASTER_KEY_FILE: [path.join(keyFolder, 'missing'), brokenKeyFile],
    LATCHKEY_MASTER_KEY: ['secret', Buffer.alloc(31).toString('base64'), '!'.repeat(44)],
    LATCHKEY_TRUSTED_PROXY: ['proxy.example', '10.0.0.0/33', '10.0.0.0/0', '::1/129', '1.2.3.4,'],
    LATCHKEY_ROLES: ['web', 'api,web', 'api,api', ','],
    LATCHKEY_LOG_LEVEL: ['verbose', 'INFO'],
    REDIS_URL: ['localhost:6379', 'http://localhost'],
    LATCHKEY_METRICS_PORT: ['0', '65536', 'x', '8080'],
    OTEL_EXPORTER_OTLP_ENDPOINT: ['collector:4318', 'http://u:p@collector', 'grpc://collector'],
    OTEL_TRACES_SAMPLER_ARG: ['2', '-1', 'all', '10%'],
    LATCHKEY_CALENDAR_BEFORE_CONFIRM: ['no', 'ON'],
    LATCHKEY_CALENDAR_MINUTES: ['0', '1441', '1.5', 'hourly'],
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

  it('refuses a replica that is no PostgreSQL', () => {
    const env = { DATABASE_URL: 'postgres://h/d', DATABASE_REPLICA_URL: 'mysql://h/d' };
    assert.deepEqual(problems(env), ['DATABASE_REPLICA_URL must be a postgres:// URL.']);
    const two = { ...env, DATABASE_REPLICA_URL: 'postgres://one,other/d' };
    assert.deepEqual(problems(two), ['DATABASE_REPLICA_URL must name one server, the replica.']);
  });

  it('takes an OpenID provider, over https or from this machine outside live', () => {
    const provider = { LATCHKEY_OIDC_CLIENT_ID: 'c', LATCHKEY_OIDC_CLIENT_SECRET: 'hush' };
    const withIssuer = (issuer: string) => ({ ...provider, LATCHKEY_OIDC_ISSUER: issuer });
    for (const issuer of ['https://login.example/staff', 'http://localhost:8081']) {
      const { signInProvider } = readConfig(withIssuer(issuer));
      const url = new URL(issuer);
      assert.deepEqual(signInProvider, { issuer: url, clientId: 'c', clientSecret: 'hush' });
    }
    for (const issuer of ['http://login.example', 'x']) {
      const found = problems(withIssuer(issuer));
      assert.deepEqual(found, [
        'LATCHKEY_OIDC_ISSUER must be an https URL, or an http URL of this machine.',
      ]);
    }
  });

  it('shows nothing of a secret that it refuses', () => {
    const env = {
      DATABASE_URL: 'mysql://user:hush@h/d',
      LATCHKEY_MASTER_KEY: 'hush',
      BASE_URL: 'https://user:hush@a.example',
      LATCHKEY_RECORDS_URL: 'https://user:hush@a.example',
      LATCHKEY_RECORDS_SECRET: 'hush',
    };
    const found = problems(env);
    assert.equal(found.length, 5);
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
      LATCHKEY_RECORDS_URL: 'x',
      LATCHKEY_RECORDS_SECRET: 'x',
      STRIPE_SECRET_KEY: 'x',
      LATCHKEY_LOG_LEVEL: 'x',
      REDIS_URL: 'x',
      LATCHKEY_METRICS_PORT: 'x',
      LATCHKEY_OIDC_ISSUER: 'x',
      LATCHKEY_FAILPOINT: 'x',
    };
    const named = problems(env, readServiceConfig).map((problem) => problem.split(' ', 1)[0]);
    const missing = ['TLS_CERT_FILE', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'];
    const expected = [...Object.keys(env), ...missing.map((name) => `LATCHKEY_${name}`)];
    assert.deepEqual(
      named.toSorted(),
      expected
        .filter((name) => !['LATCHKEY_TLS_KEY_FILE', 'LATCHKEY_OIDC_ISSUER'].includes(name))
        .toSorted(),
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
      const found = problems(env, readServiceConfig);
      assert.equal(found.length, problem ? 1 : 0, found.join('; '));
      if (problem) assert.match(found.join(), problem);
    });
  }
});

describe('configuration: the systems of the operator', () => {
  const cases: readonly { env: NodeJS.ProcessEnv; problem: RegExp | null }[] = [
    ...Object.keys(bucket).map((name) => ({
      env: { ...bucket, [name]: '' },
      problem: new RegExp(`^${name} is required beside LATCHKEY_PICTURES`),
    })),
    ...['x', 'ftp://a.example', 'http://a.example', 'https://u@a.example', 'https://a/?b=c'].map(
      (value) => ({
        env: { ...bucket, LATCHKEY_PICTURES_URL: value },
        problem: /^LATCHKEY_PICTURES_URL must be an https URL of a bucket, or an http URL of this/,
      }),
    ),
    { env: { ...bucket, LATCHKEY_PICTURES_URL: 'http://127.0.0.1:9000/homes' }, problem: null },
    { env: { LATCHKEY_RECORDS_URL: recordsUrl }, problem: /^LATCHKEY_RECORDS_SECRET is required/ },
    { env: { LATCHKEY_RECORDS_SECRET: secret }, problem: /^LATCHKEY_RECORDS_URL is required/ },
    ...['secret', 'whsec_', 'whsec_c2hvcnQ=', `${secret} x`, `${secret},${otherSecret}`].map(
      (value) => ({
        env: { ...records, LATCHKEY_RECORDS_SECRET: value },
        problem: /^LATCHKEY_RECORDS_SECRET must be whsec_/,
      }),
    ),
    ...['x', 'ftp://a.example', 'http://a.example', 'https://u@a.example', 'http://10.0.0.1'].map(
      (value) => ({
        env: { ...records, LATCHKEY_RECORDS_URL: value },
        problem: /^LATCHKEY_RECORDS_URL must be an https URL without user, or an http URL of this/,
      }),
    ),
    ...['http://localhost:9', 'http://127.0.0.1:9/x', 'http://[::1]:9', 'https://10.0.0.1'].map(
      (value) => ({ env: { ...records, LATCHKEY_RECORDS_URL: value }, problem: null }),
    ),
  ];
  for (const { env, problem } of cases) {
    it(`${problem ? 'refuses' : 'takes'} ${Object.values(env).join(' with ')}`, () => {
      const found = problems(env);
      assert.equal(found.length, problem ? 1 : 0, found.join('; '));
      if (problem) assert.match(found.join(), problem);
    });
  }
});

describe('configuration: card payments', () => {
  const keysOf = (mode: string) => ({
    STRIPE_SECRET_KEY: `sk_${mode}_hush`,
    STRIPE_PUBLISHABLE_KEY: `pk_${mode}_hush`,
    STRIPE_WEBHOOK_SECRET: 'whsec_hush',
  });
  const test = { LATCHKEY_ENVIRONMENT: 'test', ...keysOf('test') };
  const live = {
    LATCHKEY_ENVIRONMENT: 'live',
    LATCHKEY_MASTER_KEY: key.toString('base64'),
    ...keysOf('live'),
  };

  it('are off without keys', () => {
    assert.equal(readConfig({ LATCHKEY_ENVIRONMENT: 'test' }).cardPayments, null);
  });

  // Spec: ENVIRONMENT-4.
  it('take the keys of the test mode in test, perhaps with a stand-in', () => {
    const settings = {
      secretKey: 'sk_test_hush',
      publishableKey: 'pk_test_hush',
      webhookSecret: 'whsec_hush',
    };
    assert.deepEqual(readConfig(test).cardPayments, { ...settings, apiUrl: null });
    const apiUrl = new URL('http://127.0.0.1:9');
    const withStandIn = { ...test, STRIPE_API_URL: 'http://127.0.0.1:9' };
    assert.deepEqual(readConfig(withStandIn).cardPayments, { ...settings, apiUrl });
  });

  const cases: readonly { name: string; env: NodeJS.ProcessEnv; problem: RegExp | null }[] = [
    { name: 'live keys in live', env: live, problem: null },
    {
      name: 'a restricted key',
      env: { ...test, STRIPE_SECRET_KEY: 'rk_test_hush' },
      problem: null,
    },
    {
      name: 'a live secret key in test',
      env: { ...test, STRIPE_SECRET_KEY: 'sk_live_hush' },
      problem: /^STRIPE_SECRET_KEY is a live key, .* use the key of the test mode\.$/,
    },
    {
      name: 'a test secret key in live',
      env: { ...live, STRIPE_SECRET_KEY: 'rk_test_hush' },
      problem: /^STRIPE_SECRET_KEY is a test key, .* use the live key\.$/,
    },
    {
      name: 'a live publishable key in test',
      env: { ...test, STRIPE_PUBLISHABLE_KEY: 'pk_live_hush' },
      problem: /^STRIPE_PUBLISHABLE_KEY is a live key/,
    },
    {
      name: 'a secret key where the publishable one belongs',
      env: { ...test, STRIPE_PUBLISHABLE_KEY: 'sk_test_hush' },
      problem: /^STRIPE_PUBLISHABLE_KEY must be pk_test_…/,
    },
    {
      name: 'a webhook secret without its prefix',
      env: { ...test, STRIPE_WEBHOOK_SECRET: 'hush' },
      problem: /^STRIPE_WEBHOOK_SECRET must be whsec_…/,
    },
    {
      name: 'a stand-in in live',
      env: { ...live, STRIPE_API_URL: 'http://127.0.0.1:9' },
      problem: /^STRIPE_API_URL is for a stand-in in test/,
    },
    ...['x', 'http://10.0.0.1', 'https://a.example', 'http://localhost/v1'].map((value) => ({
      name: `a stand-in at ${value}`,
      env: { ...test, STRIPE_API_URL: value },
      problem: /^STRIPE_API_URL must be an http or https URL of this machine without path\.$/,
    })),
    {
      name: 'any of them in the simulation',
      env: keysOf('test'),
      problem: /^STRIPE_SECRET_KEY has no use in the simulation/,
    },
    ...Object.keys(keysOf('test')).map((name) => ({
      name: `the others without ${name}`,
      env: { ...test, [name]: '' },
      problem: new RegExp(`^${name} is required beside STRIPE_`),
    })),
  ];
  for (const { name, env, problem } of cases) {
    it(`${problem ? 'refuses' : 'takes'} ${name}`, () => {
      const found = problems(env);
      assert.equal(found.length, problem ? 1 : 0, found.join('; '));
      if (problem) assert.match(found.join(), problem);
      assert.doesNotMatch(found.join(), /hush/);
    });
  }
});

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

describe('the table of settings', () => {
  it('has what is read, and nothing else', () => {
    const asked = new Set<string>();
    const env = new Proxy<NodeJS.ProcessEnv>(
      {},
      {
        get(_env, name) {
          asked.add(String(name));
          return undefined;
        },
      },
    );
    readServiceConfig(env);
    assert.deepEqual([...asked].toSorted(), Object.keys(settingRows).toSorted());
  });
});
