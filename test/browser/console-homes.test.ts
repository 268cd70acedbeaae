/** The console's pages about homes: a real browser, the real service, the operator's own homes. */
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import sharp from 'sharp';
import { askedElsewhere, openBrowser, type Observed } from '../harness/browser.ts';
import { plusDays } from '../harness/catalog.ts';
import { requestStay } from '../harness/events.ts';
import { eventually } from '../harness/eventually.ts';
import { takenNights } from '../harness/nights.ts';
import { dialogFaultsOf } from '../harness/page-faults.ts';
import { operatorOf, type Operator } from '../harness/operator.ts';
import { ownHomes, startTestService, type TestService } from '../harness/service.ts';
import { type ConsoleUser, openConsole, signedIn } from '../harness/staff-member.ts';

const example = path.join(import.meta.dirname, '../../examples/harbour-homes/catalog.json');
const today = new Date().toISOString().slice(0, 10);
const script = `<img src=x onerror="document.title='stolen'">`;

describe('homes in the console', () => {
  let service: TestService;
  let browser: Browser;
  let staff: Operator;
  let user: ConsoleUser;
  let page: Page;
  let observed: Observed;
  let dataDir: string;

  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const grid = () => page.getByRole('grid');

  before(async () => {
    dataDir = await mkdtemp(path.join(tmpdir(), 'lk-console-'));
    service = await startTestService({ ...ownHomes, LATCHKEY_DATA_DIR: dataDir });
    browser = await openBrowser();
    staff = await operatorOf(service);
    const file = await readFile(example, 'utf8');
    const [{ catalogId } = { catalogId: '' }] = [...service.catalog.views()];
    // With promotions, a member of staff imports it.
    const { operator: member } = await signedIn(service);
    await member.done('operator.catalog.import', { body: { file } });
    const partner = await service.partner({ catalogId });
    await requestStay(partner, await partner.freeStay(3, 4));
    user = await openConsole(browser, service);
    ({ page, observed } = user);
  });
  after(async () => {
    await browser?.close();
    await service?.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  it('blocks nights, sets rates and removes the block by the keyboard alone', async () => {
    await user.go('/calendar', 'Calendar');
    await grid().focus();
    await page.keyboard.press('f');
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
    // It takes the focus a moment after it is shown.
    await page.getByRole('dialog').locator('input[data-autofocus]:focus').waitFor();
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
    await page.getByRole('dialog').getByText('1 home, 1 night').waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('gridcell', { name: '432' }).first().waitFor();

    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('u');
    await page.getByRole('dialog').getByText(script).waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
    await eventually(async () =>
      (await blocks()).every(({ from: first }) => first !== plusDays(from, 1)),
    );
    assert.doesNotMatch(await page.title(), /stolen/);
  });

  it('moves a stay that is dragged, after a preview', async () => {
    await user.go('/calendar', 'Calendar');
    const bar = page.locator('.mc-bar[data-kind=stay]').first();
    await bar.waitFor({ timeout: 15_000 });
    const box = (await bar.boundingBox())!;
    await page.mouse.move(box.x + 10, box.y - 8);
    await page.mouse.down();
    await page.mouse.move(box.x + 64, box.y - 8, { steps: 4 });
    await page.mouse.up();
    const selection = page.getByRole('region', { name: 'Selection' });
    await selection.getByText(/, 2 nights$/).waitFor();
    assert.equal(await page.getByRole('dialog').count(), 0);
    await page.mouse.move(box.x + 10, box.y + 10);
    await page.mouse.down();
    await page.mouse.move(box.x + 60, box.y + 10, { steps: 4 });
    await page.mouse.move(box.x + 10 + 54 * 5, box.y + 10, { steps: 4 });
    await page.mouse.up();
    const dialog = page.getByRole('dialog');
    const isFree = dialog.getByText('The nights are free', { exact: true });
    await isFree.waitFor();
    assert.deepEqual(await dialogFaultsOf(page), []);
    const departure = dialog.getByLabel('Departure');
    const wanted = await departure.inputValue();
    await departure.fill(plusDays(wanted, -30));
    await page.getByText('It must be 1 to 90 nights after arrival.').waitFor();
    assert.equal(await dialog.getByRole('alert').count(), 0);
    await departure.fill(wanted);
    await isFree.waitFor();
    const stay = async () =>
      (await takenNights(service.database)).find(({ kind }) => kind !== 'block')!;
    const { from, to, reference } = await stay();

    const previewed: string[] = [];
    const sent: string[] = [];
    await page.route('**/change{,/preview}', (route) => {
      const { checkOut } = route.request().postDataJSON() as { checkOut: string };
      (route.request().url().endsWith('/preview') ? previewed : sent).push(checkOut);
      return route.continue();
    });
    await dialog.getByLabel('Reason').fill('The guest asked');
    await departure.fill(plusDays(wanted, 1));
    await departure.press('Enter');
    await eventually(async () => previewed.includes(plusDays(wanted, 1)));
    await eventually(() => button('Change the reservation').isEnabled());
    assert.deepEqual(sent, [], 'nothing is sent that nobody was shown');
    assert.deepEqual([(await stay()).from, (await stay()).to], [from, to]);
    await departure.fill(wanted);
    await eventually(async () => previewed.at(-1) === wanted);
    await eventually(() => button('Change the reservation').isEnabled());

    await staff.done('operator.reservation.change', {
      params: { reference: reference! },
      body: { checkOut: plusDays(to, -1), reason: 'A colleague was faster' },
    });
    const home = dialog.getByRole('combobox', { name: 'Home' });
    const { items } = await staff.done('operator.listing.list');
    await eventually(async () => {
      const shown = await home.inputValue();
      return items.some(({ name }) => name === shown);
    });
    await dialog.getByText('The reservation has changed meanwhile').waitFor();
    await button('Change the reservation').click();
    await dialog
      .getByText(/^Somebody has changed LK-.* meanwhile/)
      .first()
      .waitFor();
    assert.equal((await stay()).from, from);
    await button('Continue with it as it is now').click();
    await isFree.waitFor();
    await button('Change the reservation').click();
    await dialog.waitFor({ state: 'detached' });
    assert.deepEqual(sent.at(-1), wanted);
    assert.equal((await stay()).from, plusDays(from, 5));
    await page.unroute('**/change{,/preview}');
  });

  it('blocks nights that are dragged over with the mouse', async () => {
    const from = plusDays(today, 220);
    await user.go(`/calendar?text=casa+da+mare&from=${from}`, 'Calendar');
    const first = page.locator('#mc-0-2');
    await first.waitFor();
    // The catalog has blocks of its own on fixed days.
    const known = new Set((await takenNights(service.database)).map(({ id }) => id));
    const [start, end] = [
      (await first.boundingBox())!,
      (await page.locator('#mc-0-4').boundingBox())!,
    ];
    await page.mouse.move(start.x + 10, start.y + 10);
    await page.mouse.down();
    await page.mouse.move(end.x + 10, end.y + 10, { steps: 4 });
    await page.mouse.up();
    const selection = page.getByRole('region', { name: 'Selection' });
    await selection.getByText(/, 3 nights$/).waitFor();
    await selection.getByRole('button', { name: 'Block', exact: true }).click();
    await page.getByRole('dialog').getByLabel('Reason').fill('Painters');
    await page.getByRole('dialog').getByRole('button', { name: 'Block', exact: true }).click();
    await page.locator('.mc-bar', { hasText: 'Painters' }).waitFor();
    const blocks = await takenNights(service.database);
    const own = blocks.filter(({ id }) => !known.has(id));
    assert.deepEqual(
      own.map((block) => [block.kind, block.from, block.to]),
      [['block', plusDays(from, 2), plusDays(from, 5)]],
    );
  });

  it('sets the rates of all selected homes, also of those out of view', async () => {
    const { format, catalog, listings } = JSON.parse(await readFile(example, 'utf8')) as {
      format: unknown;
      catalog: unknown;
      listings: object[];
    };
    const many = Array.from({ length: 201 }, (_, at) => ({
      ...listings[0],
      slug: `mews-${at}`,
      name: `Mews ${at}`,
    }));
    const file = JSON.stringify({ format, catalog, listings: many });
    await staff.done('operator.catalog.import', { body: { file } });
    await service.follow();
    const from = plusDays(today, 210);
    await user.go(`/calendar?text=mews&from=${from}`, 'Calendar');
    await page.locator('#mc-0-0').waitFor();
    await grid().focus();
    await page.keyboard.press('ArrowDown');
    const selectDown = async (times: number) => {
      for (let time = 0; time < times; time++) await page.keyboard.press('Shift+PageDown');
    };
    await selectDown(6);
    const selection = page.getByRole('region', { name: 'Selection' });
    await selection.getByText('61 homes').waitFor();
    await page.keyboard.press('r');
    await page.getByRole('dialog', { name: 'Rates of 61 homes' }).waitFor();
    await page.getByLabel(/^Price of a night/).fill('777');
    await page.getByText('61 homes, 61 nights').waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('Rates of 61 homes changed.').waitFor();
    const query = { from, text: 'mews', days: 1, limit: 500 };
    const { homes } = await staff.done('operator.calendar.read', { query });
    assert.deepEqual(
      homes.map(({ prices }) => prices[0] === 77_700),
      homes.map((_, row) => row < 61),
    );
    await selectDown(14);
    await selection.getByText('201 homes').waitFor();
    await page.keyboard.press('r');
    await page.getByRole('dialog', { name: 'Rates of 201 homes' }).waitFor();
    await page.keyboard.press('Escape');
  });

  it('changes a home beside the price of a stay, and keeps what was typed', async () => {
    await user.go('/homes', 'Homes');
    await page.getByLabel('Search').fill('casa da maré');
    await page.getByRole('link', { name: 'Casa da Maré', exact: true }).click();
    await page.getByRole('cell', { name: 'Total', exact: true }).waitFor();
    await page.getByRole('textbox', { name: 'Name', exact: true }).first().fill(script);
    const earlierPrice = await page.getByLabel('Price of a night (EUR)').inputValue();
    await page.getByLabel('Price of a night (EUR)').fill('1000');
    await page
      .getByText('EUR 1,000.00')
      .or(page.getByText(/EUR [34],/))
      .first()
      .waitFor();
    const read = () => staff.done('operator.listing.get', { params: { listing: 'casa-da-mare' } });
    const nameAndBlurb = async () => {
      const { name, blurb } = (await read()).listing;
      return [name, blurb];
    };
    const { listing, version, catalog } = await read();
    const other = { ...listing, blurb: 'Changed meanwhile' };
    await staff.done('operator.listing.change', {
      params: { listing: 'casa-da-mare' },
      body: { version, catalog: catalog!, listing: other },
    });
    await button('Save').click();
    await page.getByText('Somebody else has changed this home').waitFor({ timeout: 15_000 });
    assert.equal(await page.getByLabel('Price of a night (EUR)').inputValue(), '1000');
    await page.getByText('Changed by them: In one sentence.').waitFor();
    await button('Keep my entries').click();
    assert.equal(await page.getByLabel('In one sentence').inputValue(), 'Changed meanwhile');
    await page.getByLabel('Price of a night (EUR)').fill(earlierPrice);
    await user.page.context().setOffline(true);
    await button('Save').click();
    await page.getByText('Latchkey cannot be reached').first().waitFor();
    await user.page.context().setOffline(false);
    assert.notEqual((await nameAndBlurb())[0], script, 'it is not sent later');
    await button('Save').click();
    await page.getByText(`${script} is saved.`).waitFor();
    assert.doesNotMatch(await page.title(), /^stolen/);
    assert.deepEqual(await nameAndBlurb(), [script, 'Changed meanwhile']);
  });

  it('adds a home, and shows what is wrong with it at its field', async () => {
    await user.go('/homes/add', 'Add a home');
    await page.getByRole('textbox', { name: 'Name', exact: true }).first().fill('The Mill');
    await page.getByLabel('Currency').fill('EU');
    await button('Add and sell').click();
    await page.getByRole('alert').getByText('Currency').first().waitFor();
    await page.getByLabel('Currency').fill('EUR');
    await button('Add and sell').click();
    await page.getByRole('alert').getByText('Time zone').first().waitFor();
    await page.getByText('It is needed, as Europe/Lisbon').first().waitFor();
    await page.getByLabel('Time zone').fill('Europe/Lisbon');
    await button('Add and sell').click();
    await page.getByRole('heading', { name: 'The Mill', level: 1 }).waitFor();
    assert.match(page.url(), /homes\/the-mill$/);
  });

  const photo = async (name: string, background: string) => ({
    name,
    mimeType: 'image/jpeg',
    buffer: await sharp({ create: { width: 900, height: 600, channels: 3, background } })
      .jpeg()
      .toBuffer(),
  });
  const mill = () => staff.done('operator.listing.get', { params: { listing: 'the-mill' } });
  const inGroup = (group: string) => page.getByRole('group', { name: group, exact: true });

  it('asks before changes that are not saved are lost', async () => {
    await user.go('/homes/the-mill', 'The Mill');
    const name = page.getByRole('textbox', { name: 'Name', exact: true }).first();
    await name.fill('The Old Mill');
    const question = page.getByRole('dialog', { name: 'Discard your changes?' });
    await page.getByRole('link', { name: 'Admin', exact: true }).click();
    assert.deepEqual(await dialogFaultsOf(page), []);
    await question.getByRole('button', { name: 'Keep editing' }).click();
    await question.waitFor({ state: 'detached' });
    assert.equal(await name.inputValue(), 'The Old Mill');
    const asked = page.waitForEvent('dialog');
    await page.evaluate('void setTimeout(() => location.reload())');
    const ofBrowser = await asked;
    assert.equal(ofBrowser.type(), 'beforeunload');
    await ofBrowser.dismiss();
    assert.equal(await name.inputValue(), 'The Old Mill');
    await page.getByRole('link', { name: 'Admin', exact: true }).click();
    await question.getByRole('button', { name: 'Discard' }).click();
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
  });

  it('uploads pictures, and says what is wrong with others', async () => {
    await user.go('/homes/the-mill', 'The Mill');
    const text = { name: 'notes.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('no picture') };
    const chosen = [await photo('front.jpg', 'teal'), text, await photo('garden.jpg', 'olive')];
    const chooser = page.waitForEvent('filechooser');
    await button('Upload pictures').focus();
    await page.keyboard.press('Enter');
    await (await chooser).setFiles(chosen);
    await page.getByText('notes.jpg: must be a JPEG, PNG or WebP file').waitFor();
    await inGroup('Pictures 2').getByLabel('What it shows').fill('The garden');
    await inGroup('Pictures 1').getByLabel('What it shows').fill(script);
    await button('Move picture 2 up').focus();
    await page.keyboard.press('Enter');
    const image = inGroup('Pictures 1').getByRole('img', { name: 'The garden' });
    const isShown = () =>
      image.evaluate((one) => (one as unknown as { naturalWidth: number }).naturalWidth === 480);
    await eventually(isShown);
    await button('Save').click();
    await page.getByText('The Mill is saved.').waitFor();
    assert.doesNotMatch(await page.title(), /stolen/);
    const { images } = (await mill()).listing;
    assert.deepEqual(
      images!.map(({ alt }) => alt),
      ['The garden', script],
    );
    await button('Remove picture 2').click();
    await button('Add an address').click();
    await inGroup('Pictures 2').getByLabel('Address').fill('https://elsewhere.example/1.jpg');
    await button('Save').click();
    await eventually(async () => (await mill()).listing.images!.some((one) => 'url' in one));
  });

  it('has what a catalog file has of a home: rooms, place, seasons, fees', async () => {
    await user.go('/homes/the-mill', 'The Mill');
    const region = (name: string) => page.getByRole('region', { name, exact: true });
    await button('Add a room').click();
    await inGroup('Rooms 1').getByLabel('Kind of room').fill('bedroom');
    await inGroup('Rooms 1').getByLabel('Private').selectOption('Yes');
    await button('Add a bed to room 1').click();
    await inGroup('Rooms 1, bed 1').getByLabel('Kind of bed').fill('double');
    await inGroup('Rooms 1, bed 1').getByLabel('How many').fill('2');
    await page.getByLabel('Latitude').fill('37.123456');
    await page.getByLabel('Longitude').fill('-8.5');
    await button('Add a season').click();
    const season = inGroup('Seasons 1');
    await season.getByLabel('Name').fill('Summer');
    await season.getByLabel('From').fill('06-01');
    await season.getByLabel('To, included').fill('08-31');
    await season.getByText('More', { exact: true }).click();
    await season.getByLabel('Saturday (EUR)').fill('210');
    await inGroup('Only arrivals on').getByText('sat', { exact: true }).click();
    await button('Add a fee').click();
    await inGroup('Fees 1').getByLabel('Label').fill('Linen');
    await inGroup('Fees 1').getByLabel('Amount (EUR)').fill('30');
    await inGroup('Fees 1').getByLabel('Taxed').uncheck({ force: true });
    assert.ok(await region('Party').getByLabel('Children').isChecked());
    await button('Save').click();
    await page.getByText('The Mill is saved.').waitFor();
    const { listing } = await mill();
    assert.deepEqual(listing.spaces, [
      { type: 'bedroom', name: null, isPrivate: true, beds: [{ type: 'double', quantity: 2 }] },
    ]);
    assert.deepEqual(listing.geo, { latitude: 37.123456, longitude: -8.5 });
    assert.deepEqual(listing.rates.seasons, [
      {
        name: 'Summer',
        from: '06-01',
        to: '08-31',
        weekdays: { sat: 21_000 },
        arrivalDays: ['sat'],
      },
    ]);
    assert.deepEqual(listing.fees, [
      { label: 'Linen', kind: 'fee', per: 'stay', amount: 3_000, taxed: false },
    ]);
    // Without its only price, the season has none, and a change in percent is possible.
    await season.getByLabel('Saturday (EUR)').fill('');
    await season.getByLabel('Change (%)').fill('-5');
    await button('Save').click();
    await eventually(async () => (await mill()).listing.rates.seasons![0]!.changePercent === -5);
  });

  it('has the rules of taxes, payment and cancellation, and says at its field what contradicts', async () => {
    await user.go('/homes/the-mill', 'The Mill');
    const folder = process.env['LATCHKEY_TEST_SCREENSHOTS'];
    const region = (name: string) => page.getByRole('region', { name, exact: true });
    const choose = (group: string, form: string) =>
      inGroup(group).getByLabel('Calculated as').first().selectOption(form);
    await page.getByLabel('Kind of home').selectOption('house');
    await page.getByLabel('Registration number').fill('AL-1/2');
    await page.getByLabel('Country').fill('PT');
    await page.getByLabel('Street and number').fill('Rua da Fonte 3\n2nd door');
    await page.getByLabel('Price of a night (EUR)').fill('200');
    await button('Add a tax').click();
    const local = inGroup('Taxes 1');
    await local.getByLabel('Label').fill('Tourist tax');
    await choose('Taxes 1', 'A percentage for each guest and night');
    await local.getByLabel('Percentage').fill('5');
    await local.getByLabel('At most (EUR)').fill('2.30');
    await local.getByText('More', { exact: true }).click();
    await local.getByLabel('Guests from age').fill('18');
    await local.getByLabel('Paid at').selectOption('at the property');
    await local.getByLabel('Its id, for other taxes').fill('local');
    await button('Add a tax').click();
    const further = inGroup('Taxes 2');
    await further.getByLabel('Label').fill('Additional tax');
    await further.getByLabel('Percentage').fill('2.1255');
    await further.getByLabel('Of', { exact: true }).fill('lokal');
    await page.keyboard.press('Enter');
    await further.getByText(/do you mean `local`\?/).waitFor();
    await button('Add a tax').click();
    await inGroup('Taxes 3').getByLabel('Label').fill('Steps');
    await choose('Taxes 3', 'Steps for each guest and night');
    await inGroup('Taxes 3, step 1').getByLabel('Amount (EUR)').fill('2');
    await button('Add a payment').click();
    await inGroup('Payment in parts 1').getByLabel('Percentage').fill('30');
    await button('Add a payment').click();
    await inGroup('Payment in parts 2').getByLabel('Days before arrival').fill('14');
    await button('Add a rule').click();
    await choose('Cancellation 1', 'What is kept');
    await inGroup('Cancellation 1').getByLabel('Or hours before check-in').fill('24');
    await inGroup('Cancellation 1').getByLabel('Or keep the first nights').fill('1');
    await region('More about cancellation').getByLabel('Everything back within hours').fill('48');
    await region('Security deposit').getByLabel('Amount (EUR)').fill('300');
    await region('Stays').getByLabel('The hour at the property').fill('16:00');
    await region('Stays').getByText('It is required.').waitFor();
    await region('Stays').getByLabel('Or days of notice, until an hour').fill('0');
    await region('Stays').getByLabel('Nights of preparation').fill('1');
    await button('Save').click();
    await page.getByRole('alert').getByTitle('/listing/taxes/1/on').first().waitFor();
    await further.getByLabel('Of', { exact: true }).focus();
    for (const key of ['Backspace', 'Backspace']) await page.keyboard.press(key);
    await further.getByLabel('Of', { exact: true }).fill('local');
    await page.keyboard.press('Enter');
    const price = region('Price of a stay');
    await price.getByLabel('Ages of the children').fill('4');
    await price.getByText('It must have exactly one age for each of the 0 children.').waitFor();
    await price.getByLabel('Children', { exact: true }).fill('1');
    await price
      .getByText(/5 % of|5 % · a guest and night · at most EUR 2\.30/)
      .first()
      .waitFor();
    await price.getByText(/2 guests · 5 nights · paid at the property/).waitFor();
    await price.getByText('2.1255 % of EUR 23.00').waitFor();
    await price.getByText('5 nights, one by one').click();
    await price.getByText('Base price').first().waitFor();
    await price.getByText(/Security deposit: EUR 300\.00/).waitFor();
    for (const width of folder ? [1_440, 390] : []) {
      await page.setViewportSize({ width, height: 900 });
      await page.screenshot({ path: `${folder}/home-${width}.png`, fullPage: true });
    }
    await button('Save').click();
    await page.getByText('The Mill is saved.').waitFor();
    const { listing } = await mill();
    assert.deepEqual(listing.taxes, [
      {
        id: 'local',
        label: 'Tourist tax',
        per: 'guest_night',
        percent: 5,
        on: ['accommodation'],
        maxAmount: 230,
        who: { ages: { from: 18 } },
        payAt: 'property',
      },
      { label: 'Additional tax', percent: 2.1255, on: ['local'] },
      { label: 'Steps', per: 'guest_night', tiers: [{ from: 0, amount: 200 }] },
    ]);
    assert.deepEqual(listing.payment, { schedule: [{ percent: 30 }, { daysBefore: 14 }] });
    assert.deepEqual(listing.cancellation, [
      { until: { hoursBefore: 24, of: 'check_in' }, keep: { nights: 1 } },
    ]);
    assert.deepEqual(listing.cancellationGrace, { hours: 48 });
    assert.deepEqual(listing.securityDeposit, { amount: 30_000 });
    assert.deepEqual(listing.address, { lines: ['Rua da Fonte 3', '2nd door'], country: 'PT' });
    const { advanceNotice, advanceNoticeDays, preparationNights } = listing.stayRules!;
    assert.deepEqual(
      [advanceNotice, advanceNoticeDays, preparationNights],
      [{ days: 0, until: '16:00' }, undefined, 1],
    );
    assert.deepEqual([listing.propertyType, listing.registration], ['house', { number: 'AL-1/2' }]);
  });

  it('lists the homes that a catalog has withdrawn, and sells one again', async () => {
    const { places } = await mill();
    await user.go('/homes/the-mill', 'The Mill');
    const withdraw = async () => {
      await button('Withdraw').first().click();
      await eventually(async () => (await mill()).places.length === places.length - 1);
    };
    await withdraw();
    await page.getByRole('status').getByRole('button', { name: 'Undo' }).click();
    await eventually(async () => (await mill()).places.length === places.length);
    await withdraw();
    await user.go('/homes', 'Homes');
    await page.getByLabel('Show').selectOption('Not for sale');
    const table = page.getByRole('table', { name: 'Homes that are not for sale' });
    await table.getByRole('link', { name: 'The Mill' }).waitFor();
    await button('Offer for sale: The Mill').focus();
    await page.keyboard.press('Enter');
    await eventually(async () => (await mill()).places.length === places.length);
    await page.getByText('Every home is for sale').waitFor();
    assert.deepEqual((await mill()).places, places);
  });

  it('shows what a catalog file would change, then applies it', async () => {
    await user.go('/catalogs', 'Catalogs');
    const catalog = JSON.parse(await readFile(example, 'utf8')) as {
      listings: { slug: string; name: string }[];
    };
    const [first] = catalog.listings;
    first!.name = 'Casa Nova';
    const annexe = { ...first!, slug: 'annexe', listingId: undefined, cancellation: [] };
    catalog.listings.push(annexe);
    const file = path.join(dataDir, 'catalog.json');
    await writeFile(file, JSON.stringify(catalog));
    await page.locator('input[type=file]').first().setInputFiles(file);
    await button('Show what would change').first().click();
    await page.getByText('"Casa Nova"').first().waitFor();
    await page.getByText(/^Without entries of cancellation nothing is refunded.*annexe/).waitFor();
    const name = async () =>
      (await staff.done('operator.listing.get', { params: { listing: first!.slug } })).listing.name;
    assert.equal(await name(), script);
    // What was shown is imported, whatever the file on the disk has become.
    await writeFile(file, '{}');
    await button('Apply').click();
    await eventually(async () => (await name()) === 'Casa Nova');
  });

  it('shows what files of rates and blocks would change, then applies them', async () => {
    await user.go('/catalogs', 'Catalogs');
    const [from, to] = [plusDays(today, 400), plusDays(today, 402)];
    const datesOf = async () => (await mill()).listing.rates.dates ?? [];
    const blocksOf = async () =>
      (await takenNights(service.database)).filter((nights) => nights.from === from);
    /** Chooses a file, and looks for a text in what it would change. */
    const look = async (section: string, name: string, line: string, text: string) => {
      const region = page.getByRole('region', { name: section, exact: true });
      const buffer = Buffer.from(line);
      const file = { name, mimeType: 'text/csv', buffer };
      await region.locator('input[type=file]').setInputFiles(file);
      await region.getByRole('button', { name: 'Show what would change' }).click();
      await region
        .getByRole('table', { name: 'Changes' })
        .getByRole('cell', { name: text })
        .waitFor();
      return region.getByRole('button', { name: 'Apply' });
    };
    const rates = (price: number, text: string) => {
      const lines = `listing,from,to,nightly\nthe-mill,${from},${to},${price}`;
      return look('Import rates', 'rates.csv', lines, text);
    };
    const applyRates = await rates(12_345, 'EUR 123.45');
    assert.deepEqual(await datesOf(), []);
    await applyRates.click();
    // The file that was applied is no longer chosen.
    await applyRates.waitFor({ state: 'detached' });
    assert.equal((await datesOf()).length, 1);
    const applyUnusual = await rates(1, 'EUR 123.45 → EUR 0.01');
    const warning = page.getByRole('alert').filter({ hasText: 'would cost less than a fifth' });
    await warning.getByText('EUR 123.45 → EUR 0.01').waitFor();
    assert.ok(await applyUnusual.isDisabled(), 'before the tick');
    assert.equal((await datesOf())[0]!.nightly, 12_345);
    await warning.getByLabel('These prices are meant').check();
    await applyUnusual.click();
    await applyUnusual.waitFor({ state: 'detached' });
    assert.equal((await datesOf())[0]!.nightly, 1);
    const blocks = `listing,from,to,reason\nthe-mill,${from},${to},"${script.replaceAll('"', '""')}"`;
    const applyBlocks = await look('Import blocks', 'blocks.csv', blocks, script);
    assert.deepEqual(await blocksOf(), []);
    await applyBlocks.click();
    await eventually(async () => (await blocksOf()).length === 1);
  });

  it('saves unusual prices only with a tick, in the form of a home and on the calendar', async () => {
    const nightly = async () => (await mill()).listing.rates;
    await user.go('/homes/the-mill', 'The Mill');
    const price = page.getByLabel('Price of a night (EUR)');
    const warning = page.getByRole('alert').filter({ hasText: 'would cost less than a fifth' });
    const isSaved = page.getByText('The Mill is saved.');
    const old = await nightly();
    await price.fill('199');
    await button('Save').click();
    await isSaved.waitFor();
    await isSaved.waitFor({ state: 'detached' });
    await price.fill('2');
    await button('Save').click();
    await warning.getByText('EUR 199.00 → EUR 2.00').first().waitFor();
    assert.equal((await nightly()).nightly, 19_900);
    // What was allowed counts for this draft only.
    await warning.getByLabel('These prices are meant').check();
    await price.fill('3');
    await warning.waitFor({ state: 'detached' });
    await button('Save').click();
    await warning.getByLabel('These prices are meant').check();
    await button('Save').click();
    await isSaved.waitFor();
    assert.deepEqual(await nightly(), { ...old, nightly: 300 });
    const from = plusDays(today, 300);
    await user.go(`/calendar?text=the-mill&from=${from}`, 'Calendar');
    await page.locator('#mc-0-0').waitFor();
    await grid().focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('r');
    const dialog = page.getByRole('dialog', { name: 'Rates of The Mill' });
    await dialog.getByLabel(/^Price of a night/).fill('200');
    // Before it is saved, and it cannot be saved before it is allowed.
    await warning.getByText('EUR 3.00 → EUR 200.00').waitFor();
    assert.ok(await dialog.getByRole('button', { name: 'Save' }).isDisabled());
    await warning.getByLabel('These prices are meant').check();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Rates of 1 home changed.').waitFor();
    const dates = (await nightly()).dates ?? [];
    assert.ok(dates.some((entry) => entry.from === from && entry.nightly === 20_000));
  });

  it('adds a promotion, pauses and resumes it, and ends it', async () => {
    await user.go('/promotions', 'Promotions');
    await button('Add a promotion').click();
    const dialog = page.getByRole('dialog', { name: 'Add a promotion' });
    await dialog.getByLabel('Code').fill('mill10');
    const question = page.getByRole('dialog', { name: 'Discard your changes?' });
    await page.keyboard.press('Escape');
    await question.waitFor();
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'detached' });
    assert.equal(await dialog.getByLabel('Code').inputValue(), 'mill10');
    await dialog.getByLabel('Label').fill(script);
    await dialog.getByRole('button', { name: 'Save' }).click();
    const row = page.getByRole('row', { name: /MILL10/ });
    await row.getByRole('button', { name: 'Pause' }).click();
    await row.getByText('Paused').waitFor();
    await row.getByRole('button', { name: 'Resume' }).click();
    await row.getByText('Active').waitFor();
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
    await user.go('/channels', 'Channels');
    const typeHome = async (label: string, text: string) => {
      await page.getByRole('combobox', { name: label, exact: true }).fill(text);
      const found = page.getByRole('option').filter({ hasText: listing });
      await found.and(page.locator('[data-combobox-selected]')).waitFor();
      await page.keyboard.press('Enter');
      await found.first().waitFor({ state: 'hidden' });
    };
    await typeHome('Home', (await mill()).listing.name.toUpperCase());
    const buffer = Buffer.from(calendar('two'));
    const input = page.locator('input[type=file]').first();
    await input.setInputFiles({ name: 'b.ics', mimeType: 'text/calendar', buffer });
    await button('Add').click();
    const conflicts = page.getByRole('table', { name: 'Conflicts' });
    const conflict = conflicts.getByRole('row').filter({ hasText: 'two' });
    await conflict.getByRole('cell', { name: 'b.ics' }).waitFor();
    await typeHome('Home of our calendar', listing);
    await button('Show the address').click();
    const address = page.getByText('/calendars/');
    const ofChannels = (await address.textContent())!.replace('.ics', '/');
    await page.getByRole('combobox', { name: 'Channel that reads it' }).click();
    await page.getByRole('option', { name: 'a.ics' }).click();
    await button('Show the address').click();
    await page.getByText(ofChannels).waitFor();
    await button('Make a new address').click();
    const question = page.getByRole('dialog', { name: 'Make a new address?' });
    await question.getByRole('button', { name: 'Make a new address' }).click();
    await question.waitFor({ state: 'detached' });
    await page.getByText(ofChannels).waitFor({ state: 'detached' });
    assert.ok(!(await address.textContent())!.includes(ofChannels));
    await typeHome('Blocks of the home', listing);
    const blocks = page.getByRole('table', { name: 'Blocks' });
    const { name } = (await mill()).listing;
    await blocks.getByRole('link').filter({ hasNotText: name }).waitFor({ state: 'detached' });
    await blocks.getByRole('link', { name }).first().waitFor();
  });

  it('offers a viewer nothing that a viewer may not do', async () => {
    const { page: other, go, close } = await openConsole(browser, service, 'viewer');
    const acts = (name: string) => other.getByRole('button', { name, exact: true }).count();
    await go('/homes/the-mill', 'The Mill');
    await other.getByRole('cell', { name: 'Total', exact: true }).waitFor();
    await other.getByText('For sale').first().waitFor();
    assert.ok(await other.getByRole('textbox', { name: 'Name', exact: true }).first().isDisabled());
    assert.deepEqual([await acts('Save'), await acts('Withdraw')], [0, 0]);
    await go('/calendar', 'Calendar');
    await other.locator('#mc-0-0').waitFor();
    await other.getByRole('grid').focus();
    for (const key of ['ArrowDown', 'r', 'b']) await other.keyboard.press(key);
    await other.getByRole('link', { name: 'Open the home' }).waitFor();
    assert.deepEqual([await acts('Block'), await acts('Set rates')], [0, 0]);
    assert.equal(await other.getByRole('dialog').count(), 0);
    await close();
  });

  it('complains of nothing, and asks no other host', () => {
    // The refusals that the tests provoke are lines of the browser's log.
    const provoked =
      /status of (?:400|412)|status of 409.*\/(?:rates|listings\/the-mill)\)$|INTERNET_DISCONNECTED/;
    const others = observed.complaints.filter((text) => !provoked.test(text));
    assert.deepEqual(others, []);
    assert.deepEqual(askedElsewhere(observed, service.origin), []);
  });
});
