/** That a refusal does not tell by its way what was wrong: the same statements, the same words. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, suite, test } from 'node:test';
import { createBuckets } from '../../src/access/buckets.ts';
import { createAccessTokens } from '../../src/access/access-token.ts';
import { createApplicationRegistry } from '../../src/access/application-registry.ts';
import { createTokenExchange, type TokenExchange } from '../../src/access/token-endpoint.ts';
import { mintKey } from '../../src/access/application-key.ts';
import { openSigningKeys } from '../../src/access/signing-keys.ts';
import { revokeKey } from '../../src/access/store/application-keys.ts';
import { suspendApplication } from '../../src/access/store/applications.ts';
import { startDatabaseClock } from '../../src/platform/clock.ts';
import type { Executor } from '../../src/platform/postgres/database.ts';
import type { Credentials } from '../harness/partner.ts';
import { testBaseUrl } from '../harness/base-url.ts';
import { startTestService, type TestService } from '../harness/service.ts';

/** A token exchange, and the names of the statements that it has sent. */
async function observedExchange({ database }: TestService) {
  const sent: string[] = [];
  const executor: Executor = {
    vault: database.vault,
    query(statement, values) {
      sent.push(statement.name);
      return database.query(statement, values);
    },
  };
  let hour = 0;
  // Each look comes an hour after the last: nothing that was read before counts.
  const registry = createApplicationRegistry(executor, () => (hour += 3_600_000));
  const clock = await startDatabaseClock(database);
  const tokens = createAccessTokens(await openSigningKeys(database), testBaseUrl, clock);
  const parts = {
    executor,
    registry,
    tokens,
    environment: 'simulation',
    baseUrl: testBaseUrl,
    buckets: () => createBuckets(),
  };
  return {
    sent,
    exchange: createTokenExchange(parts as Parameters<typeof createTokenExchange>[0]),
  };
}

suite('the way of a refusal', () => {
  let service: TestService;
  let exchange: TokenExchange;
  let sent: string[];
  before(async () => {
    service = await startTestService({ LATCHKEY_ROLES: 'api' });
    ({ exchange, sent } = await observedExchange(service));
  });
  after(() => service.stop());

  /** The response, and the statements that were sent. */
  async function ask({ applicationId, applicationKey }: Credentials) {
    sent.length = 0;
    const form = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: applicationId,
      client_secret: applicationKey,
    });
    const response = await exchange.issue({
      form,
      authorization: undefined,
      sourceAddress: '192.0.2.1',
    });
    return { response, statements: [...sent] };
  }

  const wrongs: Record<string, (right: Credentials) => Promise<Credentials>> = {
    'unknown application': async (right) => ({ ...right, applicationId: randomUUID() }),
    'unknown key': async (right) => ({
      ...right,
      applicationKey: mintKey('simulation').applicationKey,
    }),
    'no key at all': async (right) => ({ ...right, applicationKey: 'nothing' }),
    "another environment's key": async (right) => ({
      ...right,
      applicationKey: mintKey('live').applicationKey,
    }),
    'revoked key': async (right) => {
      await revokeKey(service.database, right.keyId);
      return right;
    },
    'suspended application': async (right) => {
      await suspendApplication(service.database, right.applicationId, 'a test');
      return right;
    },
  };

  test('token › every wrong client › the same statements and response as a wrong secret', async () => {
    const { credentials } = await service.partner();
    const at = credentials.applicationKey.indexOf('_', 11) + 1;
    const { applicationKey: other } = mintKey('simulation');
    const wrongSecret = `${credentials.applicationKey.slice(0, at)}${other.slice(at)}`;
    const expected = await ask({ ...credentials, applicationKey: wrongSecret });
    assert.equal(expected.statements.length, 2);
    for (const [name, wrong] of Object.entries(wrongs)) {
      const partner = await service.partner();
      assert.deepEqual(await ask(await wrong(partner.credentials)), expected, name);
    }
  });

  test('token › a correct key causes the same first statements as a wrong one', async () => {
    const { credentials } = await service.partner();
    const right = await ask(credentials);
    const wrong = await ask({ ...credentials, applicationId: randomUUID() });
    assert.deepEqual(right.statements.slice(0, wrong.statements.length), wrong.statements);
  });
});
