/** Search and calendar of processes that follow the taken nights: their own, other processes', and none. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Supply } from '../../src/bookings/ports/supply.ts';
import { type Availability, addBlocks } from '../../src/inventory/index.ts';
import { DatabaseUnavailableError } from '../../src/platform/postgres/database-errors.ts';
import type { Listing } from '../../src/pricing/rules/listing.ts';
import {
  changeHome,
  changeInventory,
  easyStays,
  homesOf,
  plainPrices,
} from '../harness/catalog.ts';
import { likeHome } from '../harness/catalogs.ts';
import { writeHomes } from '../../src/catalog/store/write-homes.ts';
import { writePlaces } from '../../src/catalog/store/places.ts';
import { eventually } from '../harness/eventually.ts';
import { requestStay } from '../harness/events.ts';
import { operatorOf } from '../harness/operator.ts';
import { sql } from '../harness/rows.ts';
import { takenNights } from '../harness/nights.ts';
import { daysAhead, type Partner } from '../harness/partner.ts';
import { ownHomes, startTestService, type TestService } from '../harness/service.ts';

/** How the index of the service behaves. */
const following = { lagMs: 0, mode: 'works' as 'works' | 'fails' | 'pauses', asked: 0 };

/** What the supplier answers after it has held nights. Null: it confirms. */
const supplier: { refusal: Awaited<ReturnType<Supply['confirm']>> | null } = { refusal: null };

const changed = (real: Availability): Availability => ({
  prepare: (listings) => real.prepare(listings),
  freeHomes: (...asked) => real.freeHomes(...asked),
  openNights: (...asked) => real.openNights(...asked),
  took: (...taken) => real.took(...taken),
  size: () => real.size(),
  changed: () => real.changed(),
  knownUntil: () => real.knownUntil() - following.lagMs,
  async follow() {
    following.asked += 1;
    if (following.mode === 'fails') throw new DatabaseUnavailableError('no answer');
    if (following.mode === 'works') await real.follow();
  },
});

