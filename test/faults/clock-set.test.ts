/** The clock of the service's machine is wrong by minutes or a day, both ways. No expiry depends on it. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { decodeJwt } from 'jose';
import { eventually } from '../harness/eventually.ts';
import { guest, type Partner } from '../harness/partner.ts';
import { aged, sql } from '../harness/rows.ts';
import { openTestSystem, type TestSystem } from './test-system.ts';
import { newFolder } from './new-folder.ts';

const minute = 60_000;
const jumps = [20 * minute, -20 * minute, 24 * 60 * minute, -24 * 60 * minute] as const;
const roundMs = 1_500;
const toleranceMs = 5_000;

const described = (ms: number): string => `${ms > 0 ? '+' : ''}${ms / minute} minutes`;

describe('the clock of the service set wrong', () => {
  let system: TestSystem;
  let partner: Partner;
  let card: Partner;
  let clockFile: string;

  before(async () => {
    clockFile = path.join(await newFolder(), 'shift');
    await writeFile(clockFile, '0');
    const preload = path.join(import.meta.dirname, 'shifted-clock.ts');
    system = await openTestSystem({
      env: {
        NODE_OPTIONS: `--import=${preload}`,
        LATCHKEY_TEST_CLOCK_FILE: clockFile,
        LATCHKEY_LOG_LEVEL: 'info',
      },
    });
    [card, partner] = (await system.partners()) as [Partner, Partner];
    await Promise.all([card.token(), partner.token()]);
  });

  afterEach(() => set(0));
  after(async () => {
    await system.close();
    await rm(path.dirname(clockFile), { recursive: true, force: true });
  });

  /** Sets the clock, and waits until the service logs that time. */
  async function set(shiftMs: number): Promise<void> {
    await writeFile(clockFile, String(shiftMs));
    system.service.process.kill('SIGUSR2');
    await eventually(async () => {
      await partner.call('distribution.site.get');
      const last = system.service.process.log().at(-1);
      const shown = Date.parse(String(last?.['time']));
      return Math.abs(shown - Date.now() - shiftMs) < toleranceMs;
    });
  }

  const due = (bookingId: string, interval: string): Promise<unknown> =>
    sql(
      system.database,
      `UPDATE bookings SET due_at = now() + $2::interval, fence = fence + 1 WHERE booking_id = $1`,
      [bookingId, interval],
    );

  const near = (instant: string, inMs: number): void => {
    const off = Math.abs(Date.parse(instant) - Date.now() - inMs);
    assert.ok(off < toleranceMs, `${instant} is ${off} ms off`);
  };

  for (const jump of jumps) {
    describe(described(jump), () => {
      // Spec: CLOCK-1.
      it('tokens, quotes and sessions stay valid', async () => {
        const quote = await partner.quote();
        const open = await partner.readyCheckout();
        await set(jump);
        await partner.succeed('reservation.checkout.get', open.at);
        const opened = await partner.checkout(quote);
        await partner.succeed('reservation.checkout.saveGuest', {
          ...opened.at,
          body: { expectedVersion: 1, guest: guest() },
        });
        const terms = { termsVersion: quote.terms.version, termsAccepted: true as const };
        const body = { expectedVersion: 2, ...terms };
        await partner.succeed('reservation.checkout.submit', { ...opened.at, body }, 202);
        await partner.statusOnce(opened, ['confirmed']);
      });

      it('new tokens, quotes and sessions expire on time', async () => {
        await set(jump);
        const stay = await partner.freeStay();
        const quote = await partner.quote(stay);
        near(quote.expiresAt, 15 * minute);
        near(quote.createdAt, 0);
        const { created } = await partner.checkout(quote);
        near(created.sessionExpiresAt ?? '', 24 * 60 * minute);
        const { exp = 0, iat = 0 } = decodeJwt(await partner.freshToken());
        near(new Date(exp * 1000).toISOString(), 15 * minute);
        assert.equal(exp - iat, 900);
      });

      it('expired tokens, quotes and sessions stay expired', async () => {
        const quote = await partner.quote();
        const open = await partner.checkout();
        await aged.quote(system.database, quote.quoteId);
        await aged.session(system.database, open.created.checkoutId);
        await set(jump);
        const body = { checkoutId: randomUUID(), quoteId: quote.quoteId };
        const late = await partner.refused('reservation.checkout.create', { body });
        assert.equal(late.code, 'quote_expired');
        const gone = await partner.refused('reservation.checkout.get', open.at);
        assert.deepEqual(gone.details, { reason: 'session_expired' });
      });

      it('a lease ends on time', async () => {
        const open = await partner.readyCheckout();
        const { checkoutId } = open.created;
        await sql(
          system.database,
          `UPDATE bookings SET state = 'pending', version = version + 1, submitted_at = now(),
            due_at = now() + interval '1 hour' WHERE booking_id = $1`,
          [checkoutId],
        );
        await set(jump);
        await sleep(roundMs);
        const { state } = await partner.succeed('reservation.checkout.getStatus', open.at);
        assert.equal(state, 'pending', 'another worker still has the lease');
        await due(checkoutId, '0');
        await partner.statusOnce(open, ['confirmed']);
      });

      it('a payment setup is pending for a minute', async () => {
        const open = await card.readyCheckout();
        const { checkoutId } = open.created;
        await sql(
          system.database,
          `UPDATE bookings SET payment_state = 'pending', payment_attempts = 1, version = version + 1,
            payment_requested_at = now(), due_at = NULL WHERE booking_id = $1`,
          [checkoutId],
        );
        await set(jump);
        const body = { expectedVersion: 3 };
        const early = await card.refused('reservation.checkout.setupPayment', { ...open.at, body });
        assert.equal(early.code, 'invalid_state');
        await aged.setup(system.database, checkoutId);
        await card.succeed('reservation.checkout.setupPayment', { ...open.at, body }, 202);
      });

      it('the feed shows thirty days', async () => {
        const open = await partner.submittedCheckout();
        await partner.statusOnce(open, ['confirmed']);
        const age = (days: string): Promise<unknown> =>
          sql(
            system.database,
            'UPDATE events SET created_at = now() - $2::interval WHERE application_id = $1',
            [partner.credentials.applicationId, days],
          );
        const isShown = async (): Promise<boolean> => {
          const query = { limit: 50 };
          const { items } = await partner.succeed('reservation.event.list', { query });
          return items.some(
            ({ data }) => 'checkoutId' in data && data.checkoutId === open.created.checkoutId,
          );
        };
        await set(jump);
        await age('29 days 23 hours 50 minutes');
        assert.equal(await isShown(), true);
        await age('30 days 10 minutes');
        assert.equal(await isShown(), false);
      });
    });
  }
});
