/** The request log: what is written down of a call, what is not, and how it is read. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import type { PortalQueryOf } from '../../src/contract/portal/operations.ts';
import { sweepByAge } from '../../src/platform/postgres/sweep-by-age.ts';
import { homesOf } from '../harness/catalog.ts';
import { eventually } from '../harness/eventually.ts';
import { operatorOf } from '../harness/operator.ts';
import { type CallReply, guest, type Partner, requestOf } from '../harness/partner.ts';
import { enterPortal, type PortalCaller } from '../harness/portal.ts';
import { sql } from '../harness/rows.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { wrongPaths } from '../harness/wrong-paths.ts';

let service: TestService;
let partner: Partner;
let caller: PortalCaller;
before(async () => {
  service = await startTestService();
  partner = await service.partner({ grants: ['catalog', 'search', 'quotes', 'checkout'] });
  caller = await enterPortal(service, partner);
});
after(() => service.stop());

type Query = Partial<PortalQueryOf<'portal.request.list'>>;
const list = (query: Query = {}, by = caller) => by.succeed('portal.request.list', { query });

const idOf = ({ headers }: CallReply): string => headers.get('x-request-id') ?? '';

/** The entry of a call, once it is written. */
async function entryOf(reply: CallReply) {
  const find = async () =>
    (await list({ limit: 100 })).items.find(({ requestId }) => requestId === idOf(reply));
  await eventually(async () => (await find()) !== undefined, 10_000);
  return (await find())!;
}

