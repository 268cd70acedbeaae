import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, suite, test } from 'node:test';
import type { FaultRule } from '../../src/contract/sandbox/schemas.ts';
import { eventually } from '../harness/eventually.ts';
import { send } from '../harness/http-client.ts';
import type { Partner } from '../harness/partner.ts';
import { callSandbox, order, refusedOrder } from '../harness/sandbox.ts';
import { type RestartableService, startTestService } from '../harness/service.ts';

let service: RestartableService;
before(async () => {
  service = await startTestService();
});
after(() => service.stop());

const site = 'distribution.site.get';
const quoteCreate = 'reservation.quote.create';

async function withRules(...rules: FaultRule[]): Promise<Partner> {
  const partner = await service.partner();
  await order(partner, 'sandbox.faults.put', { body: { seed: 1, rules } });
  return partner;
}

const always = (operation: string, action: FaultRule['do'], more: object = {}): FaultRule => ({
  match: { operation, ...more },
  do: action,
});

/** The status of the next calls; 0: the connection ended. */
async function statuses(partner: Partner, count: number): Promise<number[]> {
  const found: number[] = [];
  for (let at = 0; at < count; at += 1) {
    const called = partner.call(site).then(
      ({ status }) => status,
      () => 0,
    );
    found.push(await called);
  }
  return found;
}

