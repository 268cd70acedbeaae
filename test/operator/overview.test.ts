/** What the operator's API says of today, and of the way from a search to a reservation. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, suite, test } from 'node:test';
import { listArrivals, sumUpBookings } from '../../src/bookings/index.ts';
import type { Executor } from '../../src/platform/postgres/database.ts';
import { countFunnel } from '../../src/signals/index.ts';
import { eventually } from '../harness/eventually.ts';
import { requestStay } from '../harness/events.ts';
import { operatorOf } from '../harness/operator.ts';
import { sql } from '../harness/rows.ts';
import { plainSignal, sendSignal } from '../harness/signals.ts';
import { openStaff, type StaffAtWork } from '../harness/staff.ts';

let at: StaffAtWork;
before(async () => {
  at = await openStaff('simulation');
});
after(() => at.service.stop());

const write = (text: string, values: unknown[] = []) => sql(at.service.database, text, values);

suite('operator.overview.get', () => {
  const overview = async () =>
    (await operatorOf(at.service, 'viewer')).done('operator.overview.get');

  test('who arrives and leaves today at the property, wherever it is', async () => {
    const [arriving, leaving, later, cancelled] = await Promise.all([
      at.reserve(),
      at.reserve(),
      at.reserve(),
      at.reserve(),
    ]);
    // Node reads this as 14 hours east of UTC, PostgreSQL as 14 hours west: the service's rules count.
    const zone = '+14:00';
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

  test('of a day that is not today where the homes are, one page is read', async () => {
    const stays = [await at.reserve(), await at.reserve(), await at.reserve()];
    await write(
      `UPDATE listings SET time_zone = 'Pacific/Kiritimati' WHERE listing_id IN (
        SELECT listing_id FROM reservations WHERE reference = ANY ($1))`,
      [stays.map(({ reference }) => reference)],
    );
    const arrivals = ['2030-05-01', '2030-05-01', '2030-05-02'];
    for (const [index, { reference }] of stays.entries()) {
      await write(
        'UPDATE reservations SET check_in = $2, check_out = $2::date + 3 WHERE reference = $1',
        [reference, arrivals[index]],
      );
    }
    const { database } = at.service;
    let pages = 0;
    const counting: Executor = {
      vault: database.vault,
      query(...asked) {
        pages += 1;
        return database.query(...asked);
      },
    };
    const now = Date.parse('2030-05-01T12:00:00Z');
    const found = await listArrivals(counting, now, 1);
    assert.deepEqual(
      found.map(({ reference }) => reference),
      [stays[2]!.reference],
    );
    // A stay of 1 May, no other one in a zone that is not known yet, and the stay of 2 May.
    assert.equal(pages, 3);
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

  // Spec: CHANNEL-14.
  test('what needs attention now', async () => {
    const { needs: none } = await overview();
    assert.deepEqual(none, {
      uncertainCheckouts: 0,
      payments: 0,
      channelConflicts: 0,
      failingCalendars: 0,
      shrunkCalendars: 0,
      unreadCalendars: 0,
      refusedRecords: 0,
      failingEndpoints: [],
      clockHeldSince: null,
    });
    const open = await at.partner.submittedCheckout('uncertain');
    await at.partner.statusOnce(open, ['uncertain']);
    const asks = await at.service.partner({ settlement: 'partner' });
    const reservationRequestId = await requestStay(asks, await asks.freeStay(), 'uncertain');
    await eventually(async () => {
      const { state } = await asks.succeed('reservation.reservationRequest.get', {
        params: { reservationRequestId },
      });
      return state === 'unresolved';
    }, 20_000);
    const { applicationId } = at.partner.credentials;
    await write(
      `INSERT INTO webhook_endpoints (application_id, url, state, state_reason, secret_sealed, fanned_out_to)
        VALUES ($1, 'https://example.com/hooks', 'disabled', 'failing', '\\x00', 0)`,
      [applicationId],
    );
    await write(
      `INSERT INTO channel_calendars (listing_id, file_name, source_digest, problem, failures, failing_since)
        SELECT listing_id, 'a.ics', '\\x00', 'not_a_calendar', 1, now() FROM listings LIMIT 1`,
      [],
    );
    await write(
      `INSERT INTO channel_calendars (listing_id, url_sealed, source_digest, due_at, created_at, shrunk_since)
        SELECT listing_id, '\\x00', '\\x01', now() + interval '1 day', now() - interval '2 hours', now()
        FROM listings LIMIT 1`,
      [],
    );
    const { needs } = await overview();
    assert.deepEqual([needs.shrunkCalendars, needs.unreadCalendars], [1, 1]);
    assert.equal(needs.failingCalendars, 1);
    assert.equal(needs.uncertainCheckouts, 2);
    const { items } = await (
      await operatorOf(at.service, 'viewer')
    ).done('operator.attention.list', { query: {} });
    const waits = items.map(({ kind, listing, amount, guest, application }) => [
      kind,
      listing !== null,
      amount !== null,
      guest !== null,
      application !== null,
    ]);
    assert.deepEqual(waits.toSorted(), [
      ['calendar_failing', true, false, false, false],
      ['calendar_shrunk', true, false, false, false],
      ['uncertain', true, true, true, true],
      ['uncertain', true, true, true, true],
      ['webhook_failing', false, false, false, true],
    ]);
    assert.deepEqual(
      needs.failingEndpoints.map(({ url, application }) => [url, application !== '']),
      [['https://example.com/hooks', true]],
    );
  });
});

suite('operator.funnel.read', () => {
  const read = async (
    query: { applicationId?: string; listing?: string; weeks?: number; to?: string } = {},
  ) => (await operatorOf(at.service, 'viewer')).done('operator.funnel.read', { query });

  const countUntil = (until: string) =>
    write(`UPDATE funnel_progress SET counted_until = ${until}`);

  /** Lets what an application did have happened half an hour ago, so that its quotes have expired. */
  async function age(applicationId: string): Promise<void> {
    const columns = {
      search_observations: ['observed_at'],
      signals: ['received_at'],
      quotes: ['created_at', 'expires_at'],
      bookings: ['resolved_at'],
      reservations: ['confirmed_at'],
    };
    for (const [table, names] of Object.entries(columns)) {
      const aged = names.map((name) => `${name} = ${name} - interval '30 minutes'`).join();
      await write(`UPDATE ${table} SET ${aged} WHERE application_id = $1`, [applicationId]);
    }
  }

  // Spec: SIGNAL-7.
  test('searches, views, quotes and their bookings, once, by week, application and home', async () => {
    // Until everything has its age, the background task counts nothing.
    await countUntil(`now() + interval '1 day'`);
    const partner = await at.service.partner();
    const { applicationId } = partner.credentials;
    const { listingId } = await partner.freeStay();
    await sendSignal(partner, { ...plainSignal(), name: 'listing_viewed', listingId });
    await partner.quote();
    await partner.checkout();
    const { reference } = await at.reserve(undefined, partner);
    const late = await at.reserve(undefined, partner);
    const failed = await partner.submittedCheckout('sold_out');
    await partner.statusOnce(failed, ['failed']);
    const quoteId = randomUUID();
    const body = { quoteId, ...(await partner.freeStay()), party: { adults: 50 } };
    await partner.refused('reservation.quote.create', { body });
    // The log is written in groups: with its last call, it has all.
    await eventually(async () => {
      const text = `SELECT FROM request_log WHERE application_id = $1 AND operation = 'reservation.quote.create'
        AND status = 422`;
      return (await write(text, [applicationId])).length === 1;
    });
    await age(applicationId);
    await write(
      `UPDATE reservations SET confirmed_at = now() - interval '5 minutes' WHERE reference = $1`,
      [late.reference],
    );
    await countUntil(`now() - interval '2 hours'`);
    const both = await Promise.all([1, 2].map(() => countFunnel(at.service.database)));
    assert.ok(both.includes(1));
    while ((await countFunnel(at.service.database)) > 0);

    const [searched] = await write(
      `SELECT count(*)::integer AS count FROM request_log WHERE application_id = $1
        AND operation = 'distribution.listing.search' AND status = 200`,
      [applicationId],
    );
    const counts = { views: 1, quotes: 5, checkouts: 4, submitted: 3, confirmed: 2 };
    const all = { searches: (searched as { count: number }).count, ...counts };
    const sumsOf = (rows: readonly object[]) =>
      Object.fromEntries(
        Object.keys(all).map((name) => [
          name,
          rows.reduce((sum, row) => sum + (row as Record<string, number>)[name]!, 0),
        ]),
      );
    // No guest has agreed to be observed, and each search counts all the same.
    assert.ok(all.searches > 0);
    const ownSums = async () => sumsOf((await read({ applicationId })).weeks);
    await eventually(async () => (await ownSums())['searches'] === all.searches);
    const own = await read({ applicationId });
    assert.deepEqual(sumsOf(own.weeks), all);
    assert.equal(own.weeks.length, 12);
    assert.deepEqual(
      own.applications.map(({ application: _, ...one }) => one),
      [{ applicationId, ...all }],
    );
    const { searches: _, ...homes } = sumsOf(own.homes.map((home) => ({ searches: 0, ...home })));
    assert.deepEqual(homes, counts);

    const [home] = await write('SELECT listing_id FROM reservations WHERE reference = $1', [
      reference,
    ]);
    const listing = (home as { listing_id: string }).listing_id;
    const ofHome = await read({ applicationId, listing, weeks: 2 });
    assert.deepEqual(ofHome.homes, []);
    assert.deepEqual(
      sumsOf(ofHome.weeks)['confirmed'],
      own.homes.find(({ listingId: id }) => id === listing)!.confirmed,
    );
    const everybody = await read();
    assert.ok(everybody.applications.some(({ applicationId: id }) => id === applicationId));
    assert.deepEqual(everybody.homes, []);
  });

  test('refusals by reason: of calls, with and without a home, and of bookings', async () => {
    await countUntil(`now() + interval '1 day'`);
    const partner = await at.service.partner();
    const { applicationId } = partner.credentials;
    const stay = await partner.freeStay();
    const quoteId = randomUUID();
    const body = { quoteId, ...stay };
    await partner.refused('reservation.quote.create', { body: { ...body, party: { adults: 50 } } });
    await partner.refused('reservation.quote.create', { body: { ...body, listingId: quoteId } });
    const open = await partner.submittedCheckout('sold_out');
    await partner.statusOnce(open, ['failed']);
    await age(applicationId);
    await countUntil(`now() - interval '2 hours'`);
    while ((await countFunnel(at.service.database)) > 0);
    const refusalsOf = async (query: { listing?: string }) => {
      const { refusals } = await read({ applicationId, ...query });
      return refusals.map(({ step, reason, refusals: count }) => `${step} ${reason} ${count}`);
    };
    const tooMany = 'quote too_many_guests 1';
    await eventually(async () => (await refusalsOf({})).includes(tooMany));
    assert.deepEqual((await refusalsOf({})).toSorted(), [
      'confirm sold_out 1',
      'quote not_found 1',
      tooMany,
    ]);
    const ofHome = await refusalsOf({ listing: stay.listingId });
    assert.ok(ofHome.includes(tooMany) && !ofHome.includes('quote not_found 1'), `${ofHome}`);
  });

  test('counts beyond 32 bits', async () => {
    const partner = await at.service.partner();
    const { applicationId } = partner.credentials;
    const many = 2 ** 31;
    await write(
      `INSERT INTO funnel_weeks SELECT '2999-01-07', $1, '00000000-0000-0000-0000-000000000000',
        ${Array.from({ length: 6 }, () => many).join()}`,
      [applicationId],
    );
    const { weeks, applications } = await read({ applicationId, weeks: 1, to: '2999-01-08' });
    assert.deepEqual([weeks[0]!.searches, applications[0]!.confirmed], [many, many]);
  });

  test('the weeks until any day of the past and the future', async () => {
    const mondays = { '1900-01-01': '1898-11-14', '8999-12-31': '8998-11-12' };
    for (const [to, first] of Object.entries(mondays)) {
      const { weeks } = await read({ weeks: 60, to });
      assert.deepEqual([weeks.length, weeks[0]!.week], [60, first]);
    }
  });

  test('404 not_found › an unknown home', async () => {
    const viewer = await operatorOf(at.service, 'viewer');
    const query = { listing: 'no-such-home' };
    assert.equal((await viewer.refused('operator.funnel.read', { query })).status, 404);
  });
});