suite('following the taken nights', () => {
  let service: TestService;
  let partner: Partner;
  let home: Listing;

  before(async () => {
    service = await startTestService(
      { ...ownHomes, LATCHKEY_METRICS_PORT: '1' },
      {
        changeAvailability: changed,
        changeSupply: (own) => ({
          ...own,
          confirm: async (...asked) => supplier.refusal ?? (await own.confirm(...asked)),
        }),
      },
    );
    partner = await service.partner();
    const [any] = await homesOf(service);
    home = await changeHome(service, partner, any!, { ...plainPrices, stayRules: easyStays });
  });
  after(() => service.stop());

  const stayAt = (from: number) => ({
    checkIn: daysAhead(from),
    checkOut: daysAhead(from + 3),
    party: { adults: 2 },
  });
  const searched = (from: number) =>
    partner.call('distribution.listing.search', { body: { ...stayAt(from), limit: 50 } });
  const calendar = (from: number, listingId = home.listingId) =>
    partner.call('inventory.calendar.get', {
      params: { listingId },
      query: { startDate: daysAhead(from), endDate: daysAhead(from + 2) },
    });
  const finds = async (from: number, listingId = home.listingId): Promise<boolean> => {
    const { status, text } = await searched(from);
    assert.equal(status, 200, text);
    return text.includes(listingId);
  };
  const block = (listingId: string, from: number) =>
    addBlocks(service.database, [
      { listingId, from: daysAhead(from), to: daysAhead(from + 1), reason: null, source: 'staff' },
    ]);

  test('what another process takes or frees is known soon, without a call', async () => {
    assert.ok(await finds(10));
    await block(home.listingId, 11);
    await eventually(async () => !(await finds(10)));
    const days = (await calendar(10)).body as { days: { available: boolean }[] };
    assert.deepEqual(
      days.days.map(({ available }) => available),
      [true, false, true],
    );
    await service.database.query({ name: '', text: 'DELETE FROM occupancies' });
    await eventually(() => finds(10));
  });

  // Spec: CALENDAR-7.
  test('what the process itself books is known at once', async () => {
    assert.ok(await finds(20));
    following.mode = 'pauses';
    try {
      await requestStay(partner, { ...stayAt(20), listingId: home.listingId });
      await eventually(async () => {
        const [taken] = await takenNights(service.database);
        return taken?.kind === 'confirmed';
      });
      assert.ok(!(await finds(20)));
    } finally {
      following.mode = 'works';
    }
  });

  test('what the process itself frees is known at once', async () => {
    assert.ok(await finds(25));
    following.mode = 'pauses';
    supplier.refusal = { outcome: 'refused', reason: 'policy_changed' };
    try {
      const bookingId = await requestStay(partner, { ...stayAt(25), listingId: home.listingId });
      await eventually(async () => {
        const { body } = await partner.call('reservation.reservationRequest.get', {
          params: { reservationRequestId: bookingId },
        });
        return (body as { state: string }).state === 'failed';
      });
      const kinds = (await takenNights(service.database)).map(({ kind }) => kind);
      assert.ok(!kinds.includes('held'));
      await eventually(() => finds(25));
    } finally {
      supplier.refusal = null;
      following.mode = 'works';
    }
  });

  test('what staff change by a call of the process itself is known at once', async () => {
    const staff = await operatorOf(service);
    assert.ok(await finds(27));
    following.mode = 'pauses';
    try {
      const nights = { from: daysAhead(28), to: daysAhead(29) };
      const { blockId } = await staff.done('operator.block.add', {
        body: { listing: home.listingId, ...nights },
      });
      assert.ok(!(await finds(27)));
      await staff.done('operator.block.remove', { params: { blockId } });
      assert.ok(await finds(27));
    } finally {
      following.mode = 'works';
    }
  });

  test('a home and the nights with which it was imported appear together', async () => {
    assert.ok(await finds(31));
    following.mode = 'pauses';
    const { collectionId, ...rest } = home;
    const next = likeHome(rest);
    try {
      // The process reads the home before it would next read the log.
      await changeInventory(service.database, async (executor, revision, catalogId) => {
        const ids = await writeHomes(executor, [next], new Map(), revision);
        next.listingId = ids.get(next.slug)!;
        const place = { listingId: next.listingId, collectionId, position: 0 };
        await writePlaces(executor, catalogId, [place], revision);
      });
      await block(next.listingId, 32);
      await service.catalog.followSoon();
      const { days } = (await calendar(31, next.listingId)).body as {
        days: { available: boolean }[];
      };
      assert.deepEqual(
        days.map(({ available }) => available),
        [true, false, true],
      );
      assert.ok(!(await finds(31, next.listingId)));
      assert.ok(await finds(33, next.listingId));
    } finally {
      following.mode = 'works';
    }
  });

  test('metrics show what the process knows', async () => {
    const read = async (name: string): Promise<number> => {
      const text = await service.service.metrics!.text();
      return Number(new RegExp(`^latchkey_nights_${name} (.*)$`, 'm').exec(text)?.[1]);
    };
    const { length } = await homesOf(service);
    assert.ok((await read('homes')) >= length);
    assert.ok((await read('bytes')) > 1e6);
    assert.ok((await read('age_seconds')) < 60);
    assert.equal(await read('loads_total'), 0);
    const changes = await read('changes_total');
    await block(home.listingId, 60);
    await eventually(async () => (await read('changes_total')) === changes + 1);
    await sql(
      service.database,
      `INSERT INTO night_changes (listing_id, nights)
        SELECT $1, daterange(current_date, current_date + 1) FROM generate_series(1, 20001)`,
      [home.listingId],
    );
    await eventually(async () => (await read('loads_total')) === 1);
    following.lagMs = 70_000;
    assert.ok((await read('age_seconds')) >= 70);
    following.lagMs = 0;
  });

  // Spec: ERROR-13.
  test('nights that are too old are read first; if that fails, 503 and no page', async () => {
    assert.ok(await finds(40));
    try {
      following.lagMs = 61_000;
      following.asked = 0;
      assert.ok(await finds(40));
      assert.ok(following.asked > 0);
      following.mode = 'fails';
      const refused = await searched(40);
      assert.equal(refused.status, 503);
      assert.equal((refused.body as { error: { code: string } }).error.code, 'unavailable');
      const { status, body } = await calendar(40);
      assert.equal(status, 200);
      const { asOf } = (body as { meta: { asOf: string } }).meta;
      assert.ok(Date.now() - Date.parse(asOf) >= 60_000, 'the older of catalog and nights');
      following.lagMs = 121_000;
      assert.equal((await calendar(40)).status, 503);
    } finally {
      Object.assign(following, { lagMs: 0, mode: 'works' });
    }
    assert.ok(await finds(40));
  });
});
