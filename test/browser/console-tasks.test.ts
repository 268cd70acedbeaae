/** The tasks of a working day in the console: each in a number of steps that must not grow. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '../harness/browser.ts';
import { buildConsoleIfStale } from '../harness/built-console.ts';
import { countSteps } from '../harness/counted-steps.ts';
import { requestStay } from '../harness/events.ts';
import { eventually } from '../harness/eventually.ts';
import { type Operator, operatorOf } from '../harness/operator.ts';
import { guest, type Partner } from '../harness/partner.ts';
import { ownHomes, startTestService, type TestService } from '../harness/service.ts';
import { type ConsoleUser, openConsole } from '../harness/staff-member.ts';

const example = path.join(import.meta.dirname, '../../examples/harbour-homes/catalog.json');

describe('the tasks of a working day', () => {
  let service: TestService;
  let browser: Browser;
  let staff: Operator;
  let partner: Partner;
  let user: ConsoleUser;
  let page: Page;
  let reference: string;

  before(async () => {
    buildConsoleIfStale();
    service = await startTestService(ownHomes);
    browser = await openBrowser();
    staff = await operatorOf(service);
    const file = await readFile(example, 'utf8');
    await staff.done('operator.catalog.import', { body: { file } });
    const [{ catalogId } = { catalogId: '' }] = [...service.catalog.views()];
    partner = await service.partner({ catalogId });
    const reservationRequestId = await requestStay(partner, await partner.freeStay(3, 4));
    const params = { reservationRequestId };
    const read = () => partner.succeed('reservation.reservationRequest.get', { params });
    await eventually(async () => (await read()).state === 'confirmed', 20_000);
    reference = (await read()).reference!;
    user = await openConsole(browser, service);
    ({ page } = user);
  });
  after(async () => {
    await browser?.close();
    await service?.stop();
  });

  const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true });

  it('1: finds a guest who phones, in three steps from every page', async () => {
    const { firstName, lastName, phone, email } = guest();
    const sloppy = reference.replaceAll(/LK|-/g, '').toLowerCase().replaceAll('0', 'o');
    for (const text of [`${lastName} ${firstName}`, phone, email, sloppy]) {
      await user.go('/settings', 'Settings');
      const steps = countSteps(page);
      await steps.press('/');
      await page.getByRole('combobox', { name: /^Search for a guest/ }).waitFor();
      await steps.type(text);
      await steps.press('Enter');
      await heading(reference).waitFor();
      assert.ok(steps.taken <= 3, `${text}: ${steps.taken} steps`);
    }
    await page.keyboard.press('/');
    const field = page.getByRole('combobox', { name: /^Search for a guest/ });
    await field.fill('123');
    await page.getByText(`Nothing matches “123”`).waitFor();
    await field.fill('12345');
    await page.getByText('Not searched: Phone numbers').waitFor();
    await field.fill('casa');
    await page
      .getByRole('option', { name: /^Casa da Maré/ })
      .first()
      .waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });
});
