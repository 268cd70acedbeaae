/** Later instalments, differences and refunds: money and ledger agree after every failure. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import fc from 'fast-check';
import type { Charges } from '../../src/contract/partner/schemas/quote.ts';
import { checkRefunds } from '../../src/payments/collection/check-refunds.ts';
import { collectAccount } from '../../src/payments/collection/collect-account.ts';
import { believed } from '../../src/platform/clock.ts';
import { claimAccounts } from '../../src/payments/store/accounts.ts';
import { listEntries } from '../../src/payments/store/entries.ts';
import { readPaymentWorkload } from '../../src/payments/store/workload.ts';
import { registerPartner } from '../harness/registration.ts';
import { sql } from '../harness/rows.ts';
import { Countdown, Killed, never, ticking, tickingProvider } from './countdown.ts';
import { type Fault, FakeProvider } from './fake-provider.ts';
import {
  assertLedgerFits,
  balancesOf,
  chargesOf,
  insertPaidReservation,
  type PaidReservation,
} from './paid-reservation.ts';
import { type ClockedDatabase, createClockedDatabase } from './simulation/virtual-clock.ts';
import { startPayment } from '../harness/acts.ts';

suite('payments › collection of reservations', () => {
  let opened: ClockedDatabase;
  let database: ClockedDatabase['database'];
  let provider: FakeProvider;
  let applicationId: string;

  before(async () => {
    opened = await createClockedDatabase();
    ({ database } = opened);
    provider = new FakeProvider();
    const partner = await registerPartner(database, '', { settlement: 'card' });
    ({ applicationId } = partner.credentials);
  });
  after(() => opened.drop());

  /** Lets time pass: '1 day'. */
  async function pass(interval: string): Promise<void> {
    const [row] = await sql<{ seconds: number }>(
      database,
      'SELECT extract(epoch FROM $1::interval)::float8 AS seconds',
      [interval],
    );
    await opened.clock.set(opened.clock.now() + row!.seconds * 1_000);
  }

  /** Days after now, by the clock of the database. */
  const day = async (days: number): Promise<string> => {
    const [row] = await sql<{ day: string }>(database, `SELECT now()::date + $1::integer AS day`, [
      days,
    ]);
    return row!.day;
  };

  const reserve = async (...payments: [days: number, amount: number][]) => {
    const schedule: Charges['schedule'] = [];
    for (const [days, amount] of payments) schedule.push({ dueOn: await day(days), amount });
    return insertPaidReservation(database, provider, applicationId, schedule);
  };

  /** Settles accounts until none is due. */
  async function collectDue(countdown: Countdown = never): Promise<void> {
    const executor = ticking(database, countdown);
    const limitsOf = () => ({ minimumMinor: 0, multipleOf: 1 });
    const context = {
      executor,
      provider: tickingProvider(provider, countdown),
      limitsOf,
      clock: believed,
    };
    for (let round = 0; round < 500; round += 1) {
      const claims = await claimAccounts(executor, 8, 30);
      if (claims.length === 0) return;
      for (const claim of claims) await collectAccount(context, claim);
    }
    throw new Error('the work does not end');
  }

  const account = async ({ reference }: PaidReservation) => {
    const [row] = await sql<{ attention: string | null; refusals: number; due_at: number | null }>(
      database,
      'SELECT attention, refusals, due_at FROM payment_accounts WHERE reference = $1',
      [reference],
    );
    return row!;
  };

  const cancel = ({ reference }: PaidReservation, refundMinor: number) =>
    sql(
      database,
      `UPDATE reservations SET version = version + 1, state = 'cancelled', cancelled_at = now(),
        refund_minor = $2 WHERE reference = $1`,
      [reference, refundMinor],
    );

  const reprice = ({ reference }: PaidReservation, schedule: Charges['schedule']) =>
    sql(
      database,
      'UPDATE reservations SET version = version + 1, charges = $2 WHERE reference = $1',
      [reference, JSON.stringify(chargesOf(schedule))],
    );

  const fits = (reservation: PaidReservation) => assertLedgerFits(database, provider, reservation);

  // Spec: MONEY-2.
  test('instalments are collected on their day at the property, once', async () => {
    const paid = await reserve([0, 400], [3, 250], [5, 350]);
    await collectDue();
    assert.deepEqual(await balancesOf(database, paid), {
      due: 1000,
      collected: 400,
      open: 600,
      refunded: 0,
    });
    for (const [days, collected] of [
      [2, 400],
      [1, 650],
      [1, 650],
      [1, 1000],
      [9, 1000],
    ] as const) {
      await pass(`${days} days`);
      await collectDue();
      assert.equal((await balancesOf(database, paid)).collected, collected);
      await fits(paid);
    }
    assert.equal((await account(paid)).due_at, null, 'nothing is left to do');
  });

  test('a declined instalment is retried after 1, 2, 3, 5 and 7 days; staff see it at once', async () => {
    const paid = await reserve([0, 400], [2, 600]);
    provider.nextFault = () => 'declined';
    await pass('2 days');
    await collectDue();
    for (const [at, days] of [1, 2, 3, 5, 7].entries()) {
      assert.deepEqual(
        { ...(await account(paid)), due_at: 0 },
        {
          attention: 'declined',
          refusals: at + 1,
          due_at: 0,
        },
      );
      await pass(`${days} days - 1 minute`);
      await collectDue();
      assert.equal((await account(paid)).refusals, at + 1, 'asked too early');
      await pass('1 minute');
      await collectDue();
    }
    provider.nextFault = () => null;
    assert.deepEqual(await account(paid), { attention: 'declined', refusals: 6, due_at: null });
    await pass('30 days');
    await collectDue();
    const [reservation] = await sql(
      database,
      'SELECT state FROM reservations WHERE reference = $1',
      [paid.reference],
    );
    assert.deepEqual(reservation, { state: 'confirmed' });
    assert.equal((await balancesOf(database, paid)).open, 600);
    await fits(paid);
  });

  test('a cancellation refunds from the latest payment; nothing is collected any more', async () => {
    const paid = await reserve([0, 400], [1, 600], [9, 500]);
    await pass('1 day');
    await collectDue();
    await cancel(paid, 700);
    assert.deepEqual(await balancesOf(database, paid), {
      due: 300,
      collected: 1000,
      open: -700,
      refunded: 0,
    });
    await collectDue();
    await pass('20 days');
    await collectDue();
    assert.deepEqual(await balancesOf(database, paid), {
      due: 300,
      collected: 1000,
      open: 0,
      refunded: 700,
    });
    const refunds = provider.payments
      .filter(({ customerReference }) => customerReference === `cus_${paid.checkoutId}`)
      .map(({ refunds: made }) => made.map(({ amountMinor }) => amountMinor));
    assert.deepEqual(refunds, [[100], [600]]);
    await fits(paid);
  });

  /** Looks at the refunds that are due. Returns what was logged. */
  async function check(): Promise<string[]> {
    const lines: string[] = [];
    const log = {
      warn: (details: object, line: string) => lines.push(`${line} ${JSON.stringify(details)}`),
    };
    while ((await checkRefunds({ executor: database, provider, log }, 5)) > 0);
    return lines;
  }

  const refundsOf = ({ checkoutId }: PaidReservation) =>
    sql<{ state: string; checks: number; left: number | null }>(
      database,
      `SELECT f.state, f.checks, extract(epoch FROM f.check_at - now())::float8 / 86400 AS left
        FROM payment_refunds f JOIN payment_intents i USING (payment_id) WHERE i.checkout_id = $1
        ORDER BY f.refund_id`,
      [checkoutId],
    );

  // Spec: MONEY-15.
  test('a refund that the bank sends back is entered, and paid again only if staff decide so', async () => {
    const paid = await reserve([0, 400]);
    await cancel(paid, 400);
    await collectDue();
    provider.sendRefundsBack(`cus_${paid.checkoutId}`);
    await pass('1 day - 1 minute');
    assert.deepEqual(await check(), []);
    assert.equal((await balancesOf(database, paid)).refunded, 400);
    await pass('1 minute');
    const [line, ...more] = await check();
    assert.deepEqual(more, []);
    assert.match(line!, /^refund was sent back .*expired_or_canceled_card/);
    const sentBack = { due: 0, collected: 400, open: -400, refunded: 0 };
    assert.deepEqual(await balancesOf(database, paid), sentBack);
    await collectDue();
    await fits(paid);
    await pass('60 days');
    await collectDue();
    assert.deepEqual(await check(), []);
    assert.deepEqual(await account(paid), {
      attention: 'refund_failed',
      refusals: 0,
      due_at: null,
    });
    assert.deepEqual(await balancesOf(database, paid), sentBack);
    const { forStaff } = await readPaymentWorkload(database);
    assert.equal(forStaff.refund_failed.count, 1);
    assert.ok(forStaff.refund_failed.oldestSeconds >= 59 * 86_400);
    const entries = await listEntries(database, paid.applicationId, paid.checkoutId);
    const { kind, debit, credit, details } = entries.at(-1)!;
    assert.deepEqual([kind, debit, credit], ['refund_failed', 'refunded', 'open']);
    assert.equal(details?.['declineCode'], 'expired_or_canceled_card');

    const { reference } = paid;
    await startPayment(database, 'test', { reference, reason: 'The guest has a new card.' });
    await collectDue();
    assert.deepEqual(
      (await refundsOf(paid)).map(({ state }) => state),
      ['failed', 'done'],
    );
    assert.deepEqual(await balancesOf(database, paid), { ...sentBack, open: 0, refunded: 400 });
    assert.equal((await account(paid)).attention, null);
    await fits(paid);
  });

  test('a refund that stands is looked at after 1, 3, 10 and 30 days, and a day later without an answer', async () => {
    const paid = await reserve([0, 400]);
    await cancel(paid, 400);
    await collectDue();
    const lefts: (number | null)[] = [];
    for (const days of [1, 3, 10, 30]) {
      const [refund] = await refundsOf(paid);
      lefts.push(refund!.left);
      provider.lookUpsLost = days === 3 ? Number.POSITIVE_INFINITY : 0;
      await pass(`${days} days`);
      await check();
      if (days !== 3) continue;
      assert.deepEqual(await refundsOf(paid), [{ state: 'done', checks: 1, left: 1 }]);
      provider.lookUpsLost = 0;
      await pass('1 day');
      await check();
    }
    assert.deepEqual(lefts, [1, 3, 10, 30]);
    assert.deepEqual(await refundsOf(paid), [{ state: 'done', checks: 4, left: null }]);
  });

  test('a refund that is not done cannot be sent back, and one that was sent back is final', async () => {
    const paid = await reserve([0, 400]);
    await cancel(paid, 400);
    await collectDue();
    const move = (state: string) =>
      sql(
        database,
        `UPDATE payment_refunds f SET state = $2 FROM payment_intents i
          WHERE i.payment_id = f.payment_id AND i.checkout_id = $1`,
        [paid.checkoutId, state],
      );
    await assert.rejects(move('refused'), /cannot go from done to refused/);
    await move('failed');
    await assert.rejects(move('done'), /cannot go from failed to done/);
    const [payment] = await sql<{ payment_id: string }>(
      database,
      'SELECT payment_id FROM payment_intents WHERE checkout_id = $1',
      [paid.checkoutId],
    );
    const [refund] = await sql<{ refund_id: string }>(
      database,
      `INSERT INTO payment_refunds (payment_id, amount_minor, reason) VALUES ($1, 400, 'again')
        RETURNING refund_id`,
      [payment!.payment_id],
    );
    const fail = `UPDATE payment_refunds SET state = 'failed' WHERE refund_id = $1`;
    await assert.rejects(
      sql(database, fail, [refund!.refund_id]),
      /cannot go from requested to failed/,
    );
    await sql(database, `UPDATE payment_refunds SET state = 'refused' WHERE refund_id = $1`, [
      refund!.refund_id,
    ]);
  });

  test('a cancellation while an instalment is charged refunds that, too', async () => {
    const paid = await reserve([0, 400], [1, 600]);
    await collectDue();
    await pass('1 day');
    const charge = provider.charge;
    provider.charge = async (...asked) => {
      provider.charge = charge;
      await cancel(paid, 400);
      return charge(...asked);
    };
    await collectDue();
    const { collected, refunded, open } = await balancesOf(database, paid);
    assert.deepEqual({ collected, refunded, open }, { collected: 1000, refunded: 1000, open: 0 });
    await fits(paid);
  });

  test('what was decided before a change is not written after it', async () => {
    const paid = await reserve([0, 400], [1, 600]);
    await collectDue();
    await pass('1 day');
    const claims = await claimAccounts(database, 8, 30);
    await cancel(paid, 400);
    for (const claim of claims)
      await collectAccount({ executor: database, provider, clock: believed }, claim);
    assert.equal((await balancesOf(database, paid)).collected, 400);
    await collectDue();
    assert.equal((await balancesOf(database, paid)).open, 0);
    await fits(paid);
  });

  test('a price that staff change is collected or refunded', async () => {
    const paid = await reserve([0, 400]);
    const [today, later] = [await day(0), await day(4)];
    await reprice(paid, [
      { dueOn: today, amount: 450 },
      { dueOn: later, amount: 100 },
    ]);
    await collectDue();
    await fits(paid);
    assert.equal((await balancesOf(database, paid)).collected, 450);
    await reprice(paid, [{ dueOn: today, amount: 300 }]);
    await collectDue();
    await fits(paid);
    assert.deepEqual(await balancesOf(database, paid), {
      due: 300,
      collected: 450,
      open: 0,
      refunded: 150,
    });
  });

  for (const fault of ['lost before', 'lost after', 'kept before', 'kept after'] as const) {
    test(`one charge and one refund although each call meets: ${fault}`, async () => {
      const paid = await reserve([0, 400], [1, 600]);
      await collectDue();
      const faults: (Fault | null)[] = [];
      provider.nextFault = () => faults.shift() ?? null;
      faults.push(fault);
      provider.lookUpsLost = 1;
      await pass('1 day');
      await collectDue();
      for (const wait of ['5 seconds', '15 seconds', '1 minute']) {
        await pass(wait);
        await collectDue();
      }
      assert.equal((await balancesOf(database, paid)).collected, 1000);
      faults.push(fault);
      provider.lookUpsLost = 1;
      await cancel(paid, 1000);
      await collectDue();
      for (const wait of ['5 seconds', '15 seconds', '1 minute']) {
        await pass(wait);
        await collectDue();
      }
      assert.equal((await balancesOf(database, paid)).refunded, 1000);
      await fits(paid);
    });
  }

  test('staff see what is unknown for half an hour', async () => {
    const paid = await reserve([0, 400], [1, 600]);
    await collectDue();
    const faults: Fault[] = ['lost after'];
    provider.nextFault = () => faults.shift() ?? null;
    provider.lookUpsLost = Number.POSITIVE_INFINITY;
    await pass('1 day');
    await collectDue();
    assert.equal((await account(paid)).attention, null);
    for (let minutes = 0; minutes < 60; minutes += 15) {
      await pass('15 minutes');
      await collectDue();
    }
    assert.equal((await account(paid)).attention, 'unknown');
    provider.lookUpsLost = 0;
    await pass('15 minutes');
    await collectDue();
    assert.deepEqual(await account(paid), { attention: null, refusals: 0, due_at: null });
    await fits(paid);
  });

  test('an instalment that never reached the provider is not charged after a cancellation', async () => {
    const paid = await reserve([0, 400], [1, 600]);
    await collectDue();
    const faults: Fault[] = ['lost before'];
    provider.nextFault = () => faults.shift() ?? null;
    await pass('1 day');
    await collectDue();
    await cancel(paid, 400);
    for (const wait of ['1 second', '10 minutes', '15 minutes']) {
      await pass(wait);
      await collectDue();
    }
    assert.deepEqual(await balancesOf(database, paid), {
      due: 0,
      collected: 400,
      open: 0,
      refunded: 400,
    });
    await fits(paid);
  });

  test('killed before or after any statement or call, each charge and refund happens once', async () => {
    for (let steps = 0; ; steps += 1) {
      const paid = await reserve([0, 400], [1, 600]);
      await collectDue();
      await pass('1 day');
      const killed = await killedAfter(steps);
      await cancel(paid, 650);
      await killedAfter(steps);
      assert.deepEqual(
        await balancesOf(database, paid),
        { due: 350, collected: 1000, open: 0, refunded: 650 },
        `killed after ${steps} steps`,
      );
      await fits(paid);
      if (!killed) return;
    }
  });

  /** Settles in a process that ends after this number of steps, and then in another one. */
  async function killedAfter(steps: number): Promise<boolean> {
    const killed = await collectDue(new Countdown(steps)).then(
      () => false,
      (error: unknown) => {
        if (error instanceof Killed) return true;
        throw error;
      },
    );
    // The lease ends.
    await pass('31 seconds');
    await collectDue();
    return killed;
  }

  test('two workers collect many accounts, each once', async () => {
    const all = await Promise.all(Array.from({ length: 12 }, () => reserve([0, 400], [1, 600])));
    await collectDue();
    await pass('1 day');
    await Promise.all([
      collectDue(),
      collectDue(),
      ...all.slice(0, 4).map((paid) => cancel(paid, 100)),
    ]);
    await collectDue();
    for (const paid of all) {
      assert.equal((await balancesOf(database, paid)).open, 0);
      await fits(paid);
    }
  });

  test('the money of a reservation is as it is due after every failure', async () => {
    const fault = fc.option(
      fc.constantFrom<Fault>('declined', 'lost before', 'lost after', 'kept before', 'kept after'),
      { freq: 2 },
    );
    const happening = fc.oneof(
      { weight: 4, arbitrary: fc.nat(14).map((steps) => ({ what: 'kill', by: steps }) as const) },
      { weight: 4, arbitrary: fc.nat(3).map((days) => ({ what: 'days', by: days }) as const) },
      { weight: 2, arbitrary: fc.nat(900).map((total) => ({ what: 'price', by: total }) as const) },
      { weight: 1, arbitrary: fc.nat(300).map((most) => ({ what: 'cancel', by: most }) as const) },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(fault, { maxLength: 12 }),
        fc.array(happening, { minLength: 2, maxLength: 8 }),
        async (faults, happenings) => {
          provider.nextFault = () => faults.shift() ?? null;
          const paid = await reserve([0, 400], [2, 300], [4, 200]);
          let isCancelled = false;
          for (const { what, by } of happenings) {
            if (what === 'days') await pass(`${by} days`);
            if (what === 'price' && !isCancelled) {
              await reprice(paid, [{ dueOn: await day(0), amount: by }]);
            }
            if (what === 'cancel' && !isCancelled) {
              const { due, collected, refunded } = await balancesOf(database, paid);
              await cancel(paid, Math.min(by, due, collected - refunded));
              isCancelled = true;
            }
            await killedAfter(what === 'kill' ? by : 99);
            const { due, collected, open, refunded } = await balancesOf(database, paid);
            assert.equal(due, collected + open - refunded);
          }
          provider.nextFault = () => null;
          for (const wait of ['1 hour', '8 days', '8 days', '1 hour']) {
            await pass(wait);
            await collectDue();
          }
          assert.equal((await balancesOf(database, paid)).open, 0);
          await fits(paid);
        },
      ),
      { numRuns: 10 },
    );
  });
});
