/**
 * What is removed by its age, what partners see afterwards, and what stays. The service's own background
 * tasks may be faster than the test: what counts is what is there in the end.
 */
import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { after, before, suite, test } from 'node:test';
import {
  removeGuestsOfFailedRequests,
  sweepAbandonedCheckouts,
} from '../../src/bookings/store/abandoned-bookings.ts';
import { sumUpBookings } from '../../src/bookings/store/overview.ts';
import { sweepQuotes } from '../../src/bookings/store/quotes.ts';
import { sweepByAge, type AgedTable } from '../../src/platform/postgres/sweep-by-age.ts';
import { eventually } from '../harness/eventually.ts';
import { guest, type Partner, requestOf } from '../harness/partner.ts';
import { sql } from '../harness/rows.ts';
import { startTestService, type TestService } from '../harness/service.ts';

let service: TestService;
let partner: Partner;
before(async () => {
  service = await startTestService();
  partner = await service.partner();
});
after(() => service.stop());

/** Makes all of a booking, and its quote, older than 30 days. */
async function age(bookingId: string): Promise<void> {
  await sql(
    service.database,
    `WITH aged AS (
        UPDATE bookings SET created_at = created_at - interval '30 days 1 minute',
          updated_at = updated_at - interval '30 days 1 minute'
        WHERE booking_id = $1 RETURNING quote_id
      )
      UPDATE quotes q SET created_at = q.created_at - interval '30 days 1 hour',
        expires_at = q.expires_at - interval '30 days 1 hour' FROM aged WHERE q.quote_id = aged.quote_id`,
    [bookingId],
  );
}

const count = async (table: string, column: string, id: string): Promise<number> => {
  const text = `SELECT count(*)::integer AS count FROM ${table} WHERE ${column} = $1`;
  return (await sql<{ count: number }>(service.database, text, [id]))[0]!.count;
};

const sweepCheckouts = (): Promise<number> => sweepAbandonedCheckouts(service.database, 30, 100);

suite('retention › checkouts that never became a reservation', () => {
  // Spec: GUEST-2.
  test('are removed after 30 days with guest, commands and quote, and are 404 afterwards', async () => {
    const left = await partner.readyCheckout();
    const failed = await partner.submittedCheckout('failed');
    await partner.statusOnce(failed, ['failed']);
    const young = await partner.readyCheckout();
    for (const { created } of [left, failed]) await age(created.checkoutId);
    await sweepCheckouts();
    for (const open of [left, failed]) {
      const { checkoutId, quoteId } = open.created;
      assert.equal(await count('bookings', 'booking_id', checkoutId), 0);
      assert.equal(await count('checkout_commands', 'checkout_id', checkoutId), 0);
      assert.equal(await count('quotes', 'quote_id', quoteId), 0);
      const read = await partner.refused('reservation.checkout.get', open.at);
      assert.deepEqual([read.status, read.code], [404, 'not_found']);
      const again = await partner.refused('reservation.checkout.create', {
        body: { checkoutId, quoteId },
      });
      assert.deepEqual([again.status, again.code], [404, 'not_found']);
    }
    assert.equal(await count('bookings', 'booking_id', young.created.checkoutId), 1);
  });

  test('stay if they changed, wait for an outcome, hold a promotion, or are booked', async () => {
    const confirmed = await partner.submittedCheckout();
    await partner.statusOnce(confirmed, ['confirmed']);
    const open = await partner.submittedCheckout('uncertain');
    await partner.statusOnce(open, ['uncertain']);
    const changed = await partner.readyCheckout();
    const holding = await partner.readyCheckout();
    const all = [confirmed, open, changed, holding].map(({ created }) => created.checkoutId);
    for (const checkoutId of all) await age(checkoutId);
    await sql(service.database, 'UPDATE bookings SET due_at = NULL WHERE booking_id = $1', [
      all[1],
    ]);
    await sql(service.database, 'UPDATE bookings SET updated_at = now() WHERE booking_id = $1', [
      all[2],
    ]);
    await sql(service.database, 'UPDATE bookings SET promotion_held = true WHERE booking_id = $1', [
      all[3],
    ]);
    assert.equal(await sweepCheckouts(), 0);
    for (const checkoutId of all)
      assert.equal(await count('bookings', 'booking_id', checkoutId), 1);
    await sql(
      service.database,
      'UPDATE bookings SET promotion_held = false WHERE booking_id = $1',
      [all[3]],
    );
  });
});

