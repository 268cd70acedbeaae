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

  const pages: [path: string, heading: string][] = [
    ['/account', 'Account'],
    ['/audit', 'Audit'],
  ];
  for (const [colorScheme, width] of [
    ['light', 1440],
    ['dark', 1280],
    ['light', 360],
  ] as const) {
    it(`has no fault, ${colorScheme} and ${width} pixels wide`, async () => {
      const viewport = { width, height: 900 };
      const user = await openConsole(browser, service, 'administrator', { viewport, colorScheme });
      for (const [path, heading] of pages) {
        await user.go(path, heading);
        await user.page.getByRole('status', { name: 'Loading' }).waitFor({ state: 'detached' });
        assert.deepEqual(await faultsOf(user.page), [], path);
        const folder = process.env['LATCHKEY_SCREENSHOTS'];
        if (folder) {
          const file = `${folder}${path.replaceAll('/', '-')}-${colorScheme}-${width}.png`;
          await user.page.screenshot({ path: file, fullPage: true });
        }
      }
      assert.deepEqual(user.observed.complaints, []);
      assert.deepEqual(askedElsewhere(user.observed, service.origin), []);
      await user.close();
    });
  }
});
