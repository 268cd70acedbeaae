/** The sandbox on order, as a partner uses it in the portal. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import type { BookInput } from '../../src/contract/sandbox/conformance.ts';
import { openBrowser } from '../harness/browser.ts';
import { eventually } from '../harness/eventually.ts';
import { faultsOf } from '../harness/page-faults.ts';
import type { Partner } from '../harness/partner.ts';
import { openPortalCaller, type PortalUser } from '../harness/portal-caller.ts';
import { Receiver } from '../harness/receiver.ts';
import { order } from '../harness/sandbox.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { addEndpoint } from '../harness/webhooks.ts';

describe('the sandbox in the portal', () => {
  let service: TestService;
  let browser: Browser;
  let partner: Partner;
  let receiver: Receiver;
  let user: PortalUser;

  before(async () => {
    service = await startTestService();
    browser = await openBrowser();
    partner = await service.partner();
    receiver = await Receiver.start();
    await addEndpoint(service.database, partner.credentials.applicationId, receiver.url());
    user = await openPortalCaller(browser, service, partner);
    await user.enter();
  });
  after(async () => {
    await browser?.close();
    await receiver?.close();
    await service?.stop();
  });

  const form = (name: string) => user.page.getByRole('form', { name, exact: true });
  const button = (name: string) => user.page.getByRole('button', { name, exact: true });
  const text = (words: string) => user.page.getByText(words).first();
  const rules = () =>
    user.page
      .getByRole('table', { name: 'Rules' })
      .getByRole('row')
      .filter({ has: user.page.getByRole('cell') });

  it('sets a rule, shows its hits with their calls, and removes it', async () => {
    await user.go('Sandbox');
    await text('No rules: your calls are answered as usual.').waitFor();
    const add = form('Add a rule');
    await add.getByLabel('Operation').selectOption('distribution.site.get');
    await add.getByLabel('What happens').selectOption('503 unavailable');
    await add.getByLabel('Retry-After, seconds').fill('7');
    await button('Add the rule').click();
    await text('Answered with 503, Retry-After 7 s').waitFor();
    assert.equal((await partner.call('distribution.site.get')).status, 503);
    await partner.succeed('distribution.site.get');
    // The page reads the hits again by itself.
    const hit = user.page.getByRole('table', { name: 'Rules' }).getByRole('link');
    await hit.waitFor();
    assert.deepEqual(await faultsOf(user.page), []);
    await hit.click();
    await text('Sandbox').waitFor();
    await user.go('Sandbox');
    await add.getByLabel('What happens').selectOption('A late answer');
    await add.getByLabel('Milliseconds').fill('5');
    await add.getByLabel('When').selectOption('This share of calls, in percent');
    await add.getByLabel('Percent').fill('50');
    await button('Add the rule').click();
    await text('50 % of the calls').waitFor();
    await button('Remove rule 1').click();
    await rules().nth(1).waitFor({ state: 'detached' });
    const { rules: left } = await order(partner, 'sandbox.faults.get');
    assert.deepEqual(
      left.map(({ match, do: action }) => ({ match, action })),
      [
        {
          match: { operation: 'reservation.quote.create', probability: 0.5 },
          action: { delayMs: 5 },
        },
      ],
    );
    await button('Remove all rules').click();
    await text('No rules: your calls are answered as usual.').waitFor();
  });

  it('orders the next outcome, and lets bookings take their nights', async () => {
    await form('Order the next outcome').getByLabel('Outcome').selectOption('Sold out');
    await button('Order').click();
    await text('Ordered: Sold out.').waitFor();
    const open = await partner.submittedCheckout();
    const { failure } = await partner.statusOnce(open, ['failed']);
    assert.equal(failure?.reason, 'sold_out');
    const occupy = user.page.getByRole('switch', { name: 'My confirmed bookings' });
    await occupy.click();
    await eventually(
      async () => (await order(partner, 'sandbox.outcome.order', { body: {} })).occupy,
    );
    await eventually(() => occupy.isChecked());
    await occupy.click();
    await eventually(
      async () => !(await order(partner, 'sandbox.outcome.order', { body: {} })).occupy,
    );
  });

  it('ends a quote now, and says what is wrong with an ID', async () => {
    const { quoteId } = await partner.quote();
    const end = form('End the quote');
    await end.getByLabel('Quote ID').fill('no ID');
    await button('End the quote').click();
    await user.page.getByRole('alert').getByTitle('/quoteId', { exact: true }).waitFor();
    await end.getByLabel('Quote ID').fill(quoteId);
    await button('End the quote').click();
    await text('The quote has expired.').waitFor();
    const body = { checkoutId: crypto.randomUUID(), quoteId };
    assert.equal(
      (await partner.refused('reservation.checkout.create', { body })).code,
      'quote_expired',
    );
  });

  it('changes a reservation as staff would, and delivers an event once more', async () => {
    const open = await partner.submittedCheckout();
    const { reference } = await partner.statusOnce(open, ['confirmed']);
    await user.page.goto(`${service.origin}/portal/bookings/checkout/${open.created.checkoutId}`);
    const change = form('Change the reservation');
    await change.getByLabel('Total, minor units').fill('123400');
    await change.getByRole('button', { name: 'Change' }).click();
    await text('The reservation is changed.').waitFor();
    const { charges } = await partner.succeed('reservation.reservation.get', {
      params: { reference: reference! },
    });
    assert.equal(charges.total, 123_400);
    assert.deepEqual(await faultsOf(user.page), []);
    await user.page.getByRole('link', { name: 'Show the event' }).first().click();
    const deliver = form('Deliver once more');
    await deliver.waitFor();
    const arrived = receiver.arrivals.length;
    await deliver.getByLabel('Copies').fill('2');
    await deliver.getByRole('button', { name: 'Deliver' }).click();
    await text('2 deliveries ordered.').waitFor();
    await eventually(() => Promise.resolve(receiver.arrivals.length >= arrived + 2), 20_000);
    assert.deepEqual(await faultsOf(user.page), []);
  });

  it('begins a run, shows live what the judge waits for, and what it found with rule and call', async () => {
    const { page } = user;
    await user.go('Conformance');
    await text('No runs yet').waitFor();
    const profile = page.getByLabel('How your program books');
    assert.equal(await profile.locator('option').count(), 2, 'no profile of another settlement');
    await button('Start a run').click();
    await page.getByRole('heading', { level: 1, name: 'Conformance run' }).waitFor();
    assert.deepEqual(await faultsOf(page), []);
    const { items } = await order(partner, 'sandbox.run.list');
    const params = { runId: items[0]!.runId };
    const taskNow = async () => {
      const { scenarios } = await order(partner, 'sandbox.run.get', { params });
      return scenarios.find(({ state }) => state === 'running')!.task!.input as BookInput;
    };
    const awaited = page.getByRole('status', { name: 'What the judge waits for' });
    const row = (scenario: string) =>
      page.getByRole('table', { name: 'Scenarios' }).getByRole('row').filter({ hasText: scenario });

    await button('Start quote-reply-lost').click();
    await awaited.getByText('The first quote, at which something is played.').waitFor();
    const { listingId, checkIn, checkOut, party } = await taskNow();
    const stay = { listingId, checkIn, checkOut, party };
    const quote = { body: { quoteId: crypto.randomUUID(), ...stay } };
    await assert.rejects(partner.call('reservation.quote.create', quote), 'its reply is lost');
    await awaited.getByText('The create was not sent again.').waitFor();
    await text('Calls until now: 1.').waitFor();
    assert.deepEqual(await faultsOf(page), []);
    await partner.succeed('reservation.quote.create', quote);
    await awaited.getByText('The create was not sent again.').waitFor({ state: 'detached' });
    const say = form('Say the outcome');
    await say.getByLabel('How it ended').selectOption('failed');
    await button('Have it judged').click();
    await row('quote-reply-lost').getByText('The program said').waitFor();

    await button('Start rule-refused').click();
    await awaited.getByText('The outcome refused').waitFor();
    const wanted = await taskNow();
    for (let times = 1; times <= 2; times += 1) {
      const large = { listingId: wanted.listingId, party: wanted.party };
      const dates = { checkIn: wanted.checkIn, checkOut: wanted.checkOut };
      const body = { quoteId: crypto.randomUUID(), ...large, ...dates };
      assert.equal((await partner.refused('reservation.quote.create', { body })).status, 422);
    }
    await say.getByLabel('How it ended').selectOption('refused');
    await say.getByLabel('What belongs to it, as JSON').fill('[1]');
    await text('This is no JSON object.').waitFor();
    await say.getByLabel('What belongs to it, as JSON').fill('');
    await button('Have it judged').click();
    const judged = row('rule-refused');
    await judged.getByText('It was quoted 2 times.').waitFor();
    await judged.getByText('A refusal that no repeat can change is told').waitFor();
    assert.deepEqual(await faultsOf(page), []);
    await judged.getByRole('link').first().click();
    await page.getByRole('heading', { level: 1, name: 'POST /v1/quotes' }).waitFor();
    await page.goBack();

    await user.go('Conformance');
    await button('Start a run').click();
    await page.getByRole('link', { name: 'The run that is open' }).click();
    await button('End the run').click();
    const report = page.getByRole('link', { name: 'The signed report' });
    await report.waitFor();
    const [download] = await Promise.all([page.waitForEvent('download'), report.click()]);
    assert.equal(download.suggestedFilename(), `conformance-${params.runId}.jose`);
    assert.match(await readFile(await download.path(), 'utf8'), /^[\w-]+\.[\w-]+\.[\w-]+$/);
    assert.equal((await order(partner, 'sandbox.run.get', { params })).state, 'failed');
    assert.deepEqual(await faultsOf(page), []);
  });

  it('ends all tokens now', async () => {
    const token = await partner.token();
    await user.go('Sandbox');
    await button('End all tokens').click();
    await text('All tokens have ended.').waitFor();
    assert.equal((await partner.refused('distribution.site.get', { token })).status, 401);
  });
});
