/** The day sheet of a day with more stays than fit on a screen. The stays are given to the page: no service needs to have them. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Page, Route } from 'playwright-core';
import type { OperatorReplyOf } from '../../src/contract/operator/operations.ts';
import { plusDays } from '../harness/catalog.ts';
import { eventually } from '../harness/eventually.ts';
import { faultsOf, layoutFaultsOf } from '../harness/page-faults.ts';
import { openConsole } from '../harness/staff-member.ts';
import type { Office } from './office-tasks.ts';

type Sheet = OperatorReplyOf<'operator.daySheet.get'>['body'];
type First = OperatorReplyOf<'operator.daySheet.first'>['body'];

const date = '2030-03-14';
const count = 130;
const firstPart = 25;

const stayOf = (index: number): Sheet['arrivals'][number] => ({
  reference: `LK-LONG-${String(index).padStart(4, '0')}`,
  listing: `home-${index}`,
  name: index === 0 ? 'Casa Vista sul Mare e sulle Montagne con Giardino' : `Home ${index}`,
  guest: `Ada Guest${index}`,
  phone: `+39 02 555 ${1_000 + index}`,
  party: { adults: 2, children: 1, infants: 0, pets: 0 },
  checkIn: date,
  checkInFrom: '15:00',
  checkOut: plusDays(date, 7),
  checkOutUntil: '10:00',
  currency: 'EUR',
  balance: index * 1_000,
  notes: index % 3 === 0 ? ['Arrives late,\nafter ten', 'Needs a cot'] : [],
});

const sheet: Sheet = {
  date,
  arrivals: Array.from({ length: count }, (_, index) => stayOf(index)),
  departures: [],
  inHouse: [],
};

const nobody = { total: 0, items: [] };
const first: First = {
  date,
  arrivals: { total: count, items: sheet.arrivals.slice(0, firstPart) },
  departures: nobody,
  inHouse: nobody,
};

// Run in the page: the project's own types know no browser.
const neverPainted = `window.requestAnimationFrame = () => 0`;
const laidOut = `(() => {
  const rows = [...document.querySelectorAll('tbody tr')];
  return [rows[0], rows.at(-1)].map((row) => row.checkVisibility({ contentVisibilityAuto: true }));
})()`;
// A head stands over its column, whatever a row holds.
const misplaced = `(() => {
  const [heads, first, last] = [document, ...[0, -1].map((at) => [...document.querySelectorAll('tbody tr')].at(at))]
    .map((row, at) => [...row.querySelectorAll(at === 0 ? 'th' : 'td')].map((cell) => Math.round(cell.getBoundingClientRect().x)));
  return [first, last].filter((row) => String(row) !== String(heads)).map((row) => [heads.join(' '), row.join(' ')].join(' and '));
})()`;
const pagesOf = (pdf: Buffer): number => pdf.toString('latin1').match(/\/Type \/Page\b/g)!.length;

const rowsOf = (page: Page) => page.getByRole('table', { name: 'Arrivals' }).locator('tbody tr');
const rowsAre = (page: Page, rows: number) =>
  eventually(async () => (await rowsOf(page).count()) === rows);

/** Registers the tests. `office` is asked when they run. */
export function longDayTests(office: () => Office): void {
  async function openSheet(before?: string) {
    const { browser, service } = office();
    const user = await openConsole(browser, service);
    const { page } = user;
    if (before) await page.addInitScript(before);
    const isAsked = Promise.withResolvers<Route>();
    let firstAsked = 0;
    await page.route('**/operator/v1/day-sheet/first?*', async (route) => {
      firstAsked += 1;
      // The document asks, and the page takes the answer instead of asking again.
      await eventually(() => page.evaluate<boolean>(`window.latchkeyReads?.size === 0`));
      await route.fulfill({ json: first });
    });
    await page.route('**/operator/v1/day-sheet?*', (route) => isAsked.resolve(route));
    await page.goto(`${service.origin}/operator/day-sheet?date=${date}`);
    await page.getByRole('heading', { name: `Arrivals: ${count}` }).waitFor();
    assert.equal(firstAsked, 1);
    await rowsAre(page, firstPart);
    const missing = page.getByText(`${count - firstPart} more are not read yet.`);
    await missing.waitFor();
    assert.equal(await page.getByRole('button', { name: /CSV/ }).count(), 0);
    await (await isAsked.promise).fulfill({ json: sheet });
    await missing.waitFor({ state: 'detached' });
    return user;
  }

  it('lays out only what is in view of a long day, and leads to and prints all of it', async () => {
    const user = await openSheet();
    const { page } = user;
    await rowsAre(page, count);
    const areLaidOut = (...wanted: boolean[]) =>
      eventually(async () => String(await page.evaluate(laidOut)) === String(wanted));
    await areLaidOut(true, false);

    // The search of the browser, as by Ctrl F: it looks also in parts that are not laid out, and shows what it finds.
    const find = (text: string | null) => page.evaluate(`window.find(${JSON.stringify(text)})`);
    assert.equal(await find('Ada Guest that nobody knows'), false);
    await areLaidOut(true, false);
    assert.equal(await find(stayOf(count - 1).guest), true);
    await areLaidOut(false, true);
    // What is selected stays laid out.
    await page.evaluate(`getSelection().removeAllRanges(); scrollTo(0, 0)`);
    await areLaidOut(true, false);

    const { reference } = stayOf(count - 1);
    const link = page.getByRole('link', { name: reference });
    await link.focus();
    await areLaidOut(false, true);

    for (const width of [800, 1_000, 1_280, 1_440]) {
      await page.setViewportSize({ width, height: 900 });
      assert.deepEqual(await layoutFaultsOf(page), [], String(width));
      if (width > 960) assert.deepEqual(await page.evaluate(misplaced), [], String(width));
    }
    await page.emulateMedia({ colorScheme: 'dark' });
    assert.deepEqual(await faultsOf(page), []);

    const paper = await page.pdf({ format: 'A4' });
    assert.ok(pagesOf(paper) >= count / 50, `${pagesOf(paper)} pages`);

    await page.evaluate(`window.isSameDocument = true`);
    await link.focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/operator/reservations/${reference}`);
    assert.equal(await page.evaluate(`window.isSameDocument`), true);
    await user.close();
  });

  it('draws what is in view of a long day first, and all of it for paper, however early it is printed', async () => {
    const user = await openSheet(neverPainted);
    const { page } = user;
    await rowsAre(page, firstPart);
    await page.pdf({ format: 'A4' });
    assert.equal(await rowsOf(page).count(), count);
    await user.close();
  });
}
