/** What metrics say about work that no worker has begun. No worker runs here, so it stays as the test sets it. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { readOverdueWork } from '../../src/bookings/index.ts';
import { readOverdueCalendars } from '../../src/channels/index.ts';
import { sql } from '../harness/rows.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { openTestWorker } from '../harness/test-worker.ts';

let service: TestService;
before(async () => {
  service = await startTestService({ LATCHKEY_ROLES: 'api' });
});
after(() => service.stop());

const isAbout = (seconds: number, expected: number): void =>
  assert.ok(seconds >= expected && seconds < expected + 120, `${seconds} seconds`);

test('overdue work › bookings and records', async () => {
  const { database } = service;
  const none = { bookingsSeconds: 0, recordsSeconds: 0, recordsWaiting: 0, recordsFailing: 0 };
  assert.deepEqual(await readOverdueWork(database), none);

  const partner = await service.partner();
  await partner.submittedCheckout();
  await sql(
    database,
    `UPDATE bookings SET due_at = now() + interval '1 hour' WHERE due_at > '-infinity'`,
  );
  assert.deepEqual(await readOverdueWork(database), none, 'due later');
  await sql(
    database,
    `UPDATE bookings SET due_at = now() - interval '1 hour' WHERE due_at > now()`,
  );
  isAbout((await readOverdueWork(database)).bookingsSeconds, 3_600);

  await (await openTestWorker(database)).runDue();
  const resolved = await readOverdueWork(database);
  assert.deepEqual({ ...resolved, recordsSeconds: 0 }, { ...none, recordsWaiting: 1 });
  await sql(
    database,
    `UPDATE reservations SET records_due_at = now() - interval '2 hours', records_problem = 'status 500'`,
  );
  const failing = await readOverdueWork(database);
  isAbout(failing.recordsSeconds, 7_200);
  assert.equal(failing.recordsFailing, 1);
});

test('overdue work › calendars of other channels', async () => {
  const { database } = service;
  assert.equal(await readOverdueCalendars(database), 0);
  await sql(
    database,
    `INSERT INTO channel_calendars (listing_id, url_sealed, source_digest, due_at)
      SELECT listing_id, '\\x00', '\\x00', now() - interval '3 hours' FROM listings LIMIT 1`,
  );
  isAbout(await readOverdueCalendars(database), 10_800);
});
