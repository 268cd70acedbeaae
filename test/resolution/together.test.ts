import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Claim } from '../../src/bookings/store/booking-claims.ts';
import type { Executor } from '../../src/platform/postgres/database.ts';
import { takeStep } from '../../src/bookings/worker/steps.ts';
import { aged, eventsOf, sql } from '../harness/rows.ts';
import { openResolution, type TestResolution } from './resolution.ts';

suite('outcomes that are known at the same time', () => {
  let resolution: TestResolution;

  before(async () => {
    resolution = await openResolution();
  });
  after(() => resolution.drop());

  const makeMany = (times: number, applicationId: string): Promise<string[]> =>
    Promise.all(Array.from({ length: times }, () => resolution.make({}, applicationId)));

  /** The resolution's executor, counting the statements that write outcomes. */
  function counting(): { executor: Executor; written: () => number } {
    const { database } = resolution;
    let written = 0;
    const query: Executor['query'] = (statement, values) => {
      if (statement.name === 'transition-booking') written += 1;
      return database.query(statement, values);
    };
    return { executor: { vault: database.vault, query }, written: () => written };
  }

  const step = (executor: Executor, claim: Claim) =>
    takeStep({ ...resolution.testWorker.context, executor }, claim);

  test('are written together, each with its reservation and its events in order', async () => {
    const applicationId = await resolution.application();
    const bookings = await makeMany(20, applicationId);
    const claims = await resolution.testWorker.claim();
    assert.equal(claims.length, bookings.length);
    const { executor, written } = counting();
    const changes = await Promise.all(claims.map((claim) => step(executor, claim)));

    assert.deepEqual(new Set(changes.map((change) => change?.next.state)), new Set(['confirmed']));
    assert.ok(written() < bookings.length, `${written()} statements`);
    const events = await eventsOf(resolution.database, applicationId);
    assert.deepEqual(
      events.map(({ sequence }) => sequence),
      Array.from({ length: 40 }, (_, nth) => nth + 1),
    );
    const reservations = await sql<{ booking_id: string }>(
      resolution.database,
      'SELECT booking_id FROM reservations WHERE application_id = $1',
      [applicationId],
    );
    assert.deepEqual(reservations.map((row) => row.booking_id).toSorted(), bookings.toSorted());
  });

  test('one whose claim was lost does not delay the others, and writes nothing', async () => {
    const applicationId = await resolution.application();
    const [lost] = await makeMany(5, applicationId);
    const claims = await resolution.testWorker.claim();
    await aged.due(resolution.database, lost!, 15);
    const [again] = await resolution.testWorker.claim();
    assert.equal(again?.booking.bookingId, lost);
    const changes = await Promise.all(claims.map((claim) => step(resolution.database, claim)));

    assert.equal(changes.filter((change) => change === null).length, 1);
    assert.equal((await eventsOf(resolution.database, applicationId)).length, 8);
    assert.deepEqual(await resolution.state(lost!), { state: 'pending', version: 1 });
    await step(resolution.database, again!);
    assert.equal((await eventsOf(resolution.database, applicationId)).length, 10);
  });

  test('one whose reference is taken gets another, and the others stay', async () => {
    const applicationId = await resolution.application();
    const [taken] = await makeMany(1, applicationId);
    await resolution.testWorker.runDue();
    const [row] = await sql<{ reference: string }>(
      resolution.database,
      'SELECT reference FROM bookings WHERE booking_id = $1',
      [taken],
    );
    const bookings = await makeMany(6, applicationId);
    const claims = await resolution.testWorker.claim();
    const { database } = resolution;
    let clashed: unknown = null;
    // The first outcome of a group has a reference that is taken, until it has tried with it alone.
    const query: Executor['query'] = (statement, values = []) => {
      const references = values[7];
      if (statement.name !== 'transition-booking' || !Array.isArray(references)) {
        return database.query(statement, values);
      }
      clashed ??= references[0];
      const given = references.map((own) => (own === clashed ? row?.reference : own));
      return database.query(statement, values.with(7, given));
    };
    const executor = { vault: database.vault, query };
    const changes = await Promise.all(claims.map((claim) => step(executor, claim)));
    assert.equal(changes.length, bookings.length);
    for (const bookingId of bookings) {
      assert.equal((await resolution.state(bookingId)).state, 'confirmed');
    }
    assert.equal((await eventsOf(database, applicationId)).length, 14);
  });
});
