import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { after, before, suite, test } from 'node:test';
import type { Reservation } from '../../../src/contract/partner/schemas/reservation.ts';
import { changeListing, withdrawHomes } from '../../harness/catalog.ts';
import { openTestWorker, type TestWorker } from '../../harness/test-worker.ts';
import { assertError, journeyTo, quoteOf, type Journey } from '../../harness/journey.ts';
import { guest, type Partner } from '../../harness/partner.ts';
import { aged, allOf, eventsOf } from '../../harness/rows.ts';
import { startTestService, type TestService } from '../../harness/service.ts';

const get = 'reservation.reservation.get';
const nextDay = (date: string) =>
  new Date(Date.parse(date) + 86_400_000).toISOString().slice(0, 10);

suite(get, () => {
  let service: TestService;
  let testWorker: TestWorker;
  let partner: Partner;

  before(async () => {
    service = await startTestService({ LATCHKEY_ROLES: 'api' });
    testWorker = await openTestWorker(service.database);
    partner = await service.partner();
  });
  after(() => service.stop());

  const read = (reference: string, who = partner): Promise<Reservation> =>
    who.succeed(get, { params: { reference } });

  async function confirmed(suffix?: string, who = partner) {
    const journey = await journeyTo('confirmed', who, testWorker, suffix);
    const { reference = '' } = await journey.read();
    return { journey, reference };
  }

  const eventsAfterConfirmation = async (bookingId: string) => {
    const events = await eventsOf(service.database, partner.credentials.applicationId);
    return events.filter(({ data }) => data['checkoutId'] === bookingId).slice(2);
  };

  // Spec: RESERVATION-8.
  test(`${get} › 200 › every field of a confirmed reservation`, async () => {
    const { journey, reference } = await confirmed();
    const { quote } = journey.open;
    const { updatedAt } = await journey.read();
    const { checkInFrom, checkOutUntil } = await partner.succeed('distribution.listing.get', {
      params: { listingId: quote.listingId },
    });
    assert.deepEqual(await read(reference), {
      reference,
      state: 'confirmed',
      listingId: quote.listingId,
      checkIn: quote.checkIn,
      checkOut: quote.checkOut,
      party: quote.party,
      charges: quote.charges,
      cancelledAt: null,
      updatedAt,
      materialization: 'pending',
      property: { address: null, arrivalInstructions: null, checkInFrom, checkOutUntil },
      partnerReference: null,
      checkoutId: journey.checkoutId,
    });
  });

  // Spec: RESERVATION-2.
  test(`${get} › 404 not_found › unknown, another application's, an inexact reference`, async () => {
    const { reference } = await confirmed();
    const other = await service.partner();
    assertError(await other.refused(get, { params: { reference } }), [404, 'not_found']);
    const none = [
      'LK-0000-0000',
      reference.toLowerCase(),
      `${reference} `,
      reference.slice(1),
      'x',
    ];
    for (const wrong of [...none, randomUUID(), '%', "'"]) {
      const error = await partner.refused(get, { params: { reference: wrong } });
      assertError(error, [404, 'not_found']);
    }
  });

  /** What five seconds do to a reservation, and the event that says so. */
  const changes = {
    cancelled: (was: Reservation, now: Reservation) => {
      assert.deepEqual(now, {
        ...was,
        state: 'cancelled',
        cancelledAt: now.updatedAt,
        updatedAt: now.updatedAt,
      });
      return {
        type: 'reservation.cancelled',
        data: { state: 'cancelled', cancelledAt: now.updatedAt },
      };
    },
    changed: (was: Reservation, now: Reservation) => {
      const moved = { checkIn: nextDay(was.checkIn), checkOut: nextDay(was.checkOut) };
      const nights = was.charges.nights.map(({ date, amount }) => ({
        date: nextDay(date),
        amount,
      }));
      const charges = { ...was.charges, nights };
      assert.deepEqual(now, { ...was, ...moved, charges, updatedAt: now.updatedAt });
      return {
        type: 'reservation.changed',
        data: { state: 'confirmed', changes: ['dates'], changedAt: now.updatedAt },
      };
    },
  } as const;

  for (const suffix of ['cancelled', 'changed'] as const) {
    const later = async (journey: Journey) => aged.supplier(service.database, journey.checkoutId);

    // Spec: SIMULATION-4.
    test(`+${suffix} › ${get} › applied at the first read after five seconds, once`, async () => {
      const { journey, reference } = await confirmed(suffix);
      const was = await read(reference);
      assert.equal(was.state, 'confirmed');
      assert.equal(was.checkIn, journey.open.quote.checkIn);
      await aged.supplier(service.database, journey.checkoutId, 2);
      assert.deepEqual(await read(reference), was, 'not before its time');
      await later(journey);
      assert.deepEqual(await eventsAfterConfirmation(journey.checkoutId), [], 'nobody has read it');

      const now = await read(reference);
      assert.ok(now.updatedAt > was.updatedAt);
      const { type, data } = changes[suffix](was, now);
      const events = await eventsAfterConfirmation(journey.checkoutId);
      assert.deepEqual(
        events.map((event) => ({ type: event.type, data: event.data })),
        [{ type, data: { reference, checkoutId: journey.checkoutId, ...data } }],
      );
      assert.deepEqual(await read(reference), now, 'and not again');
      await journey.read();
      assert.equal((await eventsAfterConfirmation(journey.checkoutId)).length, 1);
    });

    // Spec: SIMULATION-4.
    test(`+${suffix} › reservation.checkout.get › applies it too; checkout and confirmation do not change`, async () => {
      const { journey, reference } = await confirmed(suffix);
      const confirmation = () =>
        partner.succeed('reservation.checkout.getConfirmation', journey.open.at);
      const checkout = await journey.read();
      const was = await confirmation();
      await later(journey);
      assert.deepEqual(await journey.read(), checkout);
      assert.equal((await eventsAfterConfirmation(journey.checkoutId)).length, 1);
      assert.deepEqual(await confirmation(), was);
      assert.deepEqual((await journey.status()).version, checkout.version);
      assert.notDeepEqual((await read(reference)).updatedAt, checkout.updatedAt);
    });

    test(`+${suffix} › reservation.checkout.getStatus and getConfirmation › do not apply it`, async () => {
      const { journey } = await confirmed(suffix);
      await later(journey);
      const was = await allOf(service.database, journey.checkoutId);
      await journey.status();
      await partner.succeed('reservation.checkout.getConfirmation', journey.open.at);
      await testWorker.runDue();
      assert.deepEqual(await allOf(service.database, journey.checkoutId), was);
    });

    test(`+${suffix} › twenty concurrent reads, half of them of the checkout: one event`, async () => {
      const { journey, reference } = await confirmed(suffix);
      await later(journey);
      const reads = Array.from({ length: 20 }, (_, index) =>
        index % 2 === 0 ? read(reference) : journey.read(),
      );
      const responses = await Promise.all(reads);
      const reservations = responses.filter((_, index) => index % 2 === 0);
      for (const response of reservations) assert.deepEqual(response, reservations[0]);
      assert.equal((await eventsAfterConfirmation(journey.checkoutId)).length, 1);
    });

    test(`+${suffix} › a request: its reservation changes, the request stays confirmed`, async () => {
      const quote = await quoteOf(partner);
      const { reservationRequestId } = await partner.request(quote, { guest: guest(suffix) });
      await testWorker.runDue();
      const at = { params: { reservationRequestId } };
      const request = await partner.succeed('reservation.reservationRequest.get', at);
      const was = await read(String(request.reference));
      await aged.supplier(service.database, reservationRequestId);
      assert.deepEqual(await partner.succeed('reservation.reservationRequest.get', at), request);
      assert.deepEqual(await eventsAfterConfirmation(reservationRequestId), []);
      changes[suffix](was, await read(String(request.reference)));
      const events = await eventsAfterConfirmation(reservationRequestId);
      assert.deepEqual(
        events.map(({ type }) => type),
        [`reservation.${suffix}`],
      );
      assert.deepEqual(await partner.succeed('reservation.reservationRequest.get', at), request);
    });
  }

  test('+cancelled › not before five seconds have passed', async () => {
    const { journey, reference } = await confirmed('cancelled');
    const since = Date.parse((await journey.read()).updatedAt);
    const deadline = performance.now() + 15_000;
    let now = await read(reference);
    for (; now.state === 'confirmed' && performance.now() < deadline; now = await read(reference)) {
      await sleep(50);
    }
    const took = Date.parse(now.updatedAt) - since;
    assert.ok(took >= 5_000 && took < 10_000, `${took} ms`);
  });

  // Spec: RESERVATION-8.
  test(`${get} › 200 › what a guest needs to arrive, also when the home is no longer sold`, async () => {
    const { journey, reference } = await confirmed();
    const { listingId } = journey.open.quote;
    const address = { lines: ['Rua da Fonte 3'], country: 'PT' };
    const arrival = { address, arrivalInstructions: 'The key safe is left of the door.' };
    await changeListing(service.database, listingId, () => arrival);
    await withdrawHomes(service.database, [listingId]);
    await service.follow();
    const sold = await partner.call('distribution.listing.get', { params: { listingId } });
    assert.equal(sold.status, 404);
    const { property } = await read(reference);
    assert.deepEqual(property?.address?.lines, address.lines);
    assert.equal(property?.arrivalInstructions, arrival.arrivalInstructions);
    const query = { limit: 1 };
    const { items } = await partner.succeed('reservation.reservation.list', { query });
    assert.deepEqual(items[0]!.property, property);
  });
});
