/** Nights that are held while a booking is resolved. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, suite, test } from 'node:test';
import { createInventorySupply } from '../../src/bookings/ports/inventory-supply.ts';
import type { Supply } from '../../src/bookings/ports/supply.ts';
import { releaseAbandonedHolds } from '../../src/bookings/store/nights.ts';
import { takeStep } from '../../src/bookings/worker/steps.ts';
import { addBlocks, removeBlock } from '../../src/inventory/store/blocks.ts';
import { eventually } from '../harness/eventually.ts';
import { assertNightsFit, takenNights } from '../harness/nights.ts';
import { aged, sql } from '../harness/rows.ts';
import { openResolution, type TestResolution } from '../resolution/resolution.ts';

/** Stands for the crash of a worker. */
class Crash extends Error {}

suite('nights of a booking', () => {
  let resolution: TestResolution;
  /** Called after the nights are held. */
  let afterHold: () => Promise<void> | void = () => undefined;

  before(async () => {
    resolution = await openResolution({
      supply: (_real, database): Supply => {
        const own = createInventorySupply(database);
        return {
          ...own,
          async hold(booking, fence, signal) {
            const answer = await own.hold(booking, fence, signal);
            await afterHold();
            return answer;
          },
        };
      },
    });
  });
  after(() => resolution.drop());
  beforeEach(async () => {
    afterHold = () => undefined;
    await sql(resolution.database, 'UPDATE bookings SET due_at = NULL');
    await sql(resolution.database, 'DELETE FROM occupancies');
    await sql(resolution.database, 'DELETE FROM reservations');
  });

  async function claimOf(bookingId: string) {
    const claims = await resolution.testWorker.claim();
    const claim = claims.find(({ booking }) => booking.bookingId === bookingId);
    assert.ok(claim);
    return claim;
  }

  const step = async (bookingId: string) =>
    takeStep(resolution.testWorker.context, await claimOf(bookingId));

  async function endsAs(bookingId: string): Promise<[state: string, reason: string | null]> {
    const text = 'SELECT state, failure_reason FROM bookings WHERE booking_id = $1';
    const [row] = await sql<{ state: string; failure_reason: string | null }>(
      resolution.database,
      text,
      [bookingId],
    );
    return [row!.state, row!.failure_reason];
  }

  const kinds = async () =>
    (await takenNights(resolution.database)).map(({ kind }) => kind).toSorted();

  /** Whether a connection waits for a lock in a statement that contains this text. */
  const isWaiting = async (text: string): Promise<boolean> => {
    const rows = await sql(
      resolution.database,
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
        AND query LIKE '%' || $1 || '%'`,
      [text],
    );
    return rows.length > 0;
  };

  const crash = () => {
    throw new Crash();
  };

  const suspend = (suspended: boolean) =>
    sql(
      resolution.database,
      `UPDATE applications SET suspended_at = ${suspended ? 'now()' : 'NULL'} WHERE application_id = $1`,
      [resolution.applicationId],
    );

  for (const kind of ['checkout', 'request'] as const) {
    // Spec: RESOLUTION-2.
    test(`${kind} › are confirmed in the statement that writes the reservation`, async () => {
      const id = await resolution.make({ kind });
      afterHold = async () => assert.deepEqual(await kinds(), ['held']);
      await step(id);
      assert.deepEqual(await endsAs(id), ['confirmed', null]);
      assert.deepEqual(await kinds(), ['confirmed']);
      await assertNightsFit(resolution.database);
    });

    test(`${kind} › are taken: sold_out, and nothing is left behind`, async () => {
      const first = await resolution.make({ kind });
      const second = await resolution.make({
        kind,
        stay: { home: 0, checkIn: 42, checkOut: 44 },
      });
      await step(first);
      await aged.due(resolution.database, second, 60);
      await step(second);
      assert.deepEqual(await endsAs(second), ['failed', 'sold_out']);
      assert.deepEqual(await kinds(), ['confirmed']);
      await assertNightsFit(resolution.database);
    });
  }

  test('are free again › the next night can be booked from the day of departure', async () => {
    const first = await resolution.make();
    const second = await resolution.make({ stay: { home: 0, checkIn: 43, checkOut: 45 } });
    await resolution.testWorker.runDue();
    assert.deepEqual(
      [await endsAs(first), await endsAs(second)],
      [
        ['confirmed', null],
        ['confirmed', null],
      ],
    );
  });

  test('a crash after the hold › the next try finds them and confirms', async () => {
    const id = await resolution.make();
    afterHold = crash;
    await assert.rejects(step(id), Crash);
    assert.deepEqual(await kinds(), ['held']);
    await assertNightsFit(resolution.database);
    afterHold = () => undefined;
    await aged.due(resolution.database, id, 60);
    await step(id);
    assert.deepEqual(await endsAs(id), ['confirmed', null]);
    assert.deepEqual(await kinds(), ['confirmed']);
  });

  test('a crash after the hold › the next try fails: they are freed in the same statement', async () => {
    const id = await resolution.make();
    afterHold = crash;
    await assert.rejects(step(id), Crash);
    await suspend(true);
    await aged.due(resolution.database, id, 60);
    await step(id);
    await suspend(false);
    assert.deepEqual(await endsAs(id), ['failed', 'authority_revoked']);
    assert.deepEqual(await kinds(), []);
  });

  test('a card that is declined › they are freed', async () => {
    const card = await resolution.application('card');
    const id = await resolution.make({ settlement: 'card' }, card);
    const claim = await claimOf(id);
    const { context } = resolution.testWorker;
    const payment = {
      ...context.payment,
      authorize: async () => ({ outcome: 'refused', reason: 'declined' }) as const,
    };
    await takeStep({ ...context, payment }, claim);
    assert.deepEqual(await endsAs(id), ['failed', 'refused']);
    assert.deepEqual(await kinds(), []);
  });

  test('a card whose result is unknown › stay held, also when the next try cannot begin', async () => {
    const card = await resolution.application('card');
    const id = await resolution.make({ settlement: 'card' }, card);
    const claim = await claimOf(id);
    const { context } = resolution.testWorker;
    const payment = {
      ...context.payment,
      authorize: async () => ({ outcome: 'unknown' }) as const,
    };
    await takeStep({ ...context, payment }, claim);
    assert.deepEqual(await endsAs(id), ['uncertain', null]);
    assert.deepEqual(await kinds(), ['held']);
    await sql(resolution.database, `UPDATE occupancies SET created_at = now() - interval '1 hour'`);
    assert.equal(await releaseAbandonedHolds(resolution.database, 10), 0);
    await aged.due(resolution.database, id, 60);
    await step(id);
    assert.deepEqual(await endsAs(id), ['confirmed', null]);
    assert.deepEqual(await kinds(), ['confirmed']);
  });

  test('a captured payment whose result was unknown › is collected, even if something has changed since', async () => {
    const card = await resolution.application('card');
    const id = await resolution.make({ settlement: 'card' }, card);
    const claim = await claimOf(id);
    const { context } = resolution.testWorker;
    const payment = { ...context.payment, capture: async () => ({ outcome: 'unknown' }) as const };
    await takeStep({ ...context, payment }, claim);
    assert.deepEqual(await endsAs(id), ['uncertain', null]);
    await sql(
      resolution.database,
      `UPDATE bookings SET submitted_at = submitted_at - interval '2 hours' WHERE booking_id = $1`,
      [id],
    );
    await aged.due(resolution.database, id, 60);
    await step(id);
    assert.deepEqual(await endsAs(id), ['confirmed', null]);
    assert.deepEqual(await kinds(), ['confirmed']);
  });

  test('lost before the outcome is written, as after a failover › no reservation without them', async () => {
    const id = await resolution.make();
    let lost = 0;
    afterHold = async () => {
      if (lost === 0) await sql(resolution.database, 'DELETE FROM occupancies');
      lost += 1;
    };
    await step(id);
    assert.equal(lost, 2, 'they were held again');
    assert.deepEqual(await endsAs(id), ['confirmed', null]);
    await assertNightsFit(resolution.database);
  });

  test('lost, and taken by another booking › sold_out', async () => {
    const id = await resolution.make();
    const other = await resolution.make();
    const [claim, otherClaim] = [await claimOf(id), await claimOf(other).catch(() => undefined)];
    assert.equal(otherClaim, undefined, 'both are claimed at once');
    let lost = 0;
    afterHold = async () => {
      if (lost > 0) return;
      lost += 1;
      await sql(resolution.database, 'DELETE FROM occupancies');
      await aged.due(resolution.database, other, 60);
      await step(other);
    };
    await takeStep(resolution.testWorker.context, claim);
    assert.deepEqual(await endsAs(other), ['confirmed', null]);
    assert.deepEqual(await endsAs(id), ['failed', 'sold_out']);
    await assertNightsFit(resolution.database);
  });

  test('a worker that has lost its claim to a failure holds none', async () => {
    const id = await resolution.make();
    const late = await claimOf(id);
    await suspend(true);
    await aged.due(resolution.database, id, 60);
    await step(id);
    await suspend(false);
    await takeStep(resolution.testWorker.context, late);
    assert.deepEqual(await endsAs(id), ['failed', 'authority_revoked']);
    assert.deepEqual(await kinds(), []);
  });

  test('a worker that has lost its claim to another one holds none', async () => {
    const id = await resolution.make();
    const late = await claimOf(id);
    await aged.due(resolution.database, id, 60);
    await claimOf(id);
    await takeStep(resolution.testWorker.context, late);
    assert.deepEqual(await endsAs(id), ['pending', null]);
    assert.deepEqual(await kinds(), []);
  });

  test('a hold that waits longer than its lease › no other worker decides meanwhile, and the next frees it', async () => {
    const id = await resolution.make();
    const [late] = await resolution.testWorker.claim(0);
    const { listingId, checkIn, checkOut } = late!.booking.quote;
    afterHold = crash;
    let stepping: Promise<unknown> = Promise.resolve();
    await resolution.database.transaction(async (executor) => {
      const block = { listingId, from: checkIn, to: checkOut, reason: null } as const;
      const { blocks } = (await addBlocks(executor, [{ ...block, source: 'staff' }])) as {
        blocks: { blockId: string }[];
      };
      stepping = assert.rejects(takeStep(resolution.testWorker.context, late!), Crash);
      await eventually(() => isWaiting('INSERT INTO occupancies'));
      await suspend(true);
      await resolution.testWorker.runDue();
      await removeBlock(executor, blocks[0]!.blockId);
    });
    await stepping;
    await resolution.testWorker.runDue();
    await suspend(false);
    assert.deepEqual(await endsAs(id), ['failed', 'authority_revoked']);
    assert.deepEqual(await kinds(), []);
  });

  test('two workers with the same booking › one reservation, its nights once', async () => {
    const id = await resolution.make();
    const late = await claimOf(id);
    await aged.due(resolution.database, id, 60);
    const claim = await claimOf(id);
    await Promise.all([late, claim].map((each) => takeStep(resolution.testWorker.context, each)));
    assert.deepEqual(await endsAs(id), ['confirmed', null]);
    assert.deepEqual(await kinds(), ['confirmed']);
    await assertNightsFit(resolution.database);
  });

  /** A hold as a worker of an earlier version can leave it behind. */
  async function leaveHold(state: string | null): Promise<void> {
    const id = await resolution.make();
    afterHold = crash;
    await assert.rejects(step(id), Crash);
    afterHold = () => undefined;
    if (state === null)
      await sql(resolution.database, 'DELETE FROM bookings WHERE booking_id = $1', [id]);
    else {
      const text = `UPDATE bookings SET state = $2, due_at = NULL,
        settlement = CASE $2 WHEN 'requires_action' THEN 'card' ELSE settlement END,
        failure_reason = CASE $2 WHEN 'failed' THEN 'refused' END WHERE booking_id = $1`;
      await sql(resolution.database, text, [id, state]);
    }
  }

  for (const state of ['failed', 'expired', null]) {
    test(`a hold whose booking is ${state ?? 'gone'} is released`, async () => {
      await leaveHold(state);
      assert.equal(await releaseAbandonedHolds(resolution.database, 10), 1);
      assert.deepEqual(await kinds(), []);
    });
  }

  for (const state of ['pending', 'requires_action', 'uncertain']) {
    test(`a hold whose booking is ${state} is not released`, async () => {
      await leaveHold(state);
      assert.equal(await releaseAbandonedHolds(resolution.database, 10), 0);
      assert.deepEqual(await kinds(), ['held']);
    });
  }
});
