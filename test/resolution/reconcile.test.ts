import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { reconcileEagerly } from '../../src/bookings/rules/reconcile.ts';
import { takeStep } from '../../src/bookings/worker/steps.ts';
import { aged, eventsOf, sql } from '../harness/rows.ts';
import { Calls, openResolution, type TestResolution } from './resolution.ts';

suite('reconciliation', () => {
  let resolution: TestResolution;
  let calls: Calls;

  before(async () => {
    calls = new Calls();
    resolution = await openResolution({ supply: calls.around });
  });
  after(() => resolution.drop());

  const unknowns = [
    ['checkout', 'uncertain'],
    ['request', 'unresolved'],
  ] as const;

  const bookingRow = async (bookingId: string) => {
    const [row] = await sql<{ attempt_id: string; tries: number; pause: number; version: number }>(
      resolution.database,
      `SELECT attempt_id, tries, version, extract(epoch FROM due_at - now())::double precision AS pause
        FROM bookings WHERE booking_id = $1`,
      [bookingId],
    );
    return row!;
  };

  async function lookAgain(bookingId: string): Promise<void> {
    await aged.due(resolution.database, bookingId, 3_700);
    const claims = await resolution.testWorker.claim();
    assert.deepEqual(
      claims.map(({ booking }) => booking.bookingId),
      [bookingId],
    );
    await takeStep(resolution.testWorker.context, claims[0]!);
  }

  test('reconciliation › pauses grow, from a second to an hour', () => {
    const pauses = Array.from({ length: 60 }, (_, tries) => reconcileEagerly(tries));
    for (const [tries, pause] of pauses.entries()) {
      assert.ok(pause >= (pauses[tries - 1] ?? 0), `pause ${tries} is not shorter than the last`);
      assert.ok(pause >= 1 && pause <= 3_600, String(pause));
    }
    assert.equal(pauses[0], 1);
    assert.ok((pauses[10] ?? 99) <= 2, 'a guest who waits is looked after often');
    assert.equal(pauses.at(-1), 3_600);
    assert.equal(reconcileEagerly(1_000_000), 3_600);
  });

  for (const [kind, state] of unknowns) {
    test(`reconciliation › ${kind} › ${state} is looked up ever more rarely, never asked for again`, async () => {
      const bookingId = await resolution.make({ kind, suffix: 'uncertain' });
      await resolution.testWorker.runDue();
      assert.deepEqual(await resolution.state(bookingId), { state, version: 2 });
      const { attempt_id: attemptId } = await bookingRow(bookingId);
      let last = 0;
      const paused: number[] = [];
      for (let round = 1; round <= 34; round += 1) {
        await lookAgain(bookingId);
        const { tries, pause, version } = await bookingRow(bookingId);
        assert.equal(tries, round);
        assert.equal(version, 2, 'looking does not move it');
        assert.ok(pause > last - 5, `round ${round}: ${pause} s after ${last} s`);
        last = pause;
        paused.push(pause);
      }
      assert.ok(paused[0]! <= 1 && paused[0]! > -5, `at first ${paused[0]}`);
      assert.ok(paused.at(-1)! <= 3_600 && paused.at(-1)! > 3_595, `at last ${paused.at(-1)}`);
      assert.equal(calls.reserved.get(attemptId), 1);
      assert.equal(calls.lookedUp.get(attemptId), 34);
      await sql(resolution.database, 'UPDATE bookings SET due_at = NULL WHERE booking_id = $1', [
        bookingId,
      ]);
    });

    test(`reconciliation › ${kind} › ${state} has no event until it is known, then all of them`, async () => {
      const bookingId = await resolution.make({ kind, suffix: 'uncertain_confirmed' });
      await resolution.testWorker.runDue();
      await lookAgain(bookingId);
      const events = async () =>
        (await eventsOf(resolution.database, resolution.applicationId))
          .filter(({ data }) => data['checkoutId'] === bookingId)
          .map(({ type, data }) => `${type} ${String(data['version'])}`);
      assert.deepEqual(await events(), []);
      await aged.supplier(resolution.database, bookingId);
      await lookAgain(bookingId);
      assert.deepEqual(await resolution.state(bookingId), { state: 'confirmed', version: 3 });
      assert.deepEqual(await events(), ['checkout.resolved 3', 'reservation.confirmed undefined']);
      await aged.due(resolution.database, bookingId, 3_700);
      assert.deepEqual(await resolution.testWorker.claim(), [], 'and then it is left alone');
    });
  }

  test('reconciliation › an attempt that cannot be found any more is not asked for again', async () => {
    const bookingId = await resolution.make({ suffix: 'uncertain' });
    await resolution.testWorker.runDue();
    const { attempt_id: attemptId } = await bookingRow(bookingId);
    const forget = 'DELETE FROM simulated_attempts WHERE attempt_id = $1';
    await sql(resolution.database, forget, [attemptId]);
    await lookAgain(bookingId);
    assert.deepEqual(await resolution.state(bookingId), { state: 'uncertain', version: 2 });
    assert.equal(calls.reserved.get(attemptId), 1);
    assert.equal(calls.lookedUp.get(attemptId), 1);
    await sql(resolution.database, 'UPDATE bookings SET due_at = NULL WHERE booking_id = $1', [
      bookingId,
    ]);
  });

  test('reconciliation › the tries are counted anew after every move', async () => {
    const bookingId = await resolution.make({ suffix: 'uncertain' });
    for (let times = 1; times <= 3; times += 1) {
      const [claim] = await resolution.testWorker.claim();
      assert.equal(claim?.tries, times);
      await aged.due(resolution.database, bookingId, 15);
    }
    await resolution.testWorker.runDue();
    assert.equal((await bookingRow(bookingId)).tries, 0);
    await sql(resolution.database, 'UPDATE bookings SET due_at = NULL WHERE booking_id = $1', [
      bookingId,
    ]);
  });
});
