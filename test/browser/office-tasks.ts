/** The tasks of a working day beside homes and rates: each in a number of steps that must not grow. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { moneyText } from '../../console/src/base/words/money.ts';
import { goInside } from '../harness/browser.ts';
import { countSteps } from '../harness/counted-steps.ts';
import { eventually } from '../harness/eventually.ts';
import { guest, type Partner } from '../harness/partner.ts';
import { testBaseUrl } from '../harness/base-url.ts';
import type { TestService } from '../harness/service.ts';
import { addMember, type ConsoleUser, openConsole, signedIn } from '../harness/staff-member.ts';

/** What the tasks work on: a service with homes of its own and one reservation of a partner. */
export interface Office {
  service: TestService;
  browser: Browser;
  partner: Partner;
  user: ConsoleUser;
  reference: string;
}

const heading = (page: Page, name: string) =>
  page.getByRole('heading', { level: 1, name, exact: true });

async function savedText(page: Page, save: () => Promise<void>): Promise<string> {
  const [download] = await Promise.all([page.waitForEvent('download'), save()]);
  return readFile(await download.path(), 'utf8');
}

// Run in the page: what cannot be pressed because of a message.
const coveredControls = `(() => {
  const message = document.querySelector('.mantine-Notification-root');
  return [...document.querySelectorAll('a[href], button, input, select, textarea, summary')]
    .filter((one) => !message.contains(one) && one.checkVisibility({ contentVisibilityAuto: true }))
    .filter((one) => {
      const { left, top, width, height } = one.getBoundingClientRect();
      return message.contains(document.elementFromPoint(left + width / 2, top + height / 2));
    })
    .map((one) => one.textContent || one.id);
})()`;