describe('a call in the request log', () => {
  it('has method, path, operation, status, ID, time and duration', async () => {
    const earliest = Date.now() - 1_000;
    const { listingId } = await partner.freeStay();
    const reply = await partner.call('distribution.listing.get', {
      params: { listingId },
      headers: { 'x-booking-consumer': 'web' },
    });
    const { at, durationMs, ...entry } = await entryOf(reply);
    assert.deepEqual(entry, {
      requestId: idOf(reply),
      method: 'GET',
      path: `/v1/listings/${listingId}`,
      operation: 'distribution.listing.get',
      status: 200,
      fault: null,
      code: null,
      reason: null,
      listingId,
      home: (await homesOf(service)).find((one) => one.listingId === listingId)!.name,
      checkIn: null,
      checkOut: null,
    });
    assert.ok(Date.parse(at) > earliest && Date.parse(at) < Date.now() + 1_000, at);
    assert.ok(durationMs >= 0 && durationMs < 10_000);
  });

  it('has the home and the dates of a refused quote, and staff find it by its day', async () => {
    const { listingId, checkIn } = await partner.freeStay();
    const stay = { listingId, checkIn, checkOut: checkIn, party: { adults: 99 } };
    const checkOut = new Date(Date.parse(checkIn) + 86_400_000).toISOString().slice(0, 10);
    const body = { quoteId: randomUUID(), ...stay, checkOut };
    const reply = await partner.call('reservation.quote.create', { body });
    assert.equal(reply.status, 422, reply.text);
    const entry = await entryOf(reply);
    assert.deepEqual(
      [entry.listingId, entry.checkIn, entry.checkOut, typeof entry.home],
      [listingId, checkIn, checkOut, 'string'],
    );
    const staff = await operatorOf(service);
    const { applicationId } = partner.credentials;
    const at = Date.parse(entry.at);
    const found = async (from: number, until: number) => {
      const query = {
        status: '422',
        from: new Date(from).toISOString(),
        until: new Date(until).toISOString(),
      };
      const input = { params: { applicationId }, query };
      const { items } = await staff.done('operator.request.list', input);
      return items.map(({ requestId }) => requestId);
    };
    assert.deepEqual(await found(at, at + 1), [entry.requestId]);
    assert.deepEqual(await found(at + 1, at + 60_000), []);
    assert.deepEqual(await found(at - 60_000, at), []);
  });

  it('is in the log also from before the first portal link, in the simulation', async () => {
    const early = await service.partner();
    const reply = await early.call('distribution.site.get');
    const itsPortal = await enterPortal(service, early);
    const isThere = async () =>
      (await list({ limit: 100 }, itsPortal)).items.some(
        ({ requestId }) => requestId === idOf(reply),
      );
    await eventually(isThere, 10_000);
  });

  it('has its error code, also without the grant and above the quota', async () => {
    const unknown = await partner.call('distribution.listing.get', {
      params: { listingId: randomUUID() },
    });
    const entry = await entryOf(unknown);
    assert.deepEqual([entry.status, entry.code], [404, 'not_found']);
    const notGranted = await partner.call('cdp.signal.capture', { rawBody: '{}' });
    const other = await entryOf(notGranted);
    assert.deepEqual(
      [other.status, other.code, other.operation, other.method],
      [403, 'forbidden', 'cdp.signal.capture', 'POST'],
    );
  });

  it('is found by its request ID, with reason and invalid fields, and without what was sent', async () => {
    const { email } = guest();
    const { quoteId } = await partner.quote(await partner.freeStay());
    const wrong = await partner.call('reservation.reservationRequest.create', {
      rawBody: JSON.stringify({
        reservationRequestId: randomUUID(),
        quoteId,
        termsAccepted: 'yes',
        guest: { firstName: 1, [email]: email },
        [email]: 'Ada',
      }),
      query: `${encodeURIComponent(email)}=Ada`,
    });
    await entryOf(wrong);
    const params = { requestId: idOf(wrong) };
    const { invalidFields, ...found } = await caller.succeed('portal.request.get', { params });
    assert.deepEqual(
      [found.status, found.code, found.reason, found.message],
      [400, 'invalid_input', null, 'The request is not valid.'],
    );
    const pathsOf = invalidFields.map(({ path }) => path);
    for (const path of ['/termsAccepted', '/guest/firstName', '/{unknown}', 'query/{unknown}']) {
      assert.ok(pathsOf.includes(path), `${path} in ${pathsOf.join(' ')}`);
    }
    assert.ok(!JSON.stringify([found, invalidFields]).includes(email));

    const unmet = await partner.call('cdp.signal.capture', { rawBody: '{}' });
    await entryOf(unmet);
    const refused = await caller.succeed('portal.request.get', {
      params: { requestId: idOf(unmet).toUpperCase() },
    });
    assert.deepEqual([refused.code, refused.reason], ['forbidden', 'scope']);
    assert.match(refused.message ?? '', /scope/);
  });

  it('is not found by another application', async () => {
    const reply = await partner.call('distribution.site.get');
    await entryOf(reply);
    const params = { requestId: idOf(reply) };
    const stranger = await enterPortal(service, await service.partner());
    for (const [by, named] of [
      [stranger, params],
      [caller, { requestId: randomUUID() }],
    ] as const) {
      const error = await by.refused('portal.request.get', { params: named });
      assert.deepEqual([error.status, error.code, error.details], [404, 'not_found', undefined]);
    }
  });

  it('is also logged for an unknown path, without what it names', async () => {
    const id = randomUUID();
    const reply = await fetch(
      `${service.origin}/v1/checkouts/${id}/ada@example.com/submit?email=ada@example.com`,
      { method: 'PUT', headers: { authorization: `Bearer ${await partner.token()}` } },
    );
    assert.equal(reply.status, 404);
    const requestId = reply.headers.get('x-request-id') ?? '';
    const find = () => caller.call('portal.request.get', { params: { requestId } });
    await eventually(async () => (await find()).status === 200, 10_000);
    const { at: _at, durationMs: _ms, ...entry } = (await find()).body as Record<string, unknown>;
    assert.deepEqual(entry, {
      requestId,
      method: 'PUT',
      path: `/v1/checkouts/${id}/{unknown}/submit`,
      operation: null,
      status: 404,
      fault: null,
      code: 'not_found',
      reason: null,
      message: 'There is no such resource.',
      invalidFields: [],
      about: null,
      listingId: null,
      home: null,
      checkIn: null,
      checkOut: null,
    });
  });

  it('is logged at most sixty times a minute for unknown paths', async () => {
    const busy = await service.partner();
    const portal = await enterPortal(service, busy);
    const headers = { authorization: `Bearer ${await busy.token()}` };
    // Every process takes what it read of an application as true for half a second.
    await eventually(async () => {
      await busy.call('distribution.site.get');
      return (await list({}, portal)).items.length > 0;
    }, 10_000);
    await Promise.all(
      Array.from({ length: 80 }, () => fetch(`${service.origin}/v1/nothing`, { headers })),
    );
    const last = await busy.call('reservation.checkout.get', {
      params: { checkoutId: randomUUID() },
    });
    await eventually(
      async () =>
        (await list({ limit: 100 }, portal)).items.some((one) => one.requestId === idOf(last)),
      10_000,
    );
    const { items } = await list({ limit: 100, status: '404' }, portal);
    const unknown = items.filter(({ operation }) => operation === null);
    assert.ok(unknown.length >= 60 && unknown.length < 80, `${unknown.length} are logged`);
  });

  it('names the quote, checkout, request or reservation that it is about', async () => {
    const body = requestOf(await partner.quote(await partner.freeStay()));
    const { quoteId, reservationRequestId } = body;
    const created = await partner.call('reservation.reservationRequest.create', { body });
    assert.equal(created.status, 202, created.text);
    const read = await partner.call('reservation.reservationRequest.get', {
      params: { reservationRequestId },
    });
    await entryOf(read);
    const operationsAbout = async (about: string) =>
      (await list({ about })).items.map(({ operation }) => operation);
    assert.deepEqual(await operationsAbout(reservationRequestId), [
      'reservation.reservationRequest.get',
      'reservation.reservationRequest.create',
    ]);
    assert.deepEqual(await operationsAbout(`${quoteId},${randomUUID()}`), [
      'reservation.quote.create',
    ]);
    const stranger = await enterPortal(service, await service.partner());
    assert.deepEqual((await list({ about: quoteId }, stranger)).items, []);
  });

  it('has no query', async () => {
    const reply = await partner.call('distribution.listing.list', { query: 'limit=3' });
    const { path } = await entryOf(reply);
    assert.equal(path, '/v1/listings');
  });

  it('has no path parameter that is not a valid ID', async () => {
    const { email } = guest();
    const byReference = await partner.call('reservation.reservation.get', {
      params: { reference: email },
    });
    assert.equal((await entryOf(byReference)).path, '/v1/reservations/{reference}');
    const byId = await partner.call('reservation.checkout.get', { params: { checkoutId: 'Ada' } });
    assert.equal((await entryOf(byId)).path, '/v1/checkouts/{checkoutId}');
    const known = await partner.call('reservation.reservation.get', {
      params: { reference: 'LK-7Q4M-2XHV' },
    });
    assert.equal((await entryOf(known)).path, '/v1/reservations/LK-7Q4M-2XHV');
    const text = JSON.stringify(await sql(service.database, 'SELECT * FROM request_log'));
    assert.ok(!text.includes(email) && !text.includes('Ada'));
  });

  it('is not logged for a wrong token, for the portal itself, or for other routes', async () => {
    const ended = await partner.call('distribution.site.get', { token: 'wrong' });
    await fetch(`${service.origin}/healthz`);
    const last = await partner.call('distribution.site.get');
    await entryOf(last);
    const { items } = await list({ limit: 100 });
    assert.ok(items.every(({ requestId }) => requestId !== idOf(ended)));
    assert.ok(items.every(({ path }) => path.startsWith('/v1/')));
  });

  it('is logged only after the first link, and only for its own application', async () => {
    const late = await service.partner();
    await late.call('distribution.site.get');
    const earlier = await sql<{ count: number }>(
      service.database,
      'SELECT count(*) FROM request_log WHERE application_id = $1',
      [late.credentials.applicationId],
    );
    const portal = await enterPortal(service, late);
    // Every process takes what it read of an application as true for half a second.
    await eventually(async () => {
      await late.call('distribution.site.get');
      return (await list({}, portal)).items.length > 0;
    }, 10_000);
    assert.deepEqual(earlier, [{ count: 0 }]);
    const own = await list({ limit: 100 }, portal);
    assert.ok(own.items.every(({ operation }) => operation === 'distribution.site.get'));
  });
});

