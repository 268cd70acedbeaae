/** The way into the portal and out again: links, sessions, other sites, quotas. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { portalLimits } from '../../src/contract/portal/limits.ts';
import {
  portalOperationIds,
  type PortalOperationId,
} from '../../src/contract/portal/operations.ts';
import { assertError } from '../harness/journey.ts';
import type { Operator } from '../harness/operator.ts';
import type { Partner } from '../harness/partner.ts';
import {
  enterPortal,
  isMutation,
  leastInput,
  newLink,
  PortalCaller,
  type PortalInput,
} from '../harness/portal.ts';
import { assertEnvelope, RawConnection, requestText } from '../harness/raw-http.ts';
import { sql } from '../harness/rows.ts';
import { signedIn } from '../harness/staff-member.ts';
import { testBaseUrl } from '../harness/base-url.ts';
import { startTestService, type TestService } from '../harness/service.ts';

let service: TestService;
let partner: Partner;
before(async () => {
  service = await startTestService();
  partner = await service.partner();
});
after(() => service.stop());

const withSession = portalOperationIds.filter((id) => id !== 'portal.session.begin');
const mutations = portalOperationIds.filter(isMutation);
const refused = (caller: PortalCaller, id: PortalOperationId, input = leastInput(id)) =>
  caller.refused(id, input as PortalInput<typeof id>);

describe('a link', () => {
  // Spec: WEBHOOK-11.
  it('opens a session of twelve hours; its cookie is limited to /portal and HttpOnly', async () => {
    const caller = new PortalCaller(service.origin);
    const reply = await caller.enter(await newLink(service, partner));
    assert.equal(reply.status, 201);
    const { expiresAt, ...session } = reply.body as { expiresAt: string };
    assert.deepEqual(session, {
      application: {
        applicationId: partner.credentials.applicationId,
        name: 'a test',
        settlement: 'partner',
      },
      person: null,
      environment: 'simulation',
      isCopy: false,
      baseUrl: testBaseUrl,
    });
    const hours = (Date.parse(expiresAt) - Date.now()) / 3_600_000;
    assert.ok(hours > 11.9 && hours < 12.1, expiresAt);
    const [pair, ...attributes] = (reply.headers.get('set-cookie') ?? '').split('; ');
    assert.match(pair ?? '', /^latchkey_portal=[\w-]{43}$/);
    assert.deepEqual(attributes, ['Path=/portal', 'HttpOnly', 'SameSite=Strict', 'Max-Age=43200']);
    assert.deepEqual(await caller.succeed('portal.session.get'), reply.body);
  });

  it('sets a Secure cookie if the base URL is https', async () => {
    const behind = await startTestService({ BASE_URL: 'https://latchkey.test' });
    try {
      const caller = new PortalCaller(behind.origin);
      const reply = await caller.enter(await newLink(behind, await behind.partner()));
      assert.match(reply.headers.get('set-cookie') ?? '', /; Secure$/);
    } finally {
      await behind.stop();
    }
  });

  it('is valid once, also under concurrent use', async () => {
    const link = await newLink(service, partner);
    const callers = Array.from({ length: 4 }, () => new PortalCaller(service.origin));
    const replies = await Promise.all(callers.map((caller) => caller.enter(link)));
    const statuses = replies.map(({ status }) => status).toSorted();
    assert.deepEqual(statuses, [201, 401, 401, 401]);
    const error = await new PortalCaller(service.origin).refused('portal.session.begin', {
      body: { link },
    });
    assertError(error, [401, 'unauthenticated', 'link']);
    assert.equal(error.headers.get('set-cookie'), null);
  });

  it('expires after a day', async () => {
    const link = await newLink(service, partner);
    const late = await newLink(service, partner);
    const age = (seconds: number) =>
      sql(
        service.database,
        `UPDATE portal_links SET expires_at = expires_at - make_interval(secs => $1)`,
        [seconds],
      );
    await age(24 * 3_600 - 60);
    assert.equal((await new PortalCaller(service.origin).enter(link)).status, 201);
    await age(60);
    const error = await new PortalCaller(service.origin).refused('portal.session.begin', {
      body: { link: late },
    });
    assertError(error, [401, 'unauthenticated', 'link']);
  });

  it('is refused if it is unknown', async () => {
    const link = randomBytes(32).toString('base64url');
    const error = await new PortalCaller(service.origin).refused('portal.session.begin', {
      body: { link },
    });
    assertError(error, [401, 'unauthenticated', 'link']);
    assert.equal(error.headers.get('www-authenticate'), 'PortalSession realm="latchkey"');
  });

  it('is refused while the application is suspended, and works after it is resumed', async () => {
    const other = await service.partner();
    const link = await newLink(service, other);
    const suspend = (at: string) =>
      sql(
        service.database,
        `UPDATE applications SET suspended_at = ${at} WHERE application_id = $1`,
        [other.credentials.applicationId],
      );
    await suspend('now()');
    assert.equal((await new PortalCaller(service.origin).enter(link)).status, 401);
    await suspend('NULL');
    assert.equal((await new PortalCaller(service.origin).enter(link)).status, 201);
  });

  it('is stored as a digest, and so is the session', async () => {
    const link = await newLink(service, partner);
    const caller = new PortalCaller(service.origin);
    await caller.enter(link);
    const rows = await sql<{ row: string }>(
      service.database,
      `SELECT l::text AS row FROM portal_links l UNION ALL SELECT s::text FROM portal_sessions s`,
    );
    const text = rows.map(({ row }) => row).join('\n');
    for (const secret of [link, caller.cookie?.split('=')[1] ?? 'none']) {
      assert.ok(!text.includes(secret));
      assert.ok(!text.includes(Buffer.from(secret).toString('hex')));
      assert.ok(!text.includes(Buffer.from(secret, 'base64url').toString('hex')));
    }
  });
});

describe('a session', () => {
  for (const id of withSession) {
    it(`is required for ${id}`, async () => {
      const error = await refused(new PortalCaller(service.origin), id);
      assertError(error, [401, 'unauthenticated', 'session']);
      assert.equal(error.headers.get('www-authenticate'), 'PortalSession realm="latchkey"');
    });
  }

  it('is not opened by an access token or a forged cookie', async () => {
    const caller = new PortalCaller(service.origin);
    const headers = { authorization: `Bearer ${await partner.token()}` };
    assertError(await caller.refused('portal.session.get', { headers }), [
      401,
      'unauthenticated',
      'session',
    ]);
    for (const cookie of ['latchkey_portal=', `latchkey_portal=${'x'.repeat(43)}`, 'other=1']) {
      caller.cookie = cookie;
      assertError(await caller.refused('portal.session.get'), [401, 'unauthenticated', 'session']);
    }
  });

  it('is found among other cookies', async () => {
    const caller = await enterPortal(service, partner);
    caller.cookie = `a=b; ${caller.cookie}; c=d`;
    await caller.succeed('portal.session.get');
  });

  it('expires after twelve hours', async () => {
    const caller = await enterPortal(service, partner);
    const age = (seconds: number) =>
      sql(
        service.database,
        `UPDATE portal_sessions SET expires_at = expires_at - make_interval(secs => $1)`,
        [seconds],
      );
    await age(12 * 3_600 - 60);
    await caller.succeed('portal.session.get');
    await age(60);
    assertError(await caller.refused('portal.session.get'), [401, 'unauthenticated', 'session']);
  });

  it('ends on logout, with its cookie; other sessions stay', async () => {
    const caller = await enterPortal(service, partner);
    const other = await enterPortal(service, partner);
    const { status, headers, text } = await caller.call('portal.session.end');
    assert.deepEqual([status, text], [204, '']);
    assert.match(headers.get('set-cookie') ?? '', /^latchkey_portal=; Path=\/portal; .*Max-Age=0/);
    assertError(await caller.refused('portal.session.get'), [401, 'unauthenticated', 'session']);
    await other.succeed('portal.session.get');
  });

  it('is refused while the application is suspended', async () => {
    const other = await service.partner();
    const caller = await enterPortal(service, other);
    const suspend = (at: string) =>
      sql(
        service.database,
        `UPDATE applications SET suspended_at = ${at} WHERE application_id = $1`,
        [other.credentials.applicationId],
      );
    await suspend('now()');
    assertError(await caller.refused('portal.endpoint.list'), [401, 'unauthenticated', 'session']);
    await suspend('NULL');
    await caller.succeed('portal.endpoint.list');
  });

  it('has its start and end in the audit trail', async () => {
    const other = await service.partner();
    const caller = await enterPortal(service, other);
    await caller.call('portal.session.end');
    const entries = await sql<{ actor: string; action: string }>(
      service.database,
      'SELECT actor, action FROM audit_entries WHERE application_id = $1 ORDER BY entry_id',
      [other.credentials.applicationId],
    );
    assert.deepEqual(entries, [
      { actor: 'test', action: 'portal.link' },
      { actor: 'portal', action: 'portal.session.begin' },
      { actor: 'portal', action: 'portal.session.end' },
    ]);
  });
});

describe('another site', () => {
  const foreign: Record<string, Record<string, string>> = {
    'Sec-Fetch-Site: cross-site': { 'sec-fetch-site': 'cross-site' },
    'Sec-Fetch-Site: same-site': { 'sec-fetch-site': 'same-site' },
    'a foreign Origin': { origin: 'https://evil.invalid' },
    'an Origin of null': { origin: 'null' },
    'a foreign Origin that calls itself ours': {
      origin: 'https://evil.invalid',
      'sec-fetch-site': 'same-origin',
    },
  };
  for (const [what, headers] of Object.entries(foreign)) {
    it(`cannot change anything: ${what}`, async () => {
      const caller = await enterPortal(service, partner);
      for (const id of mutations) {
        const error = await refused(caller, id, { ...leastInput(id), headers });
        assertError(error, [403, 'forbidden', 'cross_site']);
      }
      await caller.succeed('portal.session.get');
    });
  }

  const own: Record<string, () => Record<string, string>> = {
    'the page, by the Host called': () => ({
      origin: service.origin,
      'sec-fetch-site': 'same-origin',
    }),
    'the page, by BASE_URL': () => ({ origin: testBaseUrl }),
    'a script': () => ({}),
    'the address bar': () => ({ 'sec-fetch-site': 'none' }),
  };
  for (const [what, headers] of Object.entries(own)) {
    it(`does not include ${what}`, async () => {
      const caller = await enterPortal(service, partner);
      await caller.succeed('portal.endpoint.add', {
        body: { url: 'https://partner.invalid/hook' },
        headers: headers(),
      });
    });
  }

  it('cannot send a form: every change with a body must be JSON', async () => {
    const caller = await enterPortal(service, partner);
    for (const id of mutations.filter((one) => leastInput(one).rawBody !== undefined)) {
      for (const type of ['text/plain', 'application/x-www-form-urlencoded']) {
        const error = await refused(caller, id, {
          ...leastInput(id),
          headers: { 'content-type': type },
        });
        assert.equal(error.status, 400);
      }
    }
  });

  it('cannot omit the body: a change without a body is invalid', async () => {
    const caller = await enterPortal(service, partner);
    const { endpointId } = await caller.succeed('portal.endpoint.add', {
      body: { url: 'https://partner.invalid/hook' },
    });
    const connection = await RawConnection.open(service.origin);
    connection.write(
      requestText(`POST /portal/v1/endpoints/${endpointId}/pause`, {
        Cookie: caller.cookie ?? '',
        'Content-Length': '0',
      }),
    );
    assertEnvelope(await connection.response(), 400, 'invalid_input');
    connection.close();
    const { state } = await caller.succeed('portal.endpoint.get', { params: { endpointId } });
    assert.equal(state, 'active');
  });
});

describe('the quota of the portal', () => {
  it('is six hundred calls a minute for all sessions of an application together', async () => {
    const busy = await service.partner();
    const callers = await Promise.all([enterPortal(service, busy), enterPortal(service, busy)]);
    const other = await enterPortal(service, await service.partner());
    let last: Awaited<ReturnType<PortalCaller['call']>> | undefined;
    let calls = 0;
    while (last?.status !== 429 && calls < 3 * portalLimits.callsPerMinute) {
      const replies = await Promise.all(
        Array.from({ length: 20 }, (_, index) => callers[index % 2]!.call('portal.session.get')),
      );
      last = replies.find(({ status }) => status === 429);
      calls += replies.length;
    }
    assert.ok(calls >= portalLimits.callsPerMinute, `${calls} calls`);
    assert.equal(last?.status, 429);
    assert.match(last?.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
    await other.succeed('portal.session.get');
  });

  it('is a hundred and twenty changes a minute of an application, and reads go on', async () => {
    const caller = await enterPortal(service, await service.partner());
    const { endpointId } = (await caller.succeed('portal.endpoint.add', {
      body: { url: 'https://example.com/a' },
    })) as { endpointId: string };
    const change = (nth: number) =>
      caller.call('portal.endpoint.change', {
        params: { endpointId },
        body: { description: `change ${nth}` },
      });
    const replies: Awaited<ReturnType<PortalCaller['call']>>[] = [];
    const { changesPerMinute } = portalLimits;
    const isRefused = () => replies.some(({ status }) => status === 429);
    while (!isRefused() && replies.length < 3 * changesPerMinute) {
      const some = Array.from({ length: 20 }, (_, nth) => change(replies.length + nth));
      replies.push(...(await Promise.all(some)));
    }
    const changed = replies.filter(({ status }) => status === 200);
    // One was the new endpoint.
    assert.ok(changed.length >= changesPerMinute - 1, `${changed.length} changes`);
    assert.ok(isRefused());
    await caller.succeed('portal.session.get');
    const [trail] = await sql<{ count: number }>(
      service.database,
      `SELECT count(*)::integer FROM audit_entries WHERE action = 'webhook.endpoint.change' AND details->>'endpointId' = $1`,
      [endpointId],
    );
    assert.equal(trail!.count, changed.length);
  });

  it('is sixty links a minute from one address', async () => {
    // No minute passes, however long the calls take.
    const otherService = await startTestService({}, { elapsedMs: () => 0 });
    try {
      const caller = new PortalCaller(otherService.origin);
      const tried = [];
      for (let count = 0; count < 62; count += 1) {
        const { status } = await caller.call('portal.session.begin', { body: { link: 'wrong' } });
        tried.push(status);
      }
      assert.ok(tried.slice(0, 60).every((status) => status === 401));
      assert.deepEqual(tried.slice(60), [429, 429]);
    } finally {
      await otherService.stop();
    }
  });
});

describe('paths of the portal', () => {
  it('that do not exist are 404 with the envelope', async () => {
    const caller = await enterPortal(service, partner);
    for (const [method, path] of [
      ['GET', '/portal/v1/nothing'],
      ['PUT', '/portal/v1/endpoints'],
      ['HEAD', '/portal/v1/endpoints'],
      ['POST', '/portal'],
      ['GET', '/portal/assets/nothing.js'],
    ] as const) {
      const response = await fetch(`${service.origin}${path}`, {
        method,
        headers: { cookie: caller.cookie ?? '' },
      });
      assert.equal(response.status, 404, `${method} ${path}`);
      if (method === 'HEAD') continue;
      const { error } = (await response.json()) as { error: { code: string } };
      assert.equal(error.code, 'not_found');
    }
  });
});

describe('a person of a partner', () => {
  const email = 'Ada@partner.example';
  const ofPartner = () => ({ applicationId: partner.credentials.applicationId });

  async function invited(staff: Operator): Promise<{ personId: string; link: string }> {
    const body = { name: 'Ada Byron', email };
    const input = { params: ofPartner(), body };
    const { personId, url } = await staff.done('operator.portalPerson.invite', input);
    return { personId, link: url.split('#link=')[1]! };
  }

  // Spec: WEBHOOK-12.
  it('stays signed in while they use the portal, and by name', async () => {
    const { operator: staff } = await signedIn(service);
    const { personId, link } = await invited(staff);
    const caller = new PortalCaller(service.origin);
    const reply = await caller.enter(link);
    assert.match(reply.headers.get('set-cookie') ?? '', /Max-Age=15552000/);
    const { person } = await caller.succeed('portal.session.get');
    assert.deepEqual(person, { name: 'Ada Byron', email });
    const daysLeft = async () => {
      const { expiresAt } = await caller.succeed('portal.session.get');
      return Math.round((Date.parse(expiresAt) - Date.now()) / 86_400_000);
    };
    assert.equal(await daysLeft(), portalLimits.personSessionDays);
    const older = (days: number) =>
      sql(
        service.database,
        `UPDATE portal_sessions SET seen_at = seen_at - make_interval(days => $2),
          created_at = created_at - make_interval(days => $2), expires_at = expires_at - make_interval(days => $2)
          WHERE person_id = $1`,
        [personId, days],
      );
    await older(29);
    await caller.succeed('portal.session.get');
    assert.equal(await daysLeft(), portalLimits.personSessionDays);
    for (const days of [29, 29, 29, 29, 29]) {
      await older(days);
      await caller.succeed('portal.session.get');
    }
    assert.equal(await daysLeft(), portalLimits.personSessionDaysAtMost - 6 * 29);
    await older(portalLimits.personSessionDays);
    assert.equal((await caller.refused('portal.session.get')).status, 401);
  });

  // Spec: WEBHOOK-12.
  it('signs in on another device, and ends sessions of theirs', async () => {
    const { operator: staff } = await signedIn(service);
    const { link } = await invited(staff);
    const caller = new PortalCaller(service.origin);
    await caller.enter(link);
    const { url } = await caller.succeed('portal.ownLink.issue');
    const other = new PortalCaller(service.origin);
    await other.enter(url.split('#link=')[1]!);
    const { items } = await caller.succeed('portal.ownSession.list');
    assert.deepEqual(items.map(({ isThis }) => isThis).toSorted(), [false, true]);
    const { sessionId } = items.find(({ isThis }) => !isThis)!;
    await caller.succeed('portal.ownSession.end', { params: { sessionId } });
    assert.equal((await other.refused('portal.session.get')).status, 401);
    const again = await caller.refused('portal.ownSession.end', { params: { sessionId } });
    assert.equal(again.status, 404);
    const [entry] = await sql<{ actor: string }>(
      service.database,
      `SELECT actor FROM audit_entries WHERE action = 'portal.session.end' ORDER BY entry_id DESC LIMIT 1`,
    );
    assert.equal(entry!.actor, `portal ${email}`);
  });

  // Spec: WEBHOOK-12.
  it('makes links that end with their session, and open one that lasts no longer', async () => {
    const { operator: staff } = await signedIn(service);
    const { link } = await invited(staff);
    const [owner, thief, again] = [
      new PortalCaller(service.origin),
      new PortalCaller(service.origin),
      new PortalCaller(service.origin),
    ] as const;
    await owner.enter(link);
    const linkOf = async (caller: PortalCaller) =>
      (await caller.succeed('portal.ownLink.issue')).url.split('#link=')[1]!;
    await sql(
      service.database,
      `UPDATE portal_sessions SET created_at = created_at - make_interval(days => $1)
        WHERE person_id IS NOT NULL`,
      [portalLimits.personSessionDaysAtMost - 2],
    );
    await thief.enter(await linkOf(owner));
    const { expiresAt } = await thief.succeed('portal.session.get');
    const hoursLeft = (Date.parse(expiresAt) - Date.now()) / 3_600_000;
    assert.ok(hoursLeft > 47 && hoursLeft < 49, `ends with the first one, in ${hoursLeft} hours`);
    const [used, kept] = [await linkOf(thief), await linkOf(thief)];
    await again.enter(used);
    const { items } = await owner.succeed('portal.ownSession.list');
    for (const { sessionId, isThis } of items) {
      if (!isThis) await owner.succeed('portal.ownSession.end', { params: { sessionId } });
    }
    for (const caller of [thief, again]) {
      assert.equal((await caller.refused('portal.session.get')).status, 401);
    }
    const late = await thief.refused('portal.session.begin', { body: { link: kept } });
    assert.equal(late.status, 401);
  });

  // Spec: WEBHOOK-12.
  it('is seen by staff, who end a session, or remove the person with all of them', async () => {
    const { operator: staff } = await signedIn(service);
    const first = await invited(staff);
    const second = await invited(staff);
    assert.equal(second.personId, first.personId, 'the same address is the same person');
    const [caller, other] = [
      new PortalCaller(service.origin),
      new PortalCaller(service.origin),
    ] as const;
    await caller.enter(first.link);
    await other.enter(second.link);
    const nobody = await enterPortal(service, partner);
    const found = await staff.done('operator.portalPerson.list', { params: ofPartner() });
    const person = found.items.find(({ personId }) => personId === first.personId)!;
    assert.ok(person.sessions.length >= 2);
    assert.ok(found.otherSessions.length > 0);
    const [{ sessionId } = { sessionId: '' }] = person.sessions;
    await staff.done('operator.portalSession.end', { params: { ...ofPartner(), sessionId } });
    assert.equal((await other.refused('portal.session.get')).status, 401);
    const { personId } = first;
    await staff.done('operator.portalPerson.remove', { params: { ...ofPartner(), personId } });
    assert.equal((await caller.refused('portal.session.get')).status, 401);
    assert.deepEqual((await nobody.succeed('portal.session.get')).person, null);
    const gone = await staff.refused('operator.portalPerson.remove', {
      params: { ...ofPartner(), personId },
    });
    assert.equal(gone.status, 404);
  });

  it('is nobody in a session of a plain link, which issues and ends nothing', async () => {
    const nobody = await enterPortal(service, partner);
    const { items } = await nobody.succeed('portal.ownSession.list');
    assert.deepEqual(
      items.map(({ isThis }) => isThis),
      [true],
    );
    const refusal = await nobody.refused('portal.ownLink.issue');
    assert.deepEqual([refusal.status, refusal.details], [422, { reason: 'no_person' }]);
    const params = { sessionId: items[0]!.sessionId };
    assert.equal((await nobody.refused('portal.ownSession.end', { params })).status, 404);
  });
});
