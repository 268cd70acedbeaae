import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import {
  claimDueBookings,
  postponeBooking,
  type Claim,
} from '../../src/bookings/store/booking-claims.ts';
import { moveBooking } from '../../src/bookings/store/bookings.ts';
import { decideSaveGuest, decideSubmit } from '../../src/bookings/rules/checkout.ts';
import { takeStep } from '../../src/bookings/worker/steps.ts';
import { guest } from '../harness/partner.ts';
import { aged, allOf, eventsOf, sql } from '../harness/rows.ts';
import { openHouse, type TestHouse } from './house.ts';

const leaseSeconds = 15;

suite('lease and fence', () => {
  let house: TestHouse;
  /** Set by a test to hold the payment provider's answer back. */
  let answering: Promise<void> = Promise.resolve();
  let asked = (): void => undefined;

  before(async () => {
    house = await openHouse({
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
  after(() => house.drop());

  const leaseEnds = (id: string) => aged.due(house.database, id, leaseSeconds);

  async function claimOf(bookingId: string): Promise<Claim> {
    const claims = await house.hand.claim(leaseSeconds);
    assert.deepEqual(
      claims.map(({ booking }) => booking.bookingId),
      [bookingId],
    );
    return claims[0]!;
  }

  /** Two workers with the same booking: the first has lost its lease to the second. */
  async function overtaken(suffix?: string): Promise<[id: string, first: Claim, second: Claim]> {
    const bookingId = await house.make({ suffix: suffix ?? 'none' });
    const first = await claimOf(bookingId);
    await leaseEnds(bookingId);
    const second = await claimOf(bookingId);
    return [bookingId, first, second];
  }

  test("lease › what is claimed is nobody else's until the lease has ended", async () => {
    const bookingId = await house.make();
    const first = await claimOf(bookingId);
    assert.equal(first.tries, 1);
    assert.deepEqual(await house.hand.claim(), []);
    await aged.due(house.database, bookingId, leaseSeconds - 5);
    assert.deepEqual(await house.hand.claim(), []);
    await aged.due(house.database, bookingId, 5);
    const second = await claimOf(bookingId);
    assert.equal(second.fence, first.fence + 1);
    assert.equal(second.tries, 2);
    await takeStep(house.hand.parts, second);
    assert.deepEqual(await house.hand.claim(), [], 'and once resolved it is due no more');
  });

  test('lease › what is not due, or not yet, is not claimed', async () => {
    await house.make({ state: 'ready' });
    const later = await house.make();
    await aged.due(house.database, later, -60);
    assert.deepEqual(await house.hand.claim(), []);
    await aged.due(house.database, later, 60);
    await takeStep(house.hand.parts, await claimOf(later));
  });

  test('lease › the oldest come first, and no more than asked for', async () => {
    const ids = await Promise.all([house.make(), house.make(), house.make()]);
    for (const [place, id] of ids.entries()) await aged.due(house.database, id, 100 - place);
    const { claims: two } = await claimDueBookings(house.database, 2, leaseSeconds);
    assert.deepEqual(
      new Set(two.map(({ booking }) => booking.bookingId)),
      new Set(ids.slice(0, 2)),
    );
    await takeStep(house.hand.parts, await claimOf(ids[2]!));
    for (const claim of two) await takeStep(house.hand.parts, claim);
  });

  test('fence › the first worker, late, writes nothing; the second resolves', async () => {
    const [bookingId, first, second] = await overtaken();
    const was = await allOf(house.database, bookingId);
    assert.equal(await takeStep(house.hand.parts, first), null);
    assert.deepEqual(await allOf(house.database, bookingId), was);
    const change = await takeStep(house.hand.parts, second);
    assert.equal(change?.next.state, 'confirmed');
    assert.deepEqual(await house.state(bookingId), { state: 'confirmed', version: 2 });
  });

  test('fence › the first worker, later still, changes nothing of what the second wrote', async () => {
    const [bookingId, first, second] = await overtaken();
    await takeStep(house.hand.parts, second);
    const was = await allOf(house.database, bookingId);
    assert.equal(await takeStep(house.hand.parts, first), null);
    assert.deepEqual(await allOf(house.database, bookingId), was);
    const events = await eventsOf(house.database, house.applicationId);
    const own = events.filter(({ data }) => data['checkoutId'] === bookingId);
    assert.deepEqual(
      own.map(({ type }) => type),
      ['checkout.resolved', 'reservation.confirmed'],
    );
  });

  test("fence › a late worker with nothing to write does not touch the other one's lease", async () => {
    const bookingId = await house.make({ suffix: 'uncertain' });
    await house.hand.runDue();
    await aged.due(house.database, bookingId, 60);
    const first = await claimOf(bookingId);
    await leaseEnds(bookingId);
    const second = await claimOf(bookingId);
    const was = await allOf(house.database, bookingId);
    await takeStep(house.hand.parts, first);
    assert.deepEqual(await allOf(house.database, bookingId), was);
    await takeStep(house.hand.parts, second);
    assert.notDeepEqual(await allOf(house.database, bookingId), was, 'its own pause counts');
    const leave = 'UPDATE bookings SET due_at = NULL WHERE booking_id = $1';
    await sql(house.database, leave, [bookingId]);
  });

  test('fence › a command that comes between: the worker decides again, with the same claim', async () => {
    const applicationId = await house.application('card');
    const making = { state: 'needs_payment', settlement: 'card' } as const;
    const checkoutId = await house.make(making, applicationId);
    await sql(
      house.database,
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
    const step = takeStep(house.hand.parts, await claimOf(checkoutId));
    await waiting;
    const { checkout, present } = await house.checkout(checkoutId);
    const saved = decideSaveGuest(checkout, guest('other'), present);
    assert.equal(await moveBooking(house.database, saved, {}), 'moved');
    goOn();
    assert.equal((await step)?.next.version, 3);
    const { checkout: now } = await house.checkout(checkoutId);
    assert.equal(now.paymentSetup?.state, 'ready');
    assert.equal(now.guest?.email, guest('other').email);
    assert.deepEqual(await house.hand.claim(), [], 'nothing is left due');
  });

  test('fence › a worker with nothing to write leaves what a command made due meanwhile', async () => {
    const checkoutId = await house.make({ state: 'ready' });
    const due = 'UPDATE bookings SET due_at = now() WHERE booking_id = $1';
    await sql(house.database, due, [checkoutId]);
    const claim = await claimOf(checkoutId);
    const { checkout, present } = await house.checkout(checkoutId);
    const change = decideSubmit(checkout, checkout.quote.terms.version, false, present);
    if ('refused' in change) assert.fail(change.refused);
    assert.equal(await moveBooking(house.database, change, {}), 'moved');
    await postponeBooking(house.database, claim, null);
    await takeStep(house.hand.parts, await claimOf(checkoutId));
    assert.equal((await house.state(checkoutId)).state, 'confirmed');
  });

  test('claims › eight workers at a hundred bookings: each booking once', async () => {
    const ids = await Promise.all(Array.from({ length: 100 }, () => house.make()));
    const claimed: string[] = [];
    const worker = async (): Promise<void> => {
      for (;;) {
        const { claims } = await claimDueBookings(house.database, 7, leaseSeconds);
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