describe('portal.request.list', () => {
  let reader: PortalCaller;
  const total = 250;
  before(async () => {
    const owner = await service.partner();
    reader = await enterPortal(service, owner);
    await sql(
      service.database,
      `INSERT INTO request_log (application_id, at, request_id, method, path, operation, status, code,
          duration_ms)
        SELECT $1, now() - make_interval(secs => n / 2), gen_random_uuid(),
          CASE WHEN n % 5 = 0 THEN 'POST' ELSE 'GET' END, '/v1/site',
          CASE WHEN n % 5 = 0 THEN 'reservation.quote.create' ELSE 'distribution.site.get' END,
          CASE WHEN n % 10 = 0 THEN 404 WHEN n % 25 = 1 THEN 503 ELSE 200 END,
          CASE WHEN n % 10 = 0 THEN 'not_found' WHEN n % 25 = 1 THEN 'unavailable' END, n
        FROM generate_series(1, $2) n`,
      [owner.credentials.applicationId, total],
    );
  });

  async function all(query: Query = {}) {
    const items = [];
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof list>> = await list(
        { ...query, ...(cursor !== null && { cursor }) },
        reader,
      );
      items.push(...page.items);
      cursor = page.nextCursor;
    } while (cursor !== null);
    return items;
  }

  it('pages through all calls, newest first, each once', async () => {
    const items = await all({ limit: 100 });
    assert.equal(items.length, total);
    assert.equal(new Set(items.map(({ requestId }) => requestId)).size, total);
    const at = items.map((one) => one.at);
    assert.deepEqual(at, at.toSorted().toReversed());
    assert.equal((await list({}, reader)).items.length, 50);
  });

  const filters: [string, Query, number][] = [
    ['method', { method: 'POST' }, 50],
    ['a status', { status: '404' }, 25],
    ['a class of statuses', { status: '5xx' }, 10],
    ['a code', { code: 'not_found' }, 25],
    ['an operation', { operation: 'distribution.site.get' }, 200],
    ['several', { method: 'POST', status: '2xx' }, 25],
    ['what never was', { status: '3xx' }, 0],
  ];
  for (const [what, query, count] of filters) {
    it(`filters by ${what}`, async () => {
      assert.equal((await all({ ...query, limit: 7 })).length, count);
    });
  }

  it('scans a bounded number of calls, and continues from there', async () => {
    const owner = await service.partner();
    const portal = await enterPortal(service, owner);
    await sql(
      service.database,
      `INSERT INTO request_log (application_id, at, request_id, method, path, operation, status, code,
          duration_ms)
        SELECT $1, now() - make_interval(secs => n), gen_random_uuid(), 'GET', '/v1/site', NULL,
          CASE WHEN n = 60000 THEN 500 ELSE 200 END, NULL, 1
        FROM generate_series(1, 60001) n`,
      [owner.credentials.applicationId],
    );
    const first = await list({ status: '5xx' }, portal);
    assert.deepEqual(first.items, []);
    assert.ok(first.nextCursor);
    const second = await list({ status: '5xx', cursor: first.nextCursor }, portal);
    assert.deepEqual([second.items.length, second.nextCursor], [1, null]);
  });

  it('refuses wrong parameters, all at once', async () => {
    const error = await caller.refused('portal.request.list', {
      query: 'status=600&method=PUT&code=oops&operation=&limit=0&path=x&about=a,,b',
    });
    assert.deepEqual(wrongPaths(error).toSorted(), [
      'query/about',
      'query/code',
      'query/limit',
      'query/method',
      'query/operation',
      'query/path',
      'query/status',
    ]);
  });
});

describe('the age of the request log', () => {
  it('is thirty days', async () => {
    const applicationId = randomUUID();
    const at = async (days: string) => {
      await sql(
        service.database,
        `INSERT INTO request_log (application_id, at, request_id, method, path, status, duration_ms)
          VALUES ($1, now() - $2::interval, gen_random_uuid(), 'GET', '/v1/site', 200, 1)`,
        [applicationId, days],
      );
    };
    await at('30 days 1 minute');
    await at('29 days 23 hours');
    await sweepByAge(service.database, 'request_log', 30, 10);
    const left = await sql<{ young: boolean }>(
      service.database,
      `SELECT at > now() - interval '30 days' AS young FROM request_log WHERE application_id = $1`,
      [applicationId],
    );
    assert.deepEqual(left, [{ young: true }]);
  });
});
