/** What the operator's API says of today. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { sumUpBookings } from '../../src/bookings/index.ts';
import { operatorOf } from '../harness/operator.ts';
import { sql } from '../harness/rows.ts';
import { openStaff, type StaffAtWork } from '../harness/staff.ts';

suite('operator.overview.get', () => {
  let at: StaffAtWork;
  before(async () => {
    at = await openStaff('simulation');
  });
  after(() => at.service.stop());

  const overview = async () =>
    (await operatorOf(at.service, 'viewer')).done('operator.overview.get');

  const write = (text: string, values: unknown[]) => sql(at.service.database, text, values);

  test('who arrives and leaves today at the property, wherever it is', async () => {
    const [arriving, leaving, later, cancelled] = await Promise.all([
      at.reserve(),
      at.reserve(),
      at.reserve(),
      at.reserve(),
    ]);
    const zone = 'Pacific/Kiritimati';
    await write(
      'UPDATE listings SET time_zone = $1 WHERE listing_id IN (SELECT listing_id FROM reservations)',
      [zone],
    );
    const today = Temporal.Now.plainDateISO(zone);
    const moved = (reference: string, checkIn: Temporal.PlainDate, state = 'confirmed') =>
      write(
        `UPDATE reservations SET check_in = $2, check_out = $3, state = $4,
          cancelled_at = CASE WHEN $4 = 'cancelled' THEN now() END WHERE reference = $1`,
        [reference, `${checkIn}`, `${checkIn.add({ days: 3 })}`, state],
      );
    await moved(arriving!.reference, today);
    await moved(leaving!.reference, today.subtract({ days: 3 }));
    await moved(later!.reference, today.add({ days: 1 }));
    await moved(cancelled!.reference, today, 'cancelled');
    const { arrivals, departures } = await overview();
    const referencesOf = ({ items }: typeof arrivals) => items.map(({ reference }) => reference);
    assert.deepEqual(referencesOf(arrivals), [arriving!.reference]);
    assert.deepEqual(referencesOf(departures), [leaving!.reference]);
    assert.deepEqual([arrivals.hasMore, departures.hasMore], [false, false]);
  });

  test('bookings by day and application, of earlier days as well', async () => {
    const { reference } = await at.reserve();
    await write(
      `UPDATE reservations SET confirmed_at = confirmed_at - interval '5 days'
      WHERE reference = $1`,
      [reference],
    );
    assert.equal(await sumUpBookings(at.service.database, 1), 1);
    assert.equal(await sumUpBookings(at.service.database, 1), 0);
    const { booked } = await overview();
    const [made] = await sql<{ bookings: number; total: number }>(
      at.service.database,
      `SELECT count(*)::integer AS bookings, sum((charges->>'total')::bigint)::bigint AS total
        FROM reservations`,
    );
    const sum = (of: (day: (typeof booked)[number]) => number) =>
      booked.reduce((all, day) => all + of(day), 0);
    assert.equal(
      sum(({ bookings }) => bookings),
      made!.bookings,
    );
    assert.equal(
      sum(({ total }) => total),
      made!.total,
    );
    assert.equal(booked[0]?.bookings, 1);
    assert.equal(booked[0]?.applicationId, at.partner.credentials.applicationId);
    const { booked: earlier } = await overview();
    await at.reserve();
    await sumUpBookings(at.service.database, 1);
    const { booked: later } = await overview();
    assert.equal(later.at(-1)!.bookings, earlier.at(-1)!.bookings + 1);
  });

  test('what needs a person now', async () => {
    const { needs: none } = await overview();
    assert.deepEqual(none, {
      uncertainCheckouts: 0,
      payments: 0,
      channelConflicts: 0,
      failingEndpoints: [],
    });
    const open = await at.partner.submittedCheckout('uncertain');
    await at.partner.statusOnce(open, ['uncertain']);
    const { applicationId } = at.partner.credentials;
    await write(
      `INSERT INTO webhook_endpoints (application_id, url, state, state_reason, secret_sealed, fanned_out_to)
        VALUES ($1, 'https://example.com/hooks', 'disabled', 'failing', '\\x00', 0)`,
      [applicationId],
    );
    const { needs } = await overview();
    assert.equal(needs.uncertainCheckouts, 1);
    assert.deepEqual(
      needs.failingEndpoints.map(({ url, application }) => [url, application !== '']),
      [['https://example.com/hooks', true]],
    );
  });
});
