/** The acts of the console that close what waits for people about money, in a browser. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { noteAdoptedEffect } from '../../src/payments/store/adoption.ts';
import { currentEpoch } from '../../src/platform/postgres/epochs.ts';
import { moneyText } from '../../console/src/base/words/money.ts';
import { openBrowser } from '../harness/browser.ts';
import { buildConsoleIfStale } from '../harness/built-console.ts';
import { plusDays } from '../harness/catalog.ts';
import { eventually } from '../harness/eventually.ts';
import { type Operator, operatorOf } from '../harness/operator.ts';
import { raisePrice } from '../harness/raise-price.ts';
import { sql } from '../harness/rows.ts';
import { type ConsoleUser, openConsole } from '../harness/staff-member.ts';
import { confirmedReference, submittedByCard } from '../harness/stripe/card-journey.ts';
import { postAll } from '../harness/stripe/events.ts';
import { type PaidService, startPaidService, webhookSecret } from '../harness/stripe/service.ts';
import { FakeProvider } from '../payments/fake-provider.ts';
import { insertKeptPayment } from '../payments/paid-reservation.ts';

const withinMs = 20_000;
const reason = 'The guest has called';

suite('the console: money that waits for people', () => {
  let service: PaidService;
  let operator: Operator;
  let browser: Browser;
  let user: ConsoleUser;
  let page: Page;

  before(async () => {
    buildConsoleIfStale();
    service = await startPaidService();
    operator = await operatorOf(service, 'finance');
    browser = await openBrowser();
    user = await openConsole(browser, service, 'finance');
    ({ page } = user);
  });
  after(async () => {
    await browser.close();
    await service.stop();
  });

  const waiting = async () =>
    (await operator.done('operator.attention.list', { query: { money: true } })).items;

  /** Opens the dialog of a button, fills it in, and does it once its preview is there. */
  async function act(button: string, amount: string | null, preview: string, does: string) {
    await page.getByRole('button', { name: button, exact: true }).click();
    const dialog = page.getByRole('dialog');
    if (amount !== null) await dialog.getByLabel('Amount').fill(amount);
    await dialog.getByText(preview, { exact: true }).first().waitFor();
    await dialog.getByLabel('Reason').fill(reason);
    await dialog.getByRole('button', { name: does, exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
  }

  test('what could not go back by itself is recorded as gone back in another way', async () => {
    const card = await service.partner({ settlement: 'card' });
    const { applicationId } = card.credentials;
    const provider = new FakeProvider();
    // The card provider of the service does not know this payment, so it refuses to give it back.
    const checkoutId = await insertKeptPayment(service.database, provider, applicationId, 18_000);
    const own = async () => (await waiting()).filter((one) => one.checkoutId === checkoutId);
    await eventually(async () => (await own()).length === 1, withinMs);
    await user.go('/waiting', 'Waiting');
    await act('Record that it went back', '180', 'Still to go back', 'Record it');
    await eventually(async () => (await own()).length === 0, withinMs);
    const entries = await sql(
      service.database,
      `SELECT kind, amount_minor::integer AS amount FROM payment_entries
        WHERE checkout_id = $1 AND kind = 'refunded_elsewhere'`,
      [checkoutId],
    );
    assert.deepEqual(entries, [{ kind: 'refunded_elsewhere', amount: 18_000 }]);
  });

  // Spec: MONEY-12.
  test('a dispute shows its reason in words, its amount and its deadline, in the list and on its page', async () => {
    const card = await service.partner({ settlement: 'card' });
    const reference = await confirmedReference(await submittedByCard(service, card));
    const { paymentIntent } = service.standIn.ledger.findLast(({ kind }) => kind === 'captured')!;
    const dispute = service.standIn.dispute(paymentIntent, 'product_not_received');
    await postAll(service.origin, service.standIn.events.slice(-1), webhookSecret);
    const own = async () => (await waiting()).filter((one) => one.reference === reference);
    await eventually(async () => (await own()).length === 1, withinMs);
    const [{ amount, currency, deadline } = { amount: 0, currency: '', deadline: null }] =
      await own();
    assert.equal(Date.parse(deadline!), dispute.evidence_details.due_by * 1_000);
    const money = moneyText(amount!, currency!);
    const words = /The cardholder disputes the payment: the guest did not get what was paid\./;
    for (const [address, title] of [
      ['/waiting', 'Waiting'],
      [`/reservations/${reference}`, reference],
    ] as const) {
      await user.go(address, title);
      const why = page.getByText(words);
      await why.waitFor();
      // The machine's word is on hover only.
      assert.equal(await why.getAttribute('title'), 'product_not_received');
      const asText = page.getByText('product_not_received').filter({ visible: true });
      assert.equal(await asText.count(), 0);
      const whole = address === '/waiting' ? page.getByRole('row') : page.getByRole('alert');
      const item = whole.filter({ hasText: words });
      await item.getByText('Disputed', { exact: true }).waitFor();
      await item.getByText(money).first().waitFor();
      await item.locator(`time[datetime='${deadline}']`).waitFor();
    }
  });

  test('money that moved outside is recorded, and is open no longer', async () => {
    const card = await service.partner({ settlement: 'card' });
    const reference = await confirmedReference(await submittedByCard(service, card));
    const later = plusDays(new Date().toISOString().slice(0, 10), 5);
    await raisePrice(service.database, reference, 5_000, later);
    const show = () => operator.done('operator.payment.get', { params: { reference } });
    const seen = await show();
    assert.equal(seen.open, 5_000);
    await user.go(`/reservations/${reference}`, reference);
    await act('Record money that moved elsewhere', '50', 'Open after', 'Record it');
    const { open, collected } = await show();
    assert.deepEqual([open, collected], [0, seen.collected + 5_000]);
  });

  // Spec: MONEY-10.
  test('a cancellation is refused if the balance is no longer that of its preview, and shows the new one', async () => {
    const card = await service.partner({ settlement: 'card' });
    const reference = await confirmedReference(await submittedByCard(service, card));
    const params = { reference };
    const later = plusDays(new Date().toISOString().slice(0, 10), 5);
    await raisePrice(service.database, reference, 5_000, later);
    const { collected, currency } = await operator.done('operator.payment.get', { params });
    const team = await openConsole(browser, service, 'reservations');
    await team.go(`/reservations/${reference}`, reference);
    await team.page.getByRole('button', { name: 'Cancel', exact: true }).click();
    const dialog = team.page.getByRole('dialog');
    await dialog.getByText('Reservation cancelled').waitFor();
    await dialog.getByLabel('Reason').fill(reason);
    await operator.done('operator.payment.record', {
      params,
      body: { kind: 'collected', amount: 5_000, method: 'transfer', reason },
    });
    const cancel = dialog.getByRole('button', { name: 'Cancel the reservation' });
    await cancel.click();
    await dialog.getByText(`What is open for ${reference}`).waitFor();
    assert.equal((await operator.done('operator.payment.get', { params })).state, 'confirmed');
    const shownThen = moneyText(collected + 5_000, currency);
    await dialog.getByText(shownThen, { exact: true }).first().waitFor();
    await cancel.click();
    await dialog.waitFor({ state: 'detached' });
    assert.equal((await operator.done('operator.payment.get', { params })).state, 'cancelled');
    await team.page.context().close();
  });

  test('what a restore has found and no reservation has a place for is closed', async () => {
    const lost = { applicationId: null, checkoutId: null, part: null } as const;
    const { epoch } = (await currentEpoch(service.database))!;
    await noteAdoptedEffect(service.database, epoch, {
      providerReference: 'pi_of_nobody',
      kind: 'payment',
      ...lost,
      amountMinor: 5_000,
      currency: 'USD',
      outcome: 'unmatched',
    });
    const kinds = async () => (await waiting()).map(({ kind }) => kind);
    assert.ok((await kinds()).includes('unmatched'));
    await user.go('/waiting', 'Waiting');
    const explained =
      'Then it waits no longer. First refund it in the dashboard of the card provider, or find out whose it is and write it as the reason.';
    await act('Close it', null, explained, 'Close it');
    await eventually(async () => !(await kinds()).includes('unmatched'), withinMs);
    await page
      .getByRole('button', { name: 'Close it', exact: true })
      .waitFor({ state: 'detached' });
  });
});