// Spec: SANDBOX-2.
suite('ordered faults', () => {
  test('respond with an error in place of the call, with the delay that was asked for', async () => {
    const partner = await withRules(
      always(site, { respond: 429, retryAfterSeconds: 7 }, { nth: 1 }),
      always(site, { respond: 503 }, { nth: 2 }),
      always(site, { respond: 500 }, { nth: 3 }),
    );
    const limited = await partner.refused(site);
    assert.equal(limited.code, 'rate_limited');
    assert.equal(limited.retryAfterSeconds, 7);
    assert.equal(limited.headers.get('retry-after'), '7');
    assert.deepEqual(await statuses(partner, 3), [503, 500, 200]);
  });

  test('use quota as a call does that is refused early', async () => {
    const partner = await service.partner({ quotas: { read: 100 } });
    await order(partner, 'sandbox.faults.put', {
      body: { rules: [always(site, { respond: 503 })] },
    });
    const first = await partner.call(site);
    assert.match(first.headers.get('ratelimit') ?? '', /r=99/);
  });

  test('are not asked for calls beyond the quota, so that a flood costs others no more', async () => {
    const partner = await service.partner({ quotas: { read: 1 } });
    const rules = [always(site, { respond: 503 })];
    await order(partner, 'sandbox.faults.put', { body: { rules } });
    assert.deepEqual(await statuses(partner, 3), [503, 429, 429]);
    assert.equal((await order(partner, 'sandbox.faults.get')).rules[0]!.calls, 1);
  });

  test('drop the connection before the effect', async () => {
    const partner = await withRules(always(quoteCreate, { drop: 'before' }, { nth: 1 }));
    const stay = await partner.freeStay();
    const body = { quoteId: randomUUID(), ...stay };
    await assert.rejects(partner.call(quoteCreate, { body }));
    await partner.succeed(quoteCreate, { body }, 201);
  });

  test('drop the connection after the effect', async () => {
    const partner = await withRules(always(quoteCreate, { drop: 'after' }, { nth: 1 }));
    const stay = await partner.freeStay();
    const body = { quoteId: randomUUID(), ...stay };
    await assert.rejects(partner.call(quoteCreate, { body }));
    await partner.succeed(quoteCreate, { body }, 200);
  });

  for (const [unresolved, status] of [
    ['applied', 200],
    ['not_applied', 201],
  ] as const) {
    test(`answer 504, ${unresolved}`, async () => {
      const partner = await withRules(always(quoteCreate, { unresolved }, { nth: 1 }));
      const body = { quoteId: randomUUID(), ...(await partner.freeStay()) };
      const { text, status: seen } = await sendCall(partner, '/v1/quotes', body);
      assert.equal(seen, 504, text);
      await partner.succeed(quoteCreate, { body }, status);
    });
  }

  test('answer with the page of a proxy', async () => {
    const partner = await withRules(always(site, { html: 502 }));
    const { status, text, headers } = await sendCall(partner, '/v1/site');
    assert.equal(status, 502);
    assert.match(text, /^<!doctype html>/);
    assert.equal(headers.get('content-type'), 'text/html');
  });

  test('delay the answer', async () => {
    const partner = await withRules(always(site, { delayMs: 300 }, { nth: 1 }));
    const began = performance.now();
    await partner.succeed(site);
    assert.ok(performance.now() - began >= 300);
  });

  test('add values that do not exist', async () => {
    const partner = await withRules(
      always('reservation.checkout.get', { unknownValues: true }, { nth: 1 }),
      always('distribution.listing.get', { unknownValues: true }),
    );
    const { at } = await partner.checkout();
    const path = `/v1/checkouts/${at.params.checkoutId}`;
    // The harness knows only the values of today.
    const unknown = JSON.parse((await sendCall(partner, path, undefined, at.session)).text) as {
      state: string;
      nextActions: string[];
      sandboxMember: object;
    };
    assert.equal(unknown.state, 'sandbox_state');
    assert.deepEqual(unknown.nextActions, ['sandbox_action']);
    assert.deepEqual(unknown.sandboxMember, { isNew: true });
    assert.equal((await partner.succeed('reservation.checkout.get', at)).state, 'needs_guest');
    const { listingId } = await partner.freeStay();
    const home = await sendCall(partner, `/v1/listings/${listingId}`);
    assert.ok('sandboxMember' in (JSON.parse(home.text) as object));
  });

  test('count invalid calls and repeats, but not calls without a grant or token', async () => {
    const partner = await withRules(always(quoteCreate, { respond: 503 }, { nth: 3 }));
    await partner.refused(quoteCreate, { token: 'none' });
    const body = { quoteId: randomUUID(), ...(await partner.freeStay()) };
    await partner.succeed(quoteCreate, { body });
    await partner.refused(quoteCreate, { rawBody: '{}' });
    assert.equal((await partner.refused(quoteCreate, { body })).code, 'unavailable');
  });

  test('act on token exchanges, after the secret was checked', async () => {
    const partner = await service.partner();
    const token = await partner.token();
    const rules = [always('token', { respond: 429, retryAfterSeconds: 3 }, { nth: 1 })];
    await order(partner, 'sandbox.faults.put', { body: { rules }, token });
    const exchange = (secret: string) => {
      const { applicationId } = partner.credentials;
      return send(`${service.origin}/oauth/token`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({
          grant_type: 'client_credentials',
          client_id: applicationId,
          client_secret: secret,
        }).toString(),
      });
    };
    assert.equal((await exchange('wrong')).status, 401);
    const limited = await exchange(partner.credentials.applicationKey);
    assert.equal(limited.status, 429);
    assert.equal((JSON.parse(limited.text) as { error: string }).error, 'rate_limited');
    assert.equal(limited.headers.get('retry-after'), '3');
    assert.equal((await exchange(partner.credentials.applicationKey)).status, 200);
  });

  test('are shown with calls and hits, and begin anew with another PUT', async () => {
    const partner = await withRules(always(site, { respond: 503 }, { nth: 2 }));
    const [, hit] = [await partner.call(site), await partner.call(site)];
    const { rules } = await order(partner, 'sandbox.faults.get');
    assert.equal(rules[0]?.calls, 2);
    assert.deepEqual(
      rules[0]?.hits.map(({ requestId }) => requestId),
      [hit.headers.get('x-request-id')],
    );
    const body = { seed: 2, rules: [always(site, { respond: 500 })] };
    const anew = await order(partner, 'sandbox.faults.put', { body });
    assert.deepEqual(anew.rules[0]?.hits, []);
    assert.equal(anew.rules[0]?.calls, 0);
    const { status } = await callSandbox(partner, 'sandbox.faults.delete');
    assert.equal(status, 204);
    const none = { seed: null, rules: [] };
    assert.deepEqual(await order(partner, 'sandbox.faults.get'), none);
    await partner.succeed(site);
    const empty = { body: { seed: 2, rules: [] } };
    assert.deepEqual(await order(partner, 'sandbox.faults.put', empty), none);
    assert.deepEqual(await order(partner, 'sandbox.faults.get'), none);
  });

  test('with a probability are the same for the same seed', async () => {
    const rules = [always(site, { respond: 503 }, { probability: 0.5 })];
    const runs = [];
    for (const seed of [5, 5, 6]) {
      const partner = await service.partner();
      await order(partner, 'sandbox.faults.put', { body: { seed, rules } });
      runs.push(await statuses(partner, 30));
    }
    assert.deepEqual(runs[0], runs[1]);
    assert.notDeepEqual(runs[0], runs[2]);
    assert.ok(runs[0]!.includes(200) && runs[0]!.includes(503));
  });

  test('count each of many calls at once exactly once', async () => {
    const partner = await withRules(always(site, { respond: 503 }, { every: 4 }));
    const replies = await Promise.all(Array.from({ length: 40 }, () => partner.call(site)));
    assert.equal(replies.filter(({ status }) => status === 503).length, 10);
  });

  test('change nothing for another application', async () => {
    await withRules(always(site, { respond: 503 }));
    const other = await service.partner();
    await other.succeed(site);
    assert.deepEqual(await order(other, 'sandbox.faults.get'), { seed: null, rules: [] });
  });

  test('survive a restart', async () => {
    const partner = await withRules(always(site, { respond: 503 }, { nth: 2 }));
    assert.deepEqual(await statuses(partner, 1), [200]);
    await service.restart(async () => undefined);
    assert.deepEqual(await statuses(partner, 2), [503, 200]);
  });

  test('are in the request log with what the caller saw', async () => {
    const partner = await withRules(
      always(site, { drop: 'after' }, { nth: 1 }),
      always(site, { html: 502 }, { nth: 2 }),
    );
    await statuses(partner, 1);
    await sendCall(partner, '/v1/site');
    const seen = async () => {
      const { items } = await order(partner, 'sandbox.request.list', {
        query: { operation: site },
      });
      return items.map(({ status, fault }) => [status, fault]).toSorted();
    };
    await eventually(async () => (await seen()).length === 2);
    assert.deepEqual(await seen(), [
      [null, 'rule 1: drop after'],
      [502, 'rule 2: html 502'],
    ]);
  });

  test('are refused with every field that is wrong', async () => {
    const partner = await service.partner();
    const body = { rules: [{ match: { operation: 'nothing' }, do: { respond: 418 } }], more: 1 };
    const refused = await refusedOrder(partner, 'sandbox.faults.put', { body: body as never });
    assert.equal(refused.code, 'invalid_input');
    const many = Array.from({ length: 51 }, () => always(site, { respond: 503 }));
    const tooMany = await refusedOrder(partner, 'sandbox.faults.put', { body: { rules: many } });
    assert.equal(tooMany.status, 400);
  });
});

async function sendCall(partner: Partner, path: string, body?: object, session?: string) {
  return send(`${partner.origin}${path}`, {
    method: body ? 'POST' : 'GET',
    headers: {
      authorization: `Bearer ${await partner.token()}`,
      ...(body && { 'content-type': 'application/json' }),
      ...(session !== undefined && { 'session-capability': session }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
}

// Spec: SANDBOX-1.
test('outside of the simulation the sandbox is 404', async () => {
  const own = await startTestService({ LATCHKEY_ENVIRONMENT: 'test' });
  try {
    for (const path of ['/sandbox/v1/faults', '/sandbox/openapi.json']) {
      assert.equal(
        (await send(`${own.origin}${path}`, { method: 'GET', headers: {} })).status,
        404,
      );
    }
  } finally {
    await own.stop();
  }
});
