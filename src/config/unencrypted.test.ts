import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { publicClearProblems, unencryptedIn } from './unencrypted.ts';

const none = {
  databaseUrl: null,
  databaseOwnerUrl: null,
  replicaUrl: null,
  redisUrl: null,
  metricsPort: null,
  host: 'localhost',
};

const namesIn = (config: Parameters<typeof unencryptedIn>[0]) =>
  unencryptedIn(config).map(({ setting }) => setting);

suite('unencryptedIn', () => {
  for (const [databaseUrl, isClear] of [
    ['postgres://db.example/latchkey', true],
    ['postgres://u:p@db.example:5432/latchkey?sslmode=disable', true],
    ['postgres://u:p@db.example/latchkey?sslmode=prefer', true],
    ['postgres://u:p@db.example/latchkey?sslmode=verify-full', false],
    ['postgres://u:p@db.example/latchkey?ssl=true', false],
    ['postgres://u@/latchkey?host=/run/postgresql', false],
    ['postgres://u@localhost:5432/latchkey', false],
    ['postgres://u@[::1]:5432/latchkey', false],
    ['postgres://u@localhost,db.example/latchkey', true],
    ['postgres:///latchkey', false],
  ] as const) {
    test(`${databaseUrl} is ${isClear ? '' : 'not '}in clear`, () => {
      assert.deepEqual(namesIn({ ...none, databaseUrl }), isClear ? ['DATABASE_URL'] : []);
    });
  }

  test('names every setting: owner, replica, Redis, metrics', () => {
    const away = 'postgres://db.example/latchkey';
    assert.deepEqual(
      namesIn({
        ...none,
        databaseOwnerUrl: away,
        replicaUrl: away,
        redisUrl: 'redis://cache.example:6379',
        metricsPort: 9_100,
        host: '0.0.0.0',
      }),
      ['LATCHKEY_DATABASE_OWNER_URL', 'DATABASE_REPLICA_URL', 'REDIS_URL', 'LATCHKEY_METRICS_PORT'],
    );
    assert.deepEqual(
      namesIn({ ...none, redisUrl: 'rediss://cache.example', metricsPort: 9_100 }),
      [],
    );
    assert.deepEqual(namesIn({ ...none, redisUrl: 'redis://127.0.0.1:6379' }), []);
  });
});

suite('publicClearProblems', () => {
  const addresses: Record<string, string[]> = {
    'db.internal': ['10.0.0.5', 'fd00::5'],
    'db.example': ['10.0.0.5', '93.184.216.34'],
    '93.184.216.34': ['93.184.216.34'],
    '2606:2800::1': ['2606:2800::1'],
  };
  const problemsOf = (config: Partial<typeof none> | object) =>
    publicClearProblems({ ...none, ...config }, (host) => Promise.resolve(addresses[host] ?? []));

  test('in a private network, by TLS, and of a name that is not known, there is none', async () => {
    for (const config of [
      { databaseUrl: 'postgres://u@db.internal/latchkey' },
      { databaseUrl: 'postgres://u@db.example/latchkey?sslmode=verify-full' },
      { databaseUrl: 'postgres://u@unknown.example/latchkey' },
      { redisUrl: 'redis://db.internal' },
      { metricsPort: 9_100, host: '0.0.0.0' },
    ]) {
      assert.deepEqual(await problemsOf(config), [], JSON.stringify(config));
    }
  });

  test('over a public address, by name or number, each setting is named with the way out', async () => {
    for (const [setting, config] of [
      ['DATABASE_URL', { databaseUrl: 'postgres://u@db.example/latchkey' }],
      ['DATABASE_URL', { databaseUrl: 'postgres://u@[2606:2800::1]:5432/latchkey' }],
      ['DATABASE_REPLICA_URL', { replicaUrl: 'postgres://u@db.internal,db.example/latchkey' }],
      ['REDIS_URL', { redisUrl: 'redis://93.184.216.34:6379' }],
      ['LATCHKEY_METRICS_PORT', { metricsPort: 9_100, host: '93.184.216.34' }],
    ] as const) {
      const problems = await problemsOf(config);
      assert.equal(problems.length, 1, setting);
      assert.ok(problems[0]!.startsWith(`${setting}: live sends nothing in clear`));
      assert.match(problems[0]!, /LATCHKEY_PLAIN_CONNECTIONS=anywhere/);
    }
  });
});
