/** Refunds that staff make in the provider's dashboard: the ledger knows them, and none opens anything to collect. Spec: MONEY-21. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, suite, test } from 'node:test';
import { checkRefunds } from '../../src/payments/collection/check-refunds.ts';
import { listEntries } from '../../src/payments/store/entries.ts';
import { takePaymentNotice } from '../../src/payments/take-notice.ts';
import { sql } from '../harness/rows.ts';
import type { PaidReservation } from './paid-reservation.ts';
import { openCollectedMoney, type CollectedMoney } from './collected-money.ts';
import { recordPayment, refundPayment } from '../harness/acts.ts';

const log = { warn: () => undefined };

suite('payments › refunds made in the dashboard', () => {
  let money: CollectedMoney;

  before(async () => {
    money = await openCollectedMoney();
  });
  after(() => money.close());
  beforeEach(() => {
    money.provider.nextFault = () => null;
  });

  const customerOf = ({ checkoutId }: PaidReservation) => `cus_${checkoutId}`;

  /** The provider tells of a refund; `isElsewhere` false: of the whole payment, as older endpoints do. */
  const tell = (
    providerReference: string,
    isElsewhere = true,
    refundedMinor: number | null = null,
  ) =>
    takePaymentNotice(money.database, {
      eventReference: `evt ${providerReference}`,
      providerReference,
      paymentId: null,
      refund: { isElsewhere, refundedMinor },
      dispute: null,
    });

  const kinds = async (paid: PaidReservation) =>
    (await money.waits(paid)).map(({ kind, amount, code }) => [kind, amount, code]);

  for (const [name, isElsewhere, refundedMinor] of [
    ['refund', true, null],
    ['charge', false, 50],
  ] as const) {
    // Spec: MONEY-21.
    test(`an event of the ${name}: nothing is collected again, and a cancellation pays only what is left`, async () => {
      const paid = await money.reserve([0, 180], [30, 420]);
      const { providerReference } = money.provider.refundElsewhere(customerOf(paid), 50);
      await tell(providerReference, isElsewhere, refundedMinor);
      await money.collectDue();
      const known = { due: 550, collected: 180, open: 420, refunded: 50 };
      assert.deepEqual(await money.balances(paid), known);
      // The same event again.
      await tell(providerReference, isElsewhere, refundedMinor);
      await money.collectDue();
      assert.deepEqual(await money.balances(paid), known);
      await money.cancel(paid, 130);
      await money.days(2);
      await money.assertBalances(paid, { due: 0, collected: 180, open: 0, refunded: 180 });
      assert.deepEqual(await kinds(paid), []);
      await money.fits(paid);
    });
  }

  /** 150 of 180 were paid back outside, then 100 in the dashboard: 30 of them go back to the guest, 70 are lost. */
  async function paidBackTwice(...later: [number, number][]): Promise<PaidReservation> {
    const paid = await money.reserve([0, 180], ...later);
    const outside = { kind: 'refunded', amount: 150, method: 'transfer', reason: 'x' } as const;
    await recordPayment(money.database, 'staff', { reference: paid.reference, ...outside });
    const { providerReference } = money.provider.refundElsewhere(customerOf(paid), 100);
    await tell(providerReference);
    await money.collectDue();
    return paid;
  }

  /** The rows of the ledger that move money of refunds by the provider. */
  const moved = async ({ applicationId, checkoutId }: PaidReservation) =>
    (await listEntries(money.database, applicationId, checkoutId))
      .filter(({ debit, refundId }) => debit !== null && refundId !== null)
      .map(({ kind, debit, credit, amountMinor }) => [kind, debit, credit, amountMinor]);

  const goneBackAndLost = [
    ['refunded', 'open', 'refunded', 30],
    ['uncovered', 'due', 'open', 30],
    ['lost', 'losses', 'provider', 70],
  ];

  test('what was already paid back outside and is refunded in the dashboard too is a loss in the ledger', async () => {
    const paid = await paidBackTwice([30, 420]);
    await money.assertBalances(paid, { due: 420, collected: 180, open: 420, refunded: 180 });
    assert.deepEqual(await moved(paid), goneBackAndLost);
  });

  test('a loss that the bank sends back is lost no more, and only the rest waits for staff', async () => {
    const paid = await paidBackTwice();
    money.provider.sendRefundsBack(customerOf(paid));
    await money.pass('1 day');
    await checkRefunds({ executor: money.database, provider: money.provider, log }, 50);
    await money.collectDue();
    assert.deepEqual(await moved(paid), [
      ...goneBackAndLost,
      ['refund_failed', 'refunded', 'open', 30],
      ['recovered', 'provider', 'losses', 70],
    ]);
    await money.assertBalances(paid, { due: 0, collected: 180, open: -30, refunded: 150 });
    assert.deepEqual(await kinds(paid), [['refund_failed', 30, 'expired_or_canceled_card']]);
  });

  for (const elsewhere of [50, 180]) {
    test(`without an event, ${elsewhere} of 180: a full cancellation is not refused for ever`, async () => {
      const paid = await money.reserve([0, 180], [30, 420]);
      money.provider.refundElsewhere(customerOf(paid), elsewhere);
      await money.cancel(paid, 180);
      await money.collectDue();
      await money.assertBalances(paid, { due: 0, collected: 180, open: 0, refunded: 180 });
      assert.deepEqual(await kinds(paid), []);
      await money.fits(paid);
    });
  }

  test('one of the latest payment leaves the rest to an earlier one', async () => {
    const paid = await money.reserve([0, 180], [1, 420]);
    await money.days(1);
    money.provider.refundElsewhere(customerOf(paid), 420);
    await money.cancel(paid, 600);
    await money.collectDue();
    await money.assertBalances(paid, { due: 0, collected: 600, open: 0, refunded: 600 });
    await money.fits(paid);
  });

  test('one covers first what staff have decided to give back', async () => {
    const paid = await money.reserve([0, 400]);
    money.provider.nextFault = () => 'declined';
    const reason = 'The heater was broken.';
    const { reference } = paid;
    await refundPayment(money.database, 'staff', { reference, reason, amount: 100 });
    await money.collectDue();
    money.provider.nextFault = () => null;
    assert.deepEqual(await kinds(paid), [['refund_refused', 100, 'no_funds']]);
    const { providerReference } = money.provider.refundElsewhere(customerOf(paid), 150);
    await tell(providerReference);
    await money.collectDue();
    await money.assertBalances(paid, { due: 250, collected: 400, open: 0, refunded: 150 });
    assert.deepEqual(await kinds(paid), []);
  });

  test('one that the bank sends back waits for staff', async () => {
    const paid = await money.reserve([0, 400]);
    const { providerReference } = money.provider.refundElsewhere(customerOf(paid), 150);
    await tell(providerReference);
    await money.collectDue();
    money.provider.sendRefundsBack(customerOf(paid));
    await money.pass('1 day');
    await checkRefunds({ executor: money.database, provider: money.provider, log }, 50);
    await money.collectDue();
    assert.deepEqual(await kinds(paid), [['refund_failed', 150, 'expired_or_canceled_card']]);
    await money.assertBalances(paid, { due: 250, collected: 400, open: -150, refunded: 0 });
  });

  test('our refund that came back unseen, and was made again in the dashboard, is one refund', async () => {
    const paid = await money.reserve([0, 400]);
    await money.reprice(paid, await money.schedule([0, 0]));
    await money.collectDue();
    money.provider.sendRefundsBack(customerOf(paid));
    const { providerReference } = money.provider.refundElsewhere(customerOf(paid), 400);
    await tell(providerReference);
    await money.collectDue();
    await money.assertBalances(paid, { due: 0, collected: 400, open: 0, refunded: 400 });
    assert.deepEqual(await kinds(paid), []);
    await money.fits(paid);
  });

  test('an answer that is lost is asked for again', async () => {
    const paid = await money.reserve([0, 180]);
    const { providerReference } = money.provider.refundElsewhere(customerOf(paid), 50);
    money.provider.lookUpsLost = 1;
    await tell(providerReference);
    await money.collectDue();
    assert.equal((await money.balances(paid)).refunded, 0);
    await money.days(1);
    assert.equal((await money.balances(paid)).refunded, 50);
    const flagged = await sql(
      money.database,
      'SELECT FROM payment_intents WHERE refunds_changed_at IS NOT NULL',
    );
    assert.equal(flagged.length, 0);
  });
});
