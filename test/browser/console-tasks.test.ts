/** The tasks of a working day in the console: each in a number of steps that must not grow. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { stayText } from '../../console/src/operator/words/days.ts';
import { openBrowser } from '../harness/browser.ts';
import { buildConsoleIfStale } from '../harness/built-console.ts';
import { plusDays } from '../harness/catalog.ts';
import { countSteps } from '../harness/counted-steps.ts';
import { requestStay } from '../harness/events.ts';
import { eventually } from '../harness/eventually.ts';
import { takenNights } from '../harness/nights.ts';
import { type Operator, operatorOf } from '../harness/operator.ts';
import { guest, type Partner } from '../harness/partner.ts';
import { ownHomes, startTestService, type TestService } from '../harness/service.ts';
import { type ConsoleUser, openConsole, signedIn } from '../harness/staff-member.ts';
import { longDayTests } from './long-day.ts';
import { officeTasks } from './office-tasks.ts';

const today = new Date().toISOString().slice(0, 10);
const example = path.join(import.meta.dirname, '../../examples/harbour-homes/catalog.json');

describe('the tasks of a working day', () => {
  let service: TestService;
  let browser: Browser;
  let staff: Operator;
  let partner: Partner;
  let user: ConsoleUser;
  let page: Page;
  let reference: string;

  before(async () => {
    buildConsoleIfStale();
    service = await startTestService(ownHomes);
    browser = await openBrowser();
    staff = await operatorOf(service);
    const file = await readFile(example, 'utf8');
    // With promotions, a member of staff imports it.
    const { operator } = await signedIn(service);
    await operator.done('operator.catalog.import', { body: { file } });
    const [{ catalogId } = { catalogId: '' }] = [...service.catalog.views()];
    partner = await service.partner({ catalogId });
    const reservationRequestId = await requestStay(partner, await partner.freeStay(3, 4));
    const params = { reservationRequestId };
    const read = () => partner.succeed('reservation.reservationRequest.get', { params });
    await eventually(async () => (await read()).state === 'confirmed', 20_000);
    reference = (await read()).reference!;
    user = await openConsole(browser, service);
    ({ page } = user);
  });
  after(async () => {
    await browser?.close();
    await service?.stop();
  });

  const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true });

  it('1: finds a guest who phones, in three steps from every page', async () => {
    const { firstName, lastName, phone, email } = guest();
    const sloppy = reference.replaceAll(/LK|-/g, '').toLowerCase().replaceAll('0', 'o');
    for (const text of [`${lastName} ${firstName}`, phone, email, sloppy]) {
      await user.go('/settings', 'Settings');
      const steps = countSteps(page);
      await steps.press('/');
      await page.locator('input[role=combobox]:focus').waitFor();
      await steps.type(text);
      await steps.press('Enter');
      await heading(reference).waitFor();
      assert.ok(steps.taken <= 3, `${text}: ${steps.taken} steps`);
    }
    await page.keyboard.press('/');
    const field = page.getByRole('combobox', { name: /^Search for a guest/ });
    await field.fill('123');
    await page.getByText(`Nothing matches “123”`).waitFor();
    await field.fill('12345');
    await page.getByText('Not searched: Phone numbers').waitFor();
    await field.fill('casa');
    await page
      .getByRole('option', { name: /^Casa da Maré/ })
      .first()
      .waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  it('2: says price, balance and the refund of today and of another day, in two steps', async () => {
    await user.go(`/reservations/${reference}`, reference);
    const steps = countSteps(page);
    const glance = page.getByRole('region', { name: 'Price and refund' });
    await glance.getByText('The partner collects').waitFor();
    await glance.getByText('Refund now').waitFor();
    const { checkIn } = await partner.succeed('reservation.reservation.get', {
      params: { reference },
    });
    await steps.fill(glance.getByLabel('Refund if it is cancelled on'), plusDays(checkIn, 1));
    await glance
      .getByRole('paragraph')
      .getByText(/^[A-Z]{3} 0\.00$/)
      .waitFor();
    assert.ok(steps.taken <= 2);
    const { phone } = guest();
    const link = page.getByRole('link', { name: phone });
    assert.equal(await link.getAttribute('href'), `tel:${phone}`);
  });

  it('3: opens a stay of the calendar with one click, and moves it by a day with two keys', async () => {
    await user.go('/calendar', 'Calendar');
    const { firstName, lastName } = guest();
    const bar = page.getByRole('grid').locator('.mc-bar', { hasText: `${firstName} ${lastName}` });
    const opening = countSteps(page);
    await opening.click(bar);
    await heading(reference).waitFor();
    assert.equal(opening.taken, 1);
    await user.go('/calendar', 'Calendar');
    await bar.waitFor();
    const box = (await bar.boundingBox())!;
    // Above the bar: its first night is selected.
    await page.mouse.click(box.x + 20, box.y - 8);
    const moving = countSteps(page);
    await moving.press('.');
    const dialog = page.getByRole('dialog', { name: `Move ${reference}` });
    const stay = await partner.succeed('reservation.reservation.get', { params: { reference } });
    const later = plusDays(stay.checkIn, 1);
    await eventually(async () => (await dialog.getByLabel('Arrival').inputValue()) === later);
    assert.equal(await dialog.getByLabel('Departure').inputValue(), plusDays(stay.checkOut, 1));
    // Only the reason is missing: it has the focus, and other homes are out of the way.
    await dialog.locator('input:focus').and(dialog.getByLabel('Reason')).waitFor();
    assert.equal(await dialog.getByRole('table', { name: 'Free homes' }).count(), 0);
    await dialog.getByText('The nights are free').waitFor();
    await moving.type('The guest arrives a day later.');
    await moving.press('Enter');
    await page.getByText(`${reference} is changed.`).waitFor();
    assert.ok(moving.taken <= 3, `${moving.taken} steps`);
    const moved = await partner.succeed('reservation.reservation.get', { params: { reference } });
    assert.deepEqual([moved.checkIn, moved.checkOut], [later, plusDays(stay.checkOut, 1)]);
    assert.equal(moved.charges.total, stay.charges.total);
  });

  it('3: drags a stay back by a day', async () => {
    const stay = await partner.succeed('reservation.reservation.get', { params: { reference } });
    const { lastName } = guest();
    const bar = page.getByRole('grid').locator('.mc-bar', { hasText: lastName });
    await bar.waitFor();
    const box = (await bar.boundingBox())!;
    const steps = countSteps(page);
    const [x, y] = [box.x + 80, box.y + box.height / 2];
    await steps.drag({ x, y }, { x: x - 54, y });
    const dialog = page.getByRole('dialog', { name: `Move ${reference}` });
    const earlier = plusDays(stay.checkIn, -1);
    await eventually(async () => (await dialog.getByLabel('Arrival').inputValue()) === earlier);
    await dialog.getByText('The nights are free').waitFor();
    // The move before was their own.
    assert.equal(await dialog.getByText('has changed meanwhile').count(), 0);
    await steps.fill(dialog.getByLabel('Reason'), 'The guest arrives as agreed.');
    await steps.press('Enter');
    const isBack = async () =>
      (await partner.succeed('reservation.reservation.get', { params: { reference } })).checkIn ===
      earlier;
    await eventually(isBack);
    assert.ok(steps.taken <= 3, `${steps.taken} steps`);
  });

  it('3: moves a stay to another home of a list with place, size and price difference, in four steps', async () => {
    const stay = await partner.succeed('reservation.reservation.get', { params: { reference } });
    const { checkIn, checkOut, party } = stay;
    const { items, free, total } = await staff.done('operator.reservation.freeHomes', {
      params: { reference },
      query: {},
    });
    assert.ok(items.length > 0 && free >= items.length);
    assert.equal(total, stay.charges.total);
    const query = { from: checkIn, freeFrom: checkIn, freeTo: checkOut, limit: 500 };
    const { homes } = await staff.done('operator.calendar.read', { query });
    const freeIds = new Set(homes.map(({ listingId }) => listingId));
    const guests = party.adults + party.children;
    for (const home of items) {
      assert.ok(freeIds.has(home.listingId), `${home.listing} is free`);
      assert.ok(home.sleeps === null || home.sleeps >= guests);
      assert.equal(home.difference, home.total - total);
    }
    const [target] = items;
    await user.go('/calendar', 'Calendar');
    const bar = page.getByRole('grid').locator('.mc-bar', { hasText: guest().lastName });
    await bar.waitFor();
    const box = (await bar.boundingBox())!;
    await page.mouse.click(box.x + 20, box.y - 8);
    const steps = countSteps(page);
    await steps.press('m');
    const dialog = page.getByRole('dialog', { name: `Move ${reference}` });
    const row = dialog.getByRole('row').filter({ hasText: target!.name });
    await row.getByText(`${target!.destination} · sleeps ${target!.sleeps}`).waitFor();
    await steps.click(row.getByRole('button', { name: target!.name, exact: true }));
    await dialog.getByText('The nights are free').waitFor();
    await steps.fill(dialog.getByLabel('Reason'), 'The boiler is broken.');
    await steps.press('Enter');
    await page.getByText(`${reference} is changed.`).waitFor();
    assert.ok(steps.taken <= 4, `${steps.taken} steps`);
    const moved = await partner.succeed('reservation.reservation.get', { params: { reference } });
    assert.equal(moved.listingId, target!.listingId);
    assert.deepEqual([moved.checkIn, moved.checkOut], [checkIn, checkOut]);
  });

  it('4: blocks three homes for a week in six steps, undoes it, and asks before blocks are removed', async () => {
    const from = plusDays(today, 300);
    await user.go(`/calendar?from=${from}`, 'Calendar');
    await page.getByRole('gridcell').first().waitFor();
    const blocked = async () =>
      (await takenNights(service.database)).filter(
        (night) => night.kind === 'block' && night.from === from,
      ).length;
    const block = async () => {
      const steps = countSteps(page);
      const [first, last] = ['#mc-0-0', '#mc-2-6'].map((cell) => page.locator(cell));
      await steps.click(first!);
      await last!.click({ modifiers: ['Shift'] });
      await steps.press('b');
      const dialog = page.getByRole('dialog', { name: 'Block 3 homes' });
      await dialog.locator('input[data-autofocus]:focus').waitFor();
      await steps.type('Painters');
      await steps.press('Enter');
      await dialog.waitFor({ state: 'detached' });
      assert.ok(steps.taken + 1 <= 6);
      assert.equal(await blocked(), 3);
    };
    await block();
    await page.getByRole('button', { name: 'Undo' }).click();
    await eventually(async () => (await blocked()) === 0);
    await page.getByText('Undone.').waitFor();
    await block();
    await page.getByRole('button', { name: 'Remove 3 blocks' }).waitFor();
    await page.getByRole('grid').focus();
    await page.keyboard.press('u');
    const question = page.getByRole('dialog', { name: 'Remove 3 blocks?' });
    await question.waitFor();
    assert.equal(await blocked(), 3);
    await question.locator('button:focus').filter({ hasText: 'Remove' }).waitFor();
    await page.keyboard.press('Enter');
    await eventually(async () => (await blocked()) === 0);
  });

  it('4: raises the prices of a collection by 12 % in August in eight steps, shown before, and undoes it in one', async () => {
    const year = Number(today.slice(0, 4)) + 1;
    const [from, to] = [`${year}-08-01`, `${year}-08-31`];
    const { items } = await staff.done('operator.catalog.list', {});
    const { collections } = items.find(({ slug }) => slug === 'harbour-homes') ?? items[0]!;
    const { collectionId, name } = collections[0]!;
    const query = { from, days: 31, collectionId, limit: 500 };
    const prices = async () =>
      (await staff.done('operator.calendar.read', { query })).homes.flatMap((each) => each.prices);
    const earlier = await prices();
    await user.go('/calendar', 'Calendar');
    await page.getByRole('gridcell').first().waitFor();
    const steps = countSteps(page);
    await steps.choose(page.getByLabel('Collection'), name);
    const { homes, total } = await staff.done('operator.calendar.read', { query });
    await steps.click(page.getByRole('button', { name: `Select all ${total} homes` }));
    await steps.press('r');
    const dialog = page.getByRole('dialog', { name: `Rates of ${total} homes` });
    await steps.fill(dialog.getByLabel('First night'), from);
    await steps.fill(dialog.getByLabel('Last night'), to);
    await steps.choose(dialog.getByLabel('Price', { exact: true }), 'Change by percent');
    await steps.fill(dialog.getByLabel(/^By how much/), '12');
    await dialog
      .getByText(/\(\+12\.0 %\)/)
      .first()
      .waitFor();
    await dialog.getByRole('cell', { name: homes[0]!.name }).first().waitFor();
    assert.deepEqual(await prices(), earlier, 'the preview has changed nothing');
    await steps.press('Enter');
    await page.getByText(`Rates of ${total} homes changed.`).waitFor();
    assert.ok(steps.taken <= 8, `${steps.taken} steps`);
    const raised = earlier.map((price) => price && Math.round((price * 112) / 100));
    assert.deepEqual(await prices(), raised);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone.').waitFor();
    assert.deepEqual(await prices(), earlier);
  });

  it('4: asks for five nights at Christmas at forty homes, in nine steps', async () => {
    const year = Number(today.slice(0, 4)) + 1;
    const [from, to] = [`${year}-12-24`, `${year}-12-28`];
    await user.go(`/calendar?from=${from}`, 'Calendar');
    await page.getByRole('gridcell').first().waitFor();
    const steps = countSteps(page);
    await steps.click(page.locator('#mc-0-0'));
    for (let time = 0; time < 4; time += 1) await steps.press('Shift+PageDown');
    await page.getByRole('region', { name: 'Selection' }).getByText('41 homes').waitFor();
    await steps.press('r');
    const dialog = page.getByRole('dialog', { name: 'Rates of 41 homes' });
    await steps.fill(dialog.getByLabel('Last night'), to);
    await steps.fill(dialog.getByLabel('Minimum nights of an arrival'), '5');
    await dialog
      .getByText(/^Minimum nights \d+ → 5$/)
      .first()
      .waitFor();
    await steps.press('Enter');
    await page.getByText('Rates of 41 homes changed.').waitFor();
    assert.ok(steps.taken <= 9, `${steps.taken} steps`);
    const query = { from, days: 5, limit: 41 };
    const { homes } = await staff.done('operator.calendar.read', { query });
    assert.deepEqual(
      homes.map(({ minNights }) => minNights),
      homes.map(() => [5, 5, 5, 5, 5]),
    );
  });

  it('5: shows which homes are free on some nights for five guests, in three steps', async () => {
    await user.go('/calendar', 'Calendar');
    const stay = await partner.succeed('reservation.reservation.get', { params: { reference } });
    await page.getByText(/^\d+ homes$/).waitFor();
    const steps = countSteps(page);
    await steps.fill(page.getByLabel('Free from'), stay.checkIn);
    await steps.fill(page.getByLabel('until'), stay.checkOut);
    await steps.fill(page.getByLabel('for guests'), '5');
    assert.ok(steps.taken <= 3);
    await eventually(async () => page.url().includes('sleeps=5'));
    // Spec: OPERATOR-18.
    const { homes, total } = await staff.done('operator.calendar.read', {
      query: {
        from: stay.checkIn,
        freeFrom: stay.checkIn,
        freeTo: stay.checkOut,
        sleeps: 5,
        limit: 500,
      },
    });
    assert.ok(homes.length > 0);
    assert.ok(homes.every(({ sleeps }) => sleeps === null || sleeps >= 5));
    assert.ok(homes.every(({ listingId }) => listingId !== stay.listingId));
    const { homes: all } = await staff.done('operator.calendar.read', {
      query: { from: stay.checkIn, limit: 500 },
    });
    const names = new Map(all.map(({ listingId, name }) => [listingId, name]));
    const counted = total === 1 ? '1 home' : `${total} homes`;
    await page.getByText(counted, { exact: true }).waitFor();
    const booked = names.get(stay.listingId)!;
    await page.getByRole('rowheader', { name: booked }).waitFor({ state: 'detached' });
    const wrong = await staff.refused('operator.calendar.read', {
      query: { from: stay.checkIn, freeFrom: stay.checkOut, freeTo: stay.checkIn },
    });
    assert.equal(wrong.status, 400);
  });

  it('11: books a stay for a guest who phones from free nights, in nine steps', async () => {
    const from = plusDays(today, 200);
    await user.go(`/calendar?from=${from}`, 'Calendar');
    await page.locator('#mc-3-4').waitFor();
    const boxOf = async (cell: string) => {
      const { x, y, width, height } = (await page.locator(cell).boundingBox())!;
      return { x: x + width / 2, y: y + height / 2 };
    };
    const query = { from, days: 5, limit: 4 };
    const home = async () => (await staff.done('operator.calendar.read', { query })).homes[3]!;
    const { name } = await home();
    const steps = countSteps(page);
    await steps.drag(await boxOf('#mc-3-0'), await boxOf('#mc-3-4'));
    await steps.press('n');
    const dialog = page.getByRole('dialog', { name: `Book ${name}` });
    await steps.check(dialog.getByLabel('Set the rules of the home aside'));
    // The price is there before anybody is named, and nothing can be booked.
    await dialog.getByRole('row', { name: /^Total/ }).waitFor();
    assert.ok(await dialog.getByRole('button', { name: 'Book' }).isDisabled());
    // A child takes two more.
    await dialog.getByLabel('Children', { exact: true }).fill('1');
    await dialog.getByLabel('Ages of the children').fill('7');
    await steps.fill(dialog.getByLabel('First name'), 'Greta');
    await steps.fill(dialog.getByLabel('Last name'), 'Sorensen');
    await steps.fill(dialog.getByLabel('Email'), 'greta@example.com');
    await steps.fill(dialog.getByLabel('Phone'), '00351 912 345-679');
    await steps.choose(dialog.getByLabel('How it is paid'), 'At the property');
    await dialog.getByText(/at the property: /).waitFor();
    const button = dialog.getByRole('button', { name: 'Book' });
    await eventually(async () => button.isEnabled());
    // What is typed while it is sent is not what was booked.
    await page.route(/\/operator\/v1\/reservations$/, async (route) => {
      await dialog.getByLabel('Departure').fill(plusDays(from, 9));
      await route.continue();
    });
    await steps.click(button);
    await page.getByRole('heading', { level: 1, name: /^LK/ }).waitFor();
    await page.unrouteAll();
    const said = await page.getByText(/is booked: /).textContent();
    assert.ok(said?.endsWith(`${name}, ${stayText(from, plusDays(from, 5))}.`), said ?? '');
    assert.ok(steps.taken <= 9, `${steps.taken} steps`);
    const [booked] = (await home()).bars;
    assert.deepEqual(
      [booked?.kind, booked?.guest, booked?.from, booked?.to],
      ['stay', 'Greta Sorensen', from, plusDays(from, 5)],
    );
    await page.getByRole('link', { name: '+351912345679' }).waitFor();
    await page.getByText('1 child (aged 7)').first().waitFor();
    await page.getByRole('button', { name: 'Dismiss' }).first().click();
  });

  const office = () => ({ service, browser, partner, user, reference });
  officeTasks(office);
  longDayTests(office);

  it('9: adds a home like another one as a draft in four steps, and offers it in two', async () => {
    const [{ slug, name } = { slug: '', name: '' }] = (
      await staff.done('operator.listing.list', { query: { limit: 1 } })
    ).items;
    await user.go(`/homes/${slug}`, name);
    const steps = countSteps(page);
    await steps.click(page.getByRole('link', { name: 'Copy', exact: true }));
    await heading('Add a home').waitFor();
    await steps.fill(page.getByRole('textbox', { name: 'Name', exact: true }).first(), 'The Twin');
    await steps.click(page.getByRole('button', { name: 'Keep as a draft' }));
    await heading('The Twin').waitFor();
    assert.ok(steps.taken <= 4, `${steps.taken} steps`);
    const read = (listing: string) => staff.done('operator.listing.get', { params: { listing } });
    const [twin, original] = [await read('the-twin'), await read(slug)];
    assert.deepEqual(twin.places, []);
    await page.getByText('Not for sale').waitFor();
    assert.deepEqual(twin.listing.rates, original.listing.rates);
    assert.equal(twin.listing.timeZone, original.listing.timeZone);
    const offering = countSteps(page);
    await offering.click(page.getByRole('button', { name: 'Sell here' }).first());
    await eventually(async () => (await read('the-twin')).places.length === 1);
    assert.ok(offering.taken <= 2);
    await page.getByText('Not for sale').waitFor({ state: 'detached' });
    // Save is in view at the end of the form, too.
    await page.mouse.wheel(0, 100_000);
    await eventually(async () => (await page.evaluate('window.scrollY')) !== 0);
    const box = (await page.getByRole('button', { name: 'Save' }).boundingBox())!;
    assert.ok(box.y >= 0 && box.y < 900);
  });

  // Spec: OPERATOR-20.
  it('9: mends a typo in thirty homes in four steps, each text shown before', async () => {
    const [sold] = (await staff.done('operator.catalog.list', {})).items;
    const mews = Array.from({ length: 30 }, (_, at) => ({
      slug: `mews-${at}`,
      name: `Mews ${at}`,
      timeZone: 'Europe/Lisbon',
      currency: 'EUR',
      description: `${'By the harbour. '.repeat(8)}Breakfast in the resturant below.`,
      rates: { nightly: 10_000 },
    }));
    const { slug, name, discovery } = sold!;
    const head = { slug, name, discovery };
    const file = { format: 'latchkey-catalog/1', catalog: head, listings: mews };
    await staff.done('operator.catalog.import', { body: { file: JSON.stringify(file) } });
    await service.follow();
    await user.go('/homes', 'Homes');
    const steps = countSteps(page);
    await steps.click(page.getByRole('button', { name: 'Replace a text' }));
    const dialog = page.getByRole('dialog', { name: 'Replace a text in many homes' });
    await steps.fill(dialog.getByLabel('Find'), 'resturant');
    await steps.fill(dialog.getByLabel('Replace with'), 'restaurant');
    await dialog.getByText('30 homes', { exact: true }).waitFor();
    await dialog
      .getByText(/Breakfast in the restaurant below/)
      .first()
      .waitFor();
    const textOf = async (listing: string) =>
      (await staff.done('operator.listing.get', { params: { listing } })).listing.description!;
    assert.ok((await textOf('mews-7')).includes('resturant'));
    await steps.press('Enter');
    const done = page.getByRole('status').filter({ hasText: 'The text is replaced in 30 homes.' });
    await done.waitFor();
    assert.ok(steps.taken <= 4, `${steps.taken} steps`);
    for (const { slug: each, description } of mews) {
      assert.equal(await textOf(each), description.replace('resturant', 'restaurant'));
    }
    await steps.click(done.getByRole('button', { name: 'Undo' }));
    await page.getByText('Undone.').waitFor();
    for (const { slug: each, description } of mews) {
      assert.equal(await textOf(each), description);
    }
  });

  // Spec: OPERATOR-20.
  it('9: undoes a replaced text once, and not over what was changed since', async () => {
    const body = { text: 'Mews', find: 'resturant', replaceWith: 'restaurant' };
    const replaced = await staff.done('operator.listing.replaceText', { body });
    assert.equal(replaced.changed, 30);
    const params = { replacementId: replaced.changeId! };
    const undo = () => staff.refused('operator.listing.undoReplaceText', { params, body: {} });
    const of = { params: { listing: 'mews-7' } };
    const change = async (name: string) => {
      const { listing, version } = await staff.done('operator.listing.get', of);
      const changed = { version, listing: { ...listing, name } };
      await staff.done('operator.listing.change', { ...of, body: changed });
    };
    await change('The mews by the pier');
    const { status, message } = await undo();
    assert.equal(status, 409);
    assert.equal(message, 'Texts were changed since at mews-7. Nothing was undone.');
    await change('Mews 7');
    const undone = await staff.done('operator.listing.undoReplaceText', { params, body: {} });
    assert.equal(undone.changed, 30);
    assert.equal((await undo()).status, 404);
  });

  it('12: imports prices of a spreadsheet in four steps, and not EUR 1.80 for EUR 180 without a tick', async () => {
    const [from, to] = [plusDays(today, 400), plusDays(today, 401)];
    const query = { from, days: 2, limit: 500 };
    const home = async () =>
      (await staff.done('operator.calendar.read', { query })).homes.find(
        ({ currency, prices }) => currency === 'EUR' && prices[0] !== null,
      )!;
    const { slug, prices: earlier } = await home();
    const csv = (column: string, value: string) => ({
      name: 'rates.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(`listing;from;to;${column}\r\n${slug};${from};${to};${value}\r\n`),
    });
    await user.go('/catalogs', 'Catalogs');
    const section = page.locator('section', {
      has: page.getByRole('heading', { name: 'Import rates' }),
    });
    const look = section.getByRole('button', { name: 'Show what would change' });
    const apply = section.getByRole('button', { name: 'Apply' });
    const choose = async (file: ReturnType<typeof csv>) => {
      const [chooser] = await Promise.all([
        page.waitForEvent('filechooser'),
        section.getByLabel('File').click(),
      ]);
      await chooser.setFiles(file);
    };
    await choose(csv('nightly', '180'));
    await look.click();
    await section
      .getByRole('alert')
      .getByText(/→ EUR 1\.80/)
      .first()
      .waitFor();
    assert.ok(await apply.isDisabled());
    assert.deepEqual((await home()).prices, earlier);
    const steps = countSteps(page);
    await choose(csv('price', '180,00'));
    await steps.click(look);
    await section.getByRole('cell', { name: 'EUR 180.00' }).waitFor();
    await steps.click(apply);
    await page.getByText('1 line imported.').waitFor();
    assert.ok(steps.taken + 2 <= 4, 'with the choice of the file');
    assert.deepEqual((await home()).prices, [18_000, 18_000]);
  });
});
