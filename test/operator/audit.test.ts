/** The audit trail, as the operator's API lists it. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { operatorOf, operatorWith } from '../harness/operator.ts';
import { startTestService, type TestService } from '../harness/service.ts';

suite('operator.audit.list', () => {
  let service: TestService;
  before(async () => {
    service = await startTestService();
  });
  after(() => service.stop());

  test('newest first, in pages, with the actor of each act', async () => {
    const operator = await operatorOf(service);
    await operatorOf(service, 'viewer');
    const all = await operator.done('operator.audit.list');
    assert.equal(all.items[0]?.action, 'staff.token.issue');
    assert.equal(all.items[0]?.details['role'], 'viewer');
    const first = await operator.done('operator.audit.list', { query: { limit: 1 } });
    const rest = await operator.done('operator.audit.list', {
      query: { cursor: first.nextCursor! },
    });
    assert.deepEqual([...first.items, ...rest.items], all.items);
  });

  test('400 invalid_input › a cursor of another filter', async () => {
    const operator = await operatorOf(service);
    const { nextCursor } = await operator.done('operator.audit.list', { query: { limit: 1 } });
    const query = { cursor: nextCursor!, actor: 'nobody' };
    const refusal = await operator.refused('operator.audit.list', { query });
    assert.deepEqual([refusal.status, refusal.code], [400, 'invalid_input']);
  });

  test('401 unauthenticated › no token, another token', async () => {
    for (const headers of [{}, { authorization: 'Bearer lko_unknown' }]) {
      const refusal = await operatorWith(service, '', headers).refused('operator.audit.list');
      assert.equal(refusal.status, 401);
      assert.deepEqual(refusal.details, { reason: 'credentials' });
    }
  });
});
