/** Passkeys in the console, with a virtual authenticator of the browser. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { observe, openBrowser } from '../harness/browser.ts';
import { freePort } from '../harness/free-port.ts';
import { sql } from '../harness/rows.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { addMember, staffPassword } from '../harness/staff-member.ts';

suite('the console › passkeys', () => {
  let service: TestService;
  let browser: Browser;
  let origin: string;
  before(async () => {
    // A browser has passkeys on this machine by its name, and over https.
    const port = await freePort();
    origin = `http://localhost:${port}`;
    service = await startTestService({ BASE_URL: origin }, { port });
    browser = await openBrowser();
  });
  after(async () => {
    await browser.close();
    await service.stop();
  });

  // Spec: OPERATOR-15.
  test('one is added with a name, signs in, confirms a step-up, and is removed', async () => {
    const email = await addMember(service);
    const context = await browser.newContext({ reducedMotion: 'reduce' });
    const page = await context.newPage();
    page.setDefaultTimeout(20_000);
    const observed = observe(page);
    const devices = await context.newCDPSession(page);
    await devices.send('WebAuthn.enable');
    await devices.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    const typeAccount = async () => {
      await page.getByLabel('Email').fill(email);
      await page.getByRole('textbox', { name: 'Password' }).fill(staffPassword);
      await page.keyboard.press('Enter');
    };

    await page.goto(`${origin}/operator/account`);
    await typeAccount();
    await page.getByRole('heading', { level: 1, name: 'Account' }).waitFor();
    await page.getByLabel('Name of the passkey').fill('my laptop');
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByText('You will be asked for a passkey').waitFor();
    await page.getByRole('cell', { name: 'my laptop', exact: true }).waitFor();

    await page.getByRole('button', { name: 'Sign out' }).click();
    await typeAccount();
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await page.getByRole('link', { name: email }).waitFor();

    await sql(
      service.database,
      `UPDATE staff_sessions SET confirmed_at = now() - interval '1 hour'`,
    );
    await page.goto(`${origin}/operator/account`);
    await page.getByRole('button', { name: 'Remove my laptop' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Confirm that it is you').waitFor();
    await dialog.getByRole('button', { name: 'Use a passkey' }).click();
    await page.getByText('my laptop is removed').waitFor();
    const [left] = await sql<{ count: number }>(
      service.database,
      'SELECT count(*)::integer AS count FROM staff_passkeys',
    );
    assert.equal(left!.count, 0);
    const unexpected = observed.complaints.filter((text) => !/status of 40[13]/.test(text));
    assert.deepEqual(unexpected, []);
    await context.close();
  });
});
