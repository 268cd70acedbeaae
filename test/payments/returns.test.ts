/** Money of checkouts that have failed: it goes back, and what cannot go back waits for staff until they close it. Spec: MONEY-22. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, suite, test } from 'node:test';
import { sweepAbandonedCheckouts } from '../../src/bookings/store/abandoned-bookings.ts';
import { checkRefunds } from '../../src/payments/collection/check-refunds.ts';
import { sql } from '../harness/rows.ts';
import { insertKeptPayment } from './paid-reservation.ts';
import { openCollectedMoney, type CollectedMoney } from './collected-money.ts';
import { RefusedAct, recordReturn } from '../harness/acts.ts';

const log = { warn: () => undefined };

suite('payments › money of failed checkouts', () => {
  let money: CollectedMoney;

  before(async () => {
    money = await openCollectedMoney();
  });
  after(() => money.close());
  beforeEach(() => {
    money.provider.nextFault = () => null;
  });

  const insert = (amount: number) =>
    insertKeptPayment(money.database, money.provider, money.applicationId, amount);

  const giveBack = () => money.giveBack();
  const waiting = (checkoutId: string) => money.waitsOfCheckout(checkoutId);

  const refundsOf = (checkoutId: string) =>
    money.provider.payments
      .filter(({ customerReference }) => customerReference === `cus_${checkoutId}`)
      .flatMap(({ refunds }) => refunds.map(({ amountMinor, state }) => [amountMinor, state]));

  const record = (checkoutId: string, amount: number, dryRun = false) =>
    recordReturn(money.database, 'staff', {
      checkoutId,
      amount,
      method: 'bank transfer',
      reason: 'The card was closed.',
      dryRun,
    });

  const refused = (work: Promise<unknown>, message: RegExp) =>
    assert.rejects(work, (error) => error instanceof RefusedAct && message.test(error.message));

  for (const [elsewhere, refunds] of [
    [50, [50, 130]],
    [180, [180]],
  ] as const) {
    test(`${elsewhere} of 180 were refunded in the dashboard: the rest goes back, and nothing waits`, async () => {
      const checkoutId = await insert(180);
      money.provider.refundElsewhere(`cus_${checkoutId}`, elsewhere);
      await giveBack();
      assert.deepEqual(
        refundsOf(checkoutId),
        refunds.map((amount) => [amount, 'done']),
      );
      assert.deepEqual(await waiting(checkoutId), []);
    });
  }

  test('a refusal for lack of money is tried again after a day', async () => {
    const checkoutId = await insert(180);
    money.provider.nextFault = () => 'declined';
    await giveBack();
    assert.deepEqual(await waiting(checkoutId), [['refund_refused', 180]]);
    money.provider.nextFault = () => null;
    await giveBack();
    assert.deepEqual(refundsOf(checkoutId), []);
    await money.pass('1 day');
    await giveBack();
    assert.deepEqual(refundsOf(checkoutId), [[180, 'done']]);
    assert.deepEqual(await waiting(checkoutId), []);
  });

  test('what the bank has sent back waits until staff record that it went back in another way', async () => {
    const checkoutId = await insert(180);
    await giveBack();
    money.provider.sendRefundsBack(`cus_${checkoutId}`);
    await money.pass('1 day');
    await checkRefunds({ executor: money.database, provider: money.provider, log }, 50);
    await giveBack();
    assert.deepEqual(await waiting(checkoutId), [['refund_failed', 180]]);

    await refused(record(checkoutId, 181), /more than the 180 that has not gone back/);
    assert.equal((await record(checkoutId, 180, true)).left, 0);
    assert.deepEqual(await waiting(checkoutId), [['refund_failed', 180]]);
    assert.equal((await record(checkoutId, 80)).left, 100);
    await giveBack();
    assert.deepEqual(await waiting(checkoutId), [['refund_failed', 100]]);
    assert.equal((await record(checkoutId, 100)).left, 0);
    await giveBack();
    assert.deepEqual(await waiting(checkoutId), []);
    await refused(record(checkoutId, 1), /more than the 0 that has not gone back/);
    assert.deepEqual(refundsOf(checkoutId), [[180, 'failed']]);
    const actions = await sql<{ action: string }>(
      money.database,
      `SELECT action FROM audit_entries WHERE details ->> 'checkoutId' = $1`,
      [checkoutId],
    );
    assert.deepEqual(
      actions.map(({ action }) => action),
      ['payment.record-return', 'payment.record-return'],
    );
  });

  test('404 › a checkout without money', () =>
    refused(record('00000000-0000-4000-8000-000000000000', 1), /without a reservation/));

  test('a failed checkout is not swept while its money may have to go back', async () => {
    const due = await insert(180);
    const closed = await insert(180);
    const old = async (checkoutId: string) => {
      await sql(
        money.database,
        `UPDATE bookings SET created_at = now() - interval '40 days', updated_at = now() - interval '40 days'
          WHERE booking_id = $1`,
        [checkoutId],
      );
    };
    await old(due);
    await sweepAbandonedCheckouts(money.database, 30, 100);
    const left = async () =>
      (
        await sql<{ id: string }>(
          money.database,
          'SELECT booking_id AS id FROM bookings WHERE booking_id = ANY ($1)',
          [[due, closed]],
        )
      ).map(({ id }) => id);
    assert.deepEqual(new Set(await left()), new Set([due, closed]));
    money.provider.nextFault = () => 'declined';
    await giveBack();
    await sweepAbandonedCheckouts(money.database, 30, 100);
    assert.ok((await left()).includes(due), 'staff still have to decide');
    await record(due, 180);
    await giveBack();
    await sweepAbandonedCheckouts(money.database, 30, 100);
    assert.deepEqual(await left(), [closed]);
  });
});
