/** The daily limit of reservations of an application, over HTTP. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { after, before, suite, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { countTodaysReservations } from '../../../src/bookings/store/reservation-days.ts';
import { readConfig } from '../../../src/config/config.ts';
import { DatabaseBusyError } from '../../../src/platform/postgres/database-errors.ts';
import type { Database } from '../../../src/platform/postgres/database.ts';
import { sweepByAge } from '../../../src/platform/postgres/sweep-by-age.ts';
import { startService, type Service } from '../../../src/program/service.ts';
import { staffContext } from '../../../src/program/staff-context.ts';
import { eventually } from '../../harness/eventually.ts';
import { begin, journeyTo, quoteOf, type Journey } from '../../harness/journey.ts';
import { type CallError, guest, Partner, requestOf } from '../../harness/partner.ts';
import { newPromotion } from '../../harness/promotions.ts';
import { drain } from '../../harness/quota.ts';
import { aged, allOf, sql } from '../../harness/rows.ts';
import { testBaseUrl } from '../../harness/base-url.ts';
import { startTestService, type TestService } from '../../harness/service.ts';
import { openTestWorker, type TestWorker } from '../../harness/test-worker.ts';
import { cancelReservation, resolveCheckout, setApplication } from '../../harness/acts.ts';

const submit = 'reservation.checkout.submit';
const request = 'reservation.reservationRequest.create';
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };
const full = [429, 'rate_limited', 'reservations_per_day'] as const;

const dayMs = 86_400_000;
const secondsLeftToday = (): number => Math.ceil((dayMs - (Date.now() % dayMs)) / 1_000);

/** What happens, once, after a call has read its resource and before it reads the count of the day. */
let meanwhile: (() => Promise<unknown>) | null = null;

const withMeanwhile = (database: Database): Database => ({
  ...database,
  async query<R>(...[statement, values]: Parameters<Database['query']>): Promise<R[]> {
    if (statement.name === 'seconds-of-full-day') {
      const happens = meanwhile;
      meanwhile = null;
      await happens?.();
    }
    return database.query<R>(statement, values);
  },
});

