/** Two refusals that every operation has: the database is unavailable, the quota is used up. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, suite, test } from 'node:test';
import { writeQuotas } from '../../../src/access/store/applications.ts';
import { tiers } from '../../../src/contract/limits.ts';
import { operationIds, type OperationId } from '../../../src/contract/partner/operations.ts';
import type { Database } from '../../../src/platform/postgres/database.ts';
import { DatabaseUnavailableError } from '../../../src/platform/postgres/database-errors.ts';
import { craftToken } from '../../harness/crafted-token.ts';
import { eventually } from '../../harness/eventually.ts';
import { drain, spendOne } from '../../harness/quota.ts';
import { startTestService, type TestService } from '../../harness/service.ts';
import { openTestWorker } from '../../harness/test-worker.ts';
import { ownCalls, type OwnCall } from '../../security/successful-calls.ts';

let isAway = false;

/** A database that can be switched off. */
const switched = (database: Database): Database => {
  const unlessAway = <T>(work: () => Promise<T>): Promise<T> =>
    isAway ? Promise.reject(new DatabaseUnavailableError('switched off')) : work();
  return {
    ...database,
    query: (...asked) => unlessAway(() => database.query(...asked)),
    transaction: (work) => unlessAway(() => database.transaction(work)),
  };
};

suite('refusals of every operation', () => {
  let service: TestService;
  let calls: Record<OperationId, OwnCall>;

  before(async () => {
    // Nothing flows back into the quotas while a test looks.
    const replacements = { changeDatabase: switched, elapsedMs: () => 0 };
    service = await startTestService({ LATCHKEY_ROLES: 'api' }, replacements);
    const card = await service.partner({ settlement: 'card' });
    const settled = await service.partner();
    calls = await ownCalls({ card, settled }, await openTestWorker(service.database));
  });
  after(() => service.stop());

  test('503 unavailable › all, when the database is unavailable', async () => {
    // What was known of an application is served on for a while: of this one the process knows nothing.
    const { applicationId } = (await service.partner()).credentials;
    const token = await craftToken(service.database, applicationId);
    isAway = true;
    try {
      for (const id of operationIds) {
        const { partner, input } = calls[id];
        const { status, code, retryAfterSeconds } = await partner.refused(id, { ...input, token });
        assert.deepEqual([status, code], [503, 'unavailable'], id);
        assert.ok(Number(retryAfterSeconds) > 0, id);
      }
    } finally {
      isAway = false;
    }
  });

  test('429 rate_limited › all but a repeat, when the quota is used up', async () => {
    const owners = new Set(Object.values(calls).map(({ partner }) => partner));
    for (const partner of owners) {
      const one = { read: 1, search: 1, write: 1, signal: 1 };
      await writeQuotas(service.database, partner.credentials.applicationId, one);
      await eventually(async () => (await spendOne(partner, 'read')).perMinute === 1);
      for (const tier of tiers) await drain(partner, tier);
    }
    const repeats = [
      'reservation.reservationRequest.create',
      'reservation.change.request',
    ] as const;
    for (const id of operationIds.filter((one) => !repeats.some((repeat) => repeat === one))) {
      const { partner, input } = calls[id];
      const { status, code } = await partner.refused(id, input);
      assert.deepEqual([status, code], [429, 'rate_limited'], id);
    }
    const change = 'reservation.change.request' as OperationId;
    const { partner: asker, input: asked } = calls[change];
    const another = {
      ...JSON.parse(String(asked.rawBody)),
      changeRequestId: randomUUID(),
    } as object;
    const { status } = await asker.refused(change, { ...asked, rawBody: JSON.stringify(another) });
    assert.equal(status, 429, 'another request');
    for (const repeat of repeats) {
      const { partner, input } = calls[repeat];
      await partner.succeed(repeat, input);
    }
  });
});
