import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { registryFreshMs } from '../../../src/access/application-registry.ts';
import { limits } from '../../../src/contract/limits.ts';
import { operationIds } from '../../../src/contract/partner/operations.ts';
import { resumeApplication, suspendApplication } from '../../../src/access/store/applications.ts';
import { eventually } from '../../harness/eventually.ts';
import type { Partner } from '../../harness/partner.ts';
import { startTestService, type TestService } from '../../harness/service.ts';
import { inputOf, wellFormed } from '../../harness/well-formed.ts';

suite('access token', () => {
  let service: TestService;
  before(async () => {
    service = await startTestService({ LATCHKEY_ROLES: 'api' });
  });
  after(() => service.stop());

  const statusOf = async (partner: Partner): Promise<number> =>
    (await partner.call('distribution.site.get')).status;

  async function suspended(): Promise<Partner> {
    const partner = await service.partner();
    assert.equal(await statusOf(partner), 200);
    await suspendApplication(service.database, partner.credentials.applicationId, 'a test');
    await eventually(async () => (await statusOf(partner)) === 401);
    return partner;
  }

  // Spec: ACCESS-9.
  test('401 unauthenticated › suspended › within the guaranteed minute', async () => {
    assert.ok(registryFreshMs < limits.suspensionSeconds * 1000);
    assert.equal(limits.suspensionSeconds, 60);
    const partner = await suspended();
    const error = await partner.refused('distribution.site.get');
    assert.deepEqual([error.status, error.code], [401, 'unauthenticated']);
    assert.match(error.headers.get('www-authenticate') ?? '', /^Bearer /);
  });

  test('401 unauthenticated › suspended › at every operation', async () => {
    const partner = await suspended();
    for (const id of operationIds) {
      const error = await partner.refused(id, inputOf(wellFormed(id)));
      assert.deepEqual([id, error.status, error.code], [id, 401, 'unauthenticated']);
    }
  });

  test('401 unauthenticated › suspended › other applications are not affected', async () => {
    const other = await service.partner();
    await suspended();
    assert.equal(await statusOf(other), 200);
  });

  test('200 › resumed › the same token works again', async () => {
    const partner = await suspended();
    await resumeApplication(service.database, partner.credentials.applicationId);
    await eventually(async () => (await statusOf(partner)) === 200);
  });
});
