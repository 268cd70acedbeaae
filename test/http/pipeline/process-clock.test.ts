/** A process that has the time wrong, and remembers what is no longer so, refuses nothing for it. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, suite, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { registryFreshMs } from '../../../src/access/application-registry.ts';
import { resumeApplication, suspendApplication } from '../../../src/access/store/applications.ts';
import type { Quote } from '../../../src/contract/partner/schemas/quote.ts';
import type { Database, Executor } from '../../../src/platform/postgres/database.ts';
import { homesOf } from '../../harness/catalog.ts';
import { craftToken } from '../../harness/crafted-token.ts';
import { daysAhead, type Partner } from '../../harness/partner.ts';
import { sql } from '../../harness/rows.ts';
import { startTestService, type TestService } from '../../harness/service.ts';
import { plainSignal } from '../../harness/signals.ts';

const dayMs = 86_400_000;
const site = 'distribution.site.get';

/** A database whose readings for the process's clock are wrong; what it is asked for is right. */
const withReadingsOff =
  (byMs: number) =>
  (database: Database): Database => ({
    ...database,
    transaction: (work) => database.transaction((executor) => work(shifted(executor, byMs))),
  });

const shifted = (executor: Executor, byMs: number): Executor => ({
  ...executor,
  async query<R>(...[statement, values]: Parameters<Executor['query']>): Promise<R[]> {
    const rows = await executor.query<R & { now: number }>(statement, values);
    return statement.name === 'now' ? rows.map((row) => ({ ...row, now: row.now + byMs })) : rows;
  },
});

for (const days of [3, -3]) {
  suite(`a process whose clock is ${days} days off`, () => {
    let service: TestService;
    let partner: Partner;
    let token: string;
    before(async () => {
      const changeDatabase = withReadingsOff(days * dayMs);
      service = await startTestService({ LATCHKEY_ROLES: 'api' }, { changeDatabase });
      partner = await service.partner();
      token = await craftToken(service.database, partner.credentials.applicationId);
    });
    after(() => service.stop());

    test("access token › valid by the database's time: accepted", async () => {
      await partner.succeed(site, { token });
    });

    // The first day that there is, and the last.
    const checkInDays = days > 0 ? 1 : 729;

    test('search › 200 › a stay that the day of the database allows', async () => {
      const stay = { checkIn: daysAhead(checkInDays), checkOut: daysAhead(checkInDays + 1) };
      const body = { ...stay, party: { adults: 2 } };
      await partner.succeed('distribution.listing.search', { token, body }, 200);
    });

    /** Quotes one home after the other until one takes the stay. */
    async function firstQuote(): Promise<{ createdAt: string; expiresAt: string }> {
      const party = { adults: 1 };
      const checkIn = daysAhead(checkInDays);
      for (const { listingId } of await homesOf(service)) {
        for (const nights of [2, 3, 5, 7]) {
          const checkOut = daysAhead(checkInDays + nights);
          const body = { quoteId: randomUUID(), listingId, checkIn, checkOut, party };
          const reply = await partner.call('reservation.quote.create', { token, body });
          if (reply.status === 201) return reply.body as Quote;
          assert.ok([409, 422].includes(reply.status), reply.text);
        }
      }
      throw new Error('no home takes the stay');
    }

    test('quote › 201 › a stay that the day of the database allows, created at its time', async () => {
      const { createdAt, expiresAt } = await firstQuote();
      assert.ok(Math.abs(Date.parse(createdAt) - Date.now()) < 60_000, createdAt);
      assert.equal(Date.parse(expiresAt) - Date.parse(createdAt), 15 * 60_000);
    });

    interface Times {
      created: number;
      updated: number;
      session: number | null;
      submitted: number | null;
      requested: number | null;
    }

    /** How many minutes from now the instants of a booking are, as they are stored. */
    async function timesOf(bookingId: string): Promise<Times> {
      const minutes = (column: string) =>
        `round(extract(epoch FROM ${column} - now()) / 60)::integer`;
      const [row] = await sql<Times>(
        service.database,
        `SELECT ${minutes('created_at')} AS created, ${minutes('updated_at')} AS updated,
          ${minutes('session_expires_at')} AS session, ${minutes('submitted_at')} AS submitted,
          ${minutes('payment_requested_at')} AS requested
          FROM bookings WHERE booking_id = $1`,
        [bookingId],
      );
      return row!;
    }

    const sessionMinutes = 24 * 60;

    test('checkout, submitted › all its times are those of the database', async () => {
      const { at, created, quote } = await partner.readyCheckout();
      const expected = { created: 0, updated: 0, session: sessionMinutes, requested: null };
      assert.deepEqual(await timesOf(created.checkoutId), { ...expected, submitted: null });
      const termsVersion = quote.terms.version;
      const body = { expectedVersion: 2, termsVersion, termsAccepted: true as const };
      await partner.succeed('reservation.checkout.submit', { ...at, body }, 202);
      assert.deepEqual(await timesOf(created.checkoutId), { ...expected, submitted: 0 });
    });

    test('payment setup › was requested at the time of the database', async () => {
      const card = await service.partner({ settlement: 'card' });
      const { at, created } = await card.readyCheckout();
      const body = { expectedVersion: 2 };
      await card.succeed('reservation.checkout.setupPayment', { ...at, body }, 202);
      assert.equal((await timesOf(created.checkoutId)).requested, 0);
    });

    test('reservation request › is submitted at the time of the database', async () => {
      const { reservationRequestId } = await partner.request();
      const times = { created: 0, updated: 0, session: null, submitted: 0, requested: null };
      assert.deepEqual(await timesOf(reservationRequestId), times);
    });

    test('signal › 201 › an occurredAt that the time of the database allows', async () => {
      const occurredAt = new Date(Date.now() - 1_000).toISOString();
      const response = await partner.call('cdp.signal.capture', {
        token,
        body: { ...plainSignal(), occurredAt },
      });
      assert.equal(response.status, 201, response.text);
    });

    // Spec: SEARCH-12.
    test('search › 400 › a stay that neither day allows', async () => {
      for (const first of [-9, 740]) {
        const stay = { checkIn: daysAhead(first), checkOut: daysAhead(first + 2) };
        const body = { ...stay, party: { adults: 2 } };
        const refusal = await partner.refused('distribution.listing.search', { token, body });
        assert.equal(refusal.code, 'invalid_input');
      }
    });
  });
}

describe('cached data of an application', () => {
  let service: TestService;
  let partner: Partner;
  before(async () => {
    service = await startTestService({ LATCHKEY_ROLES: 'api' });
    partner = await service.partner();
  });
  after(() => service.stop());

  test('200 › at the first call after it was resumed', async () => {
    const { applicationId } = partner.credentials;
    await partner.succeed(site);
    await suspendApplication(service.database, applicationId, 'a test');
    await sleep(registryFreshMs);
    assert.equal((await partner.refused(site)).code, 'unauthenticated');
    await resumeApplication(service.database, applicationId);
    await partner.succeed(site);
  });
});
