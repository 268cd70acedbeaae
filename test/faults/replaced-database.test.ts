/** A process that outlives a restore: its database is replaced by an earlier copy that went on without it. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import type { Quote } from '../../src/contract/partner/schemas/quote.ts';
import { defaultPoolLimits, openDatabase } from '../../src/platform/postgres/database.ts';
import { changeListing, easyStays, homesOf, plainPrices } from '../harness/catalog.ts';
import type { Partner } from '../harness/partner.ts';
import { type Backups, backupsOf } from '../harness/restored-database.ts';
import { ownHomes, startTestService, type TestService } from '../harness/service.ts';

const nightly = (amount: number) => () => ({
  ...plainPrices,
  stayRules: easyStays,
  rates: { ...plainPrices.rates, nightly: amount },
});

describe('a database that is replaced by an earlier copy of itself', () => {
  let service: TestService;
  let partner: Partner;
  let backups: Backups;
  let listingId: string;

  before(async () => {
    service = await startTestService(ownHomes);
    partner = await service.partner();
    ({ listingId } = (await homesOf(service))[0]!);
    backups = await backupsOf(service.database);
  });
  after(async () => {
    await service.stop();
    await backups.clear();
  });

  it('is quoted and booked at the prices that it has, although its revision is the known one', async () => {
    const stay = { listingId, checkIn: '2027-03-01', checkOut: '2027-03-02', party: { adults: 1 } };
    await changeListing(service.database, listingId, nightly(11_100));
    await backups.make();

    // What the restore loses, and this process knows.
    await changeListing(service.database, listingId, nightly(3_000));
    await service.follow();
    assert.equal((await partner.quote(stay)).charges.total, 3_000);

    // What others do with the restored database.
    const restored = openDatabase(
      backups.copy,
      service.database.vault,
      defaultPoolLimits,
      () => undefined,
    );
    await changeListing(restored, listingId, nightly(34_632));
    await restored.close();

    await backups.restore();

    // A call that had its price before it noticed is refused, once.
    let quote: Quote | null = null;
    for (let tries = 0; quote === null && tries < 20; tries += 1) {
      const body = { quoteId: randomUUID(), ...stay };
      const reply = await partner.call('reservation.quote.create', { body });
      if (reply.status === 503) continue;
      assert.equal(reply.status, 201, reply.text);
      quote = reply.body as Quote;
    }
    assert.equal(quote?.charges.total, 34_632);
    const open = await partner.readyCheckout(undefined, quote!);
    await partner.submit(open);
    await partner.statusOnce(open, ['confirmed']);
  });
});