suite('retention › reservation requests that failed', () => {
  // Spec: GUEST-2.
  test('lose their guest after 30 days, and nothing else', async () => {
    const quote = await partner.quote(await partner.freeStay());
    const body = requestOf(quote, { partnerReference: 'order 7', guest: guest('failed') });
    await partner.succeed('reservation.reservationRequest.create', { body });
    const params = { reservationRequestId: body.reservationRequestId };
    const read = () => partner.succeed('reservation.reservationRequest.get', { params });
    await eventually(async () => (await read()).state === 'failed');
    const remove = () => removeGuestsOfFailedRequests(service.database, 30, 100);
    const guestOf = async () => {
      const text = 'SELECT guest_sealed FROM bookings WHERE booking_id = $1';
      const values = [body.reservationRequestId];
      return (await sql<{ guest_sealed: Buffer | null }>(service.database, text, values))[0]!
        .guest_sealed;
    };
    await remove();
    assert.ok(await guestOf(), 'young ones keep it');
    await age(body.reservationRequestId);
    const seen = await read();
    await remove();
    assert.equal(await guestOf(), null);
    assert.equal(await remove(), 0);
    assert.deepEqual(await read(), seen);
    const repeat = await partner.succeed('reservation.reservationRequest.create', { body });
    assert.deepEqual(repeat, seen, 'a repeat is still recognised');
    const query = { partnerReference: 'order 7' };
    const { items } = await partner.succeed('reservation.reservationRequest.list', { query });
    assert.deepEqual(items, [seen]);
  });
});

suite('retention › quotes', () => {
  test('are removed 30 days after they expired unless they were used, and each is read once', async () => {
    const stay = await partner.freeStay();
    const unused = await partner.quote(stay);
    const young = await partner.quote(stay);
    const used = await partner.submittedCheckout();
    await partner.statusOnce(used, ['confirmed']);
    await age(used.created.checkoutId);
    const text = `UPDATE quotes SET created_at = created_at - interval '30 days 16 minutes',
      expires_at = expires_at - interval '30 days 16 minutes' WHERE quote_id = $1`;
    await sql(service.database, text, [unused.quoteId]);
    for (let rows = 1; rows > 0;) rows = await sweepQuotes(service.database, 30, 1);
    assert.equal(await count('quotes', 'quote_id', unused.quoteId), 0);
    assert.equal(await count('quotes', 'quote_id', young.quoteId), 1);
    assert.equal(await count('quotes', 'quote_id', used.created.quoteId), 1);
    assert.equal(
      await sweepQuotes(service.database, 30, 100),
      0,
      'used ones are not looked at again',
    );
  });

  test('two concurrent processes do not sweep the same rows', async () => {
    const stay = await partner.freeStay();
    const { quoteId } = await partner.quote(stay);
    const text = `UPDATE quotes SET created_at = now() - interval '30 days 17 minutes',
      expires_at = now() - interval '30 days 1 second' WHERE quote_id = $1`;
    await sql(service.database, text, [quoteId]);
    const looked = await Promise.all([1, 2, 3].map(() => sweepQuotes(service.database, 30, 100)));
    assert.ok(looked.filter((rows) => rows > 0).length <= 1, `${looked}`);
    assert.equal(await count('quotes', 'quote_id', quoteId), 0);
  });
});

