import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { after, before, suite, test } from 'node:test';
import { insertCheckout, insertRequest } from '../../src/bookings/store/bookings.ts';
import { checkoutStates, requestStates } from '../../src/contract/states.ts';
import { allOf, sql } from '../harness/rows.ts';
import { openResolution, type TestResolution } from './resolution.ts';

const endings = [
  ['checkout', 'none', 'confirmed', checkoutStates],
  ['checkout', 'failed', 'failed', checkoutStates],
  ['checkout', 'quote_expired', 'expired', checkoutStates],
  ['request', 'none', 'confirmed', requestStates],
  ['request', 'failed', 'failed', requestStates],
] as const;

suite('what the database itself refuses', () => {
  let resolution: TestResolution;

  before(async () => {
    resolution = await openResolution();
  });
  after(() => resolution.drop());

  const refusedBy = (constraint: RegExp, text: string, values: unknown[]) =>
    assert.rejects(sql(resolution.database, text, values), (error: Error & { code?: string }) => {
      assert.match(error.message, constraint);
      assert.match(error.code ?? '', /^23/, 'an integrity violation');
      return true;
    });

  for (const [kind, suffix, state, states] of endings) {
    test(`final states › ${kind} ${state} › no statement changes it`, async () => {
      const bookingId = await resolution.make({ kind, suffix });
      await resolution.testWorker.runDue();
      assert.equal((await resolution.state(bookingId)).state, state);
      const was = await allOf(resolution.database, bookingId);
      const text = `UPDATE bookings SET version = version + 1, state = $2,
        reference = CASE WHEN $2 = 'confirmed' THEN coalesce(reference, 'LK-TEST-TEST') END
        WHERE booking_id = $1`;
      for (const other of states) {
        if (other === state) continue;
        await refusedBy(/never changes its state|bookings_sound/, text, [bookingId, other]);
      }
      assert.deepEqual(await allOf(resolution.database, bookingId), was);
    });
  }

  for (const state of ['ready', 'pending'] as const) {
    // Spec: CHECKOUT-3.
    test(`versions › ${state} › a version never falls, nor is it none`, async () => {
      const bookingId = await resolution.make({ state });
      await sql(resolution.database, 'UPDATE bookings SET version = 5 WHERE booking_id = $1', [
        bookingId,
      ]);
      for (const version of [4, 1, 0, -1]) {
        const text = 'UPDATE bookings SET version = $2 WHERE booking_id = $1';
        await refusedBy(/a version never falls/, text, [bookingId, version]);
      }
      assert.equal((await resolution.state(bookingId)).version, 5);
      await resolution.testWorker.runDue();
    });
  }

  test('a quote › backs one booking, of any kind and with any ID', async () => {
    const checkoutId = await resolution.make({ state: 'ready' });
    const { checkout } = await resolution.checkout(checkoutId);
    const second = { ...checkout, bookingId: randomUUID() };
    const [digest, nonce] = [randomBytes(32), randomBytes(16)];
    assert.equal(await insertCheckout(resolution.database, second, digest, nonce), null);
    const request = {
      ...second,
      kind: 'request',
      state: 'pending',
      partnerReference: null,
    } as const;
    assert.equal(await insertRequest(resolution.database, request, digest, false), null);
  });

  test('a reservation › one a booking', async () => {
    const bookingId = await resolution.make();
    await resolution.testWorker.runDue();
    const text = `INSERT INTO reservations SELECT (jsonb_populate_record(r,
        '{"reference":"LK-TEST-0000"}')).* FROM reservations r WHERE booking_id = $1`;
    await refusedBy(/reservations_booking_id_application_id_kind_key/, text, [bookingId]);
  });

  test('a confirmed booking › has a reference, and only a confirmed one has', async () => {
    const bookingId = await resolution.make();
    const text =
      'UPDATE bookings SET version = 2, state = $2, reference = $3 WHERE booking_id = $1';
    await refusedBy(/bookings_sound/, text, [bookingId, 'confirmed', null]);
    await refusedBy(/bookings_sound/, text, [bookingId, 'failed', 'LK-TEST-1111']);
    await resolution.testWorker.runDue();
  });
});
