/** Reservations whose money we collect and for which no card is on file. Spec: MONEY-23. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { makePaymentLink, recordPayment, startPayment } from '../harness/acts.ts';
import { sql } from '../harness/rows.ts';
import { insertReservationWithoutCard, type PaidReservation } from './paid-reservation.ts';
import { openCollectedMoney, type CollectedMoney } from './collected-money.ts';

const reason = 'The guest has called.';

suite('payments › without a card', () => {
  let money: CollectedMoney;
  before(async () => {
    money = await openCollectedMoney();
    // In the simulation nothing is collected later.
    await sql(money.database, `UPDATE installation SET environment = 'test'`);
  });
  after(() => money.close());

  const reserve = async (...payments: [days: number, amount: number][]) =>
    insertReservationWithoutCard(
      money.database,
      money.applicationId,
      await money.schedule(...payments),
    );
  const waits = async (paid: PaidReservation) =>
    (await money.waits(paid)).map(({ kind, amount, reason: because }) => [kind, amount, because]);

  test('nothing is due: nothing waits, and a higher price waits for staff on its day', async () => {
    const free = await reserve();
    await money.collectDue();
    await money.assertBalances(free, { due: 0, collected: 0, open: 0, refunded: 0 });
    assert.deepEqual(await waits(free), []);
    await money.reprice(free, await money.schedule([0, 200], [2, 300]));
    await money.collectDue();
    assert.deepEqual(await waits(free), [['no_card', 200, 'no_card']]);
    await money.days(2);
    assert.deepEqual(await waits(free), [
      ['no_card', 200, 'no_card'],
      ['no_card', 300, 'no_card'],
    ]);
    await startPayment(money.database, 'staff', { reference: free.reference, reason });
    await money.collectDue();
    assert.equal((await waits(free)).length, 2, 'there is still no card');
    assert.deepEqual(money.charged(free), []);
  });

  test('what is recorded as paid outside waits no longer', async () => {
    const paid = await reserve([0, 500]);
    await money.collectDue();
    assert.deepEqual(await waits(paid), [['no_card', 500, 'no_card']]);
    const { reference } = paid;
    const collected = { kind: 'collected', amount: 500, method: 'transfer', reason } as const;
    await recordPayment(money.database, 'staff', { reference, ...collected });
    await money.collectDue();
    assert.deepEqual(await waits(paid), []);
    assert.equal((await money.balances(paid)).open, 0);
  });

  test('a payment link makes the customer of the provider, once, and what it brings is collected', async () => {
    const paid = await reserve([0, 500]);
    await money.collectDue();
    const context = {
      database: money.database,
      cardProvider: money.provider,
      baseUrl: 'https://stays.test',
    };
    const { url } = await makePaymentLink(context, 'staff', paid.reference);
    assert.equal((await makePaymentLink(context, 'staff', paid.reference)).url, url);
    await money.collectDue();
    assert.deepEqual(await waits(paid), [], 'it waits for the guest');
    money.provider.payPage(url);
    await money.pass('10 minutes');
    await money.collectDue();
    await money.fits(paid);
    await money.assertBalances(paid, { due: 500, collected: 500, open: 0, refunded: 0 });
    await money.reprice(paid, await money.schedule([0, 700]));
    await money.collectDue();
    assert.deepEqual(await waits(paid), [['no_card', 200, 'no_card']], 'a page keeps no card');
    await money.reprice(paid, await money.schedule([0, 400]));
    await money.collectDue();
    assert.equal((await money.balances(paid)).refunded, 100, 'what a page has brought can go back');
    await money.fits(paid);
  });
});
