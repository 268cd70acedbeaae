/** The console's page about calendars of other channels: what a calendar says, and what staff decide. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { sumUpBookings } from '../../src/bookings/index.ts';
import { feedOf, june } from '../channels/calendars.ts';
import { openBrowser } from '../harness/browser.ts';
import { eventually } from '../harness/eventually.ts';
import { ownHomes, startTestService, type TestService } from '../harness/service.ts';
import { sql } from '../harness/rows.ts';
import { openConsole } from '../harness/staff-member.ts';
import { importCalendar, putOutsideStay } from '../harness/acts.ts';

describe('channels in the console', () => {
  let service: TestService;
  let browser: Browser;
  let page: Page;
  let go: (path: string, title: string) => Promise<unknown>;

  before(async () => {
    service = await startTestService(ownHomes);
    browser = await openBrowser();
    const user = await openConsole(browser, service);
    ({ page } = user);
    go = user.go.bind(user);
  });
  after(async () => {
    await browser?.close();
    await service?.stop();
  });

  const button = (name: string) => page.getByRole('button', { name, exact: true });

  it('says on day one what to do next, ticks what is done, and is gone with the first booking', async () => {
    const step = (name: string) => page.getByRole('listitem').filter({ hasText: name });
    const isShown = (name: string, state: string) =>
      step(name).getByRole('img', { name: state, exact: true }).waitFor();
    await go('/', 'Overview');
    await page.getByRole('heading', { name: 'Next steps' }).waitFor();
    await isShown('Bring in your homes', 'Done');
    await isShown('Look at nights and prices', 'Step');
    for (const name of [
      'Connect the calendars of other channels',
      'Register the first partner',
      'Invite your colleagues',
    ]) {
      await isShown(name, 'To do');
    }
    await page.getByRole('link', { name: 'Register the first partner' }).click();
    await page.getByRole('heading', { level: 1, name: 'Partners', exact: true }).waitFor();
    await page.getByLabel('Name').fill('Seaside Travel');
    await page.getByRole('button', { name: 'Register', exact: true }).click();
    await button('I have copied it').click();
    const viewer = await openConsole(browser, service, 'viewer');
    await viewer.go('/', 'Overview');
    await viewer.page.getByRole('link', { name: 'Register the first partner' }).waitFor();
    assert.equal(
      await viewer.page.getByRole('link', { name: 'Invite your colleagues' }).count(),
      0,
    );
    await viewer.close();
    await go('/', 'Overview');
    await isShown('Register the first partner', 'Done');
    await isShown('Invite your colleagues', 'Done');
    const partner = await service.partner({ settlement: 'partner' });
    const open = await partner.submittedCheckout();
    await partner.statusOnce(open, ['confirmed']);
    while ((await sumUpBookings(service.database, 30)) > 0);
    await page.reload();
    await page.getByRole('heading', { name: /^Booked in/ }).waitFor();
    assert.equal(await page.getByRole('heading', { name: 'Next steps' }).count(), 0);
  });

  it('shows what a shrunk calendar does not show any more, and frees it when staff say so', async () => {
    const { database } = service;
    const [home] = await sql<{ id: string }>(
      database,
      'SELECT listing_id AS id FROM listings ORDER BY listing_id LIMIT 1',
    );
    const listing = home!.id;
    const stays = [1, 5, 10, 15, 20].map((day) => {
      return { uid: `stay-${day}@channel.example`, from: june(day), to: june(day + 3) };
    });
    const add = async (name: string, content: string) =>
      importCalendar(database, 'test', { listing, name, bytes: Buffer.from(content) });
    const { calendarId } = await add('coast.ics', feedOf(...stays));
    await add('island.ics', feedOf({ uid: 'sold-too@island.example', from: june(2), to: june(4) }));
    await add('coast.ics', feedOf(stays[0]!).replace('END:VEVENT', 'END:VEVENT\r\nEND:VEVENT'));
    await sql(
      database,
      `UPDATE channel_events SET state = 'missing', reason = 'gone', missing_since = now(),
        last_seen_at = now() WHERE calendar_id = $1 AND event_uid <> $2`,
      [calendarId, stays[0]!.uid],
    );
    await sql(
      database,
      'UPDATE channel_calendars SET shrunk_since = now() WHERE calendar_id = $1',
      [calendarId],
    );
    const name = { source: 'pms', externalId: 'R-1042' };
    const nights = { listing, from: june(20), to: june(24), reason: null };
    await putOutsideStay(database, 'test', name, nights);
    await go('/channels', 'Channels');
    const sold = page.getByRole('table', { name: 'Conflicts' });
    await sold.getByText('another channel').first().waitFor();
    await sold.getByText('pms (outside stay)').waitFor();
    const row = page.getByRole('table', { name: 'Calendars' }).getByRole('row');
    await row.filter({ hasText: 'coast.ics' }).getByRole('button', { name: 'Details' }).click();
    await page.getByText('END:VEVENT has no BEGIN:VEVENT.').first().waitFor();
    const gone = page.getByRole('table', { name: 'Events that are not shown any more' });
    await eventually(async () => (await gone.getByRole('row').count()) === stays.length);
    const folder = process.env['LATCHKEY_TEST_SCREENSHOTS'];
    for (const width of folder ? [1440, 390] : []) {
      await page.setViewportSize({ width, height: 1000 });
      await page.screenshot({ path: `${folder}/channels-${width}.png`, fullPage: true });
    }
    await button('Keep the nights').click();
    await page.getByText('The nights stay blocked, because somebody has decided so.').waitFor();
    await button('It is right: free them').click();
    await gone.waitFor({ state: 'detached' });
    const left = await sql<{ uid: string }>(
      database,
      'SELECT event_uid AS uid FROM occupancies WHERE calendar_id = $1',
      [calendarId],
    );
    assert.deepEqual(left, [{ uid: stays[0]!.uid }]);

    await page.getByLabel('Texts of events that take no nights').fill('Not available\n\nClosed ');
    await page.getByLabel('The end of an event is').selectOption('night');
    await page.getByLabel('Source of outside stays').fill('Not a source');
    await button('Save the settings').click();
    await page.getByText('must be lower-case letters, digits and hyphens').waitFor();
    await page.getByLabel('Source of outside stays').fill('pms');
    await button('Save the settings').click();
    await page.getByText('The settings hold from the next import of this file on.').waitFor();
    // Somebody else changes the calendar, which this form has not shown.
    await sql(
      database,
      `UPDATE channel_calendars SET free_events = 'count' WHERE calendar_id = $1`,
      [calendarId],
    );
    await page.getByLabel('The end of an event is').selectOption('checkout');
    await button('Save the settings').click();
    await page.getByText('Somebody has changed how this calendar is read meanwhile.').waitFor();
    const [options] = await sql<object>(
      database,
      `SELECT ignored_summaries AS ignore, event_end AS "end", free_events AS free, user_agent AS agent,
        outside_source AS source FROM channel_calendars WHERE calendar_id = $1`,
      [calendarId],
    );
    assert.deepEqual(options, {
      ignore: ['Not available', 'Closed'],
      end: 'night',
      free: 'count',
      agent: null,
      source: 'pms',
    });
  });
});
