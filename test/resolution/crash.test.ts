import assert from 'node:assert/strict';
import { after, before, beforeEach, suite, test } from 'node:test';
import type { Claim } from '../../src/bookings/store/booking-claims.ts';
import type { Executor } from '../../src/platform/postgres/database.ts';
import { takeStep } from '../../src/bookings/worker/steps.ts';
import { aged, allOf, eventsOf, sql } from '../harness/rows.ts';
import { Calls, openResolution, type TestResolution } from './resolution.ts';

class CrashError extends Error {}

const crash = (): never => {
  throw new CrashError('the process is gone');
};

const endings = [
  { suffix: 'none', state: 'confirmed', reason: null, events: 2 },
  { suffix: 'failed', state: 'failed', reason: 'refused', events: 1 },
  { suffix: 'sold_out', state: 'failed', reason: 'sold_out', events: 1 },
] as const;

suite('a worker that crashes', () => {
  let resolution: TestResolution;
  let calls: Calls;

  before(async () => {
    calls = new Calls();
    resolution = await openResolution({ supply: calls.around });
  });
  after(() => resolution.drop());
  beforeEach(() => {
    calls.before = () => undefined;
    calls.after = () => undefined;
  });

  async function claimOf(bookingId: string): Promise<Claim> {
    const [claim, ...others] = await resolution.testWorker.claim();
    assert.equal(claim?.booking.bookingId, bookingId);
    assert.equal(others.length, 0);
    return claim!;
  }

  const leaseEnds = (bookingId: string) => aged.due(resolution.database, bookingId, 15);

  async function assertEnded(bookingId: string, ending: (typeof endings)[number]): Promise<void> {
    const { booking, reservations } = (await allOf(resolution.database, bookingId)) as {
      booking: { state: string; failure_reason: string | null };
      reservations: unknown[];
    };
    assert.equal(booking.state, ending.state);
    assert.equal(booking.failure_reason, ending.reason);
    assert.equal(reservations.length, ending.state === 'confirmed' ? 1 : 0);
    const events = await eventsOf(resolution.database, resolution.applicationId);
    const own = events.filter(({ data }) => data['checkoutId'] === bookingId);
    assert.equal(own.length, ending.events);
  }

  for (const kind of ['checkout', 'request'] as const) {
    for (const ending of endings) {
      const { suffix, state } = ending;
      // Spec: RESOLUTION-5.
      test(`a worker that crashes › ${kind}, after the supplier decided +${suffix}: it is looked up, not repeated; ${state}`, async () => {
        const bookingId = await resolution.make({ kind, suffix });
        const claim = await claimOf(bookingId);
        const { attemptId } = claim.booking;
        const was = await allOf(resolution.database, bookingId);
        calls.after = crash;
        await assert.rejects(takeStep(resolution.testWorker.context, claim), CrashError);
        assert.deepEqual(await allOf(resolution.database, bookingId), was, 'nothing was written');
        assert.deepEqual(
          await resolution.testWorker.claim(),
          [],
          'it waits for the lease, no longer',
        );
        await leaseEnds(bookingId);
        const change = await takeStep(resolution.testWorker.context, await claimOf(bookingId));
        assert.equal(change?.next.state, state);
        assert.equal(calls.reserved.get(attemptId), 1);
        assert.equal(calls.lookedUp.get(attemptId), 1);
        await assertEnded(bookingId, ending);
      });
    }
  }

  test('a worker that crashes › before the supplier knew the attempt: looked up, then called', async () => {
    const bookingId = await resolution.make();
    const claim = await claimOf(bookingId);
    const { attemptId } = claim.booking;
    calls.before = crash;
    await assert.rejects(takeStep(resolution.testWorker.context, claim), CrashError);
    calls.before = () => undefined;
    await leaseEnds(bookingId);
    await takeStep(resolution.testWorker.context, await claimOf(bookingId));
    assert.equal(calls.lookedUp.get(attemptId), 1);
    assert.equal(calls.reserved.get(attemptId), 2);
    await assertEnded(bookingId, endings[0]);
  });

  test('a worker that crashes › again and again: the supplier decides once', async () => {
    const bookingId = await resolution.make();
    calls.after = crash;
    const claim = await claimOf(bookingId);
    await assert.rejects(takeStep(resolution.testWorker.context, claim), CrashError);
    for (let times = 0; times < 3; times += 1) {
      await leaseEnds(bookingId);
      await claimOf(bookingId);
    }
    await leaseEnds(bookingId);
    await takeStep(resolution.testWorker.context, await claimOf(bookingId));
    assert.equal(calls.reserved.get(claim.booking.attemptId), 1);
    await assertEnded(bookingId, endings[0]);
  });

  test('a worker that crashes › the database fails as the outcome is written: the same', async () => {
    const bookingId = await resolution.make();
    const claim = await claimOf(bookingId);
    const { executor } = resolution.testWorker.context;
    const failing: Executor = {
      vault: executor.vault,
      query: (statement, values) =>
        statement.name === 'transition-booking' ? crash() : executor.query(statement, values),
    };
    await assert.rejects(
      takeStep({ ...resolution.testWorker.context, executor: failing }, claim),
      CrashError,
    );
    assert.equal((await resolution.state(bookingId)).state, 'pending');
    await leaseEnds(bookingId);
    await takeStep(resolution.testWorker.context, await claimOf(bookingId));
    assert.equal(calls.reserved.get(claim.booking.attemptId), 1);
    await assertEnded(bookingId, endings[0]);
  });

  test('a worker that crashes › written, but the answer was lost: not written twice', async () => {
    const bookingId = await resolution.make();
    const claim = await claimOf(bookingId);
    const { executor } = resolution.testWorker.context;
    const lossy: Executor = {
      vault: executor.vault,
      async query(statement, values) {
        const rows = await executor.query(statement, values);
        return statement.name === 'transition-booking' ? crash() : (rows as never);
      },
    };
    await assert.rejects(
      takeStep({ ...resolution.testWorker.context, executor: lossy }, claim),
      CrashError,
    );
    await leaseEnds(bookingId);
    assert.deepEqual(await resolution.testWorker.claim(), []);
    await assertEnded(bookingId, endings[0]);
  });

  test('a worker that crashes › a confirmed stay counts, even if something changed meanwhile', async () => {
    const applicationId = await resolution.application();
    const bookingId = await resolution.make({}, applicationId);
    calls.after = crash;
    await assert.rejects(
      takeStep(resolution.testWorker.context, await claimOf(bookingId)),
      CrashError,
    );
    const suspend = 'UPDATE applications SET suspended_at = now() WHERE application_id = $1';
    await sql(resolution.database, suspend, [applicationId]);
    await leaseEnds(bookingId);
    await takeStep(resolution.testWorker.context, await claimOf(bookingId));
    assert.equal((await resolution.state(bookingId)).state, 'confirmed');
  });

  test('a worker that crashes › the reference is taken: another is made, and one reservation', async () => {
    const bookingId = await resolution.make();
    const claim = await claimOf(bookingId);
    const { executor } = resolution.testWorker.context;
    const taken = await resolution.make();
    await resolution.testWorker.runDue();
    const [row] = await sql<{ reference: string }>(
      resolution.database,
      'SELECT reference FROM reservations WHERE booking_id = $1',
      [taken],
    );
    let tried = 0;
    const clashing: Executor = {
      vault: executor.vault,
      query(statement, values = []) {
        if (statement.name !== 'transition-booking') return executor.query(statement, values);
        tried += 1;
        // The references of the group.
        const given = tried === 1 ? values.with(7, [row?.reference]) : values;
        return executor.query(statement, given);
      },
    };
    const change = await takeStep({ ...resolution.testWorker.context, executor: clashing }, claim);
    assert.equal(tried, 2);
    assert.equal(change?.next.state, 'confirmed');
    await assertEnded(bookingId, endings[0]);
  });
});
