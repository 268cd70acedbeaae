/** The clock of PostgreSQL jumps. What it says meanwhile decides nothing that lasts. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, afterEach, before, describe, it } from 'node:test';
import { backgroundTasks, startBackgroundTasks } from '../../src/program/background-tasks.ts';
import { startDatabaseClock } from '../../src/platform/clock.ts';
import { taskRuns } from '../../src/platform/diagnostics.ts';
import { issueOperatorToken } from '../../src/sign-in/index.ts';
import { folderStorage } from '../../src/platform/file-storage/folder.ts';
import { eventually } from '../harness/eventually.ts';
import { requestStay } from '../harness/events.ts';
import { type MovableClock, movableClock } from '../harness/moved-clock.ts';
import { type Operator, operatorOf } from '../harness/operator.ts';
import type { Partner } from '../harness/partner.ts';
import { sql } from '../harness/rows.ts';
import { confirmedReference, submittedByCard } from '../harness/stripe/card-journey.ts';
import { type PaidService, startPaidService } from '../harness/stripe/service.ts';
import { showPayments } from '../harness/acts.ts';

const withinMs = 20_000;
const minuteMs = 60_000;

describe("PostgreSQL's clock jumps", () => {
  let service: PaidService;
  let clock: MovableClock;
  let staff: Operator;
  let card: Partner;
  let partner: Partner;

  before(async () => {
    const prepare = async (database: Parameters<typeof movableClock>[0]): Promise<void> => {
      clock = await movableClock(database);
    };
    service = await startPaidService({}, {}, { prepare });
    staff = await operatorOf(service, 'administrator');
    card = await service.partner({ settlement: 'card' });
    partner = await service.partner();
  });
  after(() => service.stop());

  const shown = () => staff.done('operator.clock.get');
  const isHeld = async (): Promise<boolean> => {
    const text = 'SELECT held_since IS NOT NULL AS held FROM clock';
    const [row] = await sql<{ held: boolean }>(service.database, text);
    return row!.held;
  };
  const held = () => eventually(isHeld, withinMs);

  /** The clock is right for a minute. */
  async function rest(): Promise<void> {
    await clock.move('0');
    await eventually(async () => {
      await sql(
        service.database,
        `UPDATE clock SET near_since = near_since - interval '1 minute' WHERE near_since IS NOT NULL`,
      );
      return !(await isHeld());
    }, withinMs);
  }
  afterEach(rest);

  const count = async (table: string): Promise<number> => {
    const text = `SELECT count(*)::integer AS count FROM ${table}`;
    const [row] = await sql<{ count: number }>(service.database, text);
    return row!.count;
  };

  /** Runs every background task of this process, which has noticed nothing yet. */
  async function runTasks(move: () => Promise<void>): Promise<void> {
    const own = await startDatabaseClock(service.database);
    const tasks = new Set<string>();
    const ended = taskRuns.subscribe(({ task }) => tasks.add(task));
    await move();
    const running = startBackgroundTasks({
      database: service.database,
      clock: own,
      pictures: folderStorage('nowhere'),
      isCopy: false,
      log: { warn: () => undefined },
      phase: 0,
    });
    await eventually(async () => backgroundTasks.every(({ name }) => tasks.has(name)), withinMs);
    await running.stop();
    ended();
  }

  it('+61 days › an instalment of January is not collected', async () => {
    const reference = await confirmedReference(await submittedByCard(service, card));
    const { total } = await shortly(reference);
    await clock.move('61 days');
    await held();
    await sql(service.database, 'UPDATE payment_accounts SET due_at = now() WHERE reference = $1', [
      reference,
    ]);
    await eventually(async () => {
      const [row] = await sql(
        service.database,
        'SELECT due_at > now() AS done FROM payment_accounts WHERE reference = $1',
        [reference],
      );
      return row!['done'] === true;
    }, withinMs);
    await rest();
    const { collected } = await showPayments(service.database, reference);
    assert.equal(collected, total - 2_000);
  });

  /** The last 20.00 of the price are due in forty days. */
  async function shortly(reference: string): Promise<{ total: number }> {
    const { collected } = await showPayments(service.database, reference);
    const total = collected + 2_000;
    // In one statement, because the account may be settled at any time.
    await sql(
      service.database,
      `WITH entered AS (
          INSERT INTO payment_entries (application_id, checkout_id, kind, debit, credit, amount_minor, currency)
          SELECT application_id, checkout_id, 'raised', 'open', 'due', 2000, currency
          FROM payment_accounts WHERE reference = $1)
        UPDATE reservations SET charges = (charges::jsonb || jsonb_build_object('total', $2::integer, 'schedule',
          jsonb_build_array(jsonb_build_object('dueOn', now()::date, 'amount', $2::integer - 2000),
            jsonb_build_object('dueOn', (now() + interval '40 days')::date, 'amount', 2000))))::json
        WHERE reference = $1`,
      [reference, total],
    );
    return { total };
  }

  it('+400 days › nothing is swept', async () => {
    const open = await partner.checkout();
    await partner.statusOnce(await partner.submittedCheckout(), ['confirmed']);
    const tables = ['events', 'checkout_commands', 'bookings', 'quotes', 'audit_entries'];
    const earlier = await Promise.all(tables.map(count));
    assert.ok(earlier.every((rows) => rows > 0));
    await runTasks(() => clock.move('400 days'));
    const later = await Promise.all(tables.map(count));
    for (const [n, table] of tables.entries()) assert.ok(later[n]! >= earlier[n]!, table);
    await held();
    await partner.succeed('reservation.checkout.get', open.at);
  });

  it('-400 days › what was written before it was noticed stays, and is told', async () => {
    const open = await partner.checkout();
    await partner.statusOnce(await partner.submittedCheckout(), ['confirmed']);
    const tables = ['events', 'checkout_commands', 'bookings'];
    const earlier = await Promise.all(tables.map(count));
    const { items: told } = await partner.succeed('reservation.event.list', { query: {} });
    await clock.move('-400 days');
    await held();
    // As if they had been written in the moment before.
    for (const table of tables) {
      await sql(service.database, `UPDATE ${table} SET created_at = pg_catalog.now()`);
    }
    await sql(service.database, 'UPDATE bookings SET updated_at = pg_catalog.now()');
    await rest();
    await runTasks(async () => undefined);
    assert.deepEqual(await Promise.all(tables.map(count)), earlier);
    await partner.succeed('reservation.checkout.get', open.at);
    const { items } = await partner.succeed('reservation.event.list', { query: {} });
    assert.deepEqual(
      items.map(({ id }) => id),
      told.map(({ id }) => id),
    );
  });

  for (const jump of ['61 days', '-1 day', '2 minutes']) {
    // Spec: CLOCK-2.
    it(`${jump} › quotes, tokens and sessions live and end by the line`, async () => {
      const token = await partner.token();
      const quote = await partner.quote();
      const open = await partner.readyCheckout();
      await clock.move(jump);
      await held();
      await partner.succeed('distribution.site.get', { token });
      const opened = await partner.checkout(quote);
      await partner.succeed('reservation.checkout.get', open.at);
      const during = await partner.quote();
      const off = Date.parse(during.expiresAt) - Date.now() - 15 * minuteMs;
      assert.ok(Math.abs(off) < 10_000, `${off} ms`);
      await rest();
      await partner.succeed('reservation.checkout.get', opened.at);
      const { expiresAt } = during;
      const body = { checkoutId: randomUUID(), quoteId: during.quoteId };
      const created = await partner.succeed('reservation.checkout.create', { body }, 201);
      assert.equal(created.quoteExpiresAt, expiresAt);
    });
  }

  for (const jump of ['400 days', '-1 day']) {
    // Spec: CLOCK-2.
    it(`${jump} › calls in the moment before it is noticed are neither refused nor given a wrong end`, async () => {
      const quote = await partner.quote();
      const open = await partner.readyCheckout();
      const stay = await partner.freeStay(3, 40);
      await clock.move(jump);
      const [requestId, opened, fresh] = await Promise.all([
        requestStay(partner, stay),
        partner.checkout(quote),
        partner.quote(),
        partner.succeed('reservation.checkout.get', open.at),
        partner.succeed('reservation.checkout.getStatus', open.at),
        partner.submit(open),
      ]);
      await held();
      const off = Date.parse(fresh.expiresAt) - Date.now() - 15 * minuteMs;
      assert.ok(Math.abs(off) < 10_000, `${off} ms`);
      await partner.succeed('reservation.checkout.get', opened.at);
      await partner.statusOnce(open, ['confirmed']);
      await eventually(async () => {
        const params = { reservationRequestId: requestId };
        const { state } = await partner.succeed('reservation.reservationRequest.get', { params });
        return state === 'confirmed';
      }, withinMs);
      await rest();
      await partner.succeed('reservation.checkout.get', opened.at);
    });
  }

  it('+61 days › what was put off with the wrong clock is looked at again', async () => {
    const { listingId } = (await staff.done('operator.listing.list', { query: {} })).items[0]!;
    await clock.move('61 days');
    await sql(
      service.database,
      `INSERT INTO channel_calendars (calendar_id, listing_id, url_sealed, source_digest, host, due_at)
        VALUES ($1, $2, '\\x00', '\\x01', 'channel.invalid', pg_catalog.now() + interval '15 minutes')`,
      [randomUUID(), listingId],
    );
    await held();
    await eventually(async () => {
      const [row] = await sql<{ soon: boolean }>(
        service.database,
        `SELECT due_at < now() + interval '1 day' AS soon FROM channel_calendars`,
      );
      return row!.soon;
    }, withinMs);
  });

  it('+61 days › a token that was made with the wrong clock ends when it would have', async () => {
    const issued = await issueOperatorToken(service.database, 'test', {
      name: 'at a wrong time',
      role: 'viewer',
      lifetimeSeconds: 3_600,
    });
    await clock.move('61 days');
    await sql(
      service.database,
      `UPDATE operator_tokens SET created_at = pg_catalog.now(), expires_at = pg_catalog.now() + interval '1 hour'
        WHERE token_id = $1`,
      [issued.tokenId],
    );
    await held();
    await eventually(async () => {
      const [row] = await sql<{ soon: boolean }>(
        service.database,
        `SELECT expires_at BETWEEN now() + interval '50 minutes' AND now() + interval '1 hour' AS soon
          FROM operator_tokens WHERE token_id = $1`,
        [issued.tokenId],
      );
      return row!.soon;
    }, withinMs);
  });

  it('whatever says when something is looked at next, or ends, is looked at again after a jump', async () => {
    // Their ends are written by what compares the clocks, belong to the provider, or only end later.
    const others = new Set([
      'quotes.expires_at',
      'bookings.session_expires_at',
      'payment_links.expires_at',
      'payment_disputes.evidence_due_at',
      'pictures.look_at',
      'revoked_tokens.expires_at',
    ]);
    const columns = await sql<{ name: string }>(
      service.database,
      `SELECT table_name || '.' || column_name AS name FROM information_schema.columns
        WHERE table_schema = 'public' AND data_type = 'timestamp with time zone'
          AND column_name ~ '(due|look|expires)_at$|^reading_until$'`,
    );
    const [found] = await sql<{ text: string }>(
      service.database,
      `SELECT pg_get_functiondef('look_again(timestamptz, timestamptz, integer)'::regprocedure) AS text`,
    );
    const isLookedAt = (name: string): boolean => {
      const [table, column] = name.split('.');
      const ofTable = new RegExp(`\\b${table}\\b`);
      const changes = found!.text.split(';').filter((part) => ofTable.test(part));
      return changes.some((part) => part.includes(column!));
    };
    const missing = columns.map(({ name }) => name).filter((name) => !isLookedAt(name));
    assert.deepEqual(new Set(missing), others);
  });

  it('2 minutes › a booking that was put off with the wrong clock is looked at again', async () => {
    await partner.submittedCheckout();
    const late = await service.database.transaction(async (executor) => {
      const soon = `UPDATE bookings SET due_at = now() + interval '2 minutes 10 seconds' WHERE due_at IS NULL`;
      await sql(executor, soon);
      const jump = `now() + interval '2 minutes'`;
      await sql(executor, `SELECT look_again(${jump}, ${jump}, 1000)`);
      const text = `SELECT count(*)::integer AS count FROM bookings WHERE due_at > now() + interval '1 minute'`;
      const [row] = await sql<{ count: number }>(executor, text);
      await sql(executor, 'UPDATE bookings SET due_at = NULL');
      return row!.count;
    });
    assert.equal(late, 0);
  });

  it('-1 day › a booking that was put off after the clock was right again, before that was noticed', async () => {
    const open = await partner.submittedCheckout();
    await partner.statusOnce(open, ['confirmed']);
    await clock.move('-1 day');
    await held();
    await clock.move('0');
    // As a step that began a moment before would write it: sessions still meant a day later.
    const late = `UPDATE bookings SET due_at = pg_catalog.clock_timestamp() + interval '1 day 15 seconds'
      WHERE booking_id = $1`;
    await sql(service.database, late, [open.created.checkoutId]);
    await rest();
    await eventually(async () => {
      const [row] = await sql<{ isLate: boolean }>(
        service.database,
        `SELECT coalesce(due_at > now() + interval '1 hour', false) AS "isLate" FROM bookings WHERE booking_id = $1`,
        [open.created.checkoutId],
      );
      return !row!.isLate;
    }, withinMs);
  });

  it('staff see the clock, and end the hold', async () => {
    await clock.move('40 minutes');
    await held();
    const { databaseTime, expectedTime, since } = await shown();
    const off = Date.parse(databaseTime) - Date.parse(expectedTime);
    assert.ok(Math.abs(off - 40 * minuteMs) < 10_000, `${off} ms`);
    assert.ok(Math.abs(Date.parse(since!) - Date.now()) < 30_000);
    const waiting = await staff.done('operator.attention.list', { query: {} });
    assert.ok(waiting.items.some(({ kind }) => kind === 'clock_jumped'));

    const quote = await partner.quote();
    const token = await partner.token();
    await staff.done('operator.clock.confirm', { body: { reason: 'It is ten.' } });
    await eventually(async () => {
      const reply = await partner.call('distribution.site.get', { token });
      return reply.status === 401;
    }, withinMs);
    const body = { checkoutId: randomUUID(), quoteId: quote.quoteId };
    const late = await partner.refused('reservation.checkout.create', {
      token: await partner.freshToken(),
      body,
    });
    assert.equal(late.code, 'quote_expired');
    const again = await staff.refused('operator.clock.confirm', { body: { reason: 'Once more.' } });
    assert.equal(again.status, 409);
  });
});
