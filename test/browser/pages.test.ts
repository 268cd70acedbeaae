/**
 * Every page of console and portal, from their tables of routes, with the longest and most hostile texts: fits
 * a window of 360 pixels, is accessible in light and dark, runs no stored text, and causes no error by being
 * opened.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { askedElsewhere, goInside, type Observed, openBrowser } from '../harness/browser.ts';
import { buildConsoleIfStale } from '../harness/built-console.ts';
import { eventually } from '../harness/eventually.ts';
import { forgetfulSupply } from '../harness/forgetful-supply.ts';
import { fillService, type FilledService } from '../harness/filled-service.ts';
import { longEmail, longText } from '../harness/longest-texts.ts';
import {
  dialogFaultsOf,
  faultsOf,
  layoutFaultsOf,
  machineWordsOn,
  narrowFaultsOf,
} from '../harness/page-faults.ts';
import { routesOf } from '../harness/page-routes.ts';
import { openPortalCaller } from '../harness/portal-caller.ts';
import { sql } from '../harness/rows.ts';
import { scratchFolder } from '../harness/scratch-folder.ts';
import { openConsole } from '../harness/staff-member.ts';
import { type PaidService, startPaidService } from '../harness/stripe/service.ts';

const consoleFolder = path.join(import.meta.dirname, '../../console/dist');

/** How a page is opened. */
interface Place {
  /** The route with its parameters and search; absent: the route as it is. */
  at?: string;
  /** A text that is there once the page has its data. */
  shows: string | RegExp;
  /** Opens what is not open at first. */
  open?: (page: Page) => Promise<unknown>;
  /** Opens each of its dialogs. Escape closes it. */
  dialogs?: readonly ((page: Page) => Promise<unknown>)[];
}

type Places = Readonly<Record<string, readonly Place[]>>;

const click = (name: string | RegExp) => (page: Page) =>
  page.getByRole('button', { name }).first().click();

/** Chooses the first cell of the calendar, and presses a key. */
const onCalendar = (key: string) => async (page: Page) => {
  await page.getByRole('gridcell').first().click();
  await page.keyboard.press(key);
};

async function makeAddress(page: Page) {
  await page.getByRole('combobox', { name: 'Home of our calendar' }).click();
  await page.getByRole('option').first().click();
  await click('Make a new address')(page);
}

