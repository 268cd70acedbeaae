/** Nights that the operator's other systems have sold, by the operator's API. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { plusDays } from '../harness/catalog.ts';
import { operatorOf, type Operator } from '../harness/operator.ts';
import { guest, type Partner } from '../harness/partner.ts';
import { sql } from '../harness/rows.ts';
import { ownHomes, startTestService, type TestService } from '../harness/service.ts';

suite("outside stays by the operator's API", () => {
  let service: TestService;
  let staff: Operator;
  let partner: Partner;
  before(async () => {
    service = await startTestService(ownHomes);
    staff = await operatorOf(service, 'reservations');
    partner = await service.partner({ settlement: 'partner' });
  });
  after(() => service.stop());

  const put = (externalId: string, body: object, source = 'pms') =>
    staff.send('operator.outsideStay.put', { params: { source, externalId }, body });

  test('is new with 201, the same with 200, and gone with 204, again and again', async () => {
    const { listingId, checkIn: from, checkOut: to } = await partner.quote();
    const params = { source: 'pms', externalId: 'Ünit 7/2027 #4?' };
    const body = { listing: listingId, from, to };
    const made = await put(params.externalId, body);
    const same = await put(params.externalId, body);
    assert.deepEqual([made.status, same.status], [201, 200]);
    assert.deepEqual(same.body, made.body);
    const read = await staff.done('operator.outsideStay.get', { params });
    assert.deepEqual(read, made.body);
    const { createdAt, updatedAt, ...rest } = read;
    assert.equal(createdAt, updatedAt);
    const told = { ...params, listingId, from, to, reason: null, conflicts: [] };
    assert.deepEqual(rest, told);
    const changed = await put(params.externalId, { ...body, reason: 'A guest of the agency' });
    assert.equal(changed.status, 200);
    const bars = await staff.done('operator.calendar.read', { query: { from, days: 2 } });
    const [bar] = bars.homes.find((home) => home.listingId === listingId)!.bars;
    assert.deepEqual(
      [bar!.kind, bar!.source, bar!.reason],
      ['block', 'outside', 'A guest of the agency'],
    );
    for (let times = 0; times < 2; times += 1) {
      const { status } = await staff.send('operator.outsideStay.remove', { params });
      assert.equal(status, 204);
    }
    assert.equal((await staff.refused('operator.outsideStay.get', { params })).status, 404);
  });

  test('nobody can book its nights, and it is not a block', async () => {
    const quote = await partner.quote();
    const { listingId, checkIn: from, checkOut: to } = quote;
    await put('sold', { listing: listingId, from, to });
    const open = await partner.submittedCheckout(undefined, quote);
    await partner.statusOnce(open, ['failed']);
    const { failure } = await partner.succeed('reservation.checkout.get', open.at);
    assert.equal(failure?.reason, 'sold_out');
    const { items } = await staff.done('operator.block.list', { query: { listing: listingId } });
    assert.deepEqual(items, []);
  });

  test('what a reservation has is its conflict, which is listed first', async () => {
    const quote = await partner.quote();
    const { listingId, checkIn, checkOut } = quote;
    const open = await partner.submittedCheckout(undefined, quote);
    await partner.statusOnce(open, ['confirmed']);
    const [row] = await sql<{ reference: string }>(
      service.database,
      `SELECT reference FROM occupancies WHERE listing_id = $1 AND kind = 'confirmed'`,
      [listingId],
    );
    const { reference } = row!;
    const body = { listing: listingId, from: checkIn, to: plusDays(checkOut, 1) };
    const { body: told } = await put('double', body);
    const conflict = { kind: 'reservation', reference, from: checkIn, to: checkOut };
    assert.deepEqual((told as { conflicts: unknown }).conflicts, [conflict]);
    const { items } = await staff.done('operator.conflict.list', { query: { listing: listingId } });
    assert.equal(items.length, 1);
    const [{ outsideStay, takenBy, doubleSale, eventUid, calendarId, guest: who, phone }] =
      items as [(typeof items)[0]];
    assert.deepEqual(
      { outsideStay, takenBy, doubleSale, eventUid, calendarId },
      {
        outsideStay: { source: 'pms', externalId: 'double' },
        takenBy: { kind: 'reservation', reference },
        doubleSale: true,
        eventUid: null,
        calendarId: null,
      },
    );
    // Who must be told, on the page of conflicts and in the one list.
    const { firstName, lastName, phone: called } = guest();
    const named = { guest: `${firstName} ${lastName}`, phone: called, reference };
    assert.deepEqual({ guest: who, phone, reference }, named);
    const waiting = (await staff.done('operator.attention.list', { query: {} })).items;
    const waits = waiting.find(({ subject }) => subject === 'pms/double');
    assert.deepEqual(
      { guest: waits?.guest, phone: waits?.phone, reference: waits?.reference },
      named,
    );
    const channels = await staff.done('operator.channelCalendar.conflicts', { query: {} });
    assert.deepEqual(channels.items, []);
    const { needs } = await staff.done('operator.overview.get');
    assert.equal(needs.channelConflicts, 1);
  });

  test('what the system says is checked', async () => {
    const { listingId: listing, checkIn: from } = await partner.quote();
    const good = { listing, from, to: plusDays(from, 2) };
    const refused: [status: number, body: object, externalId?: string, source?: string][] = [
      [400, { ...good, to: from }],
      [400, { ...good, to: plusDays(from, -1) }],
      [400, { ...good, to: plusDays(from, 731) }],
      [400, { ...good, reason: 'a\u0007b' }],
      [400, { ...good, from: '2027-02-30' }],
      [400, { ...good, guest: 'Ann' }],
      [400, good, 'x'.repeat(201)],
      [400, good, 'a\nb'],
      [400, good, 'a', 'PMS'],
      [400, good, 'a', 'p'.repeat(41)],
      [404, { ...good, listing: 'nowhere' }],
    ];
    for (const [status, body, externalId = 'checked', source = 'pms'] of refused) {
      const response = await put(externalId, body, source);
      assert.equal(response.status, status, JSON.stringify([body, externalId, source]));
    }
    const longest = { ...good, from: plusDays(from, -900), to: plusDays(from, -170) };
    assert.equal((await put('é'.repeat(200), longest, 'p'.repeat(40))).status, 201);
  });

  test('are listed by source and name, of one system or home, in pages', async () => {
    const { listingId: listing, checkIn } = await partner.quote();
    for (const [at, [source, externalId]] of [
      ['list-b', '2'],
      ['list-b', '1'],
      ['list-a', '3'],
    ].entries()) {
      const from = plusDays(checkIn, 100 + 2 * at);
      const body = { listing, from, to: plusDays(from, 1) };
      assert.equal((await put(externalId!, body, source)).status, 201);
    }
    const names: string[] = [];
    let cursor: string | null = null;
    do {
      const query = { listing, limit: 2, ...(cursor !== null && { cursor }) };
      const page: { items: { source: string; externalId: string }[]; nextCursor: string | null } =
        await staff.done('operator.outsideStay.list', { query });
      names.push(...page.items.map(({ source, externalId }) => `${source}/${externalId}`));
      cursor = page.nextCursor;
    } while (cursor !== null);
    assert.deepEqual(
      names.filter((one) => one.startsWith('list-')),
      ['list-a/3', 'list-b/1', 'list-b/2'],
    );
    const query = { source: 'list-b', limit: 1 };
    const { items } = await staff.done('operator.outsideStay.list', { query });
    assert.deepEqual(
      items.map(({ externalId }) => externalId),
      ['1'],
    );
  });

  test('503 unavailable › somebody holds the nights of the home for long; a repeat is done', async () => {
    const { listingId: listing, checkIn: from, checkOut: to } = await partner.quote();
    assert.equal((await put('held', { listing, from, to })).status, 201);
    const { promise: ended, resolve: end } = Promise.withResolvers<undefined>();
    const { promise: held, resolve: hold } = Promise.withResolvers<undefined>();
    const holding = service.database.transaction(async (executor) => {
      const text = 'SELECT FROM outside_homes WHERE listing_id = $1 FOR UPDATE';
      await executor.query({ name: 'hold-outside-home', text }, [listing]);
      hold(undefined);
      await ended;
    });
    await held;
    const later = { listing, from: plusDays(from, 200), to: plusDays(to, 200) };
    const refused = await put('held', later);
    end(undefined);
    await holding;
    const { code } = (refused.body as { error: { code: string } }).error;
    assert.deepEqual([refused.status, code], [503, 'unavailable']);
    assert.equal((await put('held', later)).status, 200);
  });
});
