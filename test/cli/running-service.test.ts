/** The command line beside a running service: changes are effective in the service when the command ends. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { requestStay } from '../harness/events.ts';
import { eventually } from '../harness/eventually.ts';
import { operatorWith } from '../harness/operator.ts';
import { Partner } from '../harness/partner.ts';
import { cookieOf } from '../harness/staff-member.ts';
import {
  askForToken,
  getToken,
  usedInstallation,
  readSite,
  type Installation,
  type RunningService,
} from './installation.ts';

interface NewApplication {
  applicationId: string;
  applicationKey: string;
  keyId: string;
}

describe('the command line, beside a running service', () => {
  let installation: Installation;
  let service: RunningService;
  let created: NewApplication;
  let token: string;
  let named: string[];

  before(async () => {
    installation = await usedInstallation();
    service = await installation.serve();
    const words = ['--name', 'Beside', '--settlement', 'partner', '--grants', 'catalog,search'];
    created = await installation.done(['application', 'create', ...words]);
    named = ['--application', created.applicationId];
  });
  after(async () => {
    await service.stop();
    await installation.remove();
  });

  const siteStatus = async (): Promise<number> => (await readSite(service.baseUrl, token)).status;
  const tokenStatus = async (applicationKey: string): Promise<number> =>
    (await askForToken(service.baseUrl, { ...created, applicationKey })).status;

  it('creates an application that gets a token at once, with its grants', async () => {
    token = await getToken(service.baseUrl, created);
    const site = await readSite(service.baseUrl, token);
    assert.equal(site.status, 200);
    const { capabilities } = (await site.json()) as { capabilities: string[] };
    assert.deepEqual(capabilities, ['catalog', 'search']);
  });

  it('makes an account of staff that signs in by its link, until it is disabled', async () => {
    const ofAda = ['--email', 'ada@staff.example'];
    const invite = ['staff', 'invite', ...ofAda, '--role', 'viewer'];
    const { url } = await installation.done<{ url: string }>(invite);
    const caller = { origin: service.baseUrl };
    const nobody = operatorWith(caller, '', {});
    const password = 'a long enough password';
    const invitation = url.split('#invitation=')[1]!;
    await nobody.done('operator.invitation.accept', { body: { invitation, password } });
    const body = { email: 'ada@staff.example', password };
    const begun = await nobody.send('operator.session.begin', { body });
    const ada = operatorWith(caller, 'ada', { cookie: cookieOf(begun.headers) });
    assert.equal((await ada.done('operator.session.get')).role, 'viewer');
    await installation.done(['staff', 'set-role', ...ofAda, '--role', 'reservations']);
    assert.equal((await ada.done('operator.session.get')).role, 'reservations');
    await installation.done(['staff', 'disable', ...ofAda]);
    assert.equal((await ada.refused('operator.session.get')).status, 401);
    assert.equal((await nobody.refused('operator.session.begin', { body })).status, 401);
    const { items } = await installation.done<{ items: { action: string; actor: string }[] }>([
      'audit',
      'list',
      '--action',
      'staff.disable',
    ]);
    assert.deepEqual(
      items.map(({ action }) => action),
      ['staff.disable'],
    );
  });

  it('suspends it: its live token is refused at once, and it gets no other', async () => {
    assert.equal(await siteStatus(), 200);
    await installation.done(['application', 'suspend', ...named]);
    assert.equal(await siteStatus(), 401);
    assert.equal(await tokenStatus(created.applicationKey), 401);
  });

  it('resumes it: the token of before works at once', async () => {
    await installation.done(['application', 'resume', ...named]);
    assert.equal(await siteStatus(), 200);
    assert.equal(await tokenStatus(created.applicationKey), 200);
  });

  it('sets quotas that hold at once', async () => {
    const policy = async () =>
      (await readSite(service.baseUrl, token)).headers.get('ratelimit-policy') ?? '';
    assert.match(await policy(), /\bq=360\b/);
    await installation.done(['application', 'set-quota', ...named, '--quota', 'read=500']);
    assert.match(await policy(), /\bq=500\b/);
  });

  it('sets grants that hold at once, also for a live token', async () => {
    assert.equal(await siteStatus(), 200);
    const set = ['application', 'set', '--application', 'Beside', '--grants'];
    await installation.done([...set, 'search']);
    assert.equal(await siteStatus(), 403);
    await installation.done([...set, 'catalog,search']);
    assert.equal(await siteStatus(), 200);
  });

  it('sets a daily limit that holds at once, and includes the reservations of the day', async () => {
    const grants = ['--grants', 'catalog,search,quotes,checkout', '--settlement', 'partner'];
    const made = await installation.done<NewApplication>([
      'application',
      'create',
      '--name',
      'Limited',
      ...grants,
    ]);
    const partner = new Partner(service.baseUrl, { ...made, settlement: 'partner' });
    const stay = await partner.freeStay();
    await requestStay(partner, stay);
    const set = ['application', 'set', '--application', 'Limited', '--reservations-per-day'];
    await installation.done([...set, '1']);
    await assert.rejects(requestStay(partner, stay), /429.*reservations_per_day/);
    await installation.done([...set, '2']);
    await requestStay(partner, stay);
    await assert.rejects(requestStay(partner, stay), /429.*reservations_per_day/);
    await installation.done([...set, 'none']);
    await requestStay(partner, stay);
  });

  it('sets a channel adjustment that is in the next quote', async () => {
    const partner = new Partner(service.baseUrl, {
      ...(await installation.done<NewApplication>([
        'application',
        'create',
        '--name',
        'Adjusted',
        '--grants',
        'search,quotes',
        '--settlement',
        'partner',
      ])),
      settlement: 'partner',
    });
    const stay = await partner.freeStay();
    const nights = async () =>
      (await partner.quote(stay)).charges.nights.map(({ amount }) => amount);
    const plain = await nights();
    const set = ['application', 'set', '--application', 'Adjusted', '--adjust-percent', '100'];
    await installation.done(set);
    assert.deepEqual(
      await nights(),
      plain.map((amount) => amount * 2),
    );
  });

  it('issues a second key, and revokes the first, whose tokens end with it', async () => {
    const second = await installation.done<NewApplication>(['key', 'issue', ...named]);
    assert.equal(await tokenStatus(created.applicationKey), 200);
    assert.equal(await tokenStatus(second.applicationKey), 200);
    await installation.done(['key', 'revoke', '--key', created.keyId]);
    assert.equal(await tokenStatus(created.applicationKey), 401);
    assert.equal(await tokenStatus(second.applicationKey), 200);
    await eventually(async () => (await siteStatus()) === 401);
    created.applicationKey = second.applicationKey;
    token = await getToken(service.baseUrl, created);
    assert.equal(await siteStatus(), 200);
  });

  it('shows when a key was last used', async () => {
    const { items } = await installation.done<{ items: { lastUsedAt: string | null }[] }>([
      'key',
      'list',
      ...named,
    ]);
    for (const { lastUsedAt } of items) {
      assert.ok(Date.now() - Date.parse(lastUsedAt ?? '') < 60_000, String(lastUsedAt));
    }
  });

  it('rotates the key that signs tokens; tokens that are out stay valid', async () => {
    const earlier = await installation.done<{ items: { keyId: string }[] }>([
      'signing-key',
      'list',
    ]);
    const rotated = await installation.done<{ keyId: string }>(['signing-key', 'rotate']);
    const later = await installation.done<{ items: { keyId: string }[] }>(['signing-key', 'list']);
    assert.deepEqual(
      later.items.map(({ keyId }) => keyId),
      [rotated.keyId, ...earlier.items.map(({ keyId }) => keyId)],
    );
    assert.equal(await siteStatus(), 200);
    assert.equal(await tokenStatus(created.applicationKey), 200);
  });

  it('does not stop the service that it joined', async () => {
    assert.equal((await fetch(`${service.baseUrl}/readyz`)).status, 200);
  });
});
