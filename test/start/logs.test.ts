/** What is written down of a whole run of bookings: nothing of a guest, and no secret, anywhere in clear. */
import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { GuestInput } from '../../src/contract/partner/schemas/checkout.ts';
import { registryFreshMs } from '../../src/access/application-registry.ts';
import { eventually } from '../harness/eventually.ts';
import { withDatabaseOf } from '../harness/embedded.ts';
import { type CallReply, type OpenCheckout, type Partner, requestOf } from '../harness/partner.ts';
import { PortalCaller } from '../harness/portal.ts';
import { registerPartner } from '../harness/registration.ts';
import { sql } from '../harness/rows.ts';
import { serve, type LogLine, type ServiceProcess } from '../harness/service-process.ts';
import { makeDataFolders } from '../harness/data-folders.ts';
import { issuePortalLink } from '../harness/acts.ts';

const dataFolders = await makeDataFolders();
after(() => dataFolders.clear());

/** Values that are found again wherever they go. By kind, so that each kind can be looked for. */
class Canaries {
  readonly #values = new Map<string, string[]>();

  /** Takes note of a value, and returns it. */
  note(kind: string, value: string): string {
    this.#values.set(kind, [...(this.#values.get(kind) ?? []), value]);
    return value;
  }

  /** A new value of letters and digits. */
  make(kind: string): string {
    return this.note(kind, `canary${randomBytes(6).toString('hex')}`);
  }

