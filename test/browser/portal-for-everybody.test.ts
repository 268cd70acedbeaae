/** The portal by the keyboard, in the colours of the system, while it is hidden, and at the end of a session. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { listWebhookEndpoints } from '../../src/webhooks/store/endpoints.ts';
import { openBrowser } from '../harness/browser.ts';
import { eventually } from '../harness/eventually.ts';
import type { Partner } from '../harness/partner.ts';
import { openPortalCaller, type PortalUser } from '../harness/portal-caller.ts';
import { Receiver } from '../harness/receiver.ts';
import { startTestService, type TestService } from '../harness/service.ts';

// The texts are run in the page: the project's own types know no browser.
const focused = `document.activeElement.getAttribute('aria-label') || document.activeElement.textContent || document.activeElement.name`;
const focusInDialog = `document.querySelector('[role=dialog]').contains(document.activeElement)`;

describe('accessibility of the portal', () => {
  let service: TestService;
  let browser: Browser;
  let partner: Partner;
  let receiver: Receiver;
  /** In the window of the first tests. */
  let portalCaller: PortalUser;

  const visit = async (
    options: Parameters<typeof openPortalCaller>[3] = {},
  ): Promise<PortalUser> => {
    const user = await openPortalCaller(browser, service, partner, options);
    await user.enter();
    return user;
  };

  before(async () => {
    service = await startTestService();
    browser = await openBrowser();
    partner = await service.partner();
    receiver = await Receiver.start();
  });

  after(async () => {
    await browser?.close();
    await receiver?.close();
    await service?.stop();
  });

  it('adds an endpoint by the keyboard alone', async () => {
    portalCaller = await visit();
    const { page, dialog } = portalCaller;
    const press = (key: string) => page.keyboard.press(key);
    await page.getByRole('button', { name: 'Add endpoint' }).first().waitFor();
    await press('Tab');
    assert.equal(await page.evaluate(focused), 'Skip to content');
    await press('Enter');
    await page.locator('main:focus').waitFor();
    await press('Tab');
    assert.equal(await page.evaluate(focused), 'Add endpoint');
    await press('Enter');
    await dialog.waitFor();
    const url = dialog.getByLabel('URL');
    await eventually(async () => (await url.and(page.locator(':focus')).count()) === 1);
    await page.keyboard.type(receiver.url());
    for (let times = 0; times < 20; times += 1) {
      await press('Tab');
      assert.equal(await page.evaluate(focusInDialog), true, 'the focus stays in the dialog');
    }
    await url.focus();
    await press('Tab');
    await page.keyboard.type('By keyboard');
    await press('Tab');
    await press('ArrowDown');
    assert.equal(await dialog.getByLabel('Only these:').isChecked(), true);
    await dialog.getByLabel('checkout.resolved').waitFor();
    await press('Tab');
    await press('Space');
    assert.equal(await dialog.getByLabel('checkout.resolved').isChecked(), true);
    await press('Enter');
    await dialog.getByLabel('signing secret', { exact: true }).waitFor();
    await press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('link', { name: receiver.url() }).waitFor();
    const [endpoint] = await listWebhookEndpoints(
      service.database,
      partner.credentials.applicationId,
    );
    assert.equal(endpoint?.description, 'By keyboard');
    assert.deepEqual(endpoint?.eventTypes, ['checkout.resolved']);
  });

  it('gives the focus back when a dialog is closed', async () => {
    const add = portalCaller.page.getByRole('button', { name: 'Add endpoint' });
    await add.focus();
    await portalCaller.page.keyboard.press('Enter');
    await portalCaller.dialog.waitFor();
    await portalCaller.page.keyboard.press('Escape');
    await portalCaller.dialog.waitFor({ state: 'detached' });
    await eventually(
      async () => (await add.and(portalCaller.page.locator(':focus')).count()) === 1,
    );
  });

  it('tells the exact instant of a time when it is focused', async () => {
    const { page, close } = portalCaller;
    await page.locator('time').first().focus();
    await page
      .getByRole('tooltip')
      .getByText(/^\w+, \w+ \d+, \d{4}, \d\d:\d\d:\d\d \w+/)
      .waitFor();
    await close();
  });

  it('shows where the focus is', async () => {
    const { page, close } = await visit();
    for (let times = 0; times < 8; times += 1) {
      await page.keyboard.press('Tab');
      const outline = await page.evaluate<string>(
        'getComputedStyle(document.activeElement).outlineStyle',
      );
      assert.equal(outline, 'solid', await page.evaluate<string>(focused));
    }
    await close();
  });

  it("follows the system's colour scheme until the user chooses one", async () => {
    const { page, close } = await visit({ colorScheme: 'dark' });
    const ground = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
    const dark = await ground();
    await page.emulateMedia({ colorScheme: 'light' });
    await eventually(async () => (await ground()) !== dark);
    const light = await ground();
    assert.equal(light, 'rgb(255, 255, 255)');
    const turn = () => page.getByRole('button', { name: /^Colours/ }).click();
    await turn();
    await turn();
    await eventually(async () => (await ground()) === dark);
    await page.reload();
    await page.getByRole('heading', { level: 1 }).waitFor();
    assert.equal(await ground(), dark, 'the choice is kept');
    await close();
  });

  it('sends no request while the page is hidden', async () => {
    const hidden = await openPortalCaller(browser, service, partner);
    const { page, observed } = hidden;
    const look = async (visibility: 'visible' | 'hidden') => {
      await page.evaluate(`
        Object.defineProperty(document, 'visibilityState', { value: '${visibility}', configurable: true });
        document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));`);
    };
    const asked = () => observed.requested.filter((url) => url.includes('/portal/v1/')).length;
    await page.clock.install();
    await hidden.enter();
    await page.getByRole('link', { name: receiver.url() }).waitFor();
    await look('hidden');
    const askedBefore = asked();
    await page.clock.runFor(60_000);
    assert.equal(asked(), askedBefore);
    await look('visible');
    await page.clock.runFor(6_000);
    await eventually(async () => asked() > askedBefore);
    await hidden.close();
  });

  it('shows when the session is about to end, and when it has ended', async () => {
    const ending = await openPortalCaller(browser, service, partner);
    const { page } = ending;
    const now = new Date();
    const hour = 3_600_000;
    await page.clock.install({ time: now });
    await ending.enter();
    await page.getByRole('heading', { level: 1 }).waitFor();
    assert.equal(await page.getByText('Your session ends').count(), 0);
    await page.clock.setSystemTime(now.getTime() + 12 * hour - 600_000);
    await page.clock.runFor(2_000);
    await page.getByText('Your session ends').waitFor();
    await page.clock.setSystemTime(now.getTime() + 12 * hour + 1_000);
    await page.clock.runFor(2_000);
    await page.getByRole('heading', { name: 'Your session has ended' }).waitFor();
    await ending.close();
  });
});
