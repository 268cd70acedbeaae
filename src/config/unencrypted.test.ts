import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { unencryptedIn } from './unencrypted.ts';

const none = {
  databaseUrl: null,
  databaseOwnerUrl: null,
  replicaUrl: null,
  redisUrl: null,
  metricsPort: null,
  host: 'localhost',
};

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
      assert.deepEqual(unencryptedIn({ ...none, databaseUrl }), isClear ? ['DATABASE_URL'] : []);
    });
  }

  test('names every setting: owner, replica, Redis, metrics', () => {
    const away = 'postgres://db.example/latchkey';
    assert.deepEqual(
      unencryptedIn({
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
      unencryptedIn({ ...none, redisUrl: 'rediss://cache.example', metricsPort: 9_100 }),
      [],
    );
    assert.deepEqual(unencryptedIn({ ...none, redisUrl: 'redis://127.0.0.1:6379' }), []);
  });
});
