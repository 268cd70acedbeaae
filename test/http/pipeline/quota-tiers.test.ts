import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { tiers, type Tier } from '../../../src/contract/limits.ts';
import { operationIds, type OperationId } from '../../../src/contract/partner/operations.ts';
import { writeQuotas } from '../../../src/access/store/applications.ts';
import { eventually } from '../../harness/eventually.ts';
import type { Partner } from '../../harness/partner.ts';
import { drain, quotaOf, spendOne } from '../../harness/quota.ts';
import { standardQuotas, startTestService, type TestService } from '../../harness/service.ts';
import { inputOf, wellFormed } from '../../harness/well-formed.ts';

/** Spec: QUOTA-1. */
const tierOf: Record<OperationId, Tier> = {
  'distribution.site.get': 'read',
  'distribution.listing.list': 'read',
  'distribution.listing.get': 'read',
  'distribution.listing.search': 'search',
  'inventory.calendar.get': 'search',
  'inventory.calendar.list': 'search',
  'inventory.change.list': 'read',
  'reservation.quote.create': 'search',
  'reservation.checkout.create': 'write',
  'reservation.checkout.get': 'read',
  'reservation.checkout.saveGuest': 'write',
  'reservation.checkout.applyPromo': 'write',
  'reservation.checkout.removePromo': 'write',
  'reservation.checkout.setupPayment': 'write',
  'reservation.checkout.verifyPayment': 'write',
  'reservation.checkout.submit': 'write',
  'reservation.checkout.getStatus': 'read',
  'reservation.checkout.getConfirmation': 'read',
  'reservation.reservation.get': 'read',
  'reservation.reservation.list': 'read',
  'reservation.reservationRequest.create': 'write',
  'reservation.reservationRequest.get': 'read',
  'reservation.reservationRequest.list': 'read',
  'reservation.change.request': 'write',
  'reservation.change.get': 'read',
  'reservation.change.list': 'read',
  'reservation.change.withdraw': 'write',
  'reservation.event.list': 'read',
  'cdp.signal.capture': 'signal',
};

/** So few that none flows back while a test looks: one in six seconds. */
const perMinute = 10;
const few = { read: perMinute, search: perMinute, write: perMinute, signal: perMinute };

suite('quota', () => {
  let service: TestService;
  before(async () => {
    service = await startTestService({ LATCHKEY_ROLES: 'api' });
  });
  after(() => service.stop());

  for (const id of operationIds) {
    const own = tierOf[id];
    test(`${id} › consumes one call of the tier ${own}, and none of the others`, async () => {
      const partner = await service.partner({ quotas: few });
      const shown = quotaOf(await partner.call(id, inputOf(wellFormed(id))));
      assert.deepEqual([shown.tier, shown.perMinute], [own, perMinute]);
      assert.equal(shown.remaining, perMinute - 1);
      for (const tier of tiers) {
        const { remaining } = await spendOne(partner, tier);
        assert.equal(remaining, perMinute - (tier === own ? 2 : 1), tier);
      }
    });
  }

  test('defaults › 360 reads, 36 searches, 120 writes and 240 signals a minute', async () => {
    const partner = await service.partner({ quotas: standardQuotas });
    const expected = { read: 360, search: 36, write: 120, signal: 240 };
    for (const tier of tiers) {
      const shown = await spendOne(partner, tier);
      assert.deepEqual([shown.tier, shown.perMinute], [tier, expected[tier]]);
      assert.equal(shown.remaining, expected[tier] - 1);
    }
  });

  test('overrides › each application has its own limits and counts', async () => {
    const one = await service.partner({ quotas: { read: 3 } });
    const two = await service.partner({ quotas: { read: 5 } });
    await drain(one, 'read');
    assert.equal((await one.refused('distribution.site.get')).code, 'rate_limited');
    assert.equal((await spendOne(two, 'read')).remaining, 4);
    await two.succeed('distribution.site.get');
  });

  test('overrides › a change applies to the running service', async () => {
    const partner = await service.partner({ quotas: few });
    await spendOne(partner, 'read');
    const { applicationId } = partner.credentials;
    await writeQuotas(service.database, applicationId, { read: 2 });
    await eventually(async () => (await spendOne(partner, 'read')).perMinute === 2);
    assert.ok((await spendOne(partner, 'read')).remaining <= 2);
    assert.equal((await spendOne(partner, 'search')).perMinute, perMinute, 'the others stay');
  });

  test('a burst can use the whole quota, and no more', async () => {
    const partner: Partner = await service.partner({ quotas: { read: 20 } });
    await partner.token();
    const calls = Array.from({ length: 40 }, () => partner.call('distribution.site.get'));
    const statuses = (await Promise.all(calls)).map(({ status }) => status);
    const taken = statuses.filter((status) => status === 200).length;
    assert.ok(taken >= 20 && taken <= 22, `${taken} were taken`);
    assert.ok(statuses.every((status) => status === 200 || status === 429));
  });

  test('every operation of the table is tested', () => {
    assert.deepEqual(Object.keys(tierOf).toSorted(), operationIds.toSorted());
  });
});
