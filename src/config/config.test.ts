/** The configuration: what the environment may say, and what is said where it may not. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
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
import { readConfig, readServiceConfig, type Config } from './config.ts';
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

const otherKey = Buffer.alloc(32, 4);
const keyFolder = await mkdtemp(path.join(tmpdir(), 'latchkey-keys-'));
after(() => rm(keyFolder, { recursive: true, force: true }));
const keyFile = path.join(keyFolder, 'keys');
await writeFile(keyFile, `${otherKey.toString('base64')}\n\n${key.toString('base64')}\n`);
const brokenKeyFile = path.join(keyFolder, 'broken');
await writeFile(brokenKeyFile, `${key.toString('base64')}\nsecret\n`);
const otherSecret = `whsec_${Buffer.alloc(24, 3).toString('base64')}`;
const recordsUrl = records.LATCHKEY_RECORDS_URL;
const bucketUrl = bucket.LATCHKEY_PICTURES_URL;

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
      env: { REDIS_URL: 'redis://h:1/2', LATCHKEY_OUTSIDE: 'off' },
      config: { redisUrl: null, isOutsideOff: true },
    },
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
    it(`takes ${JSON.stringify(env).replaceAll(path.dirname(tls.LATCHKEY_TLS_CERT_FILE), '')}`, () => {
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
