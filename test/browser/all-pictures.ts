/** Pictures of every page of the console with the data of a working day: `npm run pictures -- --all FOLDER`. */
import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { generateCatalog } from '../../src/simulation/index.ts';
import { sumUpBookings } from '../../src/bookings/index.ts';
import { openBrowser } from '../harness/browser.ts';
import { buildConsoleIfStale } from '../harness/built-console.ts';
import { plusDays } from '../harness/catalog.ts';
import { importFile } from '../harness/import-file.ts';
import type { Partner } from '../harness/partner.ts';
import { enterPortal } from '../harness/portal.ts';
import { sql } from '../harness/rows.ts';
import { ownHomes, startTestService, type TestService } from '../harness/service.ts';
import { openConsole, signedIn } from '../harness/staff-member.ts';

const today = new Date().toISOString().slice(0, 10);
const partners = ['Seaside Travel', 'Villa Finder', 'Weekend Club', 'Nordic Holidays'] as const;
const firstNames = ['Maria', 'Lukas', 'Chloé', 'Søren', 'Ana', 'Tomasz', 'Giulia', 'Henrik'];
const lastNames = ['Silva', 'Schneider', 'Dubois', 'Jensen', 'Ferreira', 'Kowalski', 'Rossi'];
const homes = 1_500;
const bookings = 320;

const pick = (values: readonly string[], at: number): string => values[at % values.length]!;

async function bookSome(partner: Partner, first: number, count: number): Promise<void> {
  const party = { adults: 2, children: 1 };
  for (let at = first; at < first + count; at += 1) {
    const checkIn = plusDays(today, 1 + ((at * 7) % 120));
    const checkOut = plusDays(checkIn, 7);
    const body = { checkIn, checkOut, party, limit: 50 };
    const { items } = await partner.succeed('distribution.listing.search', { body });
    const found = items[at % Math.max(1, items.length)];
    if (!found) continue;
    const { listingId } = found.listing;
    const quoted = await partner.call('reservation.quote.create', {
      body: { quoteId: randomUUID(), listingId, checkIn, checkOut, party },
    });
    if (quoted.status !== 201) continue;
    const { quoteId, terms } = quoted.body as { quoteId: string; terms: { version: string } };
    const firstName = pick(firstNames, at);
    const lastName = pick(lastNames, at * 3);
    await partner.call('reservation.reservationRequest.create', {
      body: {
        reservationRequestId: randomUUID(),
        quoteId,
        termsVersion: terms.version,
        termsAccepted: true,
        guest: {
          firstName,
          lastName,
          email: `${firstName}.${lastName}${at}@example.com`
            .toLowerCase()
            .normalize('NFD')
            .replaceAll(/[^a-z0-9.@]/g, 'o'),
          phone: `+3519${String(10_000_000 + at * 7919).slice(0, 8)}`,
        },
      },
    });
  }
}

