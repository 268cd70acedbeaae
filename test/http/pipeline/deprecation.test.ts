/** A deprecated row of the table has the header in every response of its operation. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { operations, type OperationRow } from '../../../src/contract/partner/operations.ts';
import type { Partner } from '../../harness/partner.ts';
import { startTestService, type TestService } from '../../harness/service.ts';

const row: OperationRow = operations['distribution.site.get'];
let service: TestService;
let partner: Partner;

before(async () => {
  // The routes are made out of the table when the service starts.
  row.deprecatedSince = '2027-01-31';
  service = await startTestService();
  partner = await service.partner();
});

after(async () => {
  delete row.deprecatedSince;
  await service.stop();
});

test('deprecation › the header of a marked operation', async () => {
  const { headers } = await partner.call('distribution.site.get');
  assert.equal(headers.get('deprecation'), '@1801353600');
});

test('deprecation › also on its errors', async () => {
  const { headers } = await partner.call('distribution.site.get', { query: 'limit=1' });
  assert.equal(headers.get('deprecation'), '@1801353600');
});

test('deprecation › no header on the others', async () => {
  const { headers } = await partner.call('distribution.listing.list');
  assert.equal(headers.get('deprecation'), null);
});
