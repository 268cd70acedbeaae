/** The console: signing in, the account of the caller, members of staff, tokens, the audit trail. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { codeOf, stepAt } from '../../src/sign-in/one-time-code.ts';
import { eventually } from '../harness/eventually.ts';
import { askedElsewhere, observe, openBrowser } from '../harness/browser.ts';
import { dialogFaultsOf } from '../harness/page-faults.ts';
import { sql } from '../harness/rows.ts';
import { enterPortal } from '../harness/portal.ts';
import { openPortalCaller } from '../harness/portal-caller.ts';
import { order } from '../harness/sandbox.ts';
import { type RestartableService, startTestService, type TestService } from '../harness/service.ts';
import {
  type ConsoleUser,
  decodedSecret,
  openConsole,
  signedIn,
  staffPassword,
} from '../harness/staff-member.ts';
import { serveTwoReleases } from '../harness/two-releases.ts';
import { addEndpoint, writeDeliveries } from '../harness/webhooks.ts';
import { inviteStaff } from '../harness/acts.ts';

const email = 'ada@staff.example';

/** A partner whose webhooks fail, with calls, and with counts of some weeks. */
async function busyPartner(service: TestService): Promise<{ applicationId: string; url: string }> {
  const partner = await service.partner();
  const { applicationId } = partner.credentials;
  const { database } = service;
  const url = `https://p.invalid/hooks/<img src=x onerror=alert(1)>`;
  const endpoint = await addEndpoint(database, applicationId, url);
  await writeDeliveries(database, endpoint, ['delivered', 'exhausted', 'delivered', 'exhausted']);
  await sql(
    database,
    `UPDATE webhook_endpoints SET failing_since = now() - interval '3 hours' WHERE endpoint_id = $1`,
    [endpoint.endpointId],
  );
  await enterPortal(service, partner);
  await sql(
    database,
    `INSERT INTO request_log (application_id, at, request_id, method, path, operation, status, code, reason, duration_ms)
      SELECT $1, now() - make_interval(mins => n), gen_random_uuid(), 'POST', '/v1/quotes',
        'reservation.quote.create', CASE n % 3 WHEN 0 THEN 409 ELSE 201 END,
        CASE n % 3 WHEN 0 THEN 'conflict' END, CASE n % 3 WHEN 0 THEN 'unavailable' END, 12 + n
      FROM generate_series(1, 40) n`,
    [applicationId],
  );
  await sql(
    database,
    `WITH counted AS (
        SELECT date_trunc('week', now())::date - 7 * n AS week, 100 - 7 * n AS quotes, listing_id
        FROM generate_series(0, 9) n,
          (SELECT '00000000-0000-0000-0000-000000000000'::uuid AS listing_id
            UNION ALL (SELECT listing_id FROM listings LIMIT 3)) homes
      ), refused AS (
        INSERT INTO funnel_refusals
        SELECT week, $1, listing_id, step, reason, quotes / 9 FROM counted,
          (VALUES ('quote', 'too_many_guests'), ('quote', 'unavailable'), ('confirm', 'sold_out'))
            AS why (step, reason)
      )
      INSERT INTO funnel_weeks
      SELECT week, $1, listing_id, quotes * 40, quotes * 9, quotes, quotes / 2, quotes / 3, quotes / 4
      FROM counted
      ON CONFLICT (week, application_id, listing_id) DO UPDATE SET searches = excluded.searches, views = excluded.views,
        quotes = excluded.quotes, checkouts = excluded.checkouts, submitted = excluded.submitted, confirmed = excluded.confirmed`,
    [applicationId],
  );
  return { applicationId, url };
}

// Run in the page: the notice is there for a quarter of a second, until the page loads again.
const watchForUpgrade = `new MutationObserver(() => {
  const notice = document.querySelector('[role=status]');
  if (!notice?.textContent.startsWith('Latchkey is being upgraded')) return;
  if (notice.checkVisibility()) noteUpgrade();
}).observe(document, { childList: true, subtree: true })`;