async function fill(service: TestService): Promise<Record<string, string>> {
  let file = '';
  for await (const text of generateCatalog({ listings: homes, seed: 1, from: today })) file += text;
  await importFile(service.database, file);
  await service.follow();
  const [{ catalogId } = { catalogId: '' }] = [...service.catalog.views()];
  const all: Partner[] = [];
  for (const name of partners) {
    const partner = await service.partner({ catalogId, settlement: 'partner' });
    all.push(partner);
    await sql(service.database, 'UPDATE applications SET name = $2 WHERE application_id = $1', [
      partner.credentials.applicationId,
      name,
    ]);
    await enterPortal(service, partner);
  }
  const each = Math.ceil(bookings / all.length);
  for (const [at, partner] of all.entries()) await bookSome(partner, at * each, each);
  for (let waited = 0; waited < 100; waited += 1) {
    const [open] = await sql<{ count: number }>(
      service.database,
      `SELECT count(*)::integer AS count FROM bookings WHERE state = 'pending'`,
    );
    if (open!.count === 0) break;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  // Some arrive today, some leave, some stay; confirmed over the last month.
  await sql(
    service.database,
    `WITH numbered AS (SELECT reference, row_number() OVER (ORDER BY reference) AS n FROM reservations)
      UPDATE reservations r SET confirmed_at = now() - make_interval(days => (n % 30)::integer),
        check_in = CASE WHEN n <= 9 THEN current_date WHEN n <= 16 THEN current_date - 7
          WHEN n <= 28 THEN current_date - 3 ELSE check_in END,
        check_out = CASE WHEN n <= 9 THEN current_date + 7 WHEN n <= 16 THEN current_date
          WHEN n <= 28 THEN current_date + 4 ELSE check_out END
      FROM numbered WHERE numbered.reference = r.reference`,
  );
  await sql(
    service.database,
    `UPDATE bookings SET state = 'unresolved', reference = NULL, resolved_at = NULL, due_at = NULL, unknown_step = 'confirm'
      WHERE booking_id IN (SELECT booking_id FROM bookings WHERE state = 'failed' LIMIT 3)`,
  ).catch(() => undefined);
  while ((await sumUpBookings(service.database, 30)) > 0);
  const { operator } = await signedIn(service);
  const [first] = await sql<{ reference: string; checkoutId: string; applicationId: string }>(
    service.database,
    `SELECT reference, booking_id AS "checkoutId", application_id AS "applicationId" FROM reservations
      WHERE check_in > current_date + 10 ORDER BY check_in, reference LIMIT 1`,
  );
  await operator.done('operator.reservation.addNote', {
    params: { reference: first!.reference },
    body: { text: 'Arrives late, asked for a cot' },
  });
  const applicationId = all[0]!.credentials.applicationId;
  const { items } = await operator.done('operator.listing.list', { query: { limit: 1 } });
  const { items: requests } = await operator.done('operator.request.list', {
    params: { applicationId },
    query: { limit: 1 },
  });
  return {
    reference: first!.reference,
    checkoutId: first!.checkoutId,
    applicationId,
    listing: items[0]!.slug,
    requestId: requests[0]?.requestId ?? randomUUID(),
    deliveryId: randomUUID(),
  };
}

const looks = [
  { name: '1440-light', width: 1_440, height: 900, colorScheme: 'light' },
  { name: '1440-dark', width: 1_440, height: 900, colorScheme: 'dark' },
  { name: '390-light', width: 390, height: 844, colorScheme: 'light' },
  { name: '390-dark', width: 390, height: 844, colorScheme: 'dark' },
] as const;

async function takeEach(
  browser: Browser,
  service: TestService,
  addresses: readonly string[],
  folder: string,
): Promise<void> {
  for (const { name, width, height, colorScheme } of looks) {
    const { page, close } = await openConsole(browser, service, 'administrator', {
      viewport: { width, height },
      colorScheme,
    });
    for (const address of addresses) {
      await page.goto(`${service.origin}/operator${address}`);
      await page.getByRole('heading', { level: 1 }).first().waitFor();
      await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
      await page.waitForLoadState('networkidle').catch(() => undefined);
      const file = `${address.replaceAll(/[^a-z0-9]+/gi, '-').slice(0, 60)}-${name}.png`;
      await page.screenshot({ path: path.join(folder, file) });
    }
    await close();
  }
}

/** Takes them into a folder. */
export async function takeAllPictures(folder: string, only: string | undefined): Promise<void> {
  mkdirSync(folder, { recursive: true });
  buildConsoleIfStale();
  const service = await startTestService(ownHomes);
  const browser = await openBrowser();
  try {
    const { reference, checkoutId, applicationId, listing, requestId } = await fill(service);
    const partner = `/partners/${applicationId}`;
    const addresses = [
      '/',
      '/waiting',
      '/day-sheet',
      `/day-sheet?date=${plusDays(today, 8)}`,
      '/change-requests',
      '/checkouts',
      `/checkouts/${checkoutId}`,
      '/reservations',
      `/reservations/${reference}`,
      '/guests',
      '/payments',
      '/calendar',
      '/homes',
      `/homes/${listing}`,
      '/homes/add',
      '/channels',
      '/catalogs',
      '/promotions',
      '/partners',
      partner,
      `${partner}/webhooks`,
      `${partner}/deliveries`,
      `${partner}/requests`,
      `${partner}/requests/${requestId}`,
      `${partner}/statement`,
      '/funnel',
      '/settings',
      '/staff',
      '/audit',
      '/account',
    ].filter((address) => only === undefined || address.includes(only));
    await takeEach(browser, service, addresses, folder);
    const { page } = await openConsole(browser, service);
    await page.goto(`${service.origin}/operator/day-sheet`);
    await page.getByRole('table', { name: 'Arrivals' }).waitFor();
    await page.pdf({ path: path.join(folder, 'day-sheet.pdf'), format: 'A4' });
  } finally {
    await browser.close();
    await service.stop();
  }
}
