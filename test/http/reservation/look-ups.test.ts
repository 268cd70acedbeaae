/** How a partner finds again what it has booked. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, suite, test } from 'node:test';
import type { QueryOf } from '../../../src/contract/partner/operations.ts';
import type { Reservation } from '../../../src/contract/partner/schemas/reservation.ts';
import { guest, type Partner } from '../../harness/partner.ts';
import { plusDays } from '../../harness/catalog.ts';
import { sql } from '../../harness/rows.ts';
import { startTestService, type TestService } from '../../harness/service.ts';
import { openTestWorker, type TestWorker } from '../../harness/test-worker.ts';
import { wrongPaths } from '../../harness/wrong-paths.ts';

const list = 'reservation.reservation.list';

suite('look-ups', () => {
  let service: TestService;
  let worker: TestWorker;
  let partner: Partner;
  let checkoutId: string;
  let requestId: string;
  let reservations: Reservation[];

  before(async () => {
    service = await startTestService({ LATCHKEY_ROLES: 'api' });
    worker = await openTestWorker(service.database);
    partner = await service.partner();
    checkoutId = await bookByCheckout('order 1');
    requestId = await bookByRequest('order 2');
    await bookByCheckout(undefined);
    // A second apart, so that their order is known.
    await sql(
      service.database,
      `UPDATE reservations SET confirmed_at = date_trunc('second', now()) - interval '1 hour'
          + make_interval(secs => CASE WHEN booking_id = $1 THEN 0 WHEN booking_id = $2 THEN 1 ELSE 2 END)`,
      [checkoutId, requestId],
    );
    ({ items: reservations } = await page());
  });
  after(() => service.stop());

  const page = (query: QueryOf<typeof list> = {}, who = partner) => who.succeed(list, { query });

  const found = async (query: QueryOf<typeof list>): Promise<number[]> =>
    (await page(query)).items.map((one) =>
      reservations.findIndex(({ reference }) => reference === one.reference),
    );

  async function bookByCheckout(partnerReference: string | undefined): Promise<string> {
    const { quoteId, terms } = await partner.quote();
    const id = randomUUID();
    const body = { checkoutId: id, quoteId, ...(partnerReference && { partnerReference }) };
    const created = await partner.succeed('reservation.checkout.create', { body }, 201);
    assert.equal(created.partnerReference, partnerReference ?? null);
    const at = {
      params: { checkoutId: id },
      headers: { 'session-capability': created.sessionCapability! },
    };
    const ready = await partner.succeed('reservation.checkout.saveGuest', {
      ...at,
      body: { expectedVersion: 1, guest: guest() },
    });
    const accepted = { termsVersion: terms.version, termsAccepted: true as const };
    await partner.succeed('reservation.checkout.submit', {
      ...at,
      body: { expectedVersion: ready.version, ...accepted },
    });
    await worker.runDue();
    const confirmation = await partner.succeed('reservation.checkout.getConfirmation', at);
    assert.equal(confirmation.partnerReference, partnerReference ?? null);
    const checkout = await partner.succeed('reservation.checkout.get', at);
    assert.equal(checkout.partnerReference, partnerReference ?? null);
    return id;
  }

  async function bookByRequest(partnerReference: string): Promise<string> {
    const { reservationRequestId } = await partner.request(undefined, { partnerReference });
    await worker.runDue();
    return reservationRequestId;
  }

  // Spec: RESERVATION-7.
  test(`${list} › 200 › newest confirmation first, as in the single read`, async () => {
    assert.deepEqual(
      reservations.map(({ partnerReference }) => partnerReference),
      [null, 'order 2', 'order 1'],
    );
    for (const reservation of reservations) {
      const params = { reference: reservation.reference };
      const read = await partner.succeed('reservation.reservation.get', { params });
      assert.deepEqual(reservation, read);
    }
    assert.equal(reservations[2]?.checkoutId, checkoutId);
    assert.equal(reservations[1]?.reservationRequestId, requestId);
    assert.equal(reservations[1]?.checkoutId, undefined);
  });

  test(`${list} › 200 › pages`, async () => {
    const first = await page({ limit: 2 });
    assert.deepEqual(first.items, reservations.slice(0, 2));
    const second = await page({ limit: 2, cursor: first.nextCursor! });
    assert.deepEqual([second.items, second.nextCursor], [reservations.slice(2), null]);
  });

  test(`${list} › 200 › by partnerReference, of a checkout and of a request`, async () => {
    assert.deepEqual(await found({ partnerReference: 'order 1' }), [2]);
    assert.deepEqual(await found({ partnerReference: 'order 2' }), [1]);
    assert.deepEqual(await found({ partnerReference: 'order' }), []);
  });

  // Spec: CHECKOUT-12.
  test(`${list} › 200 › the reference of a checkout need not be unique`, async () => {
    const again = await bookByCheckout('order 1');
    const { items } = await page({ partnerReference: 'order 1' });
    assert.deepEqual(
      items.map((one) => one.checkoutId),
      [again, checkoutId],
    );
    await sql(service.database, 'DELETE FROM reservations WHERE booking_id = $1', [again]);
  });

  test(`${list} › 200 › by arrival, both ends included`, async () => {
    const { checkIn } = reservations[0]!;
    const next = plusDays(checkIn, 1);
    assert.deepEqual(await found({ checkInFrom: checkIn, checkInTo: checkIn }), [0, 1, 2]);
    assert.deepEqual(await found({ checkInFrom: next }), []);
    assert.deepEqual(await found({ checkInTo: plusDays(checkIn, -1) }), []);
  });

  test(`${list} › 200 › by change and by state`, async () => {
    await sql(
      service.database,
      `UPDATE reservations SET state = 'cancelled', cancelled_at = now(), version = version + 1,
          updated_at = date_trunc('second', now()) + interval '1 hour' WHERE booking_id = $1`,
      [requestId],
    );
    const since = (await page({ state: 'cancelled' })).items[0]!.updatedAt;
    assert.deepEqual(await found({ updatedSince: since }), [1]);
    assert.deepEqual(await found({ state: 'cancelled' }), [1]);
    assert.deepEqual(await found({ state: 'confirmed' }), [0, 2]);
    assert.deepEqual(await found({ state: 'cancelled', partnerReference: 'order 1' }), []);
  });

  test(`${list} › 200 › another application finds nothing`, async () => {
    const other = await service.partner();
    assert.deepEqual((await page({}, other)).items, []);
    assert.deepEqual((await page({ partnerReference: 'order 1' }, other)).items, []);
  });

  const wrong: [query: object, path: string][] = [
    [{ state: 'gone' }, 'query/state'],
    [{ checkInFrom: '2027-02-30' }, 'query/checkInFrom'],
    [{ updatedSince: '2027-02-30T00:00:00Z' }, 'query/updatedSince'],
    [{ partnerReference: '' }, 'query/partnerReference'],
    [{ limit: 51 }, 'query/limit'],
  ];
  for (const [query, path] of wrong) {
    test(`${list} › 400 invalid_input › ${JSON.stringify(query)}`, async () => {
      const error = await partner.refused(list, { query: query as QueryOf<typeof list> });
      assert.equal(error.code, 'invalid_input');
      assert.deepEqual(wrongPaths(error), [path]);
    });
  }

  test('reservation.checkout.create › 409 conflict › the same ID with another reference', async () => {
    const { quoteId } = await partner.quote();
    const id = randomUUID();
    const create = 'reservation.checkout.create';
    const body = { checkoutId: id, quoteId, partnerReference: 'order 3' };
    await partner.succeed(create, { body }, 201);
    await partner.succeed(create, { body }, 200);
    const error = await partner.refused(create, { body: { ...body, partnerReference: 'order 4' } });
    assert.deepEqual(error.details, { reason: 'different_input' });
  });
});
