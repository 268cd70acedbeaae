/** Accessibility of the portal: keyboard, small screens, dark colours, screen readers; and its calls to other hosts. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { listWebhookEndpoints } from '../../src/webhooks/store/endpoints.ts';
import { askedElsewhere, openBrowser } from '../harness/browser.ts';
import { sql } from '../harness/catalog.ts';
import { requestStay } from '../harness/events.ts';
import { eventually } from '../harness/eventually.ts';
import type { Partner } from '../harness/partner.ts';
import { openPortalCaller, portalPages, type PortalUser } from '../harness/portal-caller.ts';
import { respond, Receiver } from '../harness/receiver.ts';
import { startTestService, type TestService } from '../harness/service.ts';

// The text is run in the page: the project's own types know no browser.
const unlabelled = `
  [...document.querySelectorAll('input, select, textarea, button, a[href], [role=button]')]
    .filter((one) => one.type !== 'hidden' && one.checkVisibility())
    .filter((one) => {
      const labels = [...(one.labels ?? [])].map((label) => label.textContent).join('');
      const by = one.getAttribute('aria-labelledby')?.split(' ') ?? [];
      const named = by.map((id) => document.getElementById(id)?.textContent).join('');
      const image = one.querySelector('img[alt]')?.alt ?? '';
      const own = one.matches('button, a, [role=button]') ? one.textContent : '';
      return !(one.getAttribute('aria-label') || named || labels || own || image).trim();
    })
    .map((one) => one.outerHTML)`;
const repeatedIds = `
  [...document.querySelectorAll('[id]')]
    .map(({ id }) => id)
    .filter((id, place, all) => all.indexOf(id) !== place)`;
const danglingReferences = `
  ['aria-labelledby', 'aria-describedby', 'aria-controls', 'for'].flatMap((name) =>
    [...document.querySelectorAll('[' + name + ']')]
      .flatMap((one) => one.getAttribute(name).split(' '))
      .filter((id) => id && !document.getElementById(id))
      .map((id) => name + ' ' + id))`;
const headingLevels = `[...document.querySelectorAll('h1, h2, h3')].map(({ tagName }) => tagName)`;
const sideways = `document.documentElement.scrollWidth - document.documentElement.clientWidth`;
// A word that a line break divides has more than one rectangle. IDs have no words.
const brokenWords = `(() => {
  const broken = [];
  const range = document.createRange();
  for (const cell of document.querySelectorAll('td, th')) {
    const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const { textContent } = texts.currentNode;
      for (const { 0: word, index } of textContent.matchAll(/[A-Za-z]{2,}/g)) {
        range.setStart(texts.currentNode, index);
        range.setEnd(texts.currentNode, index + word.length);
        const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
        if (lines.size > 1) broken.push(word);
      }
    }
  }
  return broken;
})()`;
const focused = `document.activeElement.getAttribute('aria-label') || document.activeElement.textContent || document.activeElement.name`;
const focusInDialog = `document.querySelector('[role=dialog]').contains(document.activeElement)`;
// Colours are drawn on a canvas, so that each notation becomes red, green and blue.
const faintTexts = `(() => {
  const pen = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const read = (color) => {
    pen.clearRect(0, 0, 1, 1);
    pen.fillStyle = color;
    pen.fillRect(0, 0, 1, 1);
    return [...pen.getImageData(0, 0, 1, 1).data];
  };
  const light = ([red, green, blue]) => {
    const [r, g, b] = [red, green, blue]
      .map((part) => part / 255)
      .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const over = ([r, g, b, a], under) =>
    [r, g, b].map((part, index) => (part * a + under[index] * (255 - a)) / 255);
  const groundOf = (one) => {
    if (!one) return [255, 255, 255];
    const color = read(getComputedStyle(one).backgroundColor);
    return color[3] === 255 ? color : over(color, groundOf(one.parentElement));
  };
  return [...document.querySelectorAll('main *, header *, [role=dialog] *')]
    .filter((one) => one.checkVisibility() && !one.matches(':disabled, :disabled *, [aria-hidden] *, [aria-hidden]'))
    .filter((one) => [...one.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim()))
    .map((one) => {
      const ground = groundOf(one);
      const ink = over(read(getComputedStyle(one).color), ground);
      const [high, low] = [light(ground), light(ink)].toSorted((a, b) => b - a);
      return { text: one.textContent.trim().slice(0, 40), ratio: (high + 0.05) / (low + 0.05) };
    })
    .filter(({ ratio }) => ratio < 4.5)
    .map(({ text, ratio }) => text + ' ' + ratio.toFixed(2));
})()`;

describe('accessibility of the portal', () => {
  let service: TestService;
  let browser: Browser;
  let partner: Partner;
  let receiver: Receiver;

  const visit = async (
    options: Parameters<typeof openPortalCaller>[3] = {},
  ): Promise<PortalUser> => {
    const portalCaller = await openPortalCaller(browser, service, partner, options);
    await portalCaller.enter();
    return portalCaller;
  };

  /** Every page with something on it: the lists, an endpoint, a delivery. */
  const eachPlace = async (
    { page, go }: PortalUser,
    look: (place: string) => Promise<void>,
  ): Promise<void> => {
    for (const place of portalPages) {
      await go(place);
      const loading = page.getByRole('status', { name: 'Loading' });
      await eventually(async () => (await loading.count()) === 0);
      await look(place);
    }
    await go('Deliveries');
    await page.getByRole('table').getByRole('link').first().click();
    await page.getByRole('heading', { name: 'Attempts', exact: true }).waitFor();
    await look('a delivery');
    await page.getByRole('link', { name: receiver.url() }).click();
    await page.getByRole('button', { name: 'Show the secret' }).click();
    await page.getByLabel('signing secret', { exact: true }).waitFor();
    await page.getByRole('table').getByRole('link').first().waitFor();
    await look('an endpoint');
    await page.getByRole('button', { name: /^Edit/ }).click();
    await page.getByLabel('Only these:').check();
    await look('a dialog');
    await page.keyboard.press('Escape');
    await go('Events');
    const row = page.getByRole('table').getByRole('row').nth(1);
    await row.getByRole('link').first().click();
    await page.getByRole('heading', { name: 'JSON', exact: true }).waitFor();
    await page.getByText('reservation.reservationRequest.create').waitFor();
    await look('an event');
    await page.getByRole('link', { name: /^LK-/ }).click();
    await page.getByRole('heading', { name: 'Timeline', exact: true }).waitFor();
    await page.getByText('reservation.reservationRequest.create').waitFor();
    await look('a booking');
    await page
      .getByRole('link', { name: /quotes/ })
      .first()
      .click();
    await page.getByRole('heading', { name: 'The call with curl', exact: true }).waitFor();
    await look('a request');
  };

  /** What the scripts find at every place. */
  const faultsOf = async (
    portalCaller: PortalUser,
    scripts: readonly string[],
  ): Promise<string[]> => {
    const faults: string[] = [];
    await eachPlace(portalCaller, async (place) => {
      for (const script of scripts) {
        const found = await portalCaller.page.evaluate<string[]>(script);
        faults.push(...found.map((fault) => `${place}: ${fault}`));
      }
    });
    return faults;
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
    const portalCaller = await visit();
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
    await portalCaller.close();
  });

  it('gives the focus back when a dialog is closed', async () => {
    const portalCaller = await visit();
    const add = portalCaller.page.getByRole('button', { name: 'Add endpoint' });
    await add.focus();
    await portalCaller.page.keyboard.press('Enter');
    await portalCaller.dialog.waitFor();
    await portalCaller.page.keyboard.press('Escape');
    await portalCaller.dialog.waitFor({ state: 'detached' });
    await eventually(
      async () => (await add.and(portalCaller.page.locator(':focus')).count()) === 1,
    );
    await portalCaller.close();
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

  it('tells the exact instant of a time when it is focused', async () => {
    const { page, close } = await visit();
    await page.locator('time').first().focus();
    await page
      .getByRole('tooltip')
      .getByText(/^\d+ \w+ \d{4}, \d\d:\d\d:\d\d/)
      .waitFor();
    await close();
  });

  it('has bookings and deliveries to look at', async () => {
    receiver.reply = respond(500, {}, `a long response: ${'x'.repeat(1_500)}`);
    await sql(service, 'UPDATE webhook_endpoints SET event_types = NULL');
    await requestStay(partner, await partner.freeStay());
    await receiver.receives(2, 20_000);
  });

  it('names every control, and uses no ID twice', async () => {
    const portalCaller = await visit();
    const scripts = [unlabelled, repeatedIds, danglingReferences];
    assert.deepEqual(await faultsOf(portalCaller, scripts), []);
    await portalCaller.close();
  });

  it('has one first heading a page, and no level left out', async () => {
    const portalCaller = await visit();
    await eachPlace(portalCaller, async (place) => {
      const levels = await portalCaller.page.evaluate<string[]>(headingLevels);
      assert.equal(levels.filter((level) => level === 'H1').length, 1, place);
      assert.equal(levels[0], 'H1', place);
    });
    await portalCaller.close();
  });

  it('fits windows from 360 to 1440 pixels, and breaks no word of a table', async () => {
    const portalCaller = await visit();
    const { page } = portalCaller;
    await eachPlace(portalCaller, async (place) => {
      for (const width of [360, 800, 1000, 1440]) {
        await page.setViewportSize({ width, height: 900 });
        const at = `${place}, ${width} pixels`;
        assert.equal(await page.evaluate(sideways), 0, `${at}: scrolls sideways`);
        assert.deepEqual(await page.evaluate<string[]>(brokenWords), [], at);
      }
    });
    await portalCaller.close();
  });

  it('has texts that stand out from their ground, light and dark', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const portalCaller = await visit({ colorScheme });
      assert.deepEqual(await faultsOf(portalCaller, [faintTexts]), [], colorScheme);
      await portalCaller.close();
    }
  });

  it("follows the system's colour scheme until the user chooses one", async () => {
    const portalCaller = await visit({ colorScheme: 'dark' });
    const { page } = portalCaller;
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
    await portalCaller.close();
  });

  it('sends no request while the page is hidden', async () => {
    const portalCaller = await visit();
    const { page, observed } = portalCaller;
    const look = async (visibility: 'visible' | 'hidden') => {
      await page.evaluate(`
        Object.defineProperty(document, 'visibilityState', { value: '${visibility}', configurable: true });
        document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));`);
    };
    const asked = () => observed.requested.filter((url) => url.includes('/portal/v1/')).length;
    await page.clock.install();
    await page.reload();
    await page.getByRole('link', { name: receiver.url() }).waitFor();
    await look('hidden');
    const askedBefore = asked();
    await page.clock.runFor(60_000);
    assert.equal(asked(), askedBefore);
    await look('visible');
    await page.clock.runFor(6_000);
    await eventually(async () => asked() > askedBefore);
    await portalCaller.close();
  });

  it('shows when the session is about to end, and when it has ended', async () => {
    const portalCaller = await visit();
    const { page } = portalCaller;
    const now = new Date();
    const hour = 3_600_000;
    await page.clock.install({ time: now });
    await page.reload();
    await page.getByRole('heading', { level: 1 }).waitFor();
    assert.equal(await page.getByText('Your session ends').count(), 0);
    await page.clock.setSystemTime(now.getTime() + 12 * hour - 600_000);
    await page.clock.runFor(2_000);
    await page.getByText('Your session ends').waitFor();
    await page.clock.setSystemTime(now.getTime() + 12 * hour + 1_000);
    await page.clock.runFor(2_000);
    await page.getByRole('heading', { name: 'Your session has ended' }).waitFor();
    await portalCaller.close();
  });

  it('calls no other host, and violates no content security policy', async () => {
    const portalCaller = await visit();
    await eachPlace(portalCaller, async () => undefined);
    assert.deepEqual(askedElsewhere(portalCaller.observed, service.origin), []);
    assert.deepEqual(portalCaller.observed.complaints, []);
    const { headers } = await fetch(`${service.origin}/portal/endpoints`);
    const policy = headers.get('content-security-policy') ?? '';
    assert.match(policy, /^default-src 'none'; script-src 'self';/);
    assert.doesNotMatch(policy, /https?:|\*|unsafe/);
    await portalCaller.close();
  });
});