  /** Which of them stand in a text: as they are, or as bytes. */
  foundIn(text: string, kinds: readonly string[] = [...this.#values.keys()]): string[] {
    const lower = text.toLowerCase();
    return kinds.flatMap((kind) => {
      const values = this.#values.get(kind);
      assert.ok(values, `there is no canary of kind ${kind}`);
      return values
        .filter((value) => shapes(value).some((shape) => lower.includes(shape.toLowerCase())))
        .map((value) => `${kind}: ${value}`);
    });
  }
}

/** A value, and how it would look in hexadecimal, in base64, percent-encoded, or decoded from base64. */
function shapes(value: string): string[] {
  return [
    value,
    encodeURIComponent(value),
    Buffer.from(value).toString('hex'),
    Buffer.from(value).toString('base64').replace(/=+$/, ''),
    Buffer.from(value, 'base64url').toString('hex'),
  ].filter((shape) => shape.length >= 8);
}

const canaries = new Canaries();
const inClear = ['partner reference', 'promotion code'];
const personal = ['first name', 'last name', 'email', 'phone'];
const secrets = [
  'key',
  'token',
  'capability',
  'client secret',
  'portal link',
  'portal session',
  'webhook secret',
];

function guest(suffix?: string): GuestInput {
  const local = canaries.make('email');
  const digits = String(randomBytes(6).readUIntBE(0, 6)).slice(0, 9).padStart(9, '7');
  return {
    firstName: canaries.make('first name'),
    lastName: canaries.make('last name'),
    email: `${local}${suffix === undefined ? '' : `+${suffix}`}@example.com`,
    phone: `+351${canaries.note('phone', digits)}`,
  };
}

const secretOf = (applicationKey: string): string => applicationKey.split('_')[3] ?? '';

/** The IDs of the requests that got a response. */
const answeredIds: string[] = [];

function noteResponse({ headers }: { headers: Headers }): void {
  answeredIds.push(headers.get('x-request-id') ?? 'none');
}

async function readyCheckout(partner: Partner, suffix?: string): Promise<OpenCheckout> {
  const open = await partner.checkout();
  canaries.note('capability', open.at.session);
  const body = { expectedVersion: 1, guest: guest(suffix) };
  await partner.succeed('reservation.checkout.saveGuest', { ...open.at, body });
  return open;
}

async function submit(partner: Partner, open: OpenCheckout, version: number): Promise<void> {
  const termsVersion = open.quote.terms.version;
  const body = { expectedVersion: version, termsVersion, termsAccepted: true as const };
  noteResponse(await partner.call('reservation.checkout.submit', { ...open.at, body }));
}

async function bookAsPartner(partner: Partner): Promise<void> {
  for (const suffix of [undefined, 'failed', 'uncertain', 'cancelled']) {
    await submit(partner, await readyCheckout(partner, suffix), 2);
  }
  const open = await readyCheckout(partner);
  const known = { expectedVersion: 2, code: canaries.note('promotion code', 'WELCOME10') };
  await partner.call('reservation.checkout.applyPromo', { ...open.at, body: known });
  const unknown = { expectedVersion: 3, code: canaries.make('unknown code') };
  await partner.call('reservation.checkout.applyPromo', { ...open.at, body: unknown });
}

async function bookByCard(partner: Partner): Promise<void> {
  const open = await readyCheckout(partner);
  const body = { expectedVersion: 2 };
  await partner.succeed('reservation.checkout.setupPayment', { ...open.at, body }, 202);
  const { version, paymentSetup } = await partner.setUp(open);
  assert.equal(paymentSetup?.state, 'ready');
  const { clientSecret, setupReference } = paymentSetup as Record<string, string>;
  canaries.note('client secret', clientSecret ?? '');
  const verified = {
    expectedVersion: version,
    setupReference: canaries.note('setup reference', setupReference ?? ''),
    paymentMethodId: canaries.make('payment method'),
    consentAccepted: true as const,
  };
  await partner.succeed('reservation.checkout.verifyPayment', { ...open.at, body: verified });
  await submit(partner, open, version + 1);
  await partner.statusOnce(open, ['confirmed']);
}

async function bookByRequest(partner: Partner): Promise<void> {
  const partnerReference = canaries.make('partner reference');
  const body = requestOf(await partner.quote(), { partnerReference });
  noteResponse(await partner.call('reservation.reservationRequest.create', { body }));
  const query = { partnerReference };
  noteResponse(await partner.call('reservation.reservationRequest.list', { query }));
  const other = { ...body, reservationRequestId: randomUUID() };
  noteResponse(await partner.call('reservation.reservationRequest.create', { body: other }));
}

/** A link, its session, an endpoint with two secrets, and calls that are refused. */
async function lookAfterWebhooks(
  { origin, dataDir }: ServiceProcess,
  { credentials: { applicationId } }: Partner,
): Promise<void> {
  const { url } = await withDatabaseOf(dataDir, (database) =>
    issuePortalLink(database, 'test', { applicationId, baseUrl: origin }),
  );
  const caller = new PortalCaller(origin);
  const link = canaries.note('portal link', url.split('#link=')[1] ?? '');
  noteResponse(await caller.enter(link));
  canaries.note('portal session', caller.cookie?.split('=')[1] ?? '');
  noteResponse(await caller.enter(link));
  const body = { url: `https://partner.invalid/hook?token=${canaries.make('url query')}` };
  const { endpointId, secret } = await caller.succeed('portal.endpoint.add', { body });
  canaries.note('webhook secret', secret.replace('whsec_', ''));
  const params = { endpointId };
  const rotated = await caller.succeed('portal.endpoint.rotateSecret', { params, body: {} });
  canaries.note('webhook secret', rotated.secret.replace('whsec_', ''));
  noteResponse(await caller.call('portal.endpoint.getSecret', { params }));
  const test = { type: 'checkout.resolved' } as const;
  noteResponse(await caller.call('portal.endpoint.test', { params, body: test }));
  const wrong = { cookie: `latchkey_portal=${canaries.make('portal session')}` };
  noteResponse(await caller.call('portal.session.get', { headers: wrong }));
  const query = `cursor=${canaries.make('query')}`;
  noteResponse(await caller.call('portal.request.list', { query }));
}

async function send(url: string, init: RequestInit = {}): Promise<void> {
  const response = await fetch(url, init);
  await response.arrayBuffer();
  assert.ok(response.status < 500, `${url} returned ${response.status}`);
  noteResponse(response);
}

/** Bad input and wrong secrets, in every place that takes any. */
async function misbehave(partner: Partner, origin: string): Promise<void> {
  const open = await readyCheckout(partner);
  const authorization = `Bearer ${await partner.token()}`;
  const body = { expectedVersion: 2, guest: { ...guest(), phone: canaries.make('phone') } };
  const calls: Promise<CallReply>[] = [
    partner.call('reservation.checkout.saveGuest', { ...open.at, body }),
    partner.call('reservation.checkout.get', { ...open.at, session: canaries.make('capability') }),
    partner.call('distribution.listing.list', {
      query: `limit=5&cursor=${canaries.make('query')}`,
    }),
    partner.call('distribution.listing.list', { query: `${canaries.make('query')}=%zz` }),
    partner.call('distribution.site.get', { token: canaries.make('token') }),
    partner.call('distribution.site.get', {
      headers: {
        'x-booking-consumer': canaries.make('header'),
        'user-agent': canaries.make('header'),
        'x-request-id': canaries.make('header'),
        'x-forwarded-for': canaries.make('header'),
        cookie: canaries.make('header'),
        referer: `https://a.example/${canaries.make('header')}`,
      },
    }),
    partner.call('reservation.quote.create', { rawBody: `{"${canaries.make('member')}": 1}` }),
    partner.call('reservation.quote.create', { rawBody: `{"a": ${canaries.make('member')}}` }),
    partner.call('reservation.quote.create', { rawBody: canaries.make('member').repeat(2_000) }),
    partner.call('reservation.quote.create', {
      rawBody: Buffer.from(`"${canaries.make('member')}\xff"`, 'latin1'),
    }),
  ];
  for (const reply of await Promise.all(calls)) noteResponse(reply);

  const form = (members: Record<string, string>) => ({
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'client_credentials', ...members }),
  });
  const { applicationId, applicationKey } = partner.credentials;
  const wrong = `${applicationKey.slice(0, -20)}${canaries.make('key').slice(0, 20)}`;
  const basic = Buffer.from(`${applicationId}:${canaries.make('key')}`).toString('base64');
  await send(`${origin}/${canaries.make('path')}`, { headers: { authorization } });
  await send(`${origin}/v1/listings/${canaries.make('path')}`, { headers: { authorization } });
  await send(`${origin}/v1/reservations/${canaries.make('path')}%zz`, {
    headers: { authorization },
  });
  await send(`${origin}/oauth/token`, form({ client_id: applicationId, client_secret: wrong }));
  await send(
    `${origin}/oauth/token`,
    form({ client_id: canaries.make('client'), client_secret: 'x' }),
  );
  await send(`${origin}/oauth/token`, form({ scope: canaries.make('scope') }));
  await send(`${origin}/oauth/token`, {
    ...form({ [canaries.make('member')]: 'x' }),
    headers: { authorization: `Basic ${canaries.note('key', basic)}` },
  });
}

