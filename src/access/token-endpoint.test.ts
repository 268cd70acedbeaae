import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { suite, test } from 'node:test';
import { createApplicationRegistry } from './application-registry.ts';
import { createBuckets } from './buckets.ts';
import { createTokenExchange, type TokenRefusal } from './token-endpoint.ts';
import { limits } from '../contract/limits.ts';
import type { Executor } from '../platform/postgres/database.ts';

/** An exchange on a database without applications, and how many statements it was asked. */
function exchangeOnNothing() {
  const asked = { statements: 0 };
  const executor = {
    async query() {
      asked.statements += 1;
      return [];
    },
  } as unknown as Executor;
  const exchange = createTokenExchange({
    executor,
    registry: createApplicationRegistry(executor),
    tokens: {} as never,
    environment: 'simulation',
    baseUrl: 'http://latchkey.test',
    buckets: () => createBuckets(),
  });
  const ask = async (clientId: string, sourceAddress = '192.0.2.1') => {
    const form = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: 'lk_wrong',
    });
    return (await exchange.issue({
      form,
      authorization: undefined,
      sourceAddress,
    })) as TokenRefusal;
  };
  return { asked, ask };
}

suite('token › unknown client IDs', () => {
  test('over the limit, the database is not asked', async () => {
    const { asked, ask } = exchangeOnNothing();
    for (let nth = 0; nth < limits.unknownClientTokensPerMinute; nth += 1) {
      assert.equal((await ask(randomUUID())).error, 'invalid_client');
    }
    const before = asked.statements;
    assert.ok(before > 0);
    assert.equal((await ask(randomUUID())).error, 'rate_limited');
    assert.equal(asked.statements, before);
    assert.equal((await ask(randomUUID(), '192.0.2.2')).error, 'invalid_client');
    assert.ok(asked.statements > before);
  });

  test('one that is no UUID is counted, and never asked for', async () => {
    const { asked, ask } = exchangeOnNothing();
    for (let nth = 0; nth < limits.unknownClientTokensPerMinute; nth += 1) await ask('nobody');
    assert.equal((await ask('nobody')).error, 'rate_limited');
    assert.equal(asked.statements, 0);
  });
});
