import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import {
  claimDueBookings,
  postponeBooking,
  type Claim,
} from '../../src/bookings/store/booking-claims.ts';
import { transitionBooking } from '../../src/bookings/store/bookings.ts';
import { decideSaveGuest, decideSubmit } from '../../src/bookings/rules/checkout.ts';
import { takeStep } from '../../src/bookings/worker/steps.ts';
import { guest } from '../harness/partner.ts';
import { aged, allOf, eventsOf, sql } from '../harness/rows.ts';
import { openResolution, type TestResolution } from './resolution.ts';

const leaseSeconds = 15;

suite('lease and fence', () => {
  let resolution: TestResolution;
  /** Set by a test to hold the payment provider's answer back. */
  let answering: Promise<void> = Promise.resolve();
  let asked = (): void => undefined;

  before(async () => {
    resolution = await openResolution({
      payment: (real) => ({
        ...real,
        async setup(checkout, signal) {
          asked();
          await answering;
          return real.setup(checkout, signal);
        },
      }),
    });
  });
  after(() => resolution.drop());

  const leaseEnds = (id: string) => aged.due(resolution.database, id, leaseSeconds);

  async function claimOf(bookingId: string): Promise<Claim> {
    const claims = await resolution.testWorker.claim(leaseSeconds);
    assert.deepEqual(
      claims.map(({ booking }) => booking.bookingId),
      [bookingId],
    );
    return claims[0]!;
  }

  /** Two workers with the same booking: the first has lost its lease to the second. */
  async function overtaken(suffix?: string): Promise<[id: string, first: Claim, second: Claim]> {
    const bookingId = await resolution.make({ suffix: suffix ?? 'none' });
    const first = await claimOf(bookingId);
    await leaseEnds(bookingId);
    const second = await claimOf(bookingId);
    return [bookingId, first, second];
  }

  test('lease › a claimed booking is not claimed again until the lease has ended', async () => {
    const bookingId = await resolution.make();
    const first = await claimOf(bookingId);
    assert.equal(first.tries, 1);
    assert.deepEqual(await resolution.testWorker.claim(), []);
    await aged.due(resolution.database, bookingId, leaseSeconds - 5);
    assert.deepEqual(await resolution.testWorker.claim(), []);
    await aged.due(resolution.database, bookingId, 5);
    const second = await claimOf(bookingId);
    assert.equal(second.fence, first.fence + 1);
    assert.equal(second.tries, 2);
    await takeStep(resolution.testWorker.context, second);
    assert.deepEqual(
      await resolution.testWorker.claim(),
      [],
      'and once resolved it is due no more',
    );
  });

  test('lease › only due bookings are claimed', async () => {
    await resolution.make({ state: 'ready' });
    const later = await resolution.make();
    await aged.due(resolution.database, later, -60);
    assert.deepEqual(await resolution.testWorker.claim(), []);
    await aged.due(resolution.database, later, 60);
    await takeStep(resolution.testWorker.context, await claimOf(later));
  });

  test('lease › the oldest come first, and no more than asked for', async () => {
    const ids = await Promise.all([resolution.make(), resolution.make(), resolution.make()]);
    for (const [index, id] of ids.entries()) await aged.due(resolution.database, id, 100 - index);
    const { claims: two } = await claimDueBookings(resolution.database, 2, leaseSeconds);
    assert.deepEqual(
      new Set(two.map(({ booking }) => booking.bookingId)),
      new Set(ids.slice(0, 2)),
    );
    await takeStep(resolution.testWorker.context, await claimOf(ids[2]!));
    for (const claim of two) await takeStep(resolution.testWorker.context, claim);
  });

  test('fence › the first worker, late, writes nothing; the second resolves', async () => {
    const [bookingId, first, second] = await overtaken();
    const was = await allOf(resolution.database, bookingId);
    assert.equal(await takeStep(resolution.testWorker.context, first), null);
    assert.deepEqual(await allOf(resolution.database, bookingId), was);
    const change = await takeStep(resolution.testWorker.context, second);
    assert.equal(change?.next.state, 'confirmed');
    assert.deepEqual(await resolution.state(bookingId), { state: 'confirmed', version: 2 });
  });

  test('fence › the first worker, later still, changes nothing of what the second wrote', async () => {
    const [bookingId, first, second] = await overtaken();
    await takeStep(resolution.testWorker.context, second);
    const was = await allOf(resolution.database, bookingId);
    assert.equal(await takeStep(resolution.testWorker.context, first), null);
    assert.deepEqual(await allOf(resolution.database, bookingId), was);
    const events = await eventsOf(resolution.database, resolution.applicationId);
    const own = events.filter(({ data }) => data['checkoutId'] === bookingId);
    assert.deepEqual(
      own.map(({ type }) => type),
      ['checkout.resolved', 'reservation.confirmed'],
    );
  });

  test("fence › a late worker with nothing to write does not touch the other one's lease", async () => {
    const bookingId = await resolution.make({ suffix: 'uncertain' });
    await resolution.testWorker.runDue();
    await aged.due(resolution.database, bookingId, 60);
    const first = await claimOf(bookingId);
    await leaseEnds(bookingId);
    const second = await claimOf(bookingId);
    const was = await allOf(resolution.database, bookingId);
    await takeStep(resolution.testWorker.context, first);
    assert.deepEqual(await allOf(resolution.database, bookingId), was);
    await takeStep(resolution.testWorker.context, second);
    assert.notDeepEqual(await allOf(resolution.database, bookingId), was, 'its own pause counts');
    const leave = 'UPDATE bookings SET due_at = NULL WHERE booking_id = $1';
    await sql(resolution.database, leave, [bookingId]);
  });

  test('fence › a command changes the booking meanwhile: the worker decides again with the same claim', async () => {
    const applicationId = await resolution.application('card');
    const making = { state: 'needs_payment', settlement: 'card' } as const;
    const checkoutId = await resolution.make(making, applicationId);
    await sql(
      resolution.database,
      `UPDATE bookings SET payment_state = 'pending', payment_attempts = 1,
        payment_requested_at = now(), due_at = now() WHERE booking_id = $1`,
      [checkoutId],
    );
    let goOn = (): void => undefined;
    answering = new Promise((resolve) => {
      goOn = resolve;
    });
    const waiting = new Promise<void>((resolve) => {
      asked = resolve;
    });
    const step = takeStep(resolution.testWorker.context, await claimOf(checkoutId));
    await waiting;
    const { checkout, now } = await resolution.checkout(checkoutId);
    const saved = decideSaveGuest(checkout, guest('other'), now);
    assert.equal(await transitionBooking(resolution.database, saved, {}), 'written');
    goOn();
    assert.equal((await step)?.next.version, 3);
    const { checkout: later } = await resolution.checkout(checkoutId);
    assert.equal(later.paymentSetup?.state, 'ready');
    assert.equal(later.guest?.email, guest('other').email);
    assert.deepEqual(await resolution.testWorker.claim(), [], 'nothing is left due');
  });

  test('fence › a worker with nothing to write leaves what a command made due meanwhile', async () => {
    const checkoutId = await resolution.make({ state: 'ready' });
    const due = 'UPDATE bookings SET due_at = now() WHERE booking_id = $1';
    await sql(resolution.database, due, [checkoutId]);
    const claim = await claimOf(checkoutId);
    const { checkout, now } = await resolution.checkout(checkoutId);
    const change = decideSubmit(checkout, checkout.quote.terms.version, false, now);
    if ('refused' in change) assert.fail(change.refused);
    assert.equal(await transitionBooking(resolution.database, change, {}), 'written');
    await postponeBooking(resolution.database, claim, null);
    await takeStep(resolution.testWorker.context, await claimOf(checkoutId));
    assert.equal((await resolution.state(checkoutId)).state, 'confirmed');
  });

  test('claims › eight workers at a hundred bookings: each booking once', async () => {
    const ids = await Promise.all(Array.from({ length: 100 }, () => resolution.make()));
    const claimed: string[] = [];
    const worker = async (): Promise<void> => {
      for (;;) {
        const { claims } = await claimDueBookings(resolution.database, 7, leaseSeconds);
        if (claims.length === 0) return;
        claimed.push(...claims.map(({ booking }) => booking.bookingId));
      }
    };
    await Promise.all(Array.from({ length: 8 }, worker));
    // A worker that finds the rest locked may leave early; what it left is still due.
    await worker();
    assert.deepEqual(claimed.toSorted(), ids.toSorted());
  });
});