function consolePlaces(filled: FilledService): Places {
  const { catalogId, paid, requested, uncertain, suspended, listing } = filled;
  const { deliveryId, requestId } = filled;
  const { applicationId } = filled.partner.credentials;
  const own = `/partners/${applicationId}`;
  return {
    '/invitation': [{ shows: 'You need a link' }],
    // Without the answer of a provider, it leads to the console.
    '/provider': [{ shows: 'What needs attention now' }],
    '/': [
      {
        shows: requested.reference,
        open: (page) => page.locator('.recharts-surface').first().waitFor(),
      },
    ],
    '/waiting': [{ shows: 'Declined' }],
    '/reservations': [{ at: '/reservations?from=all', shows: paid }],
    '/reservations/$reference': [
      {
        at: `/reservations/${paid}`,
        shows: 'The ledger',
        dialogs: [
          click(/^Change$/),
          click(/^Cancel$/),
          click('Refund a part'),
          click(/again$/),
          click(/^Record money/),
          click(/^Stop/),
        ],
      },
      {
        at: `/reservations/${requested.reference}`,
        shows: 'Changed by staff',
        dialogs: [click('Remove this note')],
      },
    ],
    '/checkouts': [{ shows: 'Decided by' }],
    '/checkouts/$checkoutId': [
      {
        at: `/checkouts/${uncertain}`,
        shows: 'Evidence',
        dialogs: [click('It was made'), click('It was not made')],
      },
    ],
    '/payments': [{ shows: paid }],
    '/account': [{ shows: 'this one' }],
    '/calendar': [
      {
        at: `/calendar?catalogId=${catalogId}`,
        shows: longText,
        dialogs: [onCalendar('b'), onCalendar('r')],
      },
    ],
    '/homes': [
      { at: `/homes?catalogId=${catalogId}`, shows: longText },
      { at: `/homes?state=withdrawn&catalogId=${catalogId}`, shows: 'Offer for sale' },
    ],
    '/homes/add': [{ shows: 'Price of a stay' }],
    '/homes/$listing': [{ at: `/homes/${listing}`, shows: 'Total' }],
    '/channels': [{ shows: 'Other channel', dialogs: [click(/^Remove$/), makeAddress] }],
    '/catalogs': [{ shows: 'Import blocks' }],
    '/promotions': [
      { shows: 'Active', dialogs: [click('Add a promotion'), click(/^Change$/), click(/^End$/)] },
    ],
    '/audit': [{ shows: 'Reservation changed', open: click(/Reservation changed/) }],
    '/partners': [{ shows: longText }],
    '/partners/$applicationId': [
      { at: own, shows: 'Issue a key', dialogs: [click(/^Revoke/)] },
      { at: `/partners/${suspended}`, shows: 'Suspended' },
    ],
    '/partners/$applicationId/webhooks': [
      {
        at: `${own}/webhooks`,
        shows: /failed/,
        dialogs: [click(/^Replay failed/), click(/^Rotate secret/), click(/^Delete/)],
      },
    ],
    '/partners/$applicationId/deliveries': [{ at: `${own}/deliveries`, shows: 'Sequence 1' }],
    '/partners/$applicationId/deliveries/$deliveryId': [
      { at: `${own}/deliveries/${deliveryId}`, shows: 'Attempt 2' },
    ],
    '/partners/$applicationId/requests': [{ at: `${own}/requests`, shows: '400' }],
    '/partners/$applicationId/requests/$requestId': [
      { at: `${own}/requests/${requestId}`, shows: 'Check in' },
    ],
    '/partners/$applicationId/statement': [{ at: `${own}/statement`, shows: requested.reference }],
    '/funnel': [
      { shows: 'By partner' },
      { at: `/funnel?applicationId=${applicationId}`, shows: 'By home' },
    ],
    '/day-sheet': [{ shows: 'Day sheet' }],
    '/change-requests': [{ shows: 'Requests' }],
    '/guests': [{ shows: 'Find' }],
    '/settings': [{ shows: 'signing', dialogs: [click('Replace the signing key')] }],
    '/staff': [
      { shows: longEmail('grace'), dialogs: [click(/^Disable/), click(/^Remove factor/)] },
    ],
  };
}

function portalPlaces(filled: FilledService): Places {
  const { endpointId, deliveryId, eventId, requestId, requested } = filled;
  const endpoint = `/endpoints/${endpointId}`;
  return {
    '/': [{ shows: 'Add endpoint' }],
    '/logged-out': [{ shows: 'You are logged out' }],
    '/endpoints': [{ shows: /failed/, dialogs: [click('Add endpoint')] }],
    '/endpoints/$endpointId': [
      {
        at: endpoint,
        shows: 'Recent deliveries',
        open: click('Show the secret'),
        dialogs: [click(/^Rotate$/), click(/^Delete/)],
      },
      { at: endpoint, shows: 'Recent deliveries', open: click(/^Edit/) },
    ],
    '/deliveries': [{ shows: 'Sequence 1' }],
    '/deliveries/$deliveryId': [{ at: `/deliveries/${deliveryId}`, shows: 'Attempt 2' }],
    '/events': [{ shows: 'checkout.resolved' }],
    '/events/$eventId': [{ at: `/events/${eventId}`, shows: '"sequence"' }],
    '/requests': [{ shows: '400' }],
    '/requests/$requestId': [{ at: `/requests/${requestId}`, shows: '/checkIn' }],
    '/bookings': [
      { shows: 'Resolved last' },
      { at: '/bookings?name=LK-0000-0000', shows: 'No booking has this reference or ID' },
    ],
    '/bookings/$kind/$bookingId': [
      { at: `/bookings/request/${requested.bookingId}`, shows: 'Request became confirmed' },
    ],
    '/statement': [{ shows: requested.reference }],
    '/sandbox': [{ shows: 'Only in the simulation' }],
    '/conformance': [{ shows: 'Only in the simulation' }],
    '/conformance/$runId': [{ at: '/conformance/none', shows: 'Only in the simulation' }],
    '/access': [{ shows: 'Issue a key', dialogs: [click(/^Revoke/)] }],
    '/verify': [{ shows: 'verify.mjs' }],
  };
}

