/** The page to try the card fields, in a real browser, with a stand-in of the provider's script. */
import { makeMoneyWait } from '../harness/money-waits.ts';
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, suite, test } from 'node:test';
import type { Browser, Page, Route } from 'playwright-core';
import type { Settlement } from '../../src/contract/wire.ts';
import { observe, openBrowser } from '../harness/browser.ts';
import { eventually } from '../harness/eventually.ts';
import { faultsOf } from '../harness/page-faults.ts';
import { raisePrice } from '../harness/raise-price.ts';
import { sql } from '../harness/rows.ts';
import { projectRoot } from '../harness/service-process.ts';
import { startTestService } from '../harness/service.ts';
import { openConsole } from '../harness/staff-member.ts';
import { cardNumbered } from '../harness/stripe/cards.ts';
import description from '../harness/stripe/description.json' with { type: 'json' };
import { type PaidService, startPaidService } from '../harness/stripe/service.ts';
import type { StandIn } from '../harness/stripe/stand-in.ts';

const address = '/payments/stripe/try';

/** The provider's script, as far as the page uses it: fields in a frame, and calls of the provider's API. */
const script = `
  const send = async (path, body) => {
    const response = await fetch('https://api.stripe.com' + path, {
      method: 'POST', body: new URLSearchParams(body),
    });
    return response.json();
  };
  window.Stripe = (key) => {
    let number = null;
    addEventListener('message', ({ origin, data }) => {
      if (origin === 'https://js.stripe.com') number = data;
    });
    return {
      elements: ({ clientSecret, appearance }) => ({
        clientSecret,
        theme: (document.body.dataset.theme = appearance?.theme ?? ''),
        create: () => ({
          mount(selector) {
            const frame = document.createElement('iframe');
            frame.src = 'https://js.stripe.com/fields.html';
            document.querySelector(selector).append(frame);
          },
        }),
      }),
      confirmSetup: ({ elements, redirect }) => {
        if (redirect !== 'if_required') throw new Error('would leave the page');
        return send('/setup', { key, number, secret: elements.clientSecret });
      },
      confirmCardPayment: (secret, { payment_method }) =>
        send('/payment', { key, secret, payment_method }),
    };
  };`;

const fields = `<!doctype html><input aria-label="Card number">
  <script>
    document.querySelector('input').addEventListener('input', ({ target }) =>
      parent.postMessage(target.value, '*'));
  </script>`;

/** What code in the page could try, to send data elsewhere. */
const escapes = `(async () => {
  const attempt = (url, init) => fetch(url, init).then(() => 'sent', () => 'blocked');
  const call = await attempt('/payments/stripe/try/state', { method: 'POST' });
  const elsewhere = await attempt('https://elsewhere.example');
  const inline = document.createElement('script');
  inline.textContent = 'window.ranInline = true';
  const form = document.createElement('form');
  form.method = 'post';
  form.action = '/payments/stripe/events';
  document.body.append(inline, form);
  form.submit();
  return { call, elsewhere, inline: 'ranInline' in window };
})()`;

/** Answers what the browser asks of the provider. */
async function playProvider(page: Page, { guest, payments }: StandIn): Promise<void> {
  const answer = (route: Route, json: object): Promise<void> =>
    route.fulfill({ json, headers: { 'access-control-allow-origin': '*' } });
  await page.route('https://js.stripe.com/endive/stripe.js', (route) =>
    route.fulfill({ body: script, contentType: 'text/javascript' }),
  );
  await page.route('https://js.stripe.com/fields.html', (route) =>
    route.fulfill({ body: fields, contentType: 'text/html' }),
  );
  await page.route('https://api.stripe.com/setup', (route) => {
    const sent = new URLSearchParams(route.request().postData() ?? '');
    const card = cardNumbered(sent.get('number') ?? '');
    const method = card && guest.confirmSetup(sent.get('secret') ?? '', card);
    return answer(
      route,
      method
        ? { setupIntent: { payment_method: method } }
        : { error: { message: 'Your card was declined.' } },
    );
  });
  await page.route('https://api.stripe.com/payment', (route) => {
    const sent = new URLSearchParams(route.request().postData() ?? '');
    const secret = sent.get('secret') ?? '';
    const payment = [...payments.values()].find(({ client_secret }) => client_secret === secret);
    assert.equal(sent.get('payment_method'), payment?.payment_method);
    guest.authenticate(secret);
    return answer(route, {});
  });
}

