import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { after, before, suite, test } from 'node:test';
import { insertBooking } from '../../src/bookings/store/bookings.ts';
import { checkoutStates, requestStates } from '../../src/contract/states.ts';
import { allOf, sql } from '../harness/rows.ts';
import { openHouse, type TestHouse } from './house.ts';

const endings = [
  ['checkout', 'none', 'confirmed', checkoutStates],
  ['checkout', 'failed', 'failed', checkoutStates],
  ['checkout', 'quote_expired', 'expired', checkoutStates],
  ['request', 'none', 'confirmed', requestStates],
  ['request', 'failed', 'failed', requestStates],
] as const;

suite('what the database itself refuses', () => {
  let house: TestHouse;

  before(async () => {
    house = await openHouse();
  });
  after(() => house.drop());

  const refusedBy = (constraint: RegExp, text: string, values: unknown[]) =>
    assert.rejects(sql(house.database, text, values), (error: Error & { code?: string }) => {
      assert.match(error.message, constraint);
      assert.match(error.code ?? '', /^23/, 'an integrity violation');
      return true;
    });

  for (const [kind, suffix, state, states] of endings) {
    test(`final states › ${kind} ${state} › no statement changes it`, async () => {
      const bookingId = await house.make({ kind, suffix });
      await house.hand.runDue();
      assert.equal((await house.state(bookingId)).state, state);
      const was = await allOf(house.database, bookingId);
      const text = `UPDATE bookings SET version = version + 1, state = $2,
        reference = CASE WHEN $2 = 'confirmed' THEN coalesce(reference, 'LK-TEST-TEST') END
        WHERE booking_id = $1`;
      for (const other of states) {
        if (other === state) continue;
        await refusedBy(/never changes its state|bookings_check/, text, [bookingId, other]);
      }
      assert.deepEqual(await allOf(house.database, bookingId), was);
    });
  }

  for (const state of ['ready', 'pending'] as const) {
    test(`versions › ${state} › a version never falls, nor is it none`, async () => {
      const bookingId = await house.make({ state });
      await sql(house.database, 'UPDATE bookings SET version = 5 WHERE booking_id = $1', [
        bookingId,
      ]);
      for (const version of [4, 1, 0, -1]) {
        const text = 'UPDATE bookings SET version = $2 WHERE booking_id = $1';
        await refusedBy(/a version never falls/, text, [bookingId, version]);
      }
      assert.equal((await house.state(bookingId)).version, 5);
      await house.hand.runDue();
    });
  }

  test('a quote › backs one booking, whatever its kind and ID', async () => {
    const checkoutId = await house.make({ state: 'ready' });
    const { checkout } = await house.checkout(checkoutId);
    const session = { nonce: randomBytes(16), expiresAt: Date.now() };
    const second = { ...checkout, bookingId: randomUUID() };
    assert.equal(await insertBooking(house.database, second, randomBytes(32), session), false);
    const request = { ...second, kind: 'request', state: 'pending', partnerReference: null };
    const inserted = insertBooking(house.database, request as never, randomBytes(32), null);
    assert.equal(await inserted, false);
  });

  test('a reservation › one a booking', async () => {
    const bookingId = await house.make();
    await house.hand.runDue();
    const text = `INSERT INTO reservations SELECT (jsonb_populate_record(r,
        '{"reference":"LK-TEST-0000"}')).* FROM reservations r WHERE booking_id = $1`;
    await refusedBy(/reservations_booking_id_application_id_kind_key/, text, [bookingId]);
  });

  test('a confirmed booking › has a reference, and only a confirmed one has', async () => {
    const bookingId = await house.make();
    const text =
      'UPDATE bookings SET version = 2, state = $2, reference = $3 WHERE booking_id = $1';
    await refusedBy(/bookings_check/, text, [bookingId, 'confirmed', null]);
    await refusedBy(/bookings_check/, text, [bookingId, 'failed', 'LK-TEST-1111']);
    await house.hand.runDue();
  });
});
