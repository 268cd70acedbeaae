import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, suite, test } from 'node:test';
import { transitionAndClaim, transitionBooking } from '../../src/bookings/store/bookings.ts';
import {
  decideSaveGuest,
  decideSetupPayment,
  decideSubmit,
  stateRefusal,
} from '../../src/bookings/rules/checkout.ts';
import { takeStep } from '../../src/bookings/worker/steps.ts';
import { guest } from '../harness/partner.ts';
import { aged, allOf, eventsOf, sql } from '../harness/rows.ts';
import { openResolution, type TestResolution } from './resolution.ts';

interface Effects {
  written: number;
  overtaken: number;
  refused: number;
}

suite('the guarded statement', () => {
  let resolution: TestResolution;

  before(async () => {
    resolution = await openResolution();
  });
  after(() => resolution.drop());

  /** Reads, decides and writes, as a command does; another call may be faster. */
  async function attempt(
    checkoutId: string,
    submits: boolean,
    effects: Effects,
  ): Promise<keyof Effects> {
    const { checkout, now } = await resolution.checkout(checkoutId);
    if (stateRefusal(checkout, submits ? 'submit' : 'saveGuest')) {
      effects.refused += 1;
      return 'refused';
    }
    const change = submits
      ? decideSubmit(checkout, checkout.quote.terms.version, false, now)
      : decideSaveGuest(checkout, guest(), now);
    if ('refused' in change) assert.fail(change.refused);
    const verdict = await transitionBooking(resolution.database, change, {
      command: {
        operation: submits ? 'submit' : 'saveGuest',
        expectedVersion: checkout.version,
        inputDigest: randomBytes(32),
        refused: false,
      },
    });
    assert.notEqual(verdict, 'promotion_used_up');
    const effect = verdict === 'written' ? 'written' : 'overtaken';
    effects[effect] += 1;
    return effect;
  }

  /** No event is ever missing below the newest one, whenever it is read. */
  async function watchEvents(applicationId: string, until: () => boolean): Promise<number> {
    const text = `SELECT count(*)::integer AS events, coalesce(max(sequence), 0)::integer AS last
      FROM events WHERE application_id = $1`;
    for (let looks = 1; ; looks += 1) {
      const [row] = await sql<{ events: number; last: number }>(resolution.database, text, [
        applicationId,
      ]);
      assert.equal(row?.events, row?.last, 'a gap in the sequence');
      if (until()) return looks;
    }
  }

  test('the guarded statement › 200 racing commands on four checkouts, with workers beside them', async () => {
    const applicationId = await resolution.application();
    const making = { state: 'ready' } as const;
    const ids = await Promise.all([1, 2, 3, 4].map(() => resolution.make(making, applicationId)));
    const effects = new Map(ids.map((id) => [id, { written: 0, overtaken: 0, refused: 0 }]));
    let racing = true;
    const watched = watchEvents(applicationId, () => !racing);
    const workers = [1, 2].map(async () => {
      while (racing) await resolution.testWorker.runDue();
    });
    const racer = async (_: unknown, index: number): Promise<void> => {
      const id = ids[index % ids.length]!;
      for (let turn = 0; turn < 10; turn += 1) await attempt(id, false, effects.get(id)!);
      // Two racers to each checkout go on until it is submitted and takes no command any more.
      while (index >= 12 && (await attempt(id, true, effects.get(id)!)) !== 'refused') continue;
    };
    await Promise.all(Array.from({ length: 20 }, racer));
    racing = false;
    await Promise.all(workers);
    await resolution.testWorker.runDue();
    assert.ok((await watched) > 1);

    let events = 0;
    for (const [id, { written, overtaken, refused }] of effects) {
      assert.ok(written + overtaken + refused > 50);
      assert.ok(overtaken > 0, 'they did race');
      const { state, version } = await resolution.state(id);
      const { commands: journal, reservations } = await allOf(resolution.database, id);
      assert.equal((journal as unknown[]).length, written, 'the journal has every effect, once');
      assert.equal(state, 'confirmed');
      assert.equal(version, 1 + written + 1, 'the version counts the effects, and the resolution');
      assert.equal((reservations as unknown[]).length, 1);
      events += 2;
    }
    const kept = await eventsOf(resolution.database, applicationId);
    assert.deepEqual(
      kept.map(({ sequence }) => sequence),
      Array.from({ length: events }, (_, index) => index + 1),
    );
    for (const type of ['checkout.resolved', 'reservation.confirmed']) {
      const about = kept
        .filter((event) => event.type === type)
        .map(({ data }) => data['checkoutId']);
      assert.equal(new Set(about).size, about.length, `${type} once a checkout`);
      assert.equal(about.length, events / 2);
    }
  });

  test('the guarded statement › 40 bookings of two applications resolved at once: each has its own gapless order', async () => {
    const owners = [await resolution.application(), await resolution.application()];
    const endings = ['none', 'failed', 'none', 'sold_out'];
    await Promise.all(
      Array.from({ length: 40 }, (_, index) => {
        const kind = index % 3 === 0 ? 'request' : 'checkout';
        const suffix = endings[index % endings.length]!;
        return resolution.make({ kind, suffix }, owners[index % 2]!);
      }),
    );
    await Promise.all([1, 2, 3, 4, 5, 6].map(() => resolution.testWorker.runDue()));
    for (const owner of owners) {
      const events = await eventsOf(resolution.database, owner);
      const expected = owner === owners[0] ? 40 : 20;
      assert.deepEqual(
        events.map(({ sequence }) => sequence),
        Array.from({ length: expected }, (_, index) => index + 1),
      );
      for (const [index, { type, data }] of events.entries()) {
        if (type !== 'reservation.confirmed') continue;
        const was = events[index - 1];
        assert.equal(was?.type, 'checkout.resolved', 'the two of one booking stand together');
        assert.equal(was?.data['checkoutId'], data['checkoutId']);
      }
    }
  });

  // Spec: RESOLUTION-6.
  test('the guarded statement › a stale version writes nothing at all', async () => {
    const checkoutId = await resolution.make({ state: 'ready' });
    const { checkout, now } = await resolution.checkout(checkoutId);
    const change = decideSaveGuest(checkout, guest('other'), now);
    assert.equal(await transitionBooking(resolution.database, change, {}), 'written');
    const was = await allOf(resolution.database, checkoutId);
    const command = {
      operation: 'saveGuest',
      expectedVersion: 1,
      inputDigest: randomBytes(32),
      refused: false,
    };
    const again = {
      ...change,
      events: [{ type: 'checkout.resolved' as const, data: {} }],
      takesPromotion: 'WELCOME10',
      releasesPromotion: 'FIFTYOFF',
    };
    assert.equal(await transitionBooking(resolution.database, again, { command }), 'overtaken');
    assert.deepEqual(await allOf(resolution.database, checkoutId), was);
  });

  test('the guarded statement › a lost claim writes nothing at all', async () => {
    const bookingId = await resolution.make();
    const [claim] = await resolution.testWorker.claim();
    assert.ok(claim);
    await aged.due(resolution.database, bookingId, 15);
    const [second] = await resolution.testWorker.claim();
    const was = await allOf(resolution.database, bookingId);
    const { booking, fence, now } = claim;
    assert.equal(second?.fence, fence + 1);
    const change = {
      from: booking,
      next: { ...booking, state: 'failed' as const, version: 2, updatedAt: now } as never,
      events: [{ type: 'checkout.resolved' as const, data: {} }],
      dueInSeconds: null,
    };
    assert.equal(await transitionBooking(resolution.database, change, { fence }), 'overtaken');
    assert.deepEqual(await allOf(resolution.database, bookingId), was);
  });

  test('the guarded statement › the same version of another history is overtaken', async () => {
    const checkoutId = await resolution.make({ state: 'ready' });
    const { checkout, now } = await resolution.checkout(checkoutId);
    const change = decideSaveGuest(checkout, guest('other'), now);
    // After a failover to a standby that never got the version that was read.
    const text = `UPDATE bookings SET state = 'needs_guest',
      updated_at = updated_at + interval '1 millisecond' WHERE booking_id = $1`;
    await sql(resolution.database, text, [checkoutId]);
    const was = await allOf(resolution.database, checkoutId);
    assert.equal(await transitionBooking(resolution.database, change, {}), 'overtaken');
    assert.equal(await transitionAndClaim(resolution.database, change, {}, 15), 'overtaken');
    assert.deepEqual(await allOf(resolution.database, checkoutId), was);
  });

  test('the guarded statement › an outcome for the same version of another history is not written', async () => {
    const bookingId = await resolution.make();
    const [claim] = await resolution.testWorker.claim();
    const text = `UPDATE bookings SET updated_at = updated_at + interval '1 millisecond'
      WHERE booking_id = $1`;
    await sql(resolution.database, text, [bookingId]);
    const change = await takeStep(resolution.testWorker.context, claim!);
    const { checkout } = await resolution.checkout(bookingId);
    assert.ok(change && change.from.updatedAt !== claim!.booking.updatedAt, 'it was read again');
    assert.equal(checkout.state, 'confirmed');
  });

  test('the guarded statement › writes of a payment what was decided, and claims the row as it is', async () => {
    const applicationId = await resolution.application('card');
    const making = { state: 'needs_payment', settlement: 'card' } as const;
    const checkoutId = await resolution.make(making, applicationId);
    const { checkout, now } = await resolution.checkout(checkoutId);
    const setup = decideSetupPayment(checkout, now);
    if ('refused' in setup) assert.fail(setup.refused);
    assert.equal(await transitionBooking(resolution.database, setup, {}), 'written');
    const text = `UPDATE bookings SET payment_reference = 'behind', payment_method_id = 'method'
      WHERE booking_id = $1`;
    await sql(resolution.database, text, [checkoutId]);
    // Decided on what is remembered, which has neither.
    const saved = decideSaveGuest(setup.next, guest('other'), now);
    const claim = await transitionAndClaim(resolution.database, saved, {}, 15);
    assert.ok(claim !== 'overtaken' && claim.booking.kind === 'checkout');
    assert.equal(claim.booking.paymentSetup?.reference, 'behind');
    assert.equal(claim.booking.paymentMethodId, 'method');
    assert.equal(claim.booking.guest?.email, guest('other').email);
    assert.deepEqual(claim.booking, (await resolution.checkout(checkoutId)).checkout);
    const off = 'UPDATE bookings SET due_at = NULL WHERE booking_id = $1';
    await sql(resolution.database, off, [checkoutId]);
  });
});
