/** Reservations whose money a settlement collects, with a provider in memory and a clock of the test. */
import assert from 'node:assert/strict';
import type { Charges } from '../../src/contract/partner/schemas/quote.ts';
import { collectAccount } from '../../src/payments/collection/collect-account.ts';
import { readAttention } from '../../src/attention/store/waiting.ts';
import { moneyAttention } from '../../src/payments/index.ts';
import { returnPayment } from '../../src/payments/returns/return-payment.ts';
import { claimReturns } from '../../src/payments/store/returns.ts';
import { believed } from '../../src/platform/clock.ts';
import { claimAccounts } from '../../src/payments/store/accounts.ts';
import { registerPartner } from '../harness/registration.ts';
import { sql } from '../harness/rows.ts';
import { FakeProvider } from './fake-provider.ts';
import {
  assertLedgerFits,
  type Balances,
  balancesOf,
  chargesOf,
  insertPaidReservation,
  type PaidReservation,
} from './paid-reservation.ts';
import { type ClockedDatabase, createClockedDatabase } from './simulation/virtual-clock.ts';

const roundsAtMost = 500;

/** A part of the money that waits for staff, as the worker has written it. */
export interface WrittenWait {
  kind: string;
  amount: number;
  reason: string;
  code: string | null;
}

/** The money of some reservations. */
export class CollectedMoney {
  readonly opened: ClockedDatabase;
  readonly provider = new FakeProvider();
  readonly applicationId: string;

  constructor(opened: ClockedDatabase, applicationId: string) {
    this.opened = opened;
    this.applicationId = applicationId;
  }

  get database() {
    return this.opened.database;
  }

  /** Lets time pass: '1 day'. */
  async pass(interval: string): Promise<void> {
    const [row] = await sql<{ seconds: number }>(
      this.database,
      'SELECT extract(epoch FROM $1::interval)::float8 AS seconds',
      [interval],
    );
    await this.opened.clock.set(this.opened.clock.now() + row!.seconds * 1_000);
  }

  /** Days after now, by the clock of the database. */
  async day(days: number): Promise<string> {
    const text = 'SELECT now()::date + $1::integer AS day';
    const [row] = await sql<{ day: string }>(this.database, text, [days]);
    return row!.day;
  }

  async schedule(...payments: [days: number, amount: number][]): Promise<Charges['schedule']> {
    const schedule: Charges['schedule'] = [];
    for (const [days, amount] of payments) schedule.push({ dueOn: await this.day(days), amount });
    return schedule;
  }

  async reserve(...payments: [days: number, amount: number][]): Promise<PaidReservation> {
    const schedule = await this.schedule(...payments);
    return insertPaidReservation(this.database, this.provider, this.applicationId, schedule);
  }

  /** Settles accounts until none is due. */
  async collectDue(): Promise<void> {
    const context = { executor: this.database, provider: this.provider, clock: believed };
    for (let round = 0; round < roundsAtMost; round += 1) {
      const claims = await claimAccounts(this.database, 8, 30);
      if (claims.length === 0) return;
      for (const claim of claims) await collectAccount(context, claim);
    }
    throw new Error('the settlement does not end');
  }

  /** Gives the money of failed checkouts back until nothing is due. */
  async giveBack(): Promise<void> {
    const context = { executor: this.database, provider: this.provider };
    for (let round = 0; round < roundsAtMost; round += 1) {
      const claims = await claimReturns(this.database, 8, 30);
      if (claims.length === 0) return;
      for (const claim of claims) await returnPayment(context, claim);
    }
    throw new Error('giving back does not end');
  }

  /** What waits for staff of a checkout that became no reservation. */
  async waitsOfCheckout(checkoutId: string): Promise<[kind: string, amount: number | null][]> {
    return (await readAttention(this.database, moneyAttention, 100))
      .filter((one) => one.checkoutId === checkoutId)
      .map(({ kind, amount }) => [kind, amount]);
  }

  /** Lets days pass, one after the other. */
  async days(count: number): Promise<void> {
    for (let day = 0; day < count; day += 1) {
      await this.pass('1 day');
      await this.collectDue();
    }
  }

  cancel({ reference }: PaidReservation, refundMinor: number) {
    return sql(
      this.database,
      `UPDATE reservations SET version = version + 1, state = 'cancelled', cancelled_at = now(),
        refund_minor = $2 WHERE reference = $1`,
      [reference, refundMinor],
    );
  }

  reprice({ reference }: PaidReservation, schedule: Charges['schedule']) {
    return sql(
      this.database,
      'UPDATE reservations SET version = version + 1, charges = $2 WHERE reference = $1',
      [reference, JSON.stringify(chargesOf(schedule))],
    );
  }

  /** A change that has no effect on the price: another infant. */
  changeParty({ reference }: PaidReservation) {
    return sql(
      this.database,
      'UPDATE reservations SET version = version + 1 WHERE reference = $1',
      [reference],
    );
  }

  balances = (reservation: PaidReservation) => balancesOf(this.database, reservation);

  async assertBalances(reservation: PaidReservation, expected: Balances): Promise<void> {
    assert.deepEqual(await this.balances(reservation), expected);
  }

  fits = (reservation: PaidReservation) =>
    assertLedgerFits(this.database, this.provider, reservation);

  waits({ checkoutId }: PaidReservation): Promise<WrittenWait[]> {
    return sql<WrittenWait>(
      this.database,
      `SELECT kind, amount_minor AS amount, reason, code FROM payment_waits WHERE checkout_id = $1
        ORDER BY kind, part`,
      [checkoutId],
    );
  }

  /** The amounts that the provider was asked for and has captured or declined, in order. */
  charged({ checkoutId }: PaidReservation): number[] {
    return this.provider.payments
      .filter((one) => one.customerReference === `cus_${checkoutId}`)
      .map(({ amountMinor }) => amountMinor);
  }

  async close(): Promise<void> {
    await this.opened.drop();
  }
}

/** Opens a database with a card-paying application. */
export async function openCollectedMoney(): Promise<CollectedMoney> {
  const opened = await createClockedDatabase();
  const partner = await registerPartner(opened.database, '', { settlement: 'card' });
  return new CollectedMoney(opened, partner.credentials.applicationId);
}