suite('the daily limit of reservations', () => {
  let service: TestService;
  let testWorker: TestWorker;

  before(async () => {
    // No test may run across midnight in UTC.
    if (secondsLeftToday() < 300) await sleep(secondsLeftToday() * 1_000);
    service = await startTestService({ LATCHKEY_ROLES: 'api' }, { changeDatabase: withMeanwhile });
    testWorker = await openTestWorker(service.database);
  });
  after(() => service.stop());

  const limitedTo = (reservationsPerDay: number, settlement: 'card' | 'partner' = 'partner') =>
    service.partner({ reservationsPerDay, settlement });

  const ready = (partner: Partner, suffix?: string): Promise<Journey> =>
    journeyTo('ready', partner, testWorker, suffix);

  async function requestBody(partner: Partner, suffix?: string) {
    return requestOf(await quoteOf(partner), { guest: guest(suffix) });
  }

  /** Both ways to a reservation: each sends it and returns its ID. */
  const ways: [name: string, reserve: (partner: Partner, suffix?: string) => Promise<string>][] = [
    [
      submit,
      async (partner, suffix) => {
        const journey = await ready(partner, suffix);
        await journey.done('submit');
        return journey.checkoutId;
      },
    ],
    [
      request,
      async (partner, suffix) => {
        const body = await requestBody(partner, suffix);
        await partner.succeed(request, { body }, 202);
        return body.reservationRequestId;
      },
    ],
  ];
  const [[, bySubmit], [, byRequest]] = ways as [(typeof ways)[number], (typeof ways)[number]];

  function assertFull({ status, code, details, retryAfterSeconds, headers }: CallError): void {
    const { reason } = (details ?? {}) as { reason?: string };
    assert.deepEqual([status, code, reason], full);
    const left = secondsLeftToday();
    assert.ok(Math.abs(retryAfterSeconds! - left) <= 2, `${retryAfterSeconds}, not ${left}`);
    assert.equal(headers.get('retry-after'), String(retryAfterSeconds));
  }

  async function assertRefused(partner: Partner): Promise<void> {
    const journey = await ready(partner);
    assertFull(await journey.refused('submit', full));
    assertFull(await partner.refused(request, { body: await requestBody(partner) }));
  }

  /** The count of each day, and that it is the number of bookings that count for the day. */
  async function countsOf({ credentials: { applicationId } }: Partner): Promise<number[]> {
    const rows = await sql<{ reservations: number; bookings: number }>(
      service.database,
      `SELECT reservations, (SELECT count(*) FROM bookings b
          WHERE b.application_id = d.application_id AND b.counted_on = d.day
            AND b.state NOT IN ('failed', 'expired') AND NOT EXISTS (
              SELECT FROM reservations r WHERE r.reference = b.reference AND r.state = 'cancelled')
        )::integer AS bookings
        FROM reservation_days d WHERE application_id = $1 ORDER BY day`,
      [applicationId],
    );
    for (const { reservations, bookings } of rows) assert.equal(reservations, bookings);
    return rows.map(({ reservations }) => reservations);
  }

  const limit = (partner: Partner, reservationsPerDay: number | null) =>
    setApplication(service.database, 'test', partner.credentials.applicationId, {
      changes: { reservationsPerDay },
      countToday: countTodaysReservations,
    });

  for (const [name, reserve] of ways) {
    // Spec: QUOTA-6.
    test(`${name} › 429 rate_limited › above the limit, until the end of the day in UTC`, async () => {
      const partner = await limitedTo(2);
      await reserve(partner);
      await reserve(partner);
      await assertRefused(partner);
      assert.deepEqual(await countsOf(partner), [2]);
      await testWorker.runDue();
      await assertRefused(partner);
    });

    test(`${name} › what failed is not counted`, async () => {
      const partner = await limitedTo(1);
      for (const suffix of ['failed', 'sold_out', 'quote_expired']) {
        await reserve(partner, suffix);
        await assertRefused(partner);
        await testWorker.runDue();
        assert.deepEqual(await countsOf(partner), [0], suffix);
      }
      await reserve(partner);
      await assertRefused(partner);
    });

    test(`${name} › what is uncertain is counted until it fails`, async () => {
      const partner = await limitedTo(1);
      const bookingId = await reserve(partner, 'uncertain_failed');
      await testWorker.runDue();
      assert.deepEqual(await countsOf(partner), [1]);
      await assertRefused(partner);
      await aged.supplier(service.database, bookingId);
      await aged.due(service.database, bookingId, 3_600);
      await testWorker.runDue();
      assert.deepEqual(await countsOf(partner), [0]);
    });

    test(`${name} › what was cancelled is not counted`, async () => {
      const partner = await limitedTo(1);
      const bookingId = await reserve(partner, 'cancelled');
      await testWorker.runDue();
      await assertRefused(partner);
      await aged.supplier(service.database, bookingId);
      const { reservations } = await allOf(service.database, bookingId);
      const [{ reference }] = reservations as [{ reference: string }];
      const read = () => partner.succeed('reservation.reservation.get', { params: { reference } });
      assert.deepEqual([(await read()).state, (await read()).state], ['cancelled', 'cancelled']);
      assert.deepEqual(await countsOf(partner), [0]);
      await reserve(partner);
    });

    test(`${name} › a change of the dates is no cancellation`, async () => {
      const partner = await limitedTo(1);
      const bookingId = await reserve(partner, 'changed');
      await testWorker.runDue();
      await aged.supplier(service.database, bookingId);
      const { reservations } = await allOf(service.database, bookingId);
      const [{ reference }] = reservations as [{ reference: string }];
      await partner.succeed('reservation.reservation.get', { params: { reference } });
      assert.deepEqual(await countsOf(partner), [1]);
    });

    test(`${name} › a limit of 0 allows none`, async () => {
      const partner = await limitedTo(0);
      await assertRefused(partner);
      assert.deepEqual(await countsOf(partner), []);
    });

    test(`${name} › without a limit nothing is counted`, async () => {
      const partner = await service.partner();
      const bookingId = await reserve(partner);
      const { booking } = await allOf(service.database, bookingId);
      assert.equal((booking as { counted_on: string | null }).counted_on, null);
      assert.deepEqual(await countsOf(partner), []);
    });

    test(`${name} › a limit set during the day includes the reservations of the day`, async () => {
      const partner = await service.partner();
      await reserve(partner);
      await reserve(partner, 'failed');
      const cancelled = await reserve(partner, 'cancelled');
      await testWorker.runDue();
      await aged.supplier(service.database, cancelled);
      const { reservations } = await allOf(service.database, cancelled);
      const [{ reference }] = reservations as [{ reference: string }];
      await partner.succeed('reservation.reservation.get', { params: { reference } });
      await reserve(partner, 'failed');
      await limit(partner, 1);
      assert.deepEqual(await countsOf(partner), [2], 'one confirmed, one pending');
      await eventually(async () => {
        const body = await requestBody(partner);
        return (
          (await partner.call(request, { body: { ...body, termsVersion: '-' } })).status === 429
        );
      });
      await assertRefused(partner);
      await testWorker.runDue();
      assert.deepEqual(await countsOf(partner), [1], 'the pending one has failed');
      await assertRefused(partner);
      await limit(partner, null);
      await limit(partner, 5);
      assert.deepEqual(await countsOf(partner), [1], 'nothing is counted twice');
    });
  }

  test('both ways share the limit', async () => {
    const partner = await limitedTo(2);
    await bySubmit(partner);
    await byRequest(partner);
    await assertRefused(partner);
  });

  test('each application has its own', async () => {
    const [one, other] = [await limitedTo(1), await limitedTo(1)];
    await byRequest(one);
    await byRequest(other);
    await assertRefused(one);
    assert.deepEqual([await countsOf(one), await countsOf(other)], [[1], [1]]);
  });

  test(`${submit} › a refused checkout has not changed, and can be submitted later`, async () => {
    const partner = await limitedTo(1);
    const bookingId = await byRequest(partner, 'failed');
    const journey = await ready(partner);
    const untouched = await allOf(service.database, journey.checkoutId);
    await journey.refused('submit', full);
    assert.deepEqual(await allOf(service.database, journey.checkoutId), untouched);
    await testWorker.runDue();
    await journey.done('submit');
    assert.notEqual(bookingId, journey.checkoutId);
    assert.deepEqual(await countsOf(partner), [1]);
  });

  test('a repeat counts nothing, and is answered when the limit is reached', async () => {
    const partner = await limitedTo(2);
    const journey = await ready(partner);
    await journey.done('submit');
    const body = await requestBody(partner);
    await partner.succeed(request, { body }, 202);
    for (let nth = 0; nth < 3; nth += 1) {
      const again = await journey.send('submit', { body: { expectedVersion: 2 } });
      assert.equal(again.status, 202, again.text);
      await partner.succeed(request, { body }, 202);
    }
    assert.deepEqual(await countsOf(partner), [2]);
  });

  test('staff › a cancellation makes room, a failed checkout too', async () => {
    const partner = await limitedTo(1);
    const staff = staffContext(service.database, 'simulation', () => undefined);
    const bookingId = await byRequest(partner);
    await testWorker.runDue();
    const { reservations } = await allOf(service.database, bookingId);
    const [{ reference }] = reservations as [{ reference: string }];
    await assertRefused(partner);
    await cancelReservation(staff, 'test', { reference, reason: 'A burst pipe' });
    assert.deepEqual(await countsOf(partner), [0]);

    const uncertain = await bySubmit(partner, 'uncertain');
    await testWorker.runDue();
    await assertRefused(partner);
    const input = { checkoutId: uncertain, as: 'failed', reason: 'Not there' } as const;
    await resolveCheckout(staff, 'test', input);
    assert.deepEqual(await countsOf(partner), [0]);
  });

  test('a cancellation while the reservations of the day are counted › is not counted', async () => {
    const partner = await service.partner();
    const bookingId = await byRequest(partner, 'cancelled');
    await testWorker.runDue();
    await aged.supplier(service.database, bookingId);
    const { reservations } = await allOf(service.database, bookingId);
    const [{ reference }] = reservations as [{ reference: string }];
    const waiting = async (): Promise<number> => {
      const text = `SELECT FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      return (await sql(service.database, text)).length;
    };
    let isCancelled = false;
    let both: Promise<unknown> = Promise.resolve();
    const rolledBack = new Error('rolled back');
    const holding = service.database.transaction(async (executor) => {
      const text = `INSERT INTO reservation_days VALUES ($1, (now() AT TIME ZONE 'UTC')::date, 0, 0)`;
      await sql(executor, text, [partner.credentials.applicationId]);
      const counting = limit(partner, 5);
      await eventually(async () => (await waiting()) === 1);
      const reading = partner
        .succeed('reservation.reservation.get', { params: { reference } })
        .then(({ state }) => {
          isCancelled = true;
          return assert.equal(state, 'cancelled');
        });
      both = Promise.all([counting, reading]);
      await eventually(async () => isCancelled || (await waiting()) === 2);
      throw rolledBack;
    });
    await assert.rejects(holding, rolledBack);
    await both;
    assert.deepEqual(await countsOf(partner), [0]);
  });

  test('a booking that is locked while the reservations of the day are counted › is counted', async () => {
    const partner = await service.partner();
    const bookingId = await byRequest(partner);
    await byRequest(partner);
    const counts = () => countsOf(partner);
    let counting: Promise<unknown> = Promise.resolve();
    await service.database.transaction(async (executor) => {
      await sql(executor, 'SELECT FROM bookings WHERE booking_id = $1 FOR NO KEY UPDATE', [
        bookingId,
      ]);
      counting = limit(partner, 2);
      await eventually(async () => (await counts())[0] === 1);
    });
    await counting;
    assert.deepEqual(await counts(), [2]);
  });

  test('a booking that stays locked › the command fails, and counts it when it is repeated', async () => {
    const partner = await service.partner();
    const bookingId = await byRequest(partner);
    const holder = await service.database.connect();
    try {
      await holder.query('BEGIN');
      await holder.query('SELECT FROM bookings WHERE booking_id = $1 FOR UPDATE', [bookingId]);
      await assert.rejects(limit(partner, 1), DatabaseBusyError);
      assert.deepEqual(await countsOf(partner), []);
    } finally {
      await holder.end();
    }
    await limit(partner, 1);
    assert.deepEqual(await countsOf(partner), [1]);
  });

  test('failure together with the release of a promotion', async () => {
    const partner = await limitedTo(1);
    const code = await newPromotion(service, { maxUses: 1 });
    const journey = await begin(partner);
    await journey.done('applyPromo', { body: { code } });
    await journey.done('saveGuest', { body: { guest: guest('failed') } });
    await journey.done('submit');
    await assertRefused(partner);
    await testWorker.runDue();
    assert.equal((await journey.read()).state, 'failed');
    assert.deepEqual(await countsOf(partner), [0]);
  });

  test('card › an authentication does not count again, its failure uncounts', async () => {
    const partner = await limitedTo(1, 'card');
    const journey = await journeyTo('requires_action', partner, testWorker);
    assert.deepEqual(await countsOf(partner), [1]);
    await journey.done('verifyPayment', { body: { paymentMethodId: 'pm_any' } });
    assert.deepEqual(await countsOf(partner), [1]);
    await testWorker.runDue();
    assert.equal((await journey.read()).state, 'confirmed');
    assert.deepEqual(await countsOf(partner), [1]);

    const other = await limitedTo(1, 'card');
    const left = await journeyTo('requires_action', other, testWorker);
    await aged.due(service.database, left.checkoutId, 3_601);
    await testWorker.runDue();
    assert.equal((await left.read()).state, 'failed');
    assert.deepEqual(await countsOf(other), [0]);
  });

  test('a day counts for itself', async () => {
    const partner = await limitedTo(1);
    await byRequest(partner, 'failed');
    const { applicationId } = partner.credentials;
    for (const [table, column] of [
      ['reservation_days', 'day'],
      ['bookings', 'counted_on'],
    ]) {
      const text = `UPDATE ${table} SET ${column} = ${column} - 1 WHERE application_id = $1`;
      await sql(service.database, text, [applicationId]);
    }
    await bySubmit(partner);
    assert.deepEqual(await countsOf(partner), [1, 1]);
    await testWorker.runDue();
    assert.deepEqual(await countsOf(partner), [0, 1], 'the failure belongs to the day before');
    await assertRefused(partner);
  });

  test('a booking whose day has been removed fails like any other', async () => {
    const partner = await limitedTo(1);
    const bookingId = await byRequest(partner, 'failed');
    const text = 'UPDATE reservation_days SET day = day - 9 WHERE application_id = $1';
    await sql(service.database, text, [partner.credentials.applicationId]);
    assert.ok((await sweepByAge(service.database, 'reservation_days', 7, 10)) > 0);
    await testWorker.runDue();
    const { booking } = await allOf(service.database, bookingId);
    assert.equal((booking as { state: string }).state, 'failed');
    assert.deepEqual(await countsOf(partner), [0], 'and not less');
  });

  test('a lower limit refuses at once, a higher one allows again', async () => {
    const partner = await limitedTo(3);
    for (let nth = 0; nth < 3; nth += 1) await byRequest(partner);
    await limit(partner, 2);
    await assertRefused(partner);
    await limit(partner, 4);
    await byRequest(partner);
    await assertRefused(partner);
    assert.deepEqual(await countsOf(partner), [4]);
  });

  suite('several things wrong at once', () => {
    let partner: Partner;
    let journey: Journey;
    before(async () => {
      partner = await limitedTo(1);
      journey = await ready(partner);
      await byRequest(partner);
    });

    test('before version, state and terms', async () => {
      await journey.refused('submit', full, { body: { expectedVersion: 9 } });
      await journey.refused('submit', full, { body: { termsVersion: '-' } });
      await (await begin(partner)).refused('submit', full);
    });

    test('before the expiry of the quote, which it does not cause', async () => {
      const late = await ready(partner);
      await aged.quote(service.database, late.open.quote.quoteId);
      await late.refused('submit', full);
      assert.equal((await late.status()).state, 'ready');
    });

    test('before a conflict of a request', async () => {
      const body = await requestBody(partner);
      assertFull(await partner.refused(request, { body: { ...body, termsVersion: '-' } }));
      const used = { ...body, quoteId: journey.open.quote.quoteId };
      assertFull(await partner.refused(request, { body: used }));
    });

    test('after input, resource and session', async () => {
      await journey.refused('submit', [400, 'invalid_input'], { body: { termsAccepted: false } });
      await journey.refused('submit', [403, 'forbidden', 'session_capability'], { session: 'x' });
      const body = { ...(await requestBody(partner)), quoteId: randomUUID() };
      const { status, code } = await partner.refused(request, { body });
      assert.deepEqual([status, code], [404, 'not_found']);
    });

    test('after the quota, which has no reason', async () => {
      const slow = await service.partner({ reservationsPerDay: 0, quotas: { write: 3 } });
      const body = await requestBody(slow);
      assertFull(await slow.refused(request, { body }));
      await drain(slow, 'write');
      const { status, details, retryAfterSeconds } = await slow.refused(request, { body });
      assert.deepEqual([status, details], [429, { tier: 'write' }]);
      assert.ok(retryAfterSeconds! <= 60);
    });
  });

  suite('a repeat, while the call itself takes the last of the day, gets its response', () => {
    test(request, async () => {
      const partner = await limitedTo(1);
      const body = await requestBody(partner);
      meanwhile = () => partner.succeed(request, { body }, 202);
      const repeated = await partner.succeed(request, { body }, 202);
      assert.equal(meanwhile, null);
      assert.equal(repeated.reservationRequestId, body.reservationRequestId);
      assert.deepEqual(await countsOf(partner), [1]);
    });

    test(submit, async () => {
      const partner = await limitedTo(1);
      const journey = await ready(partner);
      meanwhile = () => journey.send('submit');
      assert.equal((await journey.done('submit')).state, 'pending');
      assert.equal(meanwhile, null);
      assert.deepEqual(await countsOf(partner), [1]);
    });

    test('another call gets the refusal', async () => {
      const partner = await limitedTo(1);
      const body = await requestBody(partner);
      meanwhile = async () => partner.succeed(request, { body: await requestBody(partner) }, 202);
      assertFull(await partner.refused(request, { body }));
      assert.equal(meanwhile, null);
    });
  });

  suite('concurrent calls to two processes', () => {
    let second: Service;
    let secondOrigin: string;
    before(async () => {
      const config = readConfig({ BASE_URL: testBaseUrl, LATCHKEY_ROLES: 'api' });
      const { database } = service;
      second = await startService({ config, database, logger: false, log: silent });
      await second.app.listen({ host: '127.0.0.1', port: 0 });
      secondOrigin = `http://127.0.0.1:${(second.app.server.address() as AddressInfo).port}`;
    });
    after(() => second.stop());

    const deadlocks = async (): Promise<number> => {
      const text =
        'SELECT deadlocks::integer FROM pg_stat_database WHERE datname = current_database()';
      return (await sql<{ deadlocks: number }>(service.database, text))[0]!.deadlocks;
    };

    test('exactly the limit is accepted, even if something fails meanwhile', async () => {
      const partner = await limitedTo(7);
      const there = new Partner(secondOrigin, partner.credentials);
      const already = await deadlocks();
      const journeys = await Promise.all(Array.from({ length: 15 }, () => ready(partner)));
      const bodies = await Promise.all(
        Array.from({ length: 15 }, (_, nth) =>
          requestBody(partner, nth % 2 === 0 ? 'failed' : undefined),
        ),
      );
      const round = () => [
        ...journeys.map((journey) => journey.send('submit')),
        ...bodies.map((body, nth) => (nth % 3 === 0 ? there : partner).call(request, { body })),
      ];
      const replies = await Promise.all(round());
      const accepted = replies.filter(({ status }) => status === 202).length;
      assert.deepEqual([accepted, await countsOf(partner)], [7, [7]]);
      const others = replies.filter(({ status }) => status !== 202);
      assert.deepEqual([...new Set(others.map(({ status }) => status))], [429]);
      // Those that fail make room while the others are sent again.
      await Promise.all([testWorker.runDue(), ...round()]);
      await testWorker.runDue();
      const [count = 0] = await countsOf(partner);
      assert.ok(count <= 7, `${count}`);
      assert.equal(await deadlocks(), already);
    });
  });
});
