/** The console: signing in, the own account, members of staff, tokens, the audit trail. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { codeOf, stepAt } from '../../src/staff/one-time-code.ts';
import { inviteStaff } from '../../src/staff/index.ts';
import { askedElsewhere, observe, openBrowser } from '../harness/browser.ts';
import { faultsOf } from '../harness/page-faults.ts';
import { sql } from '../harness/rows.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { decodedSecret, openConsole, staffPassword } from '../harness/staff-member.ts';

const email = 'ada@staff.example';

describe('the console for staff', () => {
  let service: TestService;
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
    await dialog.getByRole('textbox', { name: 'Password' }).fill(staffPassword);
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    assert.equal(await page.getByLabel('New password').inputValue(), 'quite another password');

    const late = `UPDATE staff_sessions SET confirmed_at = now() - interval '1 hour' WHERE ${ofUser}`;
    await sql(service.database, late, [user.email]);
    await page.getByRole('button', { name: 'Change password' }).click();
    await dialog.getByText('Confirm that it is you').waitFor();
    await dialog.getByRole('textbox', { name: 'Password' }).fill(staffPassword);
    await page.keyboard.press('Enter');
    await page.getByText('Your password has changed').waitFor();
    await user.close();
  });

  it('invites a member of staff, changes its role, disables it; issues a token and revokes it', async () => {
    const user = await openConsole(browser, service);
    const { page } = user;
    await user.go('/staff', 'Staff');
    const member = 'grace@staff.example';
    const hostile = '<img src=x onerror=alert(1)>';
    await page.getByLabel('Email').fill(member);
    await page.getByRole('button', { name: 'Invite' }).click();
    await page.getByText('The link is shown only now').waitFor();
    await page.getByText(/operator\/invitation#invitation=[\w-]{43}/).waitFor();
    await page.getByRole('button', { name: 'I have copied it' }).click();
    await page.getByLabel(`Role of ${member}`).selectOption('viewer');
    await page.getByText(`${member} is now viewer.`).waitFor();
    await page.getByRole('button', { name: `Disable ${member}` }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click();
    await page.getByRole('button', { name: `Enable ${member}` }).waitFor();
    await page.getByLabel('Name').fill(hostile);
    await page.getByRole('button', { name: 'Issue' }).click();
    await page.getByText(/^lko_[\w-]{43}$/).waitFor();
    await page.getByRole('button', { name: `Revoke ${hostile}` }).click();
    await page.getByRole('table', { name: 'Tokens' }).getByText('revoked').waitFor();

    await user.go('/audit', 'Audit');
    await page.getByLabel('Who').fill(`staff ${user.email}`);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: /staff.set-role/ }).click();
    await page.getByText('"after": "viewer"').waitFor();
    assert.match(page.url(), /actor=staff/);
    assert.deepEqual(user.observed.complaints, []);
    await user.close();
  });

  it('registers a partner, changes its quotas, suspends it, revokes its key', async () => {
    const user = await openConsole(browser, service);
    const { page } = user;
    const name = '<script>alert(1)</script>';
    await user.go('/partners', 'Partners');
    await page.getByLabel('Name').fill(name);
    await page.getByRole('button', { name: 'Register' }).click();
    await page.getByText('The key is shown only now').waitFor();
    await page.getByRole('link', { name }).click();
    await page.getByRole('heading', { level: 1, name }).waitFor();
    await page.getByLabel('search a minute').fill('17');
    await page.getByRole('button', { name: 'Save quotas' }).click();
    await page.getByText('search: 0 of 17 used').waitFor();
    await page.getByRole('button', { name: 'Issue a link' }).click();
    await page.getByText(/portal#link=[\w-]{43}/).waitFor();
    await page.getByRole('button', { name: /^Revoke / }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('table', { name: 'Keys' }).getByText('revoked').waitFor();
    await page.getByLabel('Reason, for staff only').fill('no answer');
    await page.getByRole('button', { name: 'Suspend', exact: true }).click();
    await page.getByRole('button', { name: 'Resume', exact: true }).waitFor();
    assert.deepEqual(user.observed.complaints, []);
    await user.close();
  });

  const pages: [path: string, heading: string][] = [
    ['/account', 'Account'],
    ['/audit', 'Audit'],
    ['/staff', 'Staff'],
    ['/settings', 'Settings'],
    ['/partners', 'Partners'],
  ];
  for (const [colorScheme, width] of [
    ['light', 1440],
    ['dark', 1280],
    ['light', 360],
  ] as const) {
    it(`has no fault, ${colorScheme} and ${width} pixels wide`, async () => {
      const viewport = { width, height: 900 };
      const user = await openConsole(browser, service, 'administrator', { viewport, colorScheme });
      const partner = await service.partner();
      const own = `/partners/${partner.credentials.applicationId}`;
      for (const [path, heading] of [...pages, [own, 'a test']] as const) {
        await user.go(path, heading);
        await user.page
          .getByRole('status', { name: 'Loading' })
          .first()
          .waitFor({ state: 'detached' });
        assert.deepEqual(await faultsOf(user.page), [], path);
        const folder = process.env['LATCHKEY_SCREENSHOTS'];
        if (folder) {
          const file = `${folder}${path.replaceAll('/', '-').slice(0, 12)}-${colorScheme}-${width}.png`;
          await user.page.screenshot({ path: file, fullPage: true });
        }
      }
      assert.deepEqual(user.observed.complaints, []);
      assert.deepEqual(askedElsewhere(user.observed, service.origin), []);
      await user.close();
    });
  }
});