const someone = (): string => partner.credentials.applicationId;

/** How a row of this age gets into each table that is swept by age. */
const writes: Record<AgedTable, (days: number) => [text: string, values: unknown[]]> = {
  attention_items: (days) => [
    `INSERT INTO attention_items (kind, subject, item, closed_at, telling, due_at)
      VALUES ('declined', $2, '{}', now() - make_interval(days => $1), NULL, NULL)`,
    [days, randomUUID()],
  ],
  payment_records: (days) => [
    `INSERT INTO payment_records (application_id, checkout_id, kind, name, amount_minor, currency, happened_at,
        created_at, due_at)
      VALUES ($2, $2, 'collected', 'a', 1, 'EUR', now(), now() - make_interval(days => $1), NULL)`,
    [days, randomUUID()],
  ],
  text_undos: (days) => [
    `INSERT INTO text_undos VALUES ($2, $2, now() - make_interval(days => $1), '{}', '{}')`,
    [days, randomUUID()],
  ],
  rate_undos: (days) => [
    `INSERT INTO rate_undos VALUES ($2, $2, now() - make_interval(days => $1), '[]', '[]')`,
    [days, randomUUID()],
  ],
  inventory_changes: (days) => [
    `INSERT INTO inventory_changes VALUES ($2, 1, now() - make_interval(days => $1), 'rates')`,
    [days, randomUUID()],
  ],
  keyed_creates: (days) => [
    `INSERT INTO keyed_creates VALUES ('a', 'b', $2, '\\x00', '\\x00', now() - make_interval(days => $1))`,
    [days, randomBytes(8)],
  ],
  booking_traces: (days) => [
    `INSERT INTO booking_traces VALUES ($2, $3, '00-' || repeat('a', 32) || '-' || repeat('b', 16) || '-01', now() - make_interval(days => $1))`,
    [days, someone(), randomUUID()],
  ],
  booked_days: (days) => [
    `INSERT INTO booked_days VALUES ((now() - make_interval(days => $1))::date, $2, 'EUR', 1, 1)`,
    [days, randomUUID()],
  ],
  checkout_commands: (days) => [
    `INSERT INTO checkout_commands VALUES ($2, $3, 'saveGuest', 1, '', false, now() - make_interval(days => $1))`,
    [days, someone(), randomUUID()],
  ],
  funnel_refusals: (days) => [
    `INSERT INTO funnel_refusals VALUES ((now() - make_interval(days => $1))::date, $2, $2, 'quote', 'a', 1)`,
    [days, randomUUID()],
  ],
  funnel_weeks: (days) => [
    `INSERT INTO funnel_weeks VALUES ((now() - make_interval(days => $1))::date, $2, $2, 1, 1, 1, 1, 1, 1)`,
    [days, randomUUID()],
  ],
  portal_links: (days) => [
    `INSERT INTO portal_links VALUES ($3, $2, now() - make_interval(days => $1))`,
    [days, someone(), Buffer.from(randomUUID())],
  ],
  portal_sessions: (days) => [
    `INSERT INTO portal_sessions VALUES ($3, $2, now() - make_interval(days => $1))`,
    [days, someone(), Buffer.from(randomUUID())],
  ],
  request_log: (days) => [
    `INSERT INTO request_log VALUES ($2, now() - make_interval(days => $1), $3, 'GET', '/v1/site', NULL, 200, NULL, 1)`,
    [days, someone(), randomUUID()],
  ],
  reservation_days: (days) => [
    `INSERT INTO reservation_days VALUES ($2, (now() - make_interval(days => $1))::date, 1)`,
    [days, someone()],
  ],
  search_observations: (days) => [
    `INSERT INTO search_observations VALUES ($3, $2, NULL, now(), now(), '{}', NULL, 1, now() - make_interval(days => $1))`,
    [days, someone(), randomUUID()],
  ],
  signals: (days) => [
    `INSERT INTO signals (application_id, signal_id, input_digest, name, route_family, received_at)
      VALUES ($2, $3, '', 'a', 'b', now() - make_interval(days => $1))`,
    [days, someone(), randomUUID()],
  ],
  revoked_tokens: (days) => [
    `INSERT INTO revoked_tokens
      SELECT application_id, $2, now() - make_interval(days => $1) FROM applications LIMIT 1`,
    [days, randomUUID()],
  ],
  staff_invitations: (days) => [
    `WITH member AS (INSERT INTO staff_members (email, role) VALUES ($2, 'viewer') RETURNING staff_id)
      INSERT INTO staff_invitations
      SELECT staff_id, $3, now() - make_interval(days => $1) FROM member`,
    [days, `${randomUUID()}@example.com`, randomBytes(32)],
  ],
  staff_networks: (days) => [
    `WITH member AS (INSERT INTO staff_members (email, role) VALUES ($2, 'viewer') RETURNING staff_id)
      INSERT INTO staff_networks (staff_id, network, seen_at)
      SELECT staff_id, '203.0.113.5', now() - make_interval(days => $1) FROM member`,
    [days, `${randomUUID()}@example.com`],
  ],
  staff_sessions: (days) => [
    `WITH member AS (INSERT INTO staff_members (email, role) VALUES ($2, 'viewer') RETURNING staff_id)
      INSERT INTO staff_sessions (session_digest, staff_id, expires_at, address, user_agent)
      SELECT $3, staff_id, now() - make_interval(days => $1), '', '' FROM member`,
    [days, `${randomUUID()}@example.com`, randomBytes(32)],
  ],
  wrong_times: (days) => [
    'INSERT INTO wrong_times VALUES ($2, $2, now() - make_interval(days => $1))',
    [days, '2000-01-01'],
  ],
  simulated_attempts: (days) => [
    `INSERT INTO simulated_attempts VALUES ($2, 'confirmed', now(), now() - make_interval(days => $1))`,
    [days, randomUUID()],
  ],
};

