/** The pages of the console about reservations, in a browser. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, suite, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { moneyText } from '../../console/src/base/words/money.ts';
import { openBrowser } from '../harness/browser.ts';
import { buildConsoleIfStale } from '../harness/built-console.ts';
import { plusDays } from '../harness/catalog.ts';
import { eventually } from '../harness/eventually.ts';
import { operatorOf } from '../harness/operator.ts';
import { guest } from '../harness/partner.ts';
import { sql } from '../harness/rows.ts';
import { type ConsoleUser, openConsole, staffPassword } from '../harness/staff-member.ts';
import { openStaff, type StaffAtWork } from '../harness/staff.ts';

const folder = process.env['LATCHKEY_PICTURES'];

suite('the console: reservations', () => {
  let at: StaffAtWork;
  let browser: Browser;
  let user: ConsoleUser;
  let page: Page;
  let reference: string;
  let other: string;
  let checkoutId: string;

  before(async () => {
    buildConsoleIfStale();
    at = await openStaff('simulation');
    browser = await openBrowser();
    ({ reference } = await at.reserve());
    ({ reference: other } = await at.reserve());
    const open = await at.partner.submittedCheckout('uncertain');
    await at.partner.statusOnce(open, ['uncertain']);
    checkoutId = open.created.checkoutId;
    user = await openConsole(browser, at.service);
    ({ page } = user);
  });
  after(async () => {
    await browser.close();
    await at.service.stop();
  });

  const go = async (path: string, heading: string) => {
    await user.go(path, heading);
    await page.getByRole('status', { name: 'Loading' }).waitFor({ state: 'detached' });
  };

  const picture = async (name: string) => {
    if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
  };

  /** Asks for a cancellation, or for one guest less: which days a home allows differs. */
  async function asked(of: string, kind: 'cancel' | 'change'): Promise<string> {
    const changeRequestId = randomUUID();
    const wanted = kind === 'change' && { party: { adults: 1 } };
    await at.partner.succeed('reservation.change.request', {
      params: { reference: of },
      body: { changeRequestId, kind, note: 'The guest is ill', ...wanted },
    });
    return changeRequestId;
  }

  // Spec: CHANGE-3.
  test('requests of partners: accept one after its preview, decline another with a reason', async () => {
    const [{ reference: cancelled }, { reference: kept }] = [
      await at.reserve(),
      await at.reserve(),
    ];
    const { party } = await at.read(kept);
    const ids = [await asked(cancelled, 'cancel'), await asked(kept, 'change')];
    // Whoever opens the reservation sees that the partner waits.
    await go(`/reservations/${cancelled}`, cancelled);
    const waits = page.getByRole('alert').filter({ hasText: 'The partner asks to cancel it' });
    await waits.getByRole('link', { name: 'Accept or decline it under Requests' }).waitFor();
    await go('/change-requests', 'Requests');
    const dialog = page.getByRole('dialog').first();
    const rowOf = (of: string) => page.getByRole('row').filter({ hasText: of });
    await rowOf(cancelled).getByText('Cancel it').waitFor();
    await rowOf(kept).getByText('The guest is ill').waitFor();
    await rowOf(kept).getByText('1 adult', { exact: true }).waitFor();
    // Who and where, in words.
    const { firstName, lastName, phone } = guest();
    await rowOf(kept).getByText(`${firstName} ${lastName}`).waitFor();
    await rowOf(kept).getByRole('link', { name: phone }).waitFor();
    const [shown] = (
      await (
        await operatorOf(at.service)
      ).done('operator.changeRequest.list', { query: { reference: kept } })
    ).items;
    await rowOf(kept).getByText(shown!.listingName!, { exact: true }).waitFor();
    const { total, difference, currency } = shown!.preview;
    const more = moneyText(Math.abs(difference!), currency);
    const costs = difference === 0 ? 'the same' : `${difference! < 0 ? '−' : '+'}${more}`;
    await rowOf(kept)
      .getByText(`${moneyText(total!, currency)} (${costs})`)
      .waitFor();
    assert.equal(await page.getByText(shown!.listing!, { exact: true }).count(), 0);

    const viewer = await openConsole(browser, at.service, 'viewer');
    await viewer.go('/change-requests', 'Requests');
    await viewer.page.getByRole('row').filter({ hasText: kept }).waitFor();
    assert.equal(await viewer.page.getByRole('button', { name: /^(Accept|Decline)$/ }).count(), 0);
    await viewer.close();

    await rowOf(cancelled).getByRole('button', { name: 'Accept' }).click();
    await dialog.getByText('Reservation cancelled').waitFor();
    await dialog.getByText(`${firstName} ${lastName}`).waitFor();
    // A read by the partner lets the simulation decide.
    const [still] = await sql(
      at.service.database,
      'SELECT state FROM reservations WHERE reference = $1',
      [cancelled],
    );
    assert.deepEqual(still, { state: 'confirmed' });
    await dialog.getByLabel('Reason').fill('Get well soon');
    await picture('accept-request');
    await dialog.getByRole('button', { name: 'Cancel the reservation' }).click();
    await rowOf(cancelled).waitFor({ state: 'detached' });
    assert.equal((await at.read(cancelled)).state, 'cancelled');

    await rowOf(kept).getByRole('button', { name: 'Decline' }).click();
    await dialog.getByText('The guest is ill').waitFor();
    await dialog.getByLabel('Reason').fill('The house is full');
    await dialog.getByRole('button', { name: 'Decline the request' }).click();
    await page.getByText('Nobody asks for anything').waitFor();
    assert.deepEqual((await at.read(kept)).party, party);

    const { items } = await at.partner.succeed('reservation.change.list');
    const told = ids.map((id) => items.find(({ changeRequestId }) => changeRequestId === id)!);
    assert.deepEqual(
      told.map(({ state, reason }) => [state, reason]),
      [
        ['accepted', 'Get well soon'],
        ['declined', 'The house is full'],
      ],
    );
    await go(`/reservations/${cancelled}`, cancelled);
    const glance = page.getByRole('region', { name: 'Price and refund' });
    const names = await glance.locator('dt').allInnerTexts();
    assert.deepEqual(
      names.filter((name) => name.includes('efund')),
      ['Refund of the cancellation'],
    );
  });

  test('find a reservation by keyboard, change it after a preview, cancel it', async () => {
    await go('/reservations', 'Reservations');
    await page.keyboard.press('/');
    await page.getByRole('combobox', { name: /^Search for a guest/ }).waitFor();
    await page.keyboard.type(reference.toLowerCase());
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: reference }).waitFor();
    await page.getByText(/^Event reservation confirmed, number/).waitFor();

    await page.getByRole('button', { name: 'Change', exact: true }).press('Enter');
    const dialog = page.getByRole('dialog');
    const { checkOut } = await at.read(reference);
    const later = plusDays(checkOut, 1);
    const act = dialog.getByRole('button', { name: 'Change the reservation' });
    // Ages are asked for where there are children.
    const [children, ages] = [
      dialog.getByLabel('Children', { exact: true }),
      dialog.getByLabel('Ages of the children'),
    ];
    assert.equal(await ages.count(), 0);
    await children.fill('2');
    await ages.fill('4');
    const wrong = dialog.getByText('exactly one age for each of the 2 children');
    await wrong.waitFor();
    await ages.fill('4, 9');
    await wrong.waitFor({ state: 'detached' });
    await children.fill('0');
    await ages.waitFor({ state: 'detached' });
    await dialog.getByLabel('Departure').fill(plusDays(checkOut, -60));
    await dialog.getByText('It must be 1 to 90 nights after arrival.').waitFor();
    assert.equal(await dialog.getByRole('alert').count(), 0);
    await page.route('**/change/preview', (route) => route.abort());
    await dialog.getByLabel('Departure').fill(later);
    await dialog.getByText('Latchkey cannot be reached').waitFor();
    assert.ok(await act.isDisabled());
    await page.unroute('**/change/preview');
    await dialog.getByRole('button', { name: 'Try again' }).click();
    await dialog.getByText('Reservation changed').waitFor();
    await act.press('Enter');
    await dialog.getByText('Enter a reason').waitFor();
    assert.equal((await at.read(reference)).checkOut, checkOut);
    await dialog.getByLabel('Reason').fill('The guest has called');
    await picture('change');
    // Another price can move money: that needs the password again.
    await dialog.getByLabel('Take the price of the current rates').check();
    await eventually(() => act.isEnabled());
    await dialog.getByLabel('Reason').focus();
    await sql(
      at.service.database,
      `UPDATE staff_sessions SET confirmed_at = now() - interval '1 hour'`,
    );
    const confirmation = page.getByRole('dialog', { name: 'Confirm that it is you' });
    await page.keyboard.press('Enter');
    await confirmation.waitFor();
    await page.keyboard.press('Escape');
    await confirmation.waitFor({ state: 'detached' });
    assert.equal(await dialog.getByLabel('Reason').inputValue(), 'The guest has called');
    await act.click();
    await confirmation.getByRole('textbox', { name: 'Password' }).fill(staffPassword);
    await page.keyboard.press('Enter');
    await dialog.first().waitFor({ state: 'detached' });
    assert.equal((await at.read(reference)).checkOut, later);
    await page.getByText('The guest has called').waitFor();

    await page.getByLabel('New note').fill('Arrives late.');
    await page.getByRole('button', { name: 'Add note' }).press('Enter');
    const note = page.getByRole('article').filter({ hasText: 'Arrives late.' });
    await note.waitFor();
    await page.getByText('Note: Arrives late.').waitFor();
    assert.equal(await page.getByLabel('New note').inputValue(), '');
    await note.getByRole('button', { name: 'Remove this note' }).click();
    await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
    await note.waitFor({ state: 'detached' });

    await page.getByRole('button', { name: 'Cancel', exact: true }).press('Enter');
    await dialog.getByText('Reservation cancelled').waitFor();
    await dialog.getByLabel('Reason').fill('The guest is ill');
    await picture('cancel');
    await dialog.getByRole('button', { name: 'Cancel the reservation' }).press('Enter');
    await page.getByText('Cancelled', { exact: true }).first().waitFor();
    assert.equal((await at.read(reference)).state, 'cancelled');

    // A reference of the partner that begins like ours.
    const own = 'LK-booking-77';
    const written = `UPDATE bookings SET partner_reference = $2
      WHERE booking_id = (SELECT booking_id FROM reservations WHERE reference = $1)`;
    await sql(at.service.database, written, [other, own]);
    const moved = `UPDATE reservations SET check_in = check_in + $2::integer,
      check_out = check_out + $2::integer WHERE reference = $1`;
    await sql(at.service.database, moved, [other, -1_000]);
    await go('/reservations', 'Reservations');
    const row = (name: string) => page.getByRole('row').filter({ hasText: name });
    const { firstName, lastName } = guest();
    await row(reference).getByText(`${firstName} ${lastName}`).waitFor();
    await row(other).waitFor({ state: 'detached' });
    const firstDay = page.getByLabel('Arrival from');
    assert.match(await firstDay.inputValue(), /^\d{4}-\d\d-\d\d$/);
    await firstDay.fill('');
    await row(other).waitFor();
    await page.getByRole('link', { name: 'From today' }).click();
    await row(other).waitFor({ state: 'detached' });
    await page.getByLabel('Find').fill(own);
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: reference }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: other }).waitFor();
    await sql(at.service.database, moved, [other, 1_000]);

    const [home] = await sql<{ slug: string; name: string }>(
      at.service.database,
      `SELECT slug, name FROM listings
        WHERE listing_id = (SELECT listing_id FROM reservations WHERE reference = $1)`,
      [reference],
    );
    const { slug, name } = home!;
    const choice = page.getByRole('combobox', { name: 'Home' });
    await go('/reservations', 'Reservations');
    await choice.fill(name.toLowerCase());
    await page.getByRole('option').filter({ hasText: slug }).click();
    await page.waitForURL(`**/reservations?listing=${slug}`);
    await row(reference).waitFor();
    await go(`/reservations?listing=${slug}`, 'Reservations');
    await eventually(async () => (await choice.inputValue()) === name);
    await choice.fill('');
    await page.waitForURL(/\/reservations$/);
    await choice.fill('no-such-home');
    await page.getByText('As slug or ID').waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/reservations?listing=no-such-home');
  });

  test('a viewer reads a reservation, and is not offered to change it', async () => {
    const viewer = await openConsole(browser, at.service, 'viewer');
    await viewer.go(`/reservations/${other}`, other);
    await viewer.page.getByRole('heading', { name: 'What happened' }).waitFor();
    const home = viewer.page.locator('a[href*="/operator/homes/"]');
    const homeName = await home.innerText();
    await home.click();
    await viewer.page.getByRole('heading', { level: 1, name: homeName }).waitFor();
    await viewer.page.goBack();
    await viewer.page.getByRole('heading', { name: 'What happened' }).waitFor();
    for (const name of ['Change', 'Cancel'])
      assert.equal(await viewer.page.getByRole('button', { name, exact: true }).count(), 0);
    await viewer.close();
  });

  test('the number of refused records leads to those reservations', async () => {
    await go('/', 'Overview');
    // There is none, so nothing is named; the filter is there.
    assert.equal(await page.getByRole('link', { name: 'Refused records' }).count(), 0);
    await go('/reservations?recordsRefused=true', 'Reservations');
    await page.getByRole('heading', { level: 2, name: 'No reservations match' }).waitFor();
    assert.match(page.url(), /\/reservations\?recordsRefused=true$/);
    assert.equal(await page.getByLabel('Your records').inputValue(), 'true');
    await page.getByLabel('Your records').selectOption('');
    await page.getByRole('link', { name: reference }).waitFor();
  });

  test('what somebody else has changed is not overwritten, and nothing typed is lost', async () => {
    await go(`/reservations/${other}`, other);
    await page.getByRole('button', { name: 'Change', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Adults').fill('1');
    await dialog.getByLabel('Reason').fill('One guest less');
    await dialog.getByText('Reservation changed').waitFor();
    const colleague = await operatorOf(at.service, 'reservations');
    await colleague.done('operator.reservation.change', {
      params: { reference: other },
      body: { party: { children: 1 }, reason: 'A child comes along' },
    });
    await dialog.getByRole('button', { name: 'Change the reservation' }).click();
    await dialog
      .getByText(/^Somebody has changed LK-.* meanwhile/)
      .first()
      .waitFor();
    assert.equal(await dialog.getByLabel('Reason').inputValue(), 'One guest less');
    assert.notEqual((await at.read(other)).party.adults, 1);
    await dialog.getByText('The reservation has changed meanwhile').waitFor();
    await picture('changed-meanwhile');
    await dialog.getByRole('button', { name: 'Continue with it as it is now' }).click();
    assert.equal(await dialog.getByLabel('Reason').inputValue(), 'One guest less');
    await dialog.getByText('Reservation changed').waitFor();
    await dialog.getByRole('button', { name: 'Change the reservation' }).click();
    await dialog.waitFor({ state: 'detached' });
    const { adults, children } = (await at.read(other)).party;
    assert.deepEqual([adults, children], [1, 1]);
  });

  test('an uncertain checkout is resolved beside its evidence', async () => {
    await go('/checkouts', 'Uncertain checkouts');
    await page.getByTitle(checkoutId).click();
    await page.getByRole('heading', { name: 'Evidence' }).waitFor();
    await page.getByRole('button', { name: 'It was made', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Reservation confirmed').waitFor();
    await dialog.getByLabel('Reason').fill('The owner has confirmed by phone');
    await picture('resolve');
    await dialog.getByRole('button', { name: 'The reservation was made' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('Confirmed', { exact: true }).waitFor();
  });

  // Spec: GUEST-4.
  test('guests: one is found, exported, and erased after a preview; no address names anybody', async () => {
    const { reference: stay } = await at.reserve();
    const { guest: person } = await (
      await operatorOf(at.service, 'viewer')
    ).done('operator.reservation.get', { params: { reference: stay } });
    await go('/guests', 'Guests');
    await page.getByLabel('Reservation').fill(stay);
    await page.getByLabel('Email').fill(person!.email);
    await page.getByRole('button', { name: 'Find' }).click();
    await page.getByRole('row').filter({ hasText: stay }).waitFor();
    await picture('guest-found');
    await page.getByLabel('Email').fill('');
    await page.getByRole('button', { name: 'Find' }).click();
    await page.getByRole('row').filter({ hasText: stay }).waitFor();

    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByText(`"email": "${person!.email}"`).first().waitFor();

    await page.getByRole('button', { name: 'Show what is erased' }).click();
    await page.getByText(`${stay} lasts until`).waitFor();
    await sql(
      at.service.database,
      `WITH freed AS (DELETE FROM occupancies WHERE reference = $1)
        UPDATE reservations SET check_in = '2026-01-02', check_out = '2026-01-04' WHERE reference = $1`,
      [stay],
    );
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('Erases the guest of 1 bookings').waitFor();
    assert.notEqual((await at.read(stay)).state, 'cancelled', 'a preview erases nothing');
    await picture('guest-preview');
    await page.getByLabel('Reason').fill('Asked for in a letter of today.');
    await page.getByRole('button', { name: 'Erase', exact: true }).click();
    await page.getByText('The person is erased').first().waitFor();
    assert.doesNotMatch(page.url(), /@|%40|email/);

    await page.getByRole('button', { name: 'Find' }).click();
    await page.getByText('Nobody was found').waitFor();
    const [kept] = await sql<{ sealed: Buffer | null }>(
      at.service.database,
      'SELECT guest_sealed AS sealed FROM bookings WHERE reference = $1',
      [stay],
    );
    assert.equal(kept!.sealed, null);
  });

  test('a guest found by email is named in the address by a reservation', async () => {
    const { reference: stay } = await at.reserve();
    const { guest: person } = await (
      await operatorOf(at.service, 'viewer')
    ).done('operator.reservation.get', { params: { reference: stay } });
    await go('/reservations', 'Reservations');
    const find = page.getByLabel('Find', { exact: true });
    await find.fill(person!.email);
    await find.press('Enter');
    await page.waitForURL(/guestOf=LK-/);
    assert.doesNotMatch(page.url(), /@|%40/);
    await page.getByRole('row').filter({ hasText: stay }).waitFor();
    await find.fill('nobody@nowhere.example');
    await find.press('Enter');
    await page.getByText('Nobody has this email').waitFor();
  });
});