// Run in the page: the project's own types know no browser.
const openDetails = `for (const one of document.querySelectorAll('details')) one.open = true`;

// Run in the page: what is asked by the script that begins to read, which names the code of the page, and what later.
const noteReads = `(() => {
  const { fetch } = window;
  const asked = window.asked = { begun: [], later: [], code: [] };
  const { append } = Element.prototype;
  HTMLHeadElement.prototype.append = function (...links) {
    if (document.currentScript) asked.code = links.map(({ href }) => href);
    return append.apply(this, links);
  };
  window.fetch = (address, options) => {
    const isBegun = document.currentScript?.src.includes('/assets/begin-');
    if ((options?.method ?? 'GET') === 'GET') asked[isBegun ? 'begun' : 'later'].push(address);
    return fetch(address, options);
  };
})()`;

const scriptsOf = `performance.getEntriesByType('resource')
  .map(({ name }) => name).filter((name) => name.endsWith('.js'))`;

// Charts are drawn after the page.
const isLateCode = (script: string): boolean => script.includes('chart');

/** The files that the document names, for every page. */
const filesOfEveryPage = (): string[] =>
  [
    ...readFileSync(path.join(consoleFolder, 'operator.html'), 'utf8').matchAll(
      /assets\/([^"]+\.js)"/g,
    ),
  ].map(([, file]) => file!);

// Only a reservation that was read tells whether there is an account of its money.
const dependsOnAnswer = (address: string): boolean =>
  address.startsWith('/operator/v1/payments/LK-');

const looks = [
  { colorScheme: 'light', width: 1_280 },
  { colorScheme: 'dark', width: 360 },
] as const;
const otherWidths = [800, 1_000, 1_440];

describe('every page', () => {
  let service: PaidService;
  let filled: FilledService;
  let browser: Browser;
  let folder: string;

  before(async () => {
    buildConsoleIfStale();
    folder = await mkdtemp(path.join(scratchFolder, 'latchkey-pages-'));
    service = await startPaidService({ LATCHKEY_DATA_DIR: folder }, {}, forgetfulSupply);
    browser = await openBrowser();
    filled = await fillService(service);
  });
  after(async () => {
    await browser?.close();
    await service?.stop();
    await rm(folder, { recursive: true });
  });

  /** Goes to a place as a link does, without loading the document again. */
  async function visit(page: Page, observed: Observed, address: string, place: Place) {
    await goInside(page, address);
    await page.getByText(place.shows).filter({ visible: true }).first().waitFor();
    await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
    await place.open?.(page);
    await page.evaluate(openDetails);
    // A hint of what lies under the mouse by chance would be outside of the landmarks.
    await page.mouse.move(0, 0);
    await eventually(async () => observed.waiting.size === 0);
  }

  /** What is wrong in each look. */
  async function lookAt(page: Page, name: string): Promise<string[]> {
    const faults: string[] = [];
    for (const { colorScheme, width } of looks) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor();
      const found = await faultsOf(page);
      faults.push(...found.map((fault) => `${width}: ${fault}`));
      const pictures = process.env['LATCHKEY_SCREENSHOTS'];
      const file = `${name.replaceAll(/[^a-z]+/gi, '-')}-${width}.png`;
      if (pictures) await page.screenshot({ path: path.join(pictures, file), fullPage: true });
    }
    for (const width of otherWidths) {
      await page.setViewportSize({ width, height: 900 });
      const found = await layoutFaultsOf(page);
      faults.push(...found.map((fault) => `${width}: ${fault}`));
    }
    return faults;
  }

  /** What is wrong with each dialog of a place, in a dark and narrow window. */
  async function lookAtDialogs(page: Page, { dialogs = [] }: Place): Promise<string[]> {
    if (dialogs.length === 0) return [];
    const faults: string[] = [];
    await page.setViewportSize({ width: 360, height: 900 });
    for (const [at, open] of dialogs.entries()) {
      await open(page);
      const found = await dialogFaultsOf(page);
      faults.push(...found.map((fault) => `dialog ${at}: ${fault}`));
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
    return faults;
  }

  async function faultsOfEach(
    part: 'operator' | 'portal',
    places: Places,
    { page, observed }: { page: Page; observed: Observed },
  ): Promise<Record<string, string[]>> {
    const routes = routesOf(part);
    assert.deepEqual(Object.keys(places).toSorted(), routes.toSorted(), 'each route has its place');
    const faults: Record<string, string[]> = {};
    for (const [route, ways] of Object.entries(places)) {
      for (const [at, place] of ways.entries()) {
        const name = `${part} ${route} ${at}`;
        await visit(page, observed, `/${part}${place.at ?? route}`, place);
        const found = await lookAt(page, name);
        if (part === 'operator' && (await page.locator('.frame-bar').count()) > 0) {
          found.push(...(await machineWordsOn(page)), ...(await narrowFaultsOf(page)));
        }
        await page.keyboard.press('Escape');
        found.push(...(await lookAtDialogs(page, place)));
        const all = [...found, ...observed.complaints.splice(0)];
        if (all.length > 0) faults[name] = all;
      }
    }
    assert.deepEqual(askedElsewhere(observed, service.origin), []);
    return faults;
  }

  it('of the console has no fault', async () => {
    const user = await openConsole(browser, service);
    await sql(
      service.database,
      `WITH renamed AS (UPDATE staff_members SET email = $2 WHERE email = $1 RETURNING staff_id)
        UPDATE staff_sessions SET user_agent = $3 WHERE staff_id IN (SELECT staff_id FROM renamed)`,
      [user.email, longEmail('ada'), longText],
    );
    await user.go('/settings', 'Settings');
    assert.deepEqual(await faultsOfEach('operator', consolePlaces(filled), user), {});
    await user.close();
  });

  it('of the console asks for what it shows and for its code before the code of every page is there', async () => {
    const { page, observed, close } = await openConsole(browser, service);
    await page.addInitScript(noteReads);
    const every = filesOfEveryPage();
    const later: Record<string, string[]> = {};
    for (const [route, [place]] of Object.entries(consolePlaces(filled))) {
      if (route === '/invitation' || route === '/provider') continue;
      await page.goto(`${service.origin}/operator${place!.at ?? route}`);
      await page.getByText(place!.shows).filter({ visible: true }).first().waitFor();
      await eventually(async () => observed.waiting.size === 0);
      const asked = await page.evaluate<Record<'begun' | 'later' | 'code', string[]>>('asked');
      const named = new Set([...every, ...asked.code.map((script) => path.basename(script))]);
      const scripts = await page.evaluate<string[]>(scriptsOf);
      const lateCode = scripts.filter(
        (script) => !named.has(path.basename(script)) && !isLateCode(script),
      );
      // Lists are read again every few seconds.
      const missed = asked.later.filter(
        (address) => !asked.begun.includes(address) && !dependsOnAnswer(address),
      );
      if (missed.length + lateCode.length > 0) later[route] = [...missed, ...lateCode];
    }
    assert.deepEqual(later, {});
    await close();
  });

  it('of the portal has no fault', async () => {
    const user = await openPortalCaller(browser, service, filled.partner);
    await user.enter();
    assert.deepEqual(await faultsOfEach('portal', portalPlaces(filled), user), {});
    await user.close();
  });
});