describe('the console for staff', () => {
  let service: RestartableService;
  let browser: Browser;

  before(async () => {
    service = await startTestService();
    browser = await openBrowser();
  });
  after(async () => {
    await browser?.close();
    await service?.stop();
  });

  it('sets the password of an invitation and signs in, by the keyboard alone', async () => {
    const { url } = await inviteStaff(service.database, 'test', {
      email,
      role: 'administrator',
      baseUrl: service.origin,
    });
    const page = await browser.newPage();
    const observed = observe(page);
    const type = async (text: string) => {
      await page.keyboard.press('Tab');
      await page.keyboard.type(text);
    };
    await page.goto(url);
    await page.getByRole('heading', { name: 'Set your password' }).waitFor();
    assert.doesNotMatch(page.url(), /invitation=/);
    await page.getByText(email, { exact: true }).waitFor();
    await page.getByText('Administrator', { exact: true }).waitFor();
    await page.getByLabel('New password').focus();
    await page.keyboard.type(staffPassword);
    await page.keyboard.press('Tab');
    await type('something else');
    await page.keyboard.press('Enter');
    await page.getByText('This is not the same password').waitFor();
    await page.getByLabel('The same again').fill(staffPassword);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Your password is set' }).waitFor();
    await page.getByRole('textbox', { name: 'Password' }).focus();
    await page.keyboard.type(staffPassword);
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: email }).waitFor();
    assert.deepEqual(observed.complaints, []);
    assert.deepEqual(askedElsewhere(observed, service.origin), []);
    await page.close();
  });

  it('adds a second factor, and asks for its code at the next sign-in', async () => {
    const user = await openConsole(browser, service);
    const { page } = user;
    await user.go('/account', 'Account');
    await page.getByRole('button', { name: 'Add a second factor' }).click();
    await page.getByRole('img', { name: 'QR code of the second factor' }).waitFor();
    const secret = decodedSecret(
      await page.locator('span.mono', { hasText: /^[A-Z2-7]{32}$/ }).innerText(),
    );
    const codeIn = (steps: number) => codeOf(secret, stepAt(Date.now()) + steps);
    await page.getByRole('textbox', { name: 'Code' }).fill('000000');
    await page.keyboard.press('Enter');
    await page.getByText('The password or code is wrong').waitFor();
    await page.getByRole('textbox', { name: 'Code' }).fill(codeIn(0));
    await page.keyboard.press('Enter');
    await page.getByText('You are asked for a code').waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Email').fill(user.email);
    await page.getByRole('textbox', { name: 'Password' }).fill(staffPassword);
    await page.keyboard.press('Enter');
    await page.getByRole('textbox', { name: 'Code' }).fill(codeIn(1));
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: user.email }).waitFor();
    await user.close();
  });

  it('keeps what was typed when a session ends, and asks again before it changes a password', async () => {
    const user = await openConsole(browser, service);
    const { page } = user;
    const ofUser = 'staff_id = (SELECT staff_id FROM staff_members WHERE email = $1)';
    await user.go('/account', 'Account');
    await page.getByLabel('New password').fill('quite another password');
    await page.getByLabel('The same again').fill('quite another password');
    await sql(service.database, `DELETE FROM staff_sessions WHERE ${ofUser}`, [user.email]);
    await page.getByRole('button', { name: 'Change password' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Your session has ended').waitFor();
    assert.deepEqual(await dialogFaultsOf(page), []);
    await dialog.getByRole('textbox', { name: 'Password' }).fill(staffPassword);
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    assert.equal(await page.getByLabel('New password').inputValue(), 'quite another password');

    const late = `UPDATE staff_sessions SET confirmed_at = now() - interval '1 hour' WHERE ${ofUser}`;
    await sql(service.database, late, [user.email]);
    await page.getByRole('button', { name: 'Change password' }).click();
    await dialog.getByText('Confirm that it is you').waitFor();
    assert.deepEqual(await dialogFaultsOf(page), []);
    await dialog.getByRole('textbox', { name: 'Password' }).fill(staffPassword);
    await page.keyboard.press('Enter');
    await page.getByText('Your password has changed').waitFor();
    await user.close();
  });

  describe('to an administrator', () => {
    let administrator: ConsoleUser;

    before(async () => {
      administrator = await openConsole(browser, service);
    });
    after(() => administrator.close());

    it('invites a member of staff, changes its role, disables it; issues a token and revokes it', async () => {
      const { page } = administrator;
      administrator.observed.complaints.length = 0;
      await administrator.go('/staff', 'Staff');
      const member = 'grace@staff.example';
      const hostile = '<img src=x onerror=alert(1)>';
      await page.getByLabel('Email').fill(member);
      await page.getByRole('button', { name: 'Invite' }).click();
      await page.getByText('The link is shown only now').waitFor();
      await page.getByText(/operator\/invitation#invitation=[\w-]{43}/).waitFor();
      await page.getByRole('button', { name: 'I have copied it' }).click();
      await page.getByLabel(`Role of ${member}`).selectOption('viewer');
      await page.getByRole('dialog').getByText(`${member} becomes Viewer`).waitFor();
      await page.getByRole('button', { name: 'Change the role' }).click();
      await page.getByText(`${member} is now Viewer.`).waitFor();
      await page.getByRole('button', { name: `Disable ${member}` }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click();
      await page.getByRole('button', { name: `Enable ${member}` }).waitFor();
      await page.getByLabel('Name').fill(hostile);
      await page.getByRole('button', { name: 'Issue' }).click();
      await page.getByText(/^lko_[\w-]{43}$/).waitFor();
      await page.getByRole('button', { name: `Revoke ${hostile}` }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
      await page.getByRole('table', { name: 'Tokens' }).getByText('Revoked').waitFor();

      await administrator.go('/audit', 'Audit');
      await page.getByLabel('Who').fill(`staff ${administrator.email}`);
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: `Role changed ${member}` }).click();
      await page.getByText('"after": "viewer"').waitFor();
      assert.match(page.url(), /actor=staff/);
      await page.getByLabel('Action').selectOption('staff.disable');
      await page.getByRole('button', { name: /^Role changed/ }).waitFor({ state: 'detached' });
      await page.getByRole('button', { name: `Account disabled ${member}` }).waitFor();
      await page.getByLabel('Until').fill('2026-01-01');
      await page.getByText('No entries match').waitFor();
      assert.match(page.url(), /actor=staff.*action=staff\.disable&until=2026-01-01/);
      assert.deepEqual(administrator.observed.complaints, []);
    });

    it('replaces the signing key after a confirmation; a viewer only sees the keys', async () => {
      const { page } = administrator;
      await administrator.go('/settings', 'Settings');
      const keys = page.getByRole('table', { name: 'Signing keys' });
      const signing = keys.getByRole('row').filter({ hasText: 'signing' });
      const signingKey = await signing.getByRole('cell').first().innerText();
      await sql(
        service.database,
        `UPDATE staff_sessions s SET confirmed_at = now() - interval '1 hour'
          FROM staff_members m WHERE m.staff_id = s.staff_id AND m.email = $1`,
        [administrator.email],
      );
      await page.getByRole('button', { name: 'Replace the signing key' }).press('Enter');
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: 'Replace' }).click();
      await dialog.getByText('Confirm that it is you').waitFor();
      await dialog.getByRole('textbox', { name: 'Password' }).fill(staffPassword);
      await page.keyboard.press('Enter');
      const retired = keys.getByRole('row').filter({ hasText: signingKey });
      await retired.getByText('verifying').waitFor();
      assert.equal(await signing.count(), 1);

      const viewer = await openConsole(browser, service, 'viewer');
      await viewer.go('/settings', 'Settings');
      await viewer.page.getByRole('table', { name: 'Signing keys' }).waitFor();
      const replace = viewer.page.getByRole('button', { name: 'Replace the signing key' });
      assert.equal(await replace.count(), 0);
      await viewer.close();
    });

    it('registers a partner, changes its quotas, suspends it, revokes its key', async () => {
      const { page } = administrator;
      administrator.observed.complaints.length = 0;
      const name = '<script>alert(1)</script>';
      await administrator.go('/partners', 'Partners');
      await page.getByLabel('Name').fill(name);
      await page.getByRole('button', { name: 'Register' }).click();
      await page.getByText('The key is shown only now').waitFor();
      await page.getByRole('link', { name }).click();
      await page.getByRole('heading', { level: 1, name }).waitFor();
      await page.getByLabel('search a minute').fill('17');
      await page.getByRole('button', { name: 'Save quotas' }).click();
      await page.getByText('search: 0 of 17 used').waitFor();
      await page.getByLabel('Reservations a day').fill('5');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByText('reservations today (UTC): 0 of 5 used').waitFor();
      await page.getByRole('button', { name: 'Issue a link' }).click();
      await page.getByText(/portal#link=[\w-]{43}/).waitFor();
      await page.getByRole('button', { name: /^Revoke / }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
      await page.getByRole('table', { name: 'Keys' }).getByText('Revoked').waitFor();
      await page.getByLabel('Reason, for staff only').fill('no answer');
      await page.getByRole('button', { name: 'Suspend', exact: true }).click();
      const question = page.getByRole('dialog', { name: `Suspend ${name}?` });
      await question.getByRole('button', { name: 'Suspend', exact: true }).click();
      await page.getByRole('button', { name: 'Resume', exact: true }).waitFor();
      assert.deepEqual(administrator.observed.complaints, []);
    });

    it('shows the last conformance run of a partner, and requires a report before a key of live', async () => {
      const partner = await service.partner();
      const { page } = administrator;
      administrator.observed.complaints.length = 0;
      const { runId } = await order(partner, 'sandbox.run.start', {
        body: { profile: 'checkout' },
      });
      await administrator.go(`/partners/${partner.credentials.applicationId}`, 'a test');
      const section = page.getByRole('region', { name: 'Conformance' });
      await section.getByText('No run is known.').waitFor();
      await order(partner, 'sandbox.run.finish', { params: { runId } });
      await page.reload();
      await section.getByText('incomplete: not every scenario was judged').waitFor();
      await section.getByText(runId).waitFor();
      await section.getByText('A key of live needs no report.').waitFor();
      await section.getByRole('button', { name: 'Require a report' }).click();
      await section.getByText('A key of live needs a verified report.').waitFor();
      await section.getByRole('button', { name: 'Require no report' }).waitFor();
      assert.deepEqual(administrator.observed.complaints, []);
    });

    it('manages the webhooks of a partner, and reads its deliveries and calls', async () => {
      const { applicationId, url } = await busyPartner(service);
      const { page } = administrator;
      administrator.observed.complaints.length = 0;
      const own = `/partners/${applicationId}`;
      await administrator.go('/', 'Overview');
      await page.getByRole('link', { name: 'Failing webhooks' }).press('Enter');
      await page.getByRole('link', { name: '2 failed' }).waitFor();
      await page.getByRole('button', { name: `Pause ${url}` }).press('Enter');
      await page.getByRole('button', { name: `Resume ${url}` }).press('Enter');
      const dialog = page.getByRole('dialog');
      assert.deepEqual(await dialogFaultsOf(page), []);
      await dialog.getByRole('button', { name: 'Resume' }).click();
      await page.getByRole('button', { name: `Pause ${url}` }).waitFor();
      await page.getByRole('button', { name: `Rotate secret of ${url}` }).click();
      await dialog.getByRole('button', { name: 'Rotate' }).click();
      await page.getByText(/^whsec_/).waitFor();
      await page.getByRole('button', { name: 'I have copied it' }).click();
      await page.getByRole('link', { name: '2 failed' }).click();
      await page
        .getByRole('table', { name: 'Deliveries' })
        .getByRole('link')
        .first()
        .press('Enter');
      await page.getByRole('heading', { level: 2, name: 'Attempts' }).waitFor();
      await page.getByRole('button', { name: /^Replay/ }).waitFor();
      await page.goBack();
      const deliveries = page.getByRole('table', { name: 'Deliveries' });
      const replays = deliveries.getByRole('button', { name: /^Replay/ });
      await replays.nth(1).waitFor();
      await replays.first().press('Enter');
      await page.getByText('It is sent again.').waitFor();
      await replays.nth(1).waitFor({ state: 'detached' });

      const pages = page.getByRole('navigation', { name: 'Partner' });
      await pages.getByRole('link', { name: 'Requests' }).click();
      await page.getByLabel('Code', { exact: true }).selectOption('conflict');
      const calls = page.getByRole('table', { name: 'Requests' });
      await calls.getByText('201').first().waitFor({ state: 'detached' });
      // Until the filtered calls arrive, there is no table.
      await calls.getByText('409').first().waitFor();
      assert.equal(await calls.getByText('409').count(), 13);
      assert.match(page.url(), /code=conflict/);
      await calls.getByRole('link').first().press('Enter');
      await page.getByRole('heading', { level: 2, name: 'POST /v1/quotes' }).waitFor();

      await administrator.go(`${own}/webhooks`, 'a test');
      assert.deepEqual(administrator.observed.complaints, []);
      await page.getByRole('button', { name: 'Add an endpoint' }).click();
      await page.getByRole('textbox', { name: 'URL' }).fill('http://p.invalid/plain');
      await page.getByRole('button', { name: 'Add', exact: true }).click();
      await page.getByText(/It must/).waitFor();
      await page.getByRole('textbox', { name: 'URL' }).fill('https://p.invalid/second');
      await page.getByRole('button', { name: 'Add', exact: true }).click();
      await page.getByText(/^whsec_/).waitFor();
      await page.getByRole('button', { name: 'Delete https://p.invalid/second' }).click();
      await dialog.getByRole('button', { name: 'Delete' }).click();
      await page.getByText('https://p.invalid/second').waitFor({ state: 'detached' });
    });
  });

  it('shows the funnel of all partners, of one, and of a home', async () => {
    const { applicationId } = await busyPartner(service);
    const user = await openConsole(browser, service, 'viewer');
    const { page } = user;
    await user.go('/funnel', 'Funnel');
    await page.getByRole('table', { name: 'By partner' }).waitFor();
    await page.getByLabel('Partner', { exact: true }).selectOption(applicationId);
    await page.getByRole('table', { name: 'By home' }).waitFor();
    await page.getByRole('table', { name: 'By partner' }).waitFor({ state: 'detached' });
    await page.getByText('Quotes', { exact: true }).first().waitFor();
    const refusals = page.getByRole('table', { name: 'Refusals by reason' });
    await refusals.getByText('Too many guests').waitFor();
    const [home] = await sql<{ slug: string }>(
      service.database,
      'SELECT slug FROM listings JOIN funnel_weeks USING (listing_id) LIMIT 1',
    );
    await page.getByRole('combobox', { name: 'Home' }).fill(home!.slug);
    await page.getByRole('option').filter({ hasText: home!.slug }).click();
    await page.getByRole('table', { name: 'By home' }).waitFor({ state: 'detached' });
    assert.match(page.url(), new RegExp(`listing=${home!.slug}`));
    assert.deepEqual(user.observed.complaints, []);
    await user.close();
  });

  it('loses nothing typed when the service starts again, and goes on by itself', async () => {
    const user = await openConsole(browser, service, 'administrator', { readsAhead: true });
    const { page } = user;
    await user.go('/partners', 'Partners');
    await page.getByLabel('Name').fill('Half a name');
    const other = await page.context().newPage();
    // The code of the other pages is read behind the first one.
    const code = other.waitForResponse(/\/assets\/promotions-/);
    await other.goto(`${service.origin}/operator/settings`);
    await other.getByText('PostgreSQL', { exact: true }).waitFor();
    await (await code).finished();
    const portal = await openPortalCaller(browser, service, await service.partner());
    await portal.enter();
    await portal.page.getByRole('button', { name: 'Add endpoint' }).first().click();
    const url = portal.dialog.getByLabel('URL');
    await url.fill('https://p.invalid/half');
    const add = portal.dialog.getByRole('button', { name: 'Add endpoint' });
    const portalIsOld = portal.page.getByText('This data is out of date');
    await service.restart(async () => {
      await add.click();
      await portal.dialog.getByRole('alert').getByText('Latchkey cannot be reached').waitFor();
      await portal.page.evaluate(`window.dispatchEvent(new Event('visibilitychange'))`);
      await portalIsOld.waitFor();
      await page.getByRole('button', { name: 'Register' }).click();
      await page.getByRole('alert').getByText('Latchkey cannot be reached').waitFor();
      await page.evaluate(`window.dispatchEvent(new Event('visibilitychange'))`);
      await page.getByText('This data is out of date').waitFor();
      await other.getByRole('link', { name: 'Portfolio' }).click();
      await other.getByRole('link', { name: 'Promotions' }).click();
      await other.getByRole('heading', { level: 1, name: 'Promotions' }).waitFor();
      await other.getByRole('alert').getByText('Latchkey cannot be reached').waitFor();
    });
    const { operator } = await signedIn(service);
    await operator.done('operator.application.create', {
      body: { name: 'From somebody else', settlement: 'partner', grants: ['search'] },
    });
    await page.getByText('This data is out of date').waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'From somebody else' }).waitFor();
    await other.getByRole('alert').waitFor({ state: 'detached' });
    assert.equal(await page.getByLabel('Name').inputValue(), 'Half a name');
    await page.getByRole('button', { name: 'Register' }).click();
    await page.getByText('The key is shown only now').waitFor();
    await page.getByRole('link', { name: 'Half a name' }).waitFor();
    await portalIsOld.waitFor({ state: 'detached' });
    assert.equal(await url.inputValue(), 'https://p.invalid/half');
    await add.click();
    await portal.dialog.getByLabel('signing secret', { exact: true }).waitFor();
    await portal.close();
    await user.close();
  });

  it('says that a new version is there when the code of a page is gone, and loads it on demand', async () => {
    const user = await openConsole(browser, service);
    const { page } = user;
    const gone = /\/assets\/promotions-/;
    await page.route(gone, (route) => route.fulfill({ status: 404 }));
    await user.go('/audit', 'Audit');
    await page.evaluate('window.isSame = true');
    await page.getByRole('link', { name: 'Portfolio' }).click();
    await page.getByRole('link', { name: 'Promotions' }).click();
    await page.getByRole('alert').getByText('A new version of Latchkey is available').waitFor();
    assert.equal(await page.evaluate('window.isSame'), true, 'not loaded again by itself');
    await page.getByRole('link', { name: 'Admin', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
    await page.getByRole('link', { name: 'Portfolio' }).click();
    await page.getByRole('link', { name: 'Promotions' }).click();
    const load = page.getByRole('button', { name: 'Load the new version' });
    await load.waitFor();
    await page.unroute(gone);
    await load.click();
    await page.getByRole('heading', { level: 1, name: 'Promotions' }).waitFor();
    assert.match(page.url(), /\/operator\/promotions$/);
    await user.close();
  });

  it('loads behind a balancer that asks two releases in turn, and says what it waits for', async () => {
    const two = await serveTwoReleases(service.origin);
    const context = await browser.newContext();
    const page = await context.newPage();
    let saysUpgrade = false;
    await page.exposeFunction('noteUpgrade', () => (saysUpgrade = true));
    await page.addInitScript(watchForUpgrade);
    try {
      await page.goto(`${two.origin}/operator`);
      await page.getByLabel('Email').waitFor({ timeout: 30_000 });
      assert.ok(saysUpgrade);
      // The page forgets them a moment after it is shown; until then, a file that is missing loads it again.
      const tries = () =>
        page.evaluate(`sessionStorage.getItem('latchkey-tries')`).catch(() => 'loading');
      await eventually(async () => (await tries()) === null, 20_000);
    } finally {
      await context.close();
      await two.stop();
    }
  });

  it('asks again where a process of the previous release does not have a call, and says why', async () => {
    const unknown = await fetch(`${service.origin}/operator/v1/of-the-next-release`);
    const answer = { status: unknown.status, json: await unknown.json() };
    const user = await openConsole(browser, service);
    const { page } = user;
    let unknownTimes = 2;
    await page.route(/\/v1\/day-sheet\/first/, (route) => {
      unknownTimes -= 1;
      return unknownTimes >= 0 ? route.fulfill(answer) : route.fallback();
    });
    await page.goto(`${service.origin}/operator/day-sheet`);
    await page.getByRole('heading', { name: /^In the homes/ }).waitFor();
    assert.ok(unknownTimes < 0);
    unknownTimes = Infinity;
    await page.reload();
    await page.getByRole('alert').getByText('Latchkey is being upgraded').waitFor();
    await user.close();
  });

  it('stops loading again when its files stay away, and loads on demand', async () => {
    const context = await browser.newContext();
    await context.addInitScript(`sessionStorage.getItem('latchkey-tries') ??
      sessionStorage.setItem('latchkey-tries', '19')`);
    const page = await context.newPage();
    await context.route(/\/assets\/operator-.*js$/, (route) => route.fulfill({ status: 404 }));
    await page.goto(`${service.origin}/operator`);
    const again = page.getByRole('button', { name: 'Load again' });
    await again.waitFor();
    await context.unroute(/\/assets\/operator-.*js$/);
    await again.click();
    await page.getByLabel('Email').waitFor();
    await context.close();
  });
});