/** A running demo. */
interface Demo {
  out: () => string;
  /** The addresses that it has printed. */
  addresses: () => string[];
  code: Promise<number | null>;
}

async function startDemo(
  service: PaidService,
  settlement: Settlement = 'card',
  errors: 'pipe' | 'inherit' = 'inherit',
  words = ['--pay'],
): Promise<Demo> {
  const { credentials } = await service.partner({ settlement });
  const child = spawn(process.execPath, ['src/demo/main.ts', ...words], {
    cwd: projectRoot,
    env: {
      PATH: path.dirname(process.execPath),
      BASE_URL: service.origin,
      APPLICATION_ID: credentials.applicationId,
      APPLICATION_KEY: credentials.applicationKey,
    },
    stdio: ['ignore', 'pipe', errors],
  });
  let out = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (out += text));
  const code = new Promise<number | null>((resolve) => child.on('close', resolve));
  return { out: () => out, addresses: () => out.match(/^http\S+#\S+$/gm) ?? [], code };
}

suite('card page', () => {
  let service: PaidService;
  let browser: Browser;

  before(async () => {
    service = await startPaidService();
    browser = await openBrowser();
  });
  after(async () => {
    await browser?.close();
    await service?.stop();
  });

  async function openPage(): Promise<Page> {
    const page = await browser.newPage();
    await playProvider(page, service.standIn);
    return page;
  }

  const enterCard = async (page: Page, number: string): Promise<void> => {
    await page.frameLocator('iframe').getByLabel('Card number').fill(number);
    await page.getByRole('button').click();
  };

  test('card page › the demo goes on when the guest has entered a card and authenticated the payment', async () => {
    const demo = await startDemo(service);
    await eventually(async () => demo.addresses().length === 1, 60_000);
    const page = await openPage();
    const observed = observe(page);
    await page.goto(demo.addresses()[0]!);
    const theme = () => page.locator('body').getAttribute('data-theme');
    assert.equal(await theme(), 'stripe');
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.reload();
    assert.equal(await theme(), 'night');
    await enterCard(page, '4000000000000002');
    await page.getByText('Your card was declined.').waitFor();
    await enterCard(page, '4000002760003184');
    await page.getByText('Done. The demo continues in the terminal.').waitFor();
    await eventually(async () => demo.addresses().length === 2, 60_000);
    const authentication = await openPage();
    await authentication.goto(demo.addresses()[1]!);
    await authentication.getByRole('button', { name: 'Authenticate the payment' }).click();
    await authentication.getByText('Done. The demo continues in the terminal.').waitFor();
    assert.equal(await demo.code, 0, demo.out());
    assert.match(demo.out(), /state, version +confirmed/);
    assert.deepEqual(
      service.standIn.ledger.map(({ kind }) => kind),
      ['authorized', 'captured'],
    );
    assert.deepEqual(observed.complaints, []);
    const hosts = new Set(observed.requested.map((url) => new URL(url).origin));
    const own = new URL(service.origin).origin;
    assert.deepEqual([...hosts].toSorted(), [
      own,
      'https://api.stripe.com',
      'https://js.stripe.com',
    ]);
    const asked = observed.requested
      .filter((url) => url.startsWith(own))
      .map((url) => new URL(url));
    assert.ok(
      asked.every(({ search }) => search === ''),
      'the service learns nothing of the card',
    );
  });

  test('console › a refund of what the card has paid, by keyboard, after a preview', async () => {
    const { page, observed, go, close } = await openConsole(browser, service, 'reservations');
    await go('/payments', 'Payments');
    const row = page.getByRole('table', { name: 'Payments' }).getByRole('row').nth(1);
    await row.getByRole('link', { name: /^LK-/ }).press('Enter');
    await page.getByRole('button', { name: 'Refund a part' }).press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Amount').fill('10');
    await dialog.getByText('Goes back to the guest').waitFor();
    await dialog.getByLabel('Reason').fill('The heating was off');
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await page.getByText(/: The heating was off$/).waitFor();
    await eventually(async () =>
      service.standIn.ledger.some(({ kind, amount }) => kind === 'refunded' && amount === 1_000),
    );
    assert.deepEqual(observed.complaints, []);

    await page.route(
      '**/refund',
      async (route) => {
        await route.fetch();
        await route.abort();
      },
      { times: 1 },
    );
    await page.getByRole('button', { name: 'Refund a part' }).press('Enter');
    await dialog.getByLabel('Amount').fill('20');
    await dialog.getByText('Goes back to the guest').waitFor();
    await dialog.getByLabel('Reason').fill('The answer was lost');
    await page.keyboard.press('Enter');
    await dialog.getByText('Latchkey cannot be reached').waitFor();
    const due = dialog.getByRole('definition').first();
    const seen = await due.textContent();
    await dialog.getByLabel('Reason').press('Enter');
    await dialog.getByText(/ is EUR [\d.,]+; you have seen EUR/).waitFor();
    await eventually(async () => (await due.textContent()) !== seen);
    const refunds = `SELECT count(*)::integer AS count FROM audit_entries
      WHERE action = 'payment.refund' AND details ->> 'amount' = '2000'`;
    assert.deepEqual(await sql(service.database, refunds), [{ count: 1 }]);
    await eventually(async () =>
      service.standIn.ledger.some(({ kind, amount }) => kind === 'refunded' && amount === 2_000),
    );

    // The provider has refunded before the service records it, and that ends the refusals of an account.
    const unrecorded = `SELECT refund_id FROM payment_refunds WHERE state <> 'done'`;
    await eventually(async () => (await sql(service.database, unrecorded)).length === 0);
    // A worker that has claimed the account must not write what it decided before.
    await makeMoneyWait(service.database, null);
    await page.reload();
    await page.getByText('The bank has declined the card; it is tried again').first().waitFor();
    await page.getByRole('button', { name: 'Collect again' }).click();
    await dialog.getByLabel('Reason').fill('The account is filled again');
    await dialog.getByRole('button', { name: 'Start', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('The account is filled again').waitFor();
    const [shown] = await sql<{ reference: string }>(
      service.database,
      `SELECT reference FROM audit_entries WHERE action = 'payment.start' ORDER BY entry_id DESC LIMIT 1`,
    );
    const nextYear = `${new Date().getUTCFullYear() + 1}-12-31`;
    await raisePrice(service.database, shown!.reference, 5_000, nextYear);
    await page.getByRole('button', { name: 'Payment link' }).click();
    await dialog.getByRole('button', { name: 'Make the link' }).click();
    await dialog.getByText(/^Send this to the guest/).waitFor();
    const { url } = [...service.standIn.sessions.values()].at(-1)!;
    assert.equal(await dialog.getByText(url!).count(), 1);
    assert.deepEqual(await faultsOf(page), []);
    await dialog.getByRole('button', { name: 'Close' }).last().click();

    // What waits is one list, and each item leads to what closes it.
    const waits = 'SELECT part FROM payment_waits';
    await eventually(async () => (await sql(service.database, waits)).length === 0, 20_000);
    await makeMoneyWait(service.database, null);
    await go('/waiting', 'Waiting');
    const waiting = page.getByRole('table', { name: 'What waits for people' });
    const item = waiting.getByRole('row').nth(1);
    await item.getByText('Ada Lovelace').waitFor();
    await item.getByText('Declined', { exact: true }).waitFor();
    assert.deepEqual(await faultsOf(page), []);
    await item.getByRole('link', { name: 'Collect it another way' }).click();
    await page.getByRole('button', { name: 'Stop collecting' }).click();
    await dialog.getByLabel('Reason').fill('The guest pays by transfer');
    await dialog.getByRole('button', { name: 'Stop', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('Stopped').first().waitFor();
    await page.getByRole('button', { name: 'Record money that moved elsewhere' }).click();
    await dialog.getByLabel('What has happened').selectOption('refunded');
    await dialog.getByLabel('Amount').fill('5');
    await dialog.getByText('Open after').waitFor();
    await dialog.getByLabel('Reason').fill('Paid in cash');
    await dialog.getByRole('button', { name: 'Record it' }).click();
    await dialog.waitFor({ state: 'detached' });
    const recorded = `SELECT amount_minor AS amount FROM payment_entries WHERE kind = 'refunded_elsewhere'`;
    assert.deepEqual(await sql(service.database, recorded), [{ amount: 500 }]);
    await close();
  });

  test('console › reconcile names what differs and what it means, and that the provider does not answer', async () => {
    const { page, observed, go, close } = await openConsole(browser, service, 'reservations');
    const { paymentIntent } = service.standIn.ledger.findLast(({ kind }) => kind === 'captured')!;
    const payment = service.standIn.payments.get(paymentIntent)!;
    payment.amount += 1;
    await go('/payments', 'Payments');
    const compare = page.getByRole('button', { name: 'Compare' });
    await compare.press('Enter');
    const differences = page.getByRole('table', { name: 'Differences' });
    const row = differences.getByRole('row').filter({ hasText: 'The amounts differ.' });
    await row.getByRole('link', { name: /^LK-/ }).waitFor();
    assert.deepEqual(await faultsOf(page), []);
    payment.amount -= 1;
    service.standIn.faultOf = () => '500_before';
    await compare.press('Enter');
    await page.getByRole('alert').waitFor();
    service.standIn.faultOf = () => null;
    assert.equal(await differences.count(), 0);
    await compare.press('Enter');
    await page.getByText('Both sides agree since').waitFor();
    assert.deepEqual(
      observed.complaints.filter((text) => !text.includes('409')),
      [],
    );
    await close();
  });

  test('card page › the demo refuses an application with the other settlement, and names a declined card', async () => {
    const [partner, card, declined] = await Promise.all([
      startDemo(service, 'partner', 'pipe'),
      startDemo(service, 'card', 'pipe', []),
      startDemo(service, 'card', 'pipe'),
    ]);
    await eventually(async () => declined.addresses().length === 1, 60_000);
    const { hash } = new URL(declined.addresses()[0]!);
    const secret = new URLSearchParams(hash.slice(1)).get('secret')!;
    service.standIn.guest.confirmSetup(secret, 'pm_card_chargeCustomerFail');
    for (const demo of [partner, card, declined]) assert.equal(await demo.code, 1, demo.out());
    assert.match(partner.out(), /This application is partner-settled, .* Nothing was booked\./);
    assert.doesNotMatch(partner.out(), /Submit/);
    assert.match(card.out(), /Run "npm run demo -- --pay"\. Nothing was booked\./);
    assert.match(declined.out(), /The card was declined and nothing was charged\./);
  });

  test('card page › its policy allows the script, the frames and the API of the provider, and our own files', async () => {
    const { headers } = await fetch(`${service.origin}${address}`);
    assert.equal(
      headers.get('content-security-policy'),
      [
        "default-src 'none'",
        "script-src 'self' https://js.stripe.com https://*.js.stripe.com",
        'frame-src https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com',
        'connect-src https://api.stripe.com',
        "style-src 'self'",
        "img-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
      ].join('; '),
    );
    assert.equal(headers.get('cache-control'), 'no-store');
    assert.equal(headers.get('referrer-policy'), 'no-referrer');
  });

  test('card page › page and guide load the script that belongs to the version of the API', async () => {
    const [, release] = description.apiVersion.split('.');
    const source = `src="https://js.stripe.com/${release}/stripe.js"`;
    const page = await (await fetch(`${service.origin}${address}`)).text();
    assert.ok(page.includes(source));
    const guide = await readFile(path.join(projectRoot, 'docs/partners/card-payments.md'), 'utf8');
    assert.ok(guide.includes(source));
  });

  test('card page › the browser lets no data go to this service, and runs nothing inline', async () => {
    const page = await openPage();
    await page.goto(`${service.origin}${address}`);
    await page.getByText('The address has no client secret').waitFor();
    const arrived: string[] = [];
    page.on('request', (request) => arrived.push(request.url()));
    const outcome = await page.evaluate(escapes);
    assert.deepEqual(outcome, { call: 'blocked', elsewhere: 'blocked', inline: false });
    assert.deepEqual(arrived, []);
  });

  test('card page › the page of the guide for partners keeps a card', async () => {
    const guide = await readFile(path.join(projectRoot, 'docs/partners/card-payments.md'), 'utf8');
    const [, html = ''] = /^```html\n(.*?)^```$/ms.exec(guide) ?? [];
    const [, code = ''] = /^```javascript\n(.*?)^```$/ms.exec(guide) ?? [];
    const [, policy = ''] = /^```\n(script-src.*?)^```$/ms.exec(guide) ?? [];
    const page = await openPage();
    const [setup] = [...service.standIn.setups.values()].slice(-1);
    const unused = { ...setup!, id: 'seti_guide', client_secret: 'seti_guide_secret_x' };
    service.standIn.setups.set(unused.id, { ...unused, status: 'requires_payment_method' });
    const shop = 'https://shop.example';
    const setupOf = { publishableKey: 'pk_test_standin', clientSecret: unused.client_secret };
    let sent = '';
    await page.route(`${shop}/**`, (route) => {
      const { pathname } = new URL(route.request().url());
      sent = route.request().postData() ?? sent;
      const pages: Record<string, Parameters<Route['fulfill']>[0]> = {
        '/pay': {
          body: html,
          contentType: 'text/html',
          headers: { 'content-security-policy': policy.replaceAll('\n', ' ') },
        },
        '/payment.js': { body: code, contentType: 'text/javascript' },
        '/checkout/payment-setup': { json: setupOf },
      };
      return route.fulfill(pages[pathname] ?? { json: {} });
    });
    const observed = observe(page);
    await page.goto(`${shop}/pay`);
    await page.getByRole('checkbox').check();
    await enterCard(page, '4242424242424242');
    await page.getByText('Thank you.').waitFor();
    const kept = service.standIn.setups.get(unused.id)?.payment_method;
    assert.ok(kept);
    assert.deepEqual(JSON.parse(sent), { paymentMethodId: kept });
    assert.deepEqual(
      observed.complaints.filter((text) => !text.includes('favicon')),
      [],
    );
  });

  test('card page › the state behind a client secret needs the whole secret, and is limited', async () => {
    const stateOf = async (clientSecret: unknown): Promise<number> => {
      const response = await fetch(`${service.origin}${address}/state`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ clientSecret }),
      });
      return response.status;
    };
    const [setup] = service.standIn.setups.values();
    const [payment] = service.standIn.payments.values();
    for (const object of [setup!, payment!]) {
      assert.equal(await stateOf(object.client_secret), 200);
      assert.equal(await stateOf(`${object.id}_secret_other`), 404);
      assert.equal(await stateOf(object.id), 404);
    }
    assert.equal(await stateOf('seti_none_secret_none'), 404);
    assert.equal(await stateOf(undefined), 404);
    const asked = service.standIn.calls.length;
    // Where a text can be read in several ways, reading a long one takes long.
    assert.equal(await stateOf(`${setup!.client_secret}_secret_x`), 404);
    assert.equal(service.standIn.calls.length, asked);
    service.standIn.faultOf = () => '429';
    assert.equal(await stateOf(setup!.client_secret), 503);
    service.standIn.faultOf = () => null;
    const statuses = new Set<number>();
    for (let read = 0; read < 200 && !statuses.has(429); read += 1) {
      statuses.add(await stateOf('none'));
    }
    assert.deepEqual([...statuses], [404, 429]);
    const calls = service.standIn.calls.length;
    assert.equal(await stateOf(setup!.client_secret), 429);
    assert.equal(service.standIn.calls.length, calls);
  });

  test('card page › it says that the provider’s script is not there', async () => {
    const page = await browser.newPage();
    await page.route('https://js.stripe.com/**', (route) => route.abort());
    await page.goto(`${service.origin}${address}#secret=seti_1_secret_1`);
    await page.getByText('The script of the card provider could not be loaded.').waitFor();
    assert.ok(await page.getByRole('button').isDisabled());
  });

  test('card page › neither page nor events without a card provider', async () => {
    const simulation = await startTestService({ LATCHKEY_ROLES: 'api' });
    for (const [method, place] of [
      ['GET', address],
      ['POST', `${address}/state`],
      ['POST', '/payments/stripe/events'],
    ] as const) {
      const response = await fetch(`${simulation.origin}${place}`, { method });
      assert.equal(response.status, 404);
    }
    await simulation.stop();
  });
});
