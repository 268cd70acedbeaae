/** An outcome that stays unknown is decided 24 hours after submission. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { takeStep } from '../../src/bookings/worker/steps.ts';
import { aged, sql } from '../harness/rows.ts';
import { openResolution, type TestResolution } from './resolution.ts';

const kinds = [
  ['checkout', 'uncertain'],
  ['request', 'unresolved'],
] as const;

suite('an outcome that stays unknown', () => {
  let resolution: TestResolution;
  before(async () => {
    resolution = await openResolution();
  });
  after(() => resolution.drop());

  async function look(bookingId: string): Promise<void> {
    await aged.due(resolution.database, bookingId, 3_700);
    const [claim, ...others] = await resolution.testWorker.claim();
    assert.ok(claim);
    assert.deepEqual(others, []);
    await takeStep({ ...resolution.testWorker.context, uncertainHours: 24 }, claim);
  }

  /** As if it had been submitted before. */
  const submitted = (bookingId: string, ago: string) =>
    sql(
      resolution.database,
      `UPDATE bookings SET submitted_at = now() - $2::interval WHERE booking_id = $1`,
      [bookingId, ago],
    );

  async function stands(bookingId: string) {
    const [row] = await sql<{ state: string; reason: string | null; dueIn: number | null }>(
      resolution.database,
      `SELECT state, failure_reason AS reason,
        extract(epoch FROM due_at - now())::float8 AS "dueIn" FROM bookings WHERE booking_id = $1`,
      [bookingId],
    );
    return row!;
  }

  const eventsOf = (bookingId: string) =>
    sql<{ type: string; state: string }>(
      resolution.database,
      `SELECT type, data->>'state' AS state FROM events WHERE data->>'checkoutId' = $1`,
      [bookingId],
    );

  for (const [kind, state] of kinds) {
    // Spec: UNCERTAIN-2.
    test(`${kind}: ${state} until then, looked up no later than then, and then failed with refused`, async () => {
      const id = await resolution.make({ kind, suffix: 'uncertain' });
      await resolution.testWorker.runDue();
      assert.equal((await stands(id)).state, state);
      await submitted(id, '23 hours 59 minutes 50 seconds');
      for (let round = 0; round < 25; round += 1) await look(id);
      const open = await stands(id);
      assert.equal(open.state, state);
      assert.ok(open.dueIn! <= 11, `it is due in ${open.dueIn} s`);
      assert.deepEqual(await eventsOf(id), []);
      await submitted(id, '24 hours');
      await look(id);
      const { state: ended, reason, dueIn } = await stands(id);
      assert.deepEqual([ended, reason, dueIn], ['failed', 'refused', null]);
      assert.deepEqual(await eventsOf(id), [{ type: 'checkout.resolved', state: 'failed' }]);
    });
  }

  test('what the supplier has made by then is confirmed', async () => {
    const id = await resolution.make({ suffix: 'uncertain_confirmed' });
    await resolution.testWorker.runDue();
    await submitted(id, '25 hours');
    await sql(
      resolution.database,
      `UPDATE simulated_attempts SET known_at = now() - interval '1 second'
        WHERE attempt_id = (SELECT attempt_id FROM bookings WHERE booking_id = $1)`,
      [id],
    );
    await look(id);
    assert.equal((await stands(id)).state, 'confirmed');
  });
});
