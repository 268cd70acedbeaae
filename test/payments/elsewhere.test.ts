/** Money that moves elsewhere: what was refused or stopped stays so, and the ledger knows what staff have seen. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, suite, test } from 'node:test';
import { checkRefunds } from '../../src/payments/collection/check-refunds.ts';
import type { RecordInput } from '../../src/payments/staff/record-payment.ts';
import { claimAccounts, insertLaterIntent } from '../../src/payments/store/accounts.ts';
import { listEntries } from '../../src/payments/store/entries.ts';
import { enterDispute } from '../../src/payments/store/notices.ts';
import { Seen } from '../../src/api/seen.ts';
import { balancesOf, type PaidReservation } from './paid-reservation.ts';
import { openCollectedMoney, type CollectedMoney } from './collected-money.ts';
import { sql } from '../harness/rows.ts';
import {
  RefusedAct,
  recordPayment,
  reducePayment,
  refundPayment,
  startPayment,
  stopPayment,
} from '../harness/acts.ts';

const actor = 'test:staff';
const reason = 'The guest has called.';

suite('payments › money that moves elsewhere', () => {
  let money: CollectedMoney;

  before(async () => {
    money = await openCollectedMoney();
  });
  after(() => money.close());
  beforeEach(() => {
    money.provider.nextFault = () => null;
  });

  const record = ({ reference }: PaidReservation, kind: RecordInput['kind'], amount: number) =>
    recordPayment(money.database, actor, {
      reference,
      kind,
      amount,
      method: 'bank transfer',
      reason,
    });

  const refused = (work: Promise<unknown>, message: RegExp) =>
    assert.rejects(work, (error) => error instanceof RefusedAct && message.test(error.message));

  /** A reservation whose balance the card has declined for the last time. */
  async function declined(): Promise<PaidReservation> {
    const paid = await money.reserve([0, 180], [1, 420]);
    money.provider.nextFault = () => 'declined';
    await money.days(20);
    money.provider.nextFault = () => null;
    assert.deepEqual(
      money.charged(paid).slice(1),
      Array.from({ length: 6 }, () => 420),
    );
    return paid;
  }

  test('what staff have collected by transfer is not charged by the next unrelated change', async () => {
    const paid = await declined();
    const tries = money.charged(paid).length;
    await record(paid, 'collected', 420);
    await money.collectDue();
    await money.assertBalances(paid, { due: 600, collected: 600, open: 0, refunded: 0 });
    assert.deepEqual(await money.waits(paid), []);
    await money.changeParty(paid);
    await money.days(3);
    assert.equal(money.charged(paid).length, tries, 'the card was charged again');
    // What a later change adds is new money.
    await money.reprice(paid, await money.schedule([-23, 180], [-22, 420], [0, 50]));
    await money.days(1);
    assert.equal(money.charged(paid).at(-1), 50);
    assert.equal((await money.balances(paid)).open, 0);
  });

  // Spec: MONEY-5.
  test('a change of the reservation wakes nothing that was refused for good, until staff start it', async () => {
    const paid = await declined();
    const tries = money.charged(paid).length;
    assert.deepEqual(await money.waits(paid), [
      { kind: 'declined', amount: 420, reason: 'funds', code: 'insufficient_funds' },
    ]);
    await money.changeParty(paid);
    await money.days(3);
    assert.equal(money.charged(paid).length, tries, 'the card was charged again');
    await startPayment(money.database, actor, { reference: paid.reference, reason });
    await money.collectDue();
    assert.equal((await money.balances(paid)).collected, 600);
    assert.deepEqual(await money.waits(paid), []);
    await money.fits(paid);
    await refused(
      startPayment(money.database, actor, { reference: paid.reference, reason }),
      /nothing to start/,
    );
  });

  test('a refund that came back and was paid by transfer is not paid to the card again', async () => {
    const paid = await money.reserve([0, 400]);
    await money.reprice(paid, await money.schedule([0, 300]));
    await money.collectDue();
    assert.equal((await money.balances(paid)).refunded, 100);
    money.provider.sendRefundsBack(`cus_${paid.checkoutId}`);
    await money.pass('1 day');
    const log = { warn: () => undefined };
    await checkRefunds({ executor: money.database, provider: money.provider, log }, 5);
    await money.collectDue();
    assert.deepEqual(
      (await money.waits(paid)).map(({ kind, amount }) => [kind, amount]),
      [['refund_failed', 100]],
    );
    await record(paid, 'refunded', 100);
    await money.changeParty(paid);
    await money.days(2);
    await money.assertBalances(paid, { due: 300, collected: 400, open: 0, refunded: 100 });
    assert.deepEqual(await money.waits(paid), []);
    const made = money.provider.payments.find(
      (one) => one.customerReference === `cus_${paid.checkoutId}`,
    );
    assert.equal(made?.refunds.length, 1, 'the card was refunded again');
  });

  test('a refund that came back is not sent again by a change, and a later refund is its own', async () => {
    const paid = await money.reserve([0, 400]);
    await money.reprice(paid, await money.schedule([0, 300]));
    await money.collectDue();
    money.provider.sendRefundsBack(`cus_${paid.checkoutId}`);
    await money.pass('1 day');
    const log = { warn: () => undefined };
    await checkRefunds({ executor: money.database, provider: money.provider, log }, 5);
    await money.changeParty(paid);
    await money.collectDue();
    assert.equal((await money.balances(paid)).refunded, 0);
    await money.reprice(paid, await money.schedule([0, 270]));
    await money.collectDue();
    assert.equal((await money.balances(paid)).refunded, 30);
    assert.deepEqual(
      (await money.waits(paid)).map(({ kind, amount }) => [kind, amount]),
      [['refund_failed', 100]],
    );
  });

  test('a refund under way that gives back more than the cancellation lowers what is due, and opens nothing', async () => {
    const paid = await money.reserve([0, 400]);
    money.provider.nextFault = () => 'lost after';
    money.provider.lookUpsLost = 100;
    await money.reprice(paid, await money.schedule([0, 300]));
    await money.collectDue();
    money.provider.nextFault = () => null;
    await money.reprice(paid, await money.schedule([0, 400]));
    await money.cancel(paid, 20);
    money.provider.lookUpsLost = 0;
    await money.days(2);
    await money.assertBalances(paid, { due: 300, collected: 400, open: 0, refunded: 100 });
    await money.fits(paid);
  });

  // Spec: MONEY-12.
  test('a worker that decided before a dispute was told charges nothing after it', async () => {
    const paid = await money.reserve([0, 180], [1, 420]);
    await money.pass('1 day');
    const claims = await claimAccounts(money.database, 8, 30);
    const claim = claims.find(({ checkoutId }) => checkoutId === paid.checkoutId);
    const [payment] = await sql<{ paymentId: string; attemptId: string }>(
      money.database,
      'SELECT payment_id AS "paymentId", attempt_id AS "attemptId" FROM payment_intents WHERE checkout_id = $1',
      [paid.checkoutId],
    );
    await enterDispute(money.database, payment!.paymentId, {
      eventReference: `evt_${paid.checkoutId}`,
      disputeReference: `dp_${paid.checkoutId}`,
      amountMinor: 180,
      currency: 'USD',
      reason: 'fraudulent',
      state: 'needs_response',
      outcome: 'open',
      evidenceDueAt: Date.now(),
      feeMinor: null,
    });
    const charge = {
      attemptId: payment!.attemptId,
      purpose: 'instalment',
      dueOn: await money.day(0),
      amountMinor: 420,
      currency: 'USD',
      provider: money.provider.kind,
    } as const;
    assert.equal(await insertLaterIntent(money.database, claim!, charge), null);
    await money.pass('1 minute');
    await money.collectDue();
    assert.deepEqual(money.charged(paid), [180]);
  });

  // Spec: MONEY-5.
  test('staff stop collecting, and only staff start it again; refunds go on', async () => {
    const paid = await money.reserve([0, 180], [1, 420]);
    const { reference } = paid;
    await stopPayment(money.database, actor, { reference, reason });
    await refused(stopPayment(money.database, actor, { reference, reason }), /stopped already/);
    await money.days(3);
    await money.changeParty(paid);
    await money.days(3);
    assert.deepEqual(money.charged(paid), [180]);
    assert.deepEqual(
      (await money.waits(paid)).map(({ kind, amount }) => [kind, amount]),
      [['stopped', 420]],
    );
    await refundPayment(money.database, actor, { reference, reason, amount: 30 });
    await money.collectDue();
    assert.equal((await money.balances(paid)).refunded, 30);
    await startPayment(money.database, actor, { reference, reason });
    await money.collectDue();
    assert.deepEqual(money.charged(paid), [180, 420]);
    const entries = await listEntries(money.database, paid.applicationId, paid.checkoutId);
    const kinds = new Set(entries.map(({ kind }) => kind));
    assert.ok(kinds.has('stopped') && kinds.has('started'));
  });

  // Spec: MONEY-11.
  test('refund › gives back collected money, and what is still to be collected stays', async () => {
    const paid = await money.reserve([0, 180], [5, 420]);
    const { reference } = paid;
    const seenBalance = new Seen(420);
    const input = { reference, reason, amount: 50, seenBalance };
    const preview = await refundPayment(money.database, actor, { ...input, dryRun: true });
    assert.deepEqual([preview.givesBack, preview.lowersCollection], [50, 0]);
    await refundPayment(money.database, actor, input);
    await money.collectDue();
    await money.assertBalances(paid, { due: 550, collected: 180, open: 420, refunded: 50 });
    await money.days(6);
    assert.deepEqual(money.charged(paid), [180, 420]);
    assert.equal((await money.balances(paid)).open, 0);
    await money.fits(paid);
  });

  test('reduce › lowers the later instalment, and gives nothing back', async () => {
    const paid = await money.reserve([0, 180], [5, 420]);
    const { reference } = paid;
    const input = { reference, reason, amount: 50 };
    await refused(
      reducePayment(money.database, actor, { ...input, amount: 421 }),
      /more than the 420 that is still to be collected/,
    );
    await refused(
      reducePayment(money.database, actor, { ...input, seenBalance: new Seen(419) }),
      /open/,
    );
    const done = await reducePayment(money.database, actor, input);
    assert.deepEqual([done.givesBack, done.lowersCollection, done.after.open], [0, 50, 370]);
    await money.days(6);
    assert.deepEqual(money.charged(paid), [180, 370]);
    await money.assertBalances(paid, { due: 550, collected: 550, open: 0, refunded: 0 });
  });

  test('goodwill is remembered when the price changes and changes back', async () => {
    const paid = await money.reserve([0, 600]);
    const { reference } = paid;
    await refundPayment(money.database, actor, { reference, reason, amount: 550 });
    await money.collectDue();
    await money.reprice(paid, await money.schedule([0, 400]));
    await money.collectDue();
    await money.reprice(paid, await money.schedule([0, 600]));
    await money.collectDue();
    const { due, collected, refunded, open } = await money.balances(paid);
    assert.deepEqual({ due, kept: collected - refunded, open }, { due: 50, kept: 50, open: 0 });
    assert.ok(collected <= 650, `collected ${collected}`);
  });

  test('a part that the provider cannot take blocks no other', async () => {
    const paid = await money.reserve([0, 180], [5, 420]);
    await money.reprice(paid, await money.schedule([0, 207], [5, 420]));
    await money.days(6);
    assert.deepEqual(money.charged(paid), [180, 447]);
    assert.equal((await money.balances(paid)).open, 0);
  });

  // Spec: MONEY-4.
  test('record › what each kind does to the balances, and its bounds', async () => {
    const cases: [RecordInput['kind'], number, number, object][] = [
      ['collected', 421, 420, { due: 600, collected: 600, open: 0, refunded: 0 }],
      ['written_off', 421, 420, { due: 180, collected: 180, open: 0, refunded: 0 }],
      ['refunded', 181, 180, { due: 420, collected: 180, open: 420, refunded: 180 }],
      ['charged_back', 181, 180, { due: 420, collected: 180, open: 420, refunded: 180 }],
    ];
    for (const [kind, tooMuch, most, balances] of cases) {
      const paid = await money.reserve([0, 180], [30, 420]);
      await refused(record(paid, kind, tooMuch), new RegExp(`more than the ${most}`));
      const done = await record(paid, kind, most);
      assert.deepEqual(done.after, balances, kind);
      assert.deepEqual(await balancesOf(money.database, paid), balances, kind);
      await money.collectDue();
      assert.deepEqual(await balancesOf(money.database, paid), balances, `${kind}, settled`);
    }
  });

  // Spec: CLOCK-1.
  test('record › its day is that of the database, also where the clock of a process is months behind', async () => {
    const paid = await money.reserve([0, 180], [30, 420]);
    const [today, tomorrow, later] = [await money.day(0), await money.day(1), await money.day(2)];
    assert.ok(today > new Date().toISOString().slice(0, 10), 'the clocks do not differ');
    const on = (happenedOn?: string) =>
      recordPayment(money.database, actor, {
        reference: paid.reference,
        kind: 'collected',
        amount: 10,
        method: 'cash',
        reason,
        ...(happenedOn !== undefined && { happenedOn }),
      });
    assert.equal((await on()).happenedOn, today);
    assert.equal((await on(tomorrow)).happenedOn, tomorrow);
    await refused(on(later), /is in the future/);
  });

  test('record › a refund covers what is owed first, and lowers the price by the rest', async () => {
    const paid = await money.reserve([0, 400]);
    money.provider.nextFault = () => 'declined';
    await money.cancel(paid, 100);
    await money.collectDue();
    assert.equal((await money.balances(paid)).open, -100);
    const done = await record(paid, 'refunded', 150);
    assert.deepEqual(done.after, { due: 250, collected: 400, open: 0, refunded: 150 });
    await money.days(10);
    assert.deepEqual(await money.balances(paid), done.after);
  });

  test('record › money that the card pays at the same time goes back as surplus', async () => {
    const paid = await money.reserve([0, 180], [1, 420]);
    const { provider } = money;
    const charge = provider.charge;
    provider.charge = async (...asked) => {
      provider.charge = charge;
      await record(paid, 'collected', 420);
      return charge(...asked);
    };
    await money.days(2);
    await money.assertBalances(paid, { due: 600, collected: 1020, open: 0, refunded: 420 });
  });

  for (const [code, kind] of [
    ['stolen_card', 'card'],
    ['authentication_required', 'guest'],
    ['amount_too_large', 'amount'],
  ] as const) {
    test(`a refusal ${code} is tried once, and staff see it at once`, async () => {
      const paid = await money.reserve([0, 180], [1, 420]);
      const { provider } = money;
      const charge = provider.charge;
      provider.charge = async () => ({
        outcome: 'refused',
        reason: 'declined',
        declineCode: code,
        kind,
      });
      await money.days(1);
      assert.deepEqual(await money.waits(paid), [
        { kind: 'declined', amount: 420, reason: kind, code },
      ]);
      provider.charge = charge;
      await money.days(9);
      assert.deepEqual(money.charged(paid), [180]);
    });
  }
});
