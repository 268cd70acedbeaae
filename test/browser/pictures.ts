/**
 * Makes the pictures of the guides to the console from the running console: `npm run pictures`. With `--all FOLDER`,
 * those of every page with the data of a working day; with `--only TEXT`, only of pages with this in their address.
 */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { sumUpBookings } from '../../src/bookings/index.ts';
import { openBrowser } from '../harness/browser.ts';
import { buildConsoleIfStale } from '../harness/built-console.ts';
import { plusDays } from '../harness/catalog.ts';
import { guest } from '../harness/partner.ts';
import { sql } from '../harness/rows.ts';
import { openConsole } from '../harness/staff-member.ts';
import { openStaff } from '../harness/staff.ts';
import { withTemplate } from '../harness/template.ts';
import { takeAllPictures } from './all-pictures.ts';

const folder = path.join(import.meta.dirname, '../../docs/reservations-team/pictures');
const names = ['Seaside Travel', 'Villa Finder', 'Weekend Club'] as const;
const reservationsOfEach = 8;
const days = 30;

async function takePictures(): Promise<void> {
  const at = await openStaff('simulation');
  const browser = await openBrowser();
  try {
    const { database } = at.service;
    for (const name of names) {
      const partner = await at.service.partner({ settlement: 'partner' });
      const { applicationId } = partner.credentials;
      await sql(database, 'UPDATE applications SET name = $2 WHERE application_id = $1', [
        applicationId,
        name,
      ]);
      for (let made = 0; made < reservationsOfEach; made += 1) {
        const { reference } = await at.reserve(undefined, partner);
        await sql(
          database,
          `UPDATE reservations SET confirmed_at = now() - make_interval(days => $2) WHERE reference = $1`,
          [reference, Math.floor((made * days) / reservationsOfEach)],
        );
      }
    }
    const [today] = await sql<{ date: string }>(
      database,
      `UPDATE reservations SET check_in = now()::date, check_out = now()::date + 3
        WHERE reference IN (SELECT reference FROM reservations ORDER BY reference LIMIT 3)
        RETURNING check_in AS date`,
    );
    while ((await sumUpBookings(database, days)) > 0);
    const { reference } = await at.reserve();
    const open = await at.partner.submittedCheckout('uncertain');
    await at.partner.statusOnce(open, ['uncertain']);
    await sql(database, `UPDATE applications SET name = 'Harbour Stays' WHERE name = 'a test'`);
    const { page } = await openConsole(browser, at.service, 'reservations', {
      viewport: { width: 1_280, height: 800 },
      colorScheme: 'light',
    });
    await sql(database, `UPDATE staff_members SET email = 'maria@harbour-homes.example'`);
    const take = async (name: string, address: string) => {
      await page.goto(`${at.service.origin}/operator${address}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.getByRole('status', { name: 'Loading' }).waitFor({ state: 'detached' });
      await page.waitForLoadState('networkidle');
      await page.screenshot({ path: path.join(folder, `${name}.png`) });
    };
    await take('overview', '/');
    // The library of charts is read after the page.
    await page.locator('.recharts-surface').first().waitFor();
    await page.screenshot({ path: path.join(folder, 'overview.png') });
    await take('calendar', '/calendar');
    await take('homes', '/homes');
    await take('reservations', `/reservations?from=${today!.date}`);
    await take('checkout', `/checkouts/${open.created.checkoutId}`);
    await take('reservation', `/reservations/${reference}`);
    await page.getByRole('button', { name: 'Change', exact: true }).click();
    const dialog = page.getByRole('dialog');
    const { checkOut } = await at.read(reference);
    await dialog.getByLabel('Departure').fill(plusDays(checkOut, 1));
    await dialog.getByText('Reservation changed').waitFor();
    await dialog.getByLabel('Reason').fill(`${guest().firstName} stays one night longer`);
    await page.screenshot({ path: path.join(folder, 'change.png') });
  } finally {
    await browser.close();
    await at.service.stop();
  }
}

const { values } = parseArgs({ options: { all: { type: 'string' }, only: { type: 'string' } } });
const { all, only } = values;

mkdirSync(folder, { recursive: true });
buildConsoleIfStale();
await withTemplate((connection) => {
  process.env['LATCHKEY_TEST_POSTGRES'] = JSON.stringify(connection);
  return all === undefined ? takePictures() : takeAllPictures(all, only);
});
