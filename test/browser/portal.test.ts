/** The portal as a partner uses it: a real browser, the real service, a receiver on this machine. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Browser, Locator, Page } from 'playwright-core';
import { Webhook } from 'standardwebhooks';
import { listWebhookEndpoints } from '../../src/webhooks/store/endpoints.ts';
import { readWebhookSecrets } from '../../src/webhooks/store/endpoint-secrets.ts';
import { goInside, openBrowser } from '../harness/browser.ts';
import { sql } from '../harness/catalog.ts';
import { csvText } from '../../src/contract/csv.ts';
import { statementTable } from '../../src/contract/tables.ts';
import { moneyText } from '../../console/src/base/words/money.ts';
import { enterPortal } from '../harness/portal.ts';
import { requestStay } from '../harness/events.ts';
import { hostNode } from '../harness/host-node.ts';
import { eventually } from '../harness/eventually.ts';
import { dialogFaultsOf, faultsOf } from '../harness/page-faults.ts';
import type { Partner } from '../harness/partner.ts';
import { linkAddress, openPortalCaller, type PortalUser } from '../harness/portal-caller.ts';
import { respond, Receiver } from '../harness/receiver.ts';
import { startTestService, type TestService } from '../harness/service.ts';

const longMs = 20_000;

describe('the portal in a browser', () => {
  let service: TestService;
  let browser: Browser;
  let partner: Partner;
  let receiver: Receiver;
  let portalCaller: PortalUser;
  let page: Page;
  let usedLink: string;

  before(async () => {
    service = await startTestService();
    browser = await openBrowser();
    partner = await service.partner();
    receiver = await Receiver.start();
    portalCaller = await openPortalCaller(browser, service, partner);
    page = portalCaller.page;
  });

  after(async () => {
    await browser?.close();
    await receiver?.close();
    await service?.stop();
  });

  const applicationId = () => partner.credentials.applicationId;
  const button = (name: string, within: Page | Locator = page) =>
    within.getByRole('button', { name, exact: true });
  const heading = (name: string) => page.getByRole('heading', { name, exact: true });
  const rows = () =>
    page
      .getByRole('table')
      .getByRole('row')
      .filter({ has: page.getByRole('cell') });
  const secrets = async () => {
    const [endpoint] = await listWebhookEndpoints(service.database, applicationId());
    assert.ok(endpoint);
    const found = await readWebhookSecrets(service.database, applicationId(), endpoint.endpointId);
    assert.ok(found);
    return found;
  };
  const openEndpoint = async () => {
    await portalCaller.go('Endpoints');
    await page.getByRole('link', { name: receiver.url() }).click();
    await heading('Recent deliveries').waitFor();
  };
  const openNewestDelivery = async () => {
    await portalCaller.go('Deliveries');
    await rows().first().getByRole('link').click();
    await heading('Attempts').waitFor();
  };
  const shownDelivered = () => page.getByText('Delivered', { exact: true }).first();

  it('explains how to get a link', async () => {
    for (const place of ['', '/', '/deliveries']) {
      await page.goto(`${service.origin}/portal${place}`);
      await heading('You need a link').waitFor();
      await page.getByText('Ask the operator').waitFor();
    }
  });

  it('opens by a link, and takes it out of the address', async () => {
    usedLink = await linkAddress(service, partner);
    await page.goto(usedLink);
    await heading('Endpoints').waitFor();
    assert.equal(page.url(), `${service.origin}/portal/endpoints`);
    await page.goBack();
    assert.doesNotMatch(page.url(), /link=/);
    await page.goto(`${service.origin}/portal`);
    await heading('Endpoints').waitFor();
  });

  it('names the product, the application and the environment', async () => {
    const banner = page.getByRole('banner');
    for (const text of ['Latchkey', 'a test', 'simulation']) {
      await banner.getByText(text, { exact: true }).waitFor();
    }
  });

  it('refuses a used link, and explains what to do', async () => {
    const other = await openPortalCaller(browser, service, partner);
    await other.page.goto(usedLink);
    await other.page.getByRole('heading', { name: 'This link no longer works' }).waitFor();
    await other.page.getByText('Ask the operator').waitFor();
    assert.doesNotMatch(other.page.url(), /link=/);
    await other.close();
  });

  it('lets a signed-in browser continue from a used link', async () => {
    await page.goto(usedLink);
    await page.getByRole('link', { name: 'Continue' }).click();
    await heading('Endpoints').waitFor();
  });

  it('explains on every empty page what to do', async () => {
    await heading('No endpoints yet').waitFor();
    await portalCaller.go('Deliveries');
    await heading('No deliveries yet').waitFor();
    await portalCaller.go('Events');
    await heading('No events yet').waitFor();
    await portalCaller.go('Requests');
    await heading('No requests yet').waitFor();
    await portalCaller.go('Bookings');
    await heading('Find a booking').waitFor();
    await portalCaller.go('Verify');
    await heading('No delivery to verify yet').waitFor();
  });

  it('shows at its field what is wrong with a URL', async () => {
    await portalCaller.go('Endpoints');
    await button('Add endpoint').click();
    const url = portalCaller.dialog.getByLabel('URL');
    await button('Add endpoint', portalCaller.dialog).click();
    await portalCaller.dialog.getByText('Enter the URL').waitFor();
    await url.fill('https://10.1.2.3/hook');
    await button('Add endpoint', portalCaller.dialog).click();
    await portalCaller.dialog
      .getByText('It has an address that is not on the public internet.')
      .waitFor();
    assert.equal(await url.getAttribute('aria-invalid'), 'true');
    await page.keyboard.press('Escape');
    await portalCaller.dialog.waitFor({ state: 'detached' });
    assert.deepEqual(await listWebhookEndpoints(service.database, applicationId()), []);
  });

  it('adds an endpoint and shows its secret', async () => {
    await button('Add endpoint').click();
    await portalCaller.dialog.getByLabel('URL').fill(receiver.url());
    await portalCaller.dialog.getByLabel('Description').fill('On this machine');
    await button('Add endpoint', portalCaller.dialog).click();
    const shown = portalCaller.dialog.getByLabel('signing secret', { exact: true });
    await shown.waitFor();
    assert.equal(await shown.textContent(), (await secrets()).secret);
    await portalCaller.dialog.getByRole('link', { name: 'Send a test event' }).click();
    await page.getByRole('heading', { level: 1, name: receiver.url() }).waitFor();
    await page.getByText('On this machine').waitFor();
  });

  it('changes the event types of an endpoint', async () => {
    await button(`Edit ${receiver.url()}`).click();
    await portalCaller.dialog.getByLabel('Only these:').check();
    await portalCaller.dialog.getByLabel('reservation.cancelled').check();
    await button('Save', portalCaller.dialog).click();
    await page.getByText('reservation.cancelled', { exact: true }).first().waitFor();
    const [endpoint] = await listWebhookEndpoints(service.database, applicationId());
    assert.deepEqual(endpoint?.eventTypes, ['reservation.cancelled']);
    await button(`Edit ${receiver.url()}`).click();
    await portalCaller.dialog.getByLabel('All types, including future ones').check();
    await button('Save', portalCaller.dialog).click();
    await page.getByText('All event types').waitFor();
  });

  it('rotates the secret, and shows both with the end of the old one', async () => {
    const { secret: old } = await secrets();
    await button('Show the secret').click();
    assert.equal(await page.getByLabel('signing secret', { exact: true }).textContent(), old);
    await button('Rotate').click();
    await button('Rotate', portalCaller.dialog).click();
    const previous = page.getByLabel('old signing secret', { exact: true });
    await previous.waitFor();
    assert.equal(await previous.textContent(), old);
    const { secret } = await secrets();
    assert.notEqual(secret, old);
    await page.getByLabel('signing secret', { exact: true }).getByText(secret).waitFor();
    await page.getByText('also signs; it expires').waitFor();
  });

  it('sends a test event, which arrives signed by both secrets', async () => {
    await page.getByLabel('Event type').selectOption('reservation.changed');
    await button('Send test event').click();
    await shownDelivered().waitFor();
    const [arrived] = receiver.arrivals;
    assert.ok(arrived);
    const { secret, previous } = await secrets();
    for (const one of [secret, previous?.secret ?? '']) {
      new Webhook(one).verify(arrived.body, arrived.headers as Record<string, string>);
    }
    assert.equal((JSON.parse(arrived.body) as { type: string }).type, 'reservation.changed');
  });

  it('shows the response of a failing receiver as text', async () => {
    receiver.reply = respond(500, {}, '<script>document.title = "taken"</script>');
    await button('Send test event').click();
    await receiver.receives(2, longMs);
    await openNewestDelivery();
    await page.getByText('Status 500').first().waitFor();
    await page.getByText('The response status was not 200 to 299.').first().waitFor();
    await page.getByText('<script>document.title = "taken"</script>').first().waitFor();
    await page.getByText('Retrying', { exact: true }).first().waitFor();
    await page.getByText('Next attempt').waitFor();
    assert.match(await page.title(), /Latchkey$/);
  });

  it('marks a failing endpoint with counts, and leads to what is retried', async () => {
    await portalCaller.go('Endpoints');
    await page.getByText('Failing', { exact: true }).waitFor();
    await page.getByRole('link', { name: '1 retrying' }).click();
    await heading('Deliveries').waitFor();
    assert.equal(await page.getByLabel('State').inputValue(), 'retrying');
    await page.getByRole('cell', { name: /Retrying.*next/ }).waitFor();
    assert.equal(await rows().count(), 1);
    await rows().first().getByRole('link').click();
    await heading('Attempts').waitFor();
  });

  it('replays a delivery that failed', async () => {
    receiver.reply = respond(200, {}, 'accepted');
    await button('Replay').click();
    await shownDelivered().waitFor();
    await page.getByText('accepted', { exact: true }).waitFor();
    await page.getByText('Attempt 2').waitFor();
    const [first, second] = receiver.arrivals.slice(-2);
    assert.equal(first?.headers['webhook-id'], second?.headers['webhook-id']);
  });

  it('shows a booking by itself in events, deliveries and requests', async () => {
    await portalCaller.go('Events');
    await requestStay(partner, await partner.freeStay());
    await rows().nth(1).waitFor();
    const reference = /LK-[A-Z0-9]{4}-[A-Z0-9]{4}/;
    await page.getByText(reference).first().waitFor();
    await portalCaller.go('Deliveries');
    await page.getByText('Sequence 2').waitFor();
    await receiver.receives(5, longMs);
    await portalCaller.go('Requests');
    await page.getByText('reservation.reservationRequest.create').first().waitFor();
  });

  it('shows the outcome of an event, its delivery, the calls of its booking, and highlighted JSON', async () => {
    await portalCaller.go('Events');
    const resolved = rows().filter({ hasText: 'checkout.resolved' });
    await resolved.getByText('Confirmed', { exact: true }).waitFor();
    await resolved.getByRole('link', { name: 'checkout.resolved' }).click();
    await page.getByRole('heading', { level: 1, name: 'checkout.resolved' }).waitFor();
    await page.getByRole('cell', { name: receiver.url() }).waitFor();
    await page.getByText('reservation.reservationRequest.create').waitFor();
    await page.getByText('"sequence"').waitFor();
    assert.ok((await page.locator('pre .hljs-attr').count()) > 3, 'the JSON is highlighted');
  });

  it('finds a booking by its reference, with its timeline', async () => {
    await portalCaller.go('Events');
    const reference = (await page.getByText(/^LK-/).first().textContent()) ?? '';
    await portalCaller.go('Bookings');
    await rows().getByText(reference).waitFor();
    await page.getByLabel('Reference or ID').fill(reference);
    await page.keyboard.press('Enter');
    await heading(reference).waitFor();
    for (const text of ['Reservation request submitted', 'Request became confirmed']) {
      await page.getByText(text).waitFor();
    }
    await page.getByRole('link', { name: 'Show the delivery' }).first().waitFor();
    await page.getByText('reservation.quote.create').waitFor();
    await goInside(page, '/portal/bookings?name=LK-0000-0000');
    await heading('No booking has this reference or ID').waitFor();
  });

  it('moves and cancels a reservation of the simulation, and shows it', async () => {
    const owner = await service.partner();
    const moving = await openPortalCaller(browser, service, owner);
    const bookingId = await requestStay(owner, await owner.freeStay());
    await moving.enter();
    await goInside(moving.page, `/portal/bookings/request/${bookingId}`);
    await button('Move one day later', moving.page).click();
    await moving.page.getByText('The stay is one day later.').waitFor();
    await moving.page.getByText('Event reservation.changed, number 3').waitFor();
    assert.deepEqual(await faultsOf(moving.page), []);
    await button('Cancel the reservation', moving.page).click();
    assert.deepEqual(await dialogFaultsOf(moving.page), []);
    await button('Cancel the reservation', moving.dialog).click();
    await moving.page.getByText('Event reservation.cancelled, number 4').waitFor();
    await button('Move one day later', moving.page).waitFor({ state: 'detached' });
    await moving.close();
  });

  it('shows the statement of a month, and saves it with the same figures', async () => {
    await portalCaller.go('Statement');
    await page.getByText('Owed').first().waitFor();
    const saved = page.waitForEvent('download');
    await button('Save as CSV').click();
    const download = await saved;
    assert.match(download.suggestedFilename(), /^statement-\d{4}-\d{2}\.csv$/);
    const text = await readFile(await download.path(), 'utf8');
    const portal = await enterPortal(service, partner);
    const month = new Date().toISOString().slice(0, 7);
    const shown = await portal.succeed('portal.statement.get', { query: { month } });
    assert.equal(text, csvText(statementTable(shown)));
    const [{ currency, owed } = { currency: '', owed: null }] = shown.currencies;
    await page.getByText(moneyText(owed!, currency)).first().waitFor();
    assert.deepEqual(await faultsOf(page), []);
  });

  it('shows the quotas, issues a key and shows it once', async () => {
    await portalCaller.go('Access');
    for (const tier of ['read', 'search', 'write', 'signal']) {
      // Nothing is to be seen of a quota that is not used.
      await page
        .getByRole('progressbar', { name: `Use of the quota ${tier}` })
        .waitFor({ state: 'attached' });
    }
    await rows().first().waitFor();
    assert.equal(await rows().count(), 1);
    await button('Issue a key').click();
    const shown = page.getByText(/^lk_sandbox_/);
    await shown.waitFor();
    const [, , keyId = ''] = ((await shown.textContent()) ?? '').split('_');
    await button('I have copied it').click();
    await shown.waitFor({ state: 'detached' });
    await button(`Revoke ${keyId}`).click();
    await button('Revoke', portalCaller.dialog).click();
    await page.getByText('Revoked', { exact: true }).waitFor();
    await button(`Revoke ${partner.credentials.keyId}`).click();
    await portalCaller.dialog.getByText('It is your last usable key').waitFor();
    await button('Cancel', portalCaller.dialog).click();
    await portalCaller.dialog.waitFor({ state: 'detached' });
  });

  it('finds a call by its request ID, with what was wrong, also to an unknown path', async () => {
    const wrong = await partner.call('reservation.quote.create', { rawBody: '{"checkIn":"soon"}' });
    const unknown = await fetch(`${service.origin}/v1/bookings`, {
      headers: { authorization: `Bearer ${await partner.token()}` },
    });
    await portalCaller.go('Requests');
    await page.getByText('Unknown path or method').waitFor();
    const find = async ({ headers }: { headers: Headers }) => {
      await portalCaller.go('Requests');
      await page.getByLabel('Request ID').fill(headers.get('x-request-id') ?? '');
      await page.keyboard.press('Enter');
    };
    await find(wrong);
    await heading('POST /v1/quotes').waitFor();
    await page.getByRole('cell', { name: '/checkIn' }).waitFor();
    await page.getByText('must be a date that exists, as YYYY-MM-DD').waitFor();
    await page.getByText('Authorization: Bearer $LATCHKEY_TOKEN').waitFor();
    await find(unknown);
    await heading('GET /v1/{unknown}').waitFor();
    await page.getByText('There is no such resource.').waitFor();
    await goInside(page, `/portal/requests/${randomUUID()}`);
    await page.getByRole('alert').getByText('There is no such resource.').waitFor();
  });

  it('filters events by type', async () => {
    await portalCaller.go('Events');
    await page.getByLabel('Event type').selectOption('checkout.resolved');
    await page.getByRole('cell', { name: 'reservation.confirmed' }).waitFor({ state: 'detached' });
    assert.equal(await rows().count(), 1);
    assert.match(page.url(), /\/events\?type=checkout.resolved$/);
    await page.getByLabel('Event type').selectOption('reservation.cancelled');
    await heading('No events match').waitFor();
  });

  it('filters deliveries, and keeps the filter in the address', async () => {
    await portalCaller.go('Deliveries');
    await rows().nth(3).waitFor();
    await page.getByLabel('Event type').selectOption('reservation.confirmed');
    await page
      .getByRole('link', { name: 'checkout.resolved' })
      .first()
      .waitFor({ state: 'detached' });
    assert.equal(await rows().count(), 1);
    await page.getByLabel('State').selectOption('exhausted');
    await heading('No deliveries match').waitFor();
    await page.reload();
    await heading('No deliveries match').waitFor();
    assert.equal(await page.getByLabel('State').inputValue(), 'exhausted');
    await page.goBack();
    await rows().first().waitFor();
    await page.getByLabel('Endpoint').selectOption({ label: receiver.url() });
    await page.waitForURL(/endpointId=/);
    await rows().first().waitFor();
  });

  it('filters the request log by status, code and operation', async () => {
    await partner.refused('distribution.listing.get', { params: { listingId: randomUUID() } });
    await portalCaller.go('Requests');
    await page.getByLabel('Status').selectOption('4xx');
    await page.getByRole('cell', { name: 'not_found' }).first().waitFor();
    await page.getByLabel('Code').selectOption('rate_limited');
    await heading('No requests match').waitFor();
    await page.getByRole('link', { name: 'Show all requests' }).click();
    await page.getByLabel('Operation').fill('reservation.quote.create');
    await page.keyboard.press('Enter');
    await page.waitForURL(/operation=reservation.quote.create/);
    await page.getByText('distribution.listing.search').first().waitFor({ state: 'detached' });
    await page.getByText('/v1/quotes').first().waitFor();
  });

  it('asks what to do with missed events when an endpoint is resumed', async () => {
    await openEndpoint();
    await button(`Pause ${receiver.url()}`).click();
    await page.getByText('Paused manually').waitFor();
    assert.equal(await button('Send test event').isDisabled(), true);
    await requestStay(partner, await partner.freeStay());
    await page.getByText('2 events missed').waitFor();
    await button(`Resume ${receiver.url()}`).click();
    assert.deepEqual(await dialogFaultsOf(page), []);
    await portalCaller.dialog.getByLabel('Skip them').check();
    await button('Resume', portalCaller.dialog).click();
    await page.getByText('2 events skipped while it was paused').waitFor();
    const arrived = receiver.arrivals.length;
    await button('Replay missed').click();
    await page.getByText('2 missed events replayed').waitFor();
    await receiver.receives(arrived + 2, longMs);
  });

  it('replays everything that failed since a time', async () => {
    const underWay = `SELECT delivery_id FROM webhook_deliveries WHERE state <> 'delivered'`;
    await eventually(async () => (await sql(service, underWay)).length === 0, longMs);
    await sql(
      service,
      `UPDATE webhook_deliveries SET state = 'exhausted', due_at = NULL, delivered_at = NULL, last_error = 'status', last_status = 500`,
    );
    await page.getByText('Failed', { exact: true }).first().waitFor();
    const arrived = receiver.arrivals.length;
    await page.getByRole('button', { name: /^Replay \d+ failed deliveries$/ }).click();
    await page.getByText('failed deliveries replayed').waitFor();
    await receiver.receives(arrived + 6, longMs);
    await shownDelivered().waitFor();
  });

  it('pages through a long list', async () => {
    const pages = 25;
    await sql(
      service,
      `INSERT INTO webhook_deliveries (endpoint_id, application_id, event_type, test_event, state, due_at, delivered_at)
       SELECT endpoint_id, application_id, 'checkout.resolved', '{}', 'delivered', NULL, now()
       FROM webhook_endpoints, generate_series(1, ${pages})`,
    );
    await portalCaller.go('Deliveries');
    await rows()
      .nth(pages - 1)
      .waitFor();
    await button('Older').click();
    await page.waitForURL(/cursor=/);
    await page.getByText('Sequence 1', { exact: true }).waitFor();
    await button('Newest').click();
    await page.getByText('Sequence 1', { exact: true }).waitFor({ state: 'detached' });
    assert.doesNotMatch(page.url(), /cursor=/);
  });

  it('leads to the reference and the guides', async () => {
    for (const [name, address] of [
      ['Reference', '/docs'],
      ['Guides', '/docs/guides'],
    ] as const) {
      const link = page.getByRole('banner').getByRole('link', { name });
      assert.equal(await link.getAttribute('href'), address);
    }
  });

  it('gives code that verifies a real delivery, in each language', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'latchkey-snippets-'));
    const { secret } = await secrets();
    const other = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    const languages = [
      { name: 'JavaScript', file: 'verify.mjs', program: hostNode },
      { name: 'Python', file: 'verify.py', program: 'python3' },
      { name: 'curl', file: 'verify.sh', program: 'bash' },
    ];
    await sql(service, `DELETE FROM webhook_deliveries WHERE test_event::text = '{}'`);
    await portalCaller.go('Verify');
    for (const { name, file, program } of languages) {
      await page.getByText(name, { exact: true }).click();
      await page.getByText(file, { exact: true }).waitFor();
      const code = await page.locator('main pre').innerText();
      assert.ok(
        !code.includes('whsec_') || !code.includes(secret),
        'the secret is not in the code',
      );
      const script = path.join(folder, file);
      await writeFile(script, code);
      const runWith = (value: string) =>
        spawnSync(program, [script], {
          encoding: 'utf8',
          env: { ...process.env, LATCHKEY_WEBHOOK_SECRET: value },
        });
      if (spawnSync(program, ['--version']).error) continue;
      const good = runWith(secret);
      assert.deepEqual(
        [good.status, good.stdout.trim()],
        [0, 'The signature is genuine.'],
        good.stderr,
      );
      const bad = runWith(other);
      assert.deepEqual([bad.status, bad.stdout.trim()], [1, 'The signature is wrong.'], bad.stderr);
    }
    await rm(folder, { recursive: true });
  });

  it('shows an error with its request ID, and tries again', async () => {
    await page.goto(`${service.origin}/portal/deliveries?state=no-such-state`);
    await page.getByRole('alert').getByText('The request is not valid.').waitFor();
    await page
      .getByRole('alert')
      .getByText(/Request ID [0-9a-f-]{36}/)
      .waitFor();
    await page.getByLabel('State').selectOption('pending');
    await page.getByRole('alert').waitFor({ state: 'detached' });
  });

  it('marks what it shows as old while the service cannot be reached', async () => {
    await portalCaller.go('Endpoints');
    await page.route('**/portal/v1/**', (route) => route.abort());
    await page.getByText('This data is out of date').waitFor();
    await page.getByRole('link', { name: receiver.url() }).waitFor();
    await page.unroute('**/portal/v1/**');
    await button('Try again').click();
    await page.getByText('This data is out of date').waitFor({ state: 'detached' });
  });

  it('opens by itself once the service can be reached', async () => {
    const other = await page.context().newPage();
    await other.clock.install();
    await other.route('**/portal/v1/**', (route) => route.abort());
    await other.goto(`${service.origin}/portal/endpoints`);
    const closed = other.getByRole('heading', { name: 'The portal is not available' });
    await eventually(async () => {
      await other.clock.runFor(1_000);
      return (await closed.count()) === 1;
    });
    await other.unroute('**/portal/v1/**');
    await other.clock.runFor(5_000);
    await other.getByRole('heading', { level: 1, name: 'Endpoints' }).waitFor();
    await other.close();
  });

  it('asks before it deletes an endpoint', async () => {
    await portalCaller.go('Endpoints');
    await button(`Delete ${receiver.url()}`).click();
    await button('Cancel', portalCaller.dialog).click();
    await portalCaller.dialog.waitFor({ state: 'detached' });
    await page.getByRole('link', { name: receiver.url() }).waitFor();
    await button(`Delete ${receiver.url()}`).click();
    await button('Delete', portalCaller.dialog).click();
    await heading('No endpoints yet').waitFor();
  });

  it('shows without a reload that the session has ended', async () => {
    const other = await openPortalCaller(browser, service, partner);
    await other.enter();
    await sql(service, 'DELETE FROM portal_sessions');
    await other.page.getByRole('heading', { name: 'Your session has ended' }).waitFor();
    await other.page.getByText('Ask the operator').waitFor();
    await other.enter();
    await other.close();
  });

  it('logs out, here and at the service', async () => {
    await portalCaller.enter();
    const cookies = await page.context().cookies();
    const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
    assert.notEqual(cookie, '');
    await button('Log out').click();
    await heading('You are logged out').waitFor();
    const { status } = await fetch(`${service.origin}/portal/v1/session`, { headers: { cookie } });
    assert.equal(status, 401);
    await page.goto(`${service.origin}/portal/endpoints`);
    await heading('You need a link').waitFor();
  });
});
