/** Pictures of every page of the console with the data of a working day: `npm run pictures -- --all FOLDER`. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { blockImport } from '../../src/inventory/index.ts';
import { generateCatalog } from '../../src/simulation/index.ts';
import { sumUpBookings } from '../../src/bookings/index.ts';
import { feedOf } from '../channels/calendars.ts';
import { forgetfulSupply } from '../harness/forgetful-supply.ts';
import { makeMoneyWait } from '../harness/money-waits.ts';
import { operatorOf } from '../harness/operator.ts';
import { openBrowser } from '../harness/browser.ts';
import { buildConsoleIfStale } from '../harness/built-console.ts';
import { plusDays } from '../harness/catalog.ts';
import { importFile } from '../harness/import-file.ts';
import type { Partner } from '../harness/partner.ts';
import { enterPortal } from '../harness/portal.ts';
import { sql } from '../harness/rows.ts';
import type { TestService } from '../harness/service.ts';
import { openConsole, signedIn } from '../harness/staff-member.ts';
import { confirmedReference, submittedByCard } from '../harness/stripe/card-journey.ts';
import { type PaidService, startPaidService } from '../harness/stripe/service.ts';
import { addEndpoint, writeDeliveries } from '../harness/webhooks.ts';

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

/** The homes of a catalog of their own. Returns its ID. */
async function importHomes({ database, follow }: PaidService): Promise<string> {
  let file = '';
  for await (const text of generateCatalog({ listings: homes, seed: 1, from: today })) file += text;
  const result = await importFile(database, file, { blocks: blockImport });
  assert.ok('difference' in result, JSON.stringify(result));
  await follow();
  const [row] = await sql<{ catalogId: string }>(
    database,
    `SELECT catalog_id AS "catalogId" FROM catalogs WHERE slug = 'generated-1'`,
  );
  return row!.catalogId;
}

/** What waits for people: an outcome that is not known, a declined card, a request, nights sold twice, failures. */
async function makeWork(service: PaidService, catalogId: string, partner: Partner): Promise<void> {
  const { database } = service;
  const card = await service.partner({ catalogId, settlement: 'card' });
  await sql(database, `UPDATE applications SET name = 'Coast & Co' WHERE application_id = $1`, [
    card.credentials.applicationId,
  ]);
  for (let paid = 0; paid < 3; paid += 1) {
    const reference = await confirmedReference(await submittedByCard(service, card));
    if (paid === 0) await makeMoneyWait(database, reference);
  }
  const unknown = await partner.submittedCheckout('uncertain');
  await partner.statusOnce(unknown, ['uncertain']);
  const staff = await operatorOf(service, 'administrator', 'the office');
  const stays = await sql<{ reference: string; listing: string; from: string; to: string }>(
    database,
    `SELECT r.reference, l.slug AS listing, r.check_in AS from, r.check_out AS to FROM reservations r
      JOIN listings l USING (listing_id) WHERE r.application_id = $1 AND r.check_in > current_date + 20
      ORDER BY r.check_in, r.reference LIMIT 4`,
    [partner.credentials.applicationId],
  );
  const [asked, soldTwice, other] = stays as [Sold, Sold, Sold];
  await partner.succeed('reservation.change.request', {
    params: { reference: asked.reference },
    body: { changeRequestId: randomUUID(), kind: 'cancel', note: 'The guest is ill' },
  });
  const { listing, from, to } = soldTwice;
  await staff.done('operator.outsideStay.put', {
    params: { source: 'pms', externalId: '2027/4711' },
    body: { listing, from, to: plusDays(to, 2), reason: 'Sold by the agency' },
  });
  await staff.done('operator.channelCalendar.import', {
    body: {
      listing: other.listing,
      name: 'other-channel.ics',
      file: feedOf({ uid: 'a', ...other }),
    },
  });
  await sql(
    database,
    `UPDATE channel_calendars SET problem = 'unknown_time_zone', problem_detail = 'Utopia', failures = 3,
      failing_since = now() - interval '5 hours'`,
  );
  const { applicationId } = partner.credentials;
  const endpoint = await addEndpoint(
    database,
    applicationId,
    'https://hooks.seaside.example/latchkey',
  );
  const states = ['delivered', 'delivered', 'pending', 'exhausted'] as const;
  for (let times = 0; times < 6; times += 1) await writeDeliveries(database, endpoint, states);
  await sql(
    database,
    `UPDATE webhook_endpoints SET failing_since = now() - interval '3 hours' WHERE endpoint_id = $1`,
    [endpoint.endpointId],
  );
}

interface Sold {
  reference: string;
  listing: string;
  from: string;
  to: string;
}

async function fill(service: PaidService): Promise<Record<string, string>> {
  const catalogId = await importHomes(service);
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
  await makeWork(service, catalogId, all[0]!);
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
    deliveryId: await deliveryOf(service),
  };
}

async function deliveryOf({ database }: PaidService): Promise<string> {
  const [row] = await sql<{ id: string }>(
    database,
    `SELECT delivery_id AS id FROM webhook_deliveries WHERE state = 'exhausted' LIMIT 1`,
  );
  return row!.id;
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
      await page.screenshot({ path: path.join(folder, file), fullPage: true });
    }
    await close();
  }
}

/** Takes them into a folder. */
export async function takeAllPictures(folder: string, only: string | undefined): Promise<void> {
  mkdirSync(folder, { recursive: true });
  buildConsoleIfStale();
  const service = await startPaidService({}, {}, forgetfulSupply);
  const browser = await openBrowser();
  try {
    const filled = await fill(service);
    const { reference, checkoutId, applicationId, listing, requestId, deliveryId } = filled;
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
      `${partner}/deliveries/${deliveryId}`,
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