/** What a database holds, as text. */
async function dumpOf(dataDir: string): Promise<string> {
  return withDatabaseOf(dataDir, async (database) => {
    const tables = await sql<{ name: string }>(
      database,
      `SELECT quote_ident(relname) AS name FROM pg_class
        WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'`,
    );
    const dumps = tables.map(async ({ name }) => {
      const rows = await sql<{ row: string }>(database, `SELECT t::text AS row FROM ${name} AS t`);
      return rows.map(({ row }) => row).join('\n');
    });
    return (await Promise.all(dumps)).join('\n');
  });
}

describe('a complete run at the most verbose log level', () => {
  let service: ServiceProcess;
  let dump: string;
  let lines: LogLine[];

  before(async () => {
    const dataDir = await dataFolders.usedFolder();
    service = await serve({ dataDir, env: { LATCHKEY_LOG_LEVEL: 'trace' } });
    const { origin } = service;
    const [partner, payer] = await withDatabaseOf(dataDir, (database) =>
      Promise.all([
        registerPartner(database, origin, { settlement: 'partner' }),
        registerPartner(database, origin, { settlement: 'card' }),
      ]),
    );
    for (const { credentials } of [partner, payer]) {
      canaries.note('key', secretOf(credentials.applicationKey));
    }
    for (const one of [partner, payer]) canaries.note('token', await one.token());
    await lookAfterWebhooks(service, partner);
    // The request log begins with the link, as soon as the service has read the application again.
    await sleep(registryFreshMs);
    await bookAsPartner(partner);
    await bookByCard(payer);
    await bookByRequest(partner);
    await misbehave(partner, origin);
    await partner.succeed('reservation.event.list');
    await eventually(async () => {
      dump = await dumpOf(dataDir);
      return /,reservation\.event\.list,200,/.test(dump);
    });
    await service.stop();
    lines = service.log();
  });

  it('logs no guest, key, token, capability, reference, code, query or header', async () => {
    assert.deepEqual(canaries.foundIn(service.output), []);
  });

  it('leaves none of them in the log of PostgreSQL', async () => {
    const log = await readFile(path.join(service.dataDir, 'postgres.log'), 'utf8');
    assert.match(log, /ready to accept connections/);
    assert.deepEqual(canaries.foundIn(log), []);
  });

  it('stores no guest and no secret unencrypted in any table', () => {
    assert.deepEqual(canaries.foundIn(dump, [...personal, ...secrets]), []);
    // The dump would show them: what is kept in clear is there.
    for (const kind of inClear) assert.notDeepEqual(canaries.foundIn(dump, [kind]), [], kind);
  });

  it('has a request log with only operations and IDs', () => {
    assert.ok(/,reservation\.checkout\.submit,202,/.test(dump));
    assert.deepEqual(canaries.foundIn(dump, ['query', 'path', 'header', 'member']), []);
  });

  it('keeps the master key out of logs and tables', async () => {
    const text = await readFile(path.join(service.dataDir, 'master.key'), 'utf8');
    const key = new Canaries();
    key.note('master key', text.trim());
    assert.deepEqual(key.foundIn(service.output), []);
    assert.deepEqual(key.foundIn(dump), []);
  });

  it('logs JSON lines, except for the welcome message', () => {
    const others = service.stdout.split('\n').filter((line) => !line.startsWith('{'));
    assert.ok(
      others.every((line) => line === '' || line.startsWith('  ')),
      others.join('\n'),
    );
    assert.equal(service.stderr, '');
    for (const line of lines) {
      assert.match(String(line['time']), /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
      assert.match(String(line['level']), /^(trace|debug|info|warn|error|fatal)$/);
    }
  });

  it('has the request ID in every line of a request', () => {
    const answered = lines.filter(({ msg }) => msg === 'answered');
    for (const line of answered) assert.match(String(line['requestId']), /^[0-9a-f-]{36}$/);
    const ids = answered.map((line) => line['requestId']);
    assert.equal(new Set(ids).size, ids.length);
    assert.ok(answeredIds.length > 20);
    for (const id of answeredIds) assert.ok(ids.includes(id), id);
    const apart = lines.filter((line) => line['requestId'] === undefined);
    const known =
      /^(PostgreSQL is ready|Server listening|a new epoch has begun|booking moved|attempt failed|stopping)/;
    for (const { msg } of apart) assert.match(msg, known);
  });

  it('logs no error', () => {
    const bad = lines.filter(({ level }) => level === 'error' || level === 'fatal');
    assert.deepEqual(bad, []);
  });
});