// Links and sessions go when they expire, and the service does that by itself.
const expires = (table: AgedTable): boolean => /^(portal|staff|revoked)_/.test(table);

const daysKept = 30;

/** What the service itself counts of this week, and logs of its calls, is written at any moment. */
function ofTest(table: AgedTable): string {
  if (table.startsWith('funnel')) return ` WHERE week < now() - interval '20 days'`;
  return table === 'request_log' ? ` WHERE at < now() - interval '20 days'` : '';
}

suite('retention › by age alone', () => {
  // Otherwise the background task could add rows in between.
  before(async () => {
    while ((await sumUpBookings(service.database, 31)) > 0);
  });

  for (const table of Object.keys(writes) as AgedTable[]) {
    test(table, async () => {
      const kept = daysKept;
      const young = expires(table) ? [] : [kept - 1];
      const sweep = (): Promise<number> => sweepByAge(service.database, table, kept, 2);
      const rows = async (): Promise<number> => {
        const text = `SELECT count(*)::integer AS count FROM ${table}${ofTest(table)}`;
        return (await sql<{ count: number }>(service.database, text))[0]!.count;
      };
      const already = await rows();
      for (const days of [...young, kept + 1, kept + 2, kept + 3])
        await sql(service.database, ...writes[table](days));
      assert.ok((await sweep()) <= 2, 'in batches');
      await sweep();
      assert.equal(await rows(), already + young.length);
      assert.equal(await sweep(), 0);
    });
  }

  test('simulated_attempts › an attempt whose outcome is never announced stays', async () => {
    const text = `INSERT INTO simulated_attempts VALUES ($1, 'uncertain', NULL, now() - interval '1 year')`;
    await sql(service.database, text, [randomUUID()]);
    assert.equal(await sweepByAge(service.database, 'simulated_attempts', 30, 10), 0);
  });
});