/** Registers the tests. `office` is asked when they run. */
export function officeTasks(office: () => Office): void {
  it('6: has the day sheet of any day in two steps, as CSV and on paper', async () => {
    const { user, partner, reference } = office();
    const { page } = user;
    const { checkIn } = await partner.succeed('reservation.reservation.get', {
      params: { reference },
    });
    await user.go('/', 'Overview');
    const steps = countSteps(page);
    await steps.click(page.getByRole('link', { name: 'Day sheet' }));
    await steps.fill(page.getByLabel('Day', { exact: true }), checkIn);
    const { firstName, lastName, phone } = guest();
    const arrivals = page.getByRole('table', { name: 'Arrivals' });
    const row = arrivals.getByRole('row').filter({ hasText: `${firstName} ${lastName}` });
    await row.getByRole('link', { name: phone }).waitFor();
    await row.getByText(/ from \d\d:\d\d/).waitFor();
    await row.getByText('The partner collects').waitFor();
    assert.equal(steps.taken, 2);
    const csv = await savedText(page, () =>
      steps.click(page.getByRole('button', { name: 'Save as CSV' })),
    );
    assert.match(csv, new RegExp(`${reference}.*${lastName}`));
    assert.equal(steps.taken, 3);
    await page.emulateMedia({ media: 'print' });
    assert.equal(await page.getByRole('navigation').first().isVisible(), false);
    assert.ok(await row.isVisible());
    // Paper is narrower than the window: its stays are lines of a table there, too.
    const window = page.viewportSize()!;
    await page.setViewportSize({ width: 720, height: 1_000 });
    const display = `getComputedStyle(document.querySelector('.item-table tbody tr')).display`;
    assert.equal(await page.evaluate(display), 'table-row');
    // Neither a phone number nor a reference is divided.
    for (const text of [phone, reference]) {
      const { height } = (await row.getByText(text).boundingBox())!;
      assert.ok(height < 24, `${text}: ${height} pixels`);
    }
    await page.setViewportSize(window);
    assert.ok((await page.pdf({ format: 'A4' })).length > 1_000);
    await page.emulateMedia({ media: null });
  });

  it('7: says what a partner sold and owes in four steps, and saves it in one more', async () => {
    const { user, reference, partner, service } = office();
    const { page } = user;
    await user.go('/settings', 'Settings');
    const steps = countSteps(page);
    await steps.press('/');
    await page.getByRole('combobox', { name: /^Search for a guest/ }).waitFor();
    await steps.type('a test');
    await steps.press('Enter');
    await heading(page, 'a test').waitFor();
    const pages = page.getByRole('navigation', { name: 'Partner' });
    await steps.click(pages.getByRole('link', { name: 'Statement' }));
    await page.getByRole('link', { name: reference }).waitFor();
    assert.equal(steps.taken, 4);
    const csv = await savedText(page, () =>
      steps.click(page.getByRole('button', { name: 'Save as CSV' })),
    );
    assert.ok(csv.includes(reference));
    // The page and the file have the figures of the API.
    const { operator } = await signedIn(service, 'finance');
    const { currencies } = await operator.done('operator.statement.get', {
      params: { applicationId: partner.credentials.applicationId },
      query: { month: new Date().toISOString().slice(0, 7) },
    });
    assert.ok(currencies.length > 0);
    const rows = csv.split('\r\n').map((row) => row.split(','));
    for (const { currency, sold, changed, cancelled, owed, lines } of currencies) {
      const text = (amount: number) => moneyText(amount, currency);
      const section = page.getByRole('region', { name: currency, exact: true });
      const figure = (name: string) =>
        section.locator('dl > div', { has: page.locator('dt', { hasText: name }) }).locator('dd');
      assert.deepEqual(
        await Promise.all(
          ['Sold', 'Changed', 'Cancelled', 'Owed'].map((one) => figure(one).innerText()),
        ),
        [sold, changed, 0 - cancelled, owed!].map(text),
      );
      const cells = section.getByRole('table').locator('tbody td:last-child');
      assert.deepEqual(
        await cells.allInnerTexts(),
        lines.map(({ amount }) => text(amount)),
      );
      for (const { reference: of, kind, amount } of lines) {
        const isTheLine = (row: string[]) =>
          row.includes(of) &&
          row.includes(kind) &&
          row.includes(`${amount}`) &&
          row.includes(currency);
        assert.ok(rows.some(isTheLine), `${of} ${kind} ${amount}`);
      }
    }
  });

  it('7: says who changed a price, by home and in words, in five steps', async () => {
    const { user, service } = office();
    const { page } = user;
    const { operator, email } = await signedIn(service, 'content');
    const { items } = await operator.done('operator.listing.list', { query: { limit: 1 } });
    const { slug, name } = items[0]!;
    const file = await operator.done('operator.listing.get', { params: { listing: slug } });
    const { nightly } = file.listing.rates;
    await operator.done('operator.rate.import', {
      body: {
        file: `listing,from,to,nightly\n${slug},2028-03-01,2028-03-05,${(nightly ?? 0) + 1_000}\n`,
      },
    });
    await user.go('/settings', 'Settings');
    const steps = countSteps(page);
    await steps.click(page.getByRole('link', { name: 'Audit' }));
    await heading(page, 'Audit').waitFor();
    await steps.click(page.getByRole('combobox', { name: 'Home' }));
    await steps.type(name.slice(0, 6));
    await steps.click(page.getByRole('option').filter({ hasText: slug }));
    const entry = page.getByRole('button', { name: /^Prices imported/ });
    await entry.getByText(`staff ${email}`).waitFor();
    await entry.getByText(new RegExp(`${slug}.*2028.*[A-Z]{3} [\\d,.]+`)).waitFor();
    assert.ok(steps.taken <= 5);
    assert.match(page.url(), new RegExp(`listing=${slug}`));
  });

  it("7: finds a partner's refused quote by its day, with home and dates, in six steps", async () => {
    const { user, partner, service } = office();
    const { page } = user;
    const { listingId, checkIn, checkOut } = await partner.freeStay(3, 60);
    // The calls of an application are logged from its first link on.
    await (
      await signedIn(service)
    ).operator.done('operator.application.portalLink', {
      params: { applicationId: partner.credentials.applicationId },
      body: {},
    });
    const body = { quoteId: randomUUID(), listingId, checkIn, checkOut, party: { adults: 99 } };
    await eventually(async () => {
      const { status } = await partner.call('reservation.quote.create', {
        body: { ...body, quoteId: randomUUID() },
      });
      assert.equal(status, 422);
      const [logged] = await service.database.query<{ count: number }>({
        name: 'test-logged',
        text: `SELECT count(*)::integer AS count FROM request_log WHERE status = 422`,
      });
      return logged!.count > 0;
    }, 20_000);
    await user.go(`/partners/${partner.credentials.applicationId}`, 'a test');
    const steps = countSteps(page);
    const pages = page.getByRole('navigation', { name: 'Partner' });
    await steps.click(pages.getByRole('link', { name: 'Requests' }));
    const today = await page.evaluate<string>(
      `new Date(Date.now() - new Date().getTimezoneOffset() * 60000).toISOString().slice(0, 10)`,
    );
    await steps.fill(page.getByLabel('From', { exact: true }), today);
    await page.getByLabel('Status').selectOption('4xx');
    const row = page.getByRole('table', { name: 'Requests' }).getByRole('row').nth(1);
    await row.getByText('422').waitFor();
    await row
      .getByText(/^Too many|guests/i)
      .first()
      .waitFor();
    const day = Number(checkIn.slice(8));
    await row.getByText(new RegExp(`\\b${day}\\b`)).waitFor();
    assert.ok(steps.taken + 1 <= 3);
    await page.getByLabel('From', { exact: true }).fill('2099-01-01');
    await page.getByText('No requests match').waitFor();
  });

  it('8: gives a colleague another role in two steps, the second of which says what it means', async () => {
    const { user, service, browser } = office();
    const { page } = user;
    const member = await addMember(service, 'reservations');
    await user.go('/staff', 'Staff');
    const steps = countSteps(page);
    const roleOf = page.getByLabel(`Role of ${member}`);
    await roleOf.selectOption('content');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('From then on, they may change homes, prices').waitFor();
    await dialog.getByText('They may no longer make, change and cancel').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    assert.equal(await roleOf.inputValue(), 'reservations', 'nothing has changed');
    await roleOf.selectOption('content');
    await steps.click(dialog.getByRole('button', { name: 'Change the role' }));
    await page.getByText(`${member} is now Homes and rates.`).waitFor();
    // The list is read again.
    await eventually(async () => (await roleOf.inputValue()) === 'content');
    assert.ok(steps.taken + 1 <= 2);
    const colleague = await openConsole(browser, service, 'content');
    await colleague.go('/staff', 'Staff');
    await colleague.page.getByText('Only administrators see the people').waitFor();
    assert.equal(await colleague.page.getByRole('button', { name: 'Invite' }).count(), 0);
    const navigation = colleague.page.getByRole('navigation', { name: 'Console' });
    assert.equal(await navigation.getByRole('link', { name: 'Staff' }).count(), 0);
    await colleague.close();
  });

  it('lets no message lie over what can be pressed, on any part of a page', async () => {
    const { service, browser, reference } = office();
    for (const viewport of [
      { width: 1440, height: 900 },
      { width: 390, height: 844 },
    ]) {
      const user = await openConsole(browser, service, 'administrator', { viewport });
      const { page } = user;
      await page.route('**/catalogs/*/export', (route) => route.abort());
      await user.go('/catalogs', 'Catalogs');
      await page.getByRole('button', { name: 'Export' }).first().click();
      // A message of a failure stays until it is closed.
      await page.getByRole('alert').getByText('Latchkey cannot be reached').waitFor();
      for (const [path, title] of [
        ['/', 'Overview'],
        ['/day-sheet', /^Day sheet/],
        [`/reservations/${reference}`, reference],
        ['/calendar', 'Calendar'],
        ['/homes', 'Homes'],
        ['/channels', 'Channels'],
        ['/staff', 'Staff'],
        ['/audit', 'Audit'],
      ] as const) {
        await goInside(page, `/operator${path}`);
        await page.getByRole('heading', { level: 1, name: title }).waitFor();
        for (const part of [0, 0.5, 1]) {
          await page.evaluate(`scrollTo(0, document.documentElement.scrollHeight * ${part})`);
          await eventually(async () => String(await page.evaluate(coveredControls)) === '');
        }
      }
      await user.close();
    }
  });

  it('10: hands a partner over on one page in nine steps; its person makes the key and stays signed in', async () => {
    const { user, service, browser } = office();
    const { page } = user;
    await user.go('/partners', 'Partners');
    const steps = countSteps(page);
    await steps.fill(page.getByLabel('Name'), 'Harbour Stays');
    await steps.choose(page.getByRole('combobox', { name: 'Catalog' }), 'Harbour Homes');
    await steps.click(page.getByRole('button', { name: 'Register' }));
    await steps.click(page.getByRole('link', { name: 'Harbour Stays' }));
    await heading(page, 'Harbour Stays').waitFor();
    await steps.click(page.getByRole('button', { name: 'Let it make its own keys' }));
    // Whoever saves the form below does not take it back.
    const allowed = page.getByLabel('The partner issues and revokes its keys in the portal');
    await eventually(() => allowed.isChecked());
    await steps.fill(page.getByLabel('Name of the person'), 'Ada Byron');
    await steps.fill(page.getByLabel('Email of the person'), 'ada@harbour.example');
    await steps.click(page.getByRole('button', { name: 'Make a link' }));
    await page.getByText('The link is shown only now').waitFor();
    assert.ok(steps.taken <= 9, `${steps.taken} steps`);
    const text = await page.getByRole('status').filter({ hasText: 'Base URL' }).innerText();
    const [, applicationId] = /Application ID:\s+(\S+)/.exec(text) ?? [];
    assert.ok(page.url().endsWith(`/partners/${applicationId}`));
    assert.ok(text.includes(testBaseUrl));
    const [link] = /\S+\/portal#link=[\w-]{43}/.exec(text) ?? [];
    const context = await browser.newContext();
    const portal = await context.newPage();
    await portal.goto(link!.replace(testBaseUrl, service.origin));
    await heading(portal, 'Access').waitFor();
    await portal.getByRole('button', { name: 'Issue a key' }).click();
    await portal.getByText('The key is shown only now').waitFor();
    const [cookie] = await context.cookies(service.origin + '/portal');
    assert.ok(cookie!.expires * 1_000 - Date.now() > 170 * 86_400_000);
    const people = page.getByRole('table', { name: 'Open sessions' });
    await page.reload();
    await people.getByText('Ada Byron').waitFor();
    await page.getByRole('button', { name: 'End the session of Ada Byron' }).click();
    const question = page.getByRole('dialog', { name: 'End the session of Ada Byron?' });
    await question.getByRole('button', { name: 'End the session' }).click();
    await people.waitFor({ state: 'detached' });
    await portal.reload();
    await portal.getByText('You need a link').waitFor();
    await context.close();
  });

  it('reaches the first reservation by keyboard in six steps, past the filters', async () => {
    const { user, reference } = office();
    const { page } = user;
    await user.go('/settings', 'Settings');
    await user.go('/reservations?from=all', 'Reservations');
    await page.getByRole('link', { name: reference }).waitFor();
    await page.reload();
    await page.getByRole('link', { name: reference }).waitFor();
    const steps = countSteps(page);
    const focused = () => page.evaluate<string>(`document.activeElement.textContent`);
    await steps.press('Tab');
    assert.equal(await focused(), 'Skip to content');
    await steps.press('Enter');
    await steps.press('Tab');
    assert.equal(await focused(), 'Skip to the list');
    await steps.press('Enter');
    await steps.press('Tab');
    assert.equal(await focused(), reference);
    assert.ok(steps.taken <= 6);
  });
}
