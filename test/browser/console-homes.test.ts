/** The console's pages about homes: a real browser, the real service, the operator's own homes. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { askedElsewhere, openBrowser, type Observed } from '../harness/browser.ts';
import { plusDays } from '../harness/catalog.ts';
import { requestStay } from '../harness/events.ts';
import { eventually } from '../harness/eventually.ts';
import { takenNights } from '../harness/nights.ts';
import { operatorOf, type Operator } from '../harness/operator.ts';
import { faultsOf } from '../harness/page-faults.ts';
import { ownHomes, startTestService, type TestService } from '../harness/service.ts';
import { openConsole } from '../harness/staff-member.ts';

const example = path.join(import.meta.dirname, '../../examples/harbour-homes/catalog.json');
const today = new Date().toISOString().slice(0, 10);
const script = `<img src=x onerror="document.title='stolen'">`;

describe('homes in the console', () => {
  let service: TestService;
  let browser: Browser;
  let staff: Operator;
  let page: Page;
  let observed: Observed;

  const open = async (place: string, heading: string) => {
    await page.goto(`${service.origin}/operator${place}`);
    await page.getByRole('heading', { name: heading, exact: true, level: 1 }).waitFor();
  };
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const grid = () => page.getByRole('grid');

  before(async () => {
    service = await startTestService(ownHomes);
    browser = await openBrowser();
    staff = await operatorOf(service);
    const file = await readFile(example, 'utf8');
    const [{ catalogId } = { catalogId: '' }] = [...service.catalog.views()];
    await staff.done('operator.catalog.import', { body: { file } });
    const partner = await service.partner({ catalogId });
    await requestStay(partner, await partner.freeStay(3, 4));
    ({ page, observed } = await openConsole(browser, service));
  });
  after(async () => {
    await browser?.close();
    await service?.stop();
  });

  it('blocks nights, sets rates and removes the block by the keyboard alone', async () => {
    await open('/calendar', 'Calendar');
    await grid().focus();
    await page.keyboard.press('/');
    await page.keyboard.type('casa da mare');
    await page.keyboard.press('Enter');
    await eventually(async () => page.url().includes('text='));
    const from = plusDays(today, 200);
    await page.keyboard.press('g');
    await page.getByLabel('First day').fill(from);
    await page.keyboard.press('Enter');
    await eventually(async () => page.url().includes(`from=${from}`));
    await page.getByRole('gridcell').first().waitFor();
    for (const key of ['ArrowRight', 'ArrowRight', 'Shift+ArrowRight']) {
      await page.keyboard.press(key);
    }
    await page
      .getByRole('region', { name: 'Selection' })
      .getByText(/, 2 nights$/)
      .waitFor();
    await page.keyboard.press('b');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.type(script);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const blocks = async () =>
      (await takenNights(service.database)).filter(({ kind }) => kind === 'block');
    const own = (await blocks()).filter((block) => block.from === plusDays(from, 1));
    assert.deepEqual(
      own.map(({ to }) => to),
      [plusDays(from, 3)],
    );
    await page.locator('.mc-bar', { hasText: script }).waitFor();

    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('r');
    await page.getByLabel(/^Price of a night/).fill('432.10');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('gridcell', { name: '432' }).first().waitFor();

    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('u');
    await eventually(async () =>
      (await blocks()).every(({ from: first }) => first !== plusDays(from, 1)),
    );
    assert.doesNotMatch(await page.title(), /stolen/);
  });

  it('moves a stay that is dragged, after a preview', async () => {
    await open('/calendar', 'Calendar');
    const bar = page.locator('.mc-bar[data-kind=stay]').first();
    await bar.waitFor({ timeout: 15_000 });
    const box = (await bar.boundingBox())!;
    await page.mouse.move(box.x + 10, box.y + 10);
    await page.mouse.down();
    await page.mouse.move(box.x + 60, box.y + 10, { steps: 4 });
    await page.mouse.move(box.x + 10 + 46 * 5, box.y + 10, { steps: 4 });
    await page.mouse.up();
    await page.getByRole('dialog').getByText('Free', { exact: true }).waitFor();
    const stay = async () =>
      (await takenNights(service.database)).find(({ kind }) => kind !== 'block')!;
    const { from } = await stay();
    await page.getByLabel('Reason').fill('The guest asked');
    await button('Move the stay').click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    assert.equal((await stay()).from, plusDays(from, 5));
  });

  it('changes a home beside the price of a stay, and keeps what was typed', async () => {
    await open('/homes', 'Homes');
    await page.getByLabel('Search').fill('casa da maré');
    await page.getByRole('link', { name: 'Casa da Maré', exact: true }).click();
    await page.getByText('Total').waitFor();
    await page.getByRole('textbox', { name: 'Name', exact: true }).first().fill(script);
    await page.getByLabel('Price of a night (EUR)').fill('1000');
    await page
      .getByText('EUR 1,000.00')
      .or(page.getByText(/EUR [34],/))
      .first()
      .waitFor();
    const { listing, version, catalog } = await staff.done('operator.listing.get', {
      params: { listing: 'casa-da-mare' },
    });
    const other = { ...listing, blurb: 'Changed meanwhile' };
    await staff.done('operator.listing.change', {
      params: { listing: 'casa-da-mare' },
      body: { version, catalog: catalog!, listing: other },
    });
    await button('Save').click();
    await page.getByText('Somebody else has changed this home').waitFor({ timeout: 15_000 });
    assert.equal(await page.getByLabel('Price of a night (EUR)').inputValue(), '1000');
    await button('Show theirs').click();
    await page.getByRole('textbox', { name: 'Name', exact: true }).first().fill(script);
    await button('Save').click();
    await page.getByText(`${script} is saved.`).waitFor();
    assert.doesNotMatch(await page.title(), /^stolen/);
    const saved = await staff.done('operator.listing.get', { params: { listing: 'casa-da-mare' } });
    assert.deepEqual([saved.listing.name, saved.listing.blurb], [script, 'Changed meanwhile']);
  });

  it('adds a home, and shows what is wrong with it at its field', async () => {
    await open('/homes/add', 'Add a home');
    await page.getByRole('textbox', { name: 'Name', exact: true }).first().fill('The Mill');
    await page.getByLabel('Currency').fill('EU');
    await button('Add').click();
    await page.getByRole('alert').getByText('/listing/currency').first().waitFor();
    await page.getByLabel('Currency').fill('EUR');
    await button('Add').click();
    await page.getByRole('heading', { name: 'The Mill', level: 1 }).waitFor();
    assert.match(page.url(), /homes\/the-mill$/);
  });

  it('shows what a catalog file would change, then applies it', async () => {
    await open('/catalogs', 'Catalogs');
    const catalog = JSON.parse(await readFile(example, 'utf8')) as {
      listings: { slug: string; name: string }[];
    };
    const [first] = catalog.listings;
    first!.name = 'Casa Nova';
    const buffer = Buffer.from(JSON.stringify(catalog));
    const input = page.locator('input[type=file]').first();
    await input.setInputFiles({ name: 'catalog.json', mimeType: 'application/json', buffer });
    await button('Show what would change').first().click();
    await page.getByText('"Casa Nova"').first().waitFor();
    const name = async () =>
      (await staff.done('operator.listing.get', { params: { listing: first!.slug } })).listing.name;
    assert.equal(await name(), script);
    await button('Apply').click();
    await eventually(async () => (await name()) === 'Casa Nova');
  });

  it('adds a promotion and ends it', async () => {
    await open('/promotions', 'Promotions');
    await button('Add a promotion').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Code').fill('mill10');
    await dialog.getByLabel('Label').fill(script);
    await dialog.getByRole('button', { name: 'Save' }).click();
    const row = page.getByRole('row', { name: /MILL10/ });
    await row.getByRole('button', { name: 'End' }).click();
    await button('End it').click();
    await row.getByText('Ended').waitFor();
  });

  it('adds a calendar as a file, and shows its conflicts', async () => {
    const day = (days: number) => plusDays(today, days).replaceAll('-', '');
    const calendar = (name: string) =>
      `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//t//\r\nBEGIN:VEVENT\r\nUID:${name}\r\nDTSTART;VALUE=DATE:${day(300)}\r\nDTEND;VALUE=DATE:${day(303)}\r\nEND:VEVENT\r\nEND:VCALENDAR`;
    const listing = 'the-mill';
    const body = { listing, name: 'a.ics', file: calendar('one') };
    await staff.done('operator.channelCalendar.import', { body });
    await open('/channels', 'Channels');
    await page.getByRole('textbox', { name: 'Home', exact: true }).fill(listing);
    const buffer = Buffer.from(calendar('two'));
    const input = page.locator('input[type=file]').first();
    await input.setInputFiles({ name: 'b.ics', mimeType: 'text/calendar', buffer });
    await button('Add').click();
    const conflicts = page.getByRole('table', { name: 'Conflicts' });
    await conflicts.getByRole('cell', { name: 'two' }).waitFor();
    await page.getByLabel('Home of our calendar').fill(listing);
    await button('Show the address').click();
    await page.getByText('/calendars/').waitFor();
  });

  it('complains of nothing, and asks no other host', () => {
    // The refusals that the tests provoke are lines of the browser's log.
    const others = observed.complaints.filter((text) => !/status of (?:400|412)/.test(text));
    assert.deepEqual(others, []);
    assert.deepEqual(askedElsewhere(observed, service.origin), []);
  });

  const all = [
    '/calendar',
    '/homes',
    '/homes/the-mill',
    '/homes/add',
    '/channels',
    '/catalogs',
    '/promotions',
  ];
  const looks = [
    { width: 1_440, colorScheme: 'light', places: ['/homes/the-mill', '/promotions'] },
    { width: 360, colorScheme: 'dark', places: all },
  ] as const;

  it('is readable in light and dark, by screen readers, and 360 pixels wide', async () => {
    const faults: Record<string, string[]> = {};
    for (const { width, colorScheme, places } of looks) {
      const viewport = { width, height: 740 };
      const { page: other, close } = await openConsole(browser, service, 'administrator', {
        viewport,
        colorScheme,
      });
      for (const place of places) {
        await other.goto(`${service.origin}/operator${place}`);
        await other.getByRole('heading', { level: 1 }).waitFor();
        await other.waitForLoadState('networkidle');
        const found = await faultsOf(other);
        if (found.length > 0) faults[`${place} ${width}`] = found;
      }
      await close();
    }
    assert.deepEqual(faults, {});
  });
});
