import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { operationIds, rowOf, type OperationId } from '../../../src/contract/partner/operations.ts';
import type { Partner } from '../../harness/partner.ts';
import { startTestService, type TestService } from '../../harness/service.ts';
import { inputOf, invalidFields, wellFormed } from '../../harness/well-formed.ts';

/** Spec: CALL-11. */
const reads: readonly OperationId[] = [
  'distribution.site.get',
  'distribution.listing.list',
  'distribution.listing.get',
];

suite('X-Booking-Consumer', () => {
  let service: TestService;
  let partner: Partner;
  let listingId: string;
  before(async () => {
    service = await startTestService({ LATCHKEY_ROLES: 'api' });
    partner = await service.partner();
    const { items } = await partner.succeed('distribution.listing.list', { query: { limit: 1 } });
    ({ listingId } = items[0]!);
  });
  after(() => service.stop());

  for (const id of reads) {
    const input = (headers: Record<string, string>) => ({
      ...(rowOf(id).params && { params: { listingId } }),
      headers,
    });

    test(`${id} › 200 › web, agent, cli, staff, or none, with the same response`, async () => {
      const plain = await partner.call(id, input({}));
      assert.equal(plain.status, 200);
      for (const consumer of ['web', 'agent', 'cli', 'staff']) {
        const reply = await partner.call(id, input({ 'x-booking-consumer': consumer }));
        assert.equal(reply.status, 200);
        assert.equal(reply.text, plain.text);
      }
    });

    test(`${id} › 400 invalid_input › any other value`, async () => {
      for (const consumer of ['', 'Web', 'unknown', 'web, cli', 'mobile', 'toString', '\u00e9']) {
        const fields = await invalidFields(partner, id, input({ 'x-booking-consumer': consumer }));
        assert.deepEqual(fields, [
          { path: 'header/x-booking-consumer', message: 'must be one of web, agent, cli, staff' },
        ]);
      }
    });
  }

  test('is ignored elsewhere', async () => {
    for (const id of operationIds.filter((one) => !reads.includes(one))) {
      const whole = wellFormed(id);
      const headers = { ...whole.headers, 'x-booking-consumer': 'nobody' };
      const { text } = await partner.call(id, inputOf({ ...whole, headers }));
      assert.ok(!text.includes('x-booking-consumer'), id);
    }
  });
});
