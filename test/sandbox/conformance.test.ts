import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { createRemoteJWKSet } from 'jose/jwks/remote';
import { compactVerify } from 'jose/jws/compact/verify';
import { after, before, suite, test } from 'node:test';
import type { BookInput, Run } from '../../src/contract/sandbox/conformance.ts';
import { sandboxLimits } from '../../src/contract/sandbox/limits.ts';
import { scenarioIds } from '../../src/contract/sandbox/scenarios.ts';
import { committed } from '../harness/document.ts';
import { eventually } from '../harness/eventually.ts';
import { operatorOf } from '../harness/operator.ts';
import { daysAhead, type Partner } from '../harness/partner.ts';
import { Receiver } from '../harness/receiver.ts';
import { sql } from '../harness/rows.ts';
import { callSandbox, order, refusedOrder } from '../harness/sandbox.ts';
import { type RestartableService, startTestService } from '../harness/service.ts';
import { addEndpoint } from '../harness/webhooks.ts';

let service: RestartableService;
before(async () => {
  service = await startTestService();
});
after(() => service.stop());

const start = (partner: Partner, only?: Run['scenarios'][number]['scenario'][]) =>
  order(partner, 'sandbox.run.start', {
    body: { profile: 'checkout', seed: 3, ...(only && { only }) },
  });

const at = (runId: string, scenario: string) => ({ params: { runId, scenario } });
const done = { body: { outcome: { ended: 'done' as const } } };

const skips = ({ scenarios }: Run) =>
  Object.fromEntries(scenarios.map(({ scenario, skippedFor }) => [scenario, skippedFor]));

// Spec: SANDBOX-4.
suite('conformance runs', () => {
  test('begin with every scenario, and say what does not apply', async () => {
    const partner = await service.partner();
    const { status, body, headers } = await callSandbox(partner, 'sandbox.run.start', {
      body: { profile: 'checkout', seed: 3 },
    });
    const run = body as Run;
    assert.equal(status, 201);
    assert.equal(headers.get('location'), `/sandbox/v1/conformance-runs/${run.runId}`);
    const manifest = committed('release-manifest.json') as unknown as Record<string, string>;
    assert.equal(run.contractDigest, `sha256:${manifest['sha256']}`);
    assert.equal(run.wireVersion, manifest['wireVersion']);
    assert.deepEqual(
      run.scenarios.map(({ scenario }) => scenario),
      scenarioIds,
    );
    const skipped = skips(run);
    assert.equal(skipped['setup-declined'], 'profile');
    assert.equal(skipped['webhook-forged'], 'no_endpoint');
    assert.equal(skipped['sold-out'], undefined);
  });

  test('skip what was not asked, what is not granted, and know an endpoint', async () => {
    const partner = await service.partner({ grants: ['catalog', 'search'] });
    await addEndpoint(service.database, partner.credentials.applicationId, 'http://127.0.0.1:9/x');
    const skipped = skips(await start(partner, ['token-shared']));
    assert.equal(skipped['sold-out'], 'grant');
    assert.equal(skipped['catalog-pages'], 'not_asked');
    assert.equal(skipped['token-shared'], undefined);
  });

  test('are one at a time, of a profile that the settlement allows', async () => {
    const partner = await service.partner();
    const profile = { body: { profile: 'card' as const } };
    const foreign = await refusedOrder(partner, 'sandbox.run.start', profile);
    assert.deepEqual(foreign, {
      status: 422,
      code: 'policy_restricted',
      details: { reason: 'profile' },
    });
    const { runId } = await start(partner);
    const body = { profile: 'request' as const };
    const second = await refusedOrder(partner, 'sandbox.run.start', { body });
    assert.deepEqual(second, {
      status: 409,
      code: 'conflict',
      details: { reason: 'run_open', runId },
    });
    await order(partner, 'sandbox.run.delete', { params: { runId } });
    const deleted = await order(partner, 'sandbox.run.get', { params: { runId } });
    assert.equal(deleted.state, 'abandoned');
    const next = await order(partner, 'sandbox.run.start', { body });
    const list = await order(partner, 'sandbox.run.list');
    assert.deepEqual(
      list.items.map((run) => run.runId),
      [next.runId, runId],
    );
    const again = await refusedOrder(partner, 'sandbox.run.delete', { params: { runId } });
    assert.deepEqual(again.details, { reason: 'run_final' });
  });

  test('are seen by their application alone', async () => {
    const partner = await service.partner();
    const other = await service.partner();
    const { runId } = await start(partner);
    const params = { runId };
    assert.equal((await refusedOrder(other, 'sandbox.run.get', { params })).status, 404);
    const begin = await refusedOrder(other, 'sandbox.scenario.start', at(runId, 'sold-out'));
    assert.equal(begin.status, 404);
    assert.equal((await order(other, 'sandbox.run.list')).items.length, 0);
    const none = await refusedOrder(partner, 'sandbox.scenario.start', at(runId, 'nothing'));
    assert.equal(none.status, 404);
    const nobody = at(randomUUID(), 'sold-out');
    assert.equal((await refusedOrder(partner, 'sandbox.scenario.start', nobody)).status, 404);
  });

  test('answer the second of two starts at once with 409', async () => {
    const partner = await service.partner();
    const { runId } = await start(partner);
    const waiting = async () => {
      const [row] = await sql<{ count: number }>(
        service.database,
        `SELECT count(*)::integer AS count FROM pg_stat_activity
          WHERE wait_event_type = 'Lock' AND query LIKE '%UPDATE conformance_scenarios%'`,
      );
      return row!.count;
    };
    const begun = await service.database.transaction(async (executor) => {
      const text = 'SELECT FROM conformance_scenarios WHERE run_id = $1 FOR UPDATE';
      await sql(executor, text, [runId]);
      const scenarios = ['token-shared', 'catalog-pages'] as const;
      const starts = scenarios.map((scenario) =>
        callSandbox(partner, 'sandbox.scenario.start', at(runId, scenario)),
      );
      await eventually(async () => (await waiting()) === 2, 20_000);
      return { starts };
    });
    const replies = await Promise.all(begun.starts);
    const statuses = replies.map(({ status }) => status).toSorted();
    assert.deepEqual([statuses[0]! < 300, statuses[1]], [true, 409]);
  });

  test('raise prices for the calls of the application alone, and never what staff have set', async () => {
    const partner = await service.partner();
    const { runId } = await start(partner);
    await order(partner, 'sandbox.scenario.start', at(runId, 'price-changed'));
    const { applicationId } = partner.credentials;
    await sql(
      service.database,
      `UPDATE conformance_scenarios SET effects = '{"raisePercent": 10}'
        WHERE application_id = $1 AND state = 'running'`,
      [applicationId],
    );
    const staff = await operatorOf(service, 'administrator');
    const params = { applicationId };
    await staff.done('operator.application.change', { params, body: { name: 'Renamed' } });
    const { adjustPercent } = await staff.done('operator.application.get', { params });
    assert.equal(adjustPercent, 0);
  });

  test('show what they change of prices and terms in calendars, homes and the feed, to the application alone', async () => {
    const [partner, other] = [await service.partner(), await service.partner()];
    const { runId } = await start(partner, ['currency-no-decimals', 'terms-changed']);
    const { nextCursor: cursor } = await partner.succeed('inventory.change.list', {
      query: { from: 'latest' },
    });
    const toldKinds = async () =>
      (await partner.succeed('inventory.change.list', { query: { cursor } })).items.map(
        ({ kind }) => kind,
      );
    const priced = at(runId, 'currency-no-decimals');
    const { task } = await order(partner, 'sandbox.scenario.start', priced);
    const { listingId, checkIn } = task!.input as BookInput;
    const calendarOf = (by: Partner) =>
      by.succeed('inventory.calendar.get', {
        params: { listingId },
        query: { startDate: checkIn, endDate: checkIn },
      });
    const theirs = await calendarOf(other);
    const mine = await calendarOf(partner);
    assert.deepEqual([mine.currency, mine.days], ['JPY', theirs.days]);
    assert.notEqual(mine.digest, theirs.digest);
    await eventually(async () => (await toldKinds()).join() === 'rates');
    await order(partner, 'sandbox.scenario.finish', { ...priced, ...done });
    assert.equal((await calendarOf(partner)).digest, theirs.digest);
    await eventually(async () => (await toldKinds()).join() === 'rates,rates');

    const terms = at(runId, 'terms-changed');
    const home = async (by: Partner) =>
      (await by.succeed('distribution.listing.get', { params: { listingId } })).policies;
    const listed = async (by: Partner) =>
      (await by.succeed('distribution.listing.list', { query: { limit: 1 } })).items[0]!.policies;
    const usual = [await home(partner), await listed(partner)];
    await order(partner, 'sandbox.scenario.start', terms);
    await partner.submittedCheckout();
    const meanwhile = [await home(partner), await listed(partner)];
    assert.deepEqual(
      meanwhile.map((policies) => policies.filter(({ label }) => label === 'Sandbox').length),
      [1, 1],
    );
    assert.deepEqual([await home(other), await listed(other)], usual);
    await eventually(async () => (await toldKinds()).join() === 'rates,rates,content');
    await order(partner, 'sandbox.scenario.finish', { ...terms, ...done });
    assert.deepEqual([await home(partner), await listed(partner)], usual);
  });

  test('run one scenario at a time, each as often as it is started', async () => {
    const partner = await service.partner();
    const { runId } = await start(partner);
    const pages = at(runId, 'catalog-pages');
    const reason = async (id: 'sandbox.scenario.start' | 'sandbox.scenario.finish', name: string) =>
      (await refusedOrder(partner, id, { ...at(runId, name), ...(id.endsWith('finish') && done) }))
        .details;
    assert.deepEqual(await reason('sandbox.scenario.finish', 'catalog-pages'), {
      reason: 'scenario_not_running',
    });
    assert.deepEqual(await reason('sandbox.scenario.start', 'setup-declined'), {
      reason: 'skipped',
    });
    const running = await order(partner, 'sandbox.scenario.start', pages);
    assert.equal(running.state, 'running');
    assert.deepEqual(running.task, { kind: 'sync', input: {}, sayWithinSeconds: 60 });
    assert.deepEqual(await reason('sandbox.scenario.start', 'sold-out'), {
      reason: 'scenario_running',
    });
    const empty = await order(partner, 'sandbox.scenario.finish', {
      ...pages,
      body: { outcome: { ended: 'done', listings: [] } },
    });
    assert.equal(empty.result, 'failed');
    assert.match(empty.findings[0]!.message, /homes are missing/);
    await order(partner, 'sandbox.scenario.start', pages);
    const listings: string[] = [];
    let cursor: string | undefined;
    do {
      const query = cursor === undefined ? {} : { cursor };
      const page = await partner.succeed('distribution.listing.list', { query });
      listings.push(...page.items.map(({ listingId }) => listingId));
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    const whole = await order(partner, 'sandbox.scenario.finish', {
      ...pages,
      body: { outcome: { ended: 'done', listings } },
    });
    assert.deepEqual([whole.result, whole.attempts, whole.task], ['passed', 2, undefined]);
    assert.equal(whole.requestIds.length, Math.ceil(listings.length / 20));
  });

  test('end with a signed report of what was judged', async () => {
    const partner = await service.partner();
    const { runId } = await start(partner, ['token-shared']);
    const early = await refusedOrder(partner, 'sandbox.run.report', { params: { runId } });
    assert.deepEqual(early.details, { reason: 'run_open' });
    const run = await order(partner, 'sandbox.run.finish', { params: { runId } });
    assert.equal(run.state, 'incomplete');
    assert.equal(skips(run)['token-shared'], 'not_started');
    const { body, headers } = await callSandbox(partner, 'sandbox.run.report', {
      params: { runId },
    });
    assert.equal(headers.get('content-type'), 'application/jose');
    const jwks = createRemoteJWKSet(new URL(`${service.origin}/.well-known/jwks.json`));
    const { payload, protectedHeader } = await compactVerify(String(body), jwks);
    assert.equal(protectedHeader.typ, 'conformance-report+jwt');
    const claims = JSON.parse(new TextDecoder().decode(payload)) as Record<string, unknown>;
    assert.equal(claims['sub'], partner.credentials.applicationId);
    assert.deepEqual(claims['run'], run);
    const final = await refusedOrder(partner, 'sandbox.run.finish', { params: { runId } });
    assert.deepEqual(final.details, { reason: 'run_final' });
    const late = await refusedOrder(partner, 'sandbox.scenario.start', at(runId, 'token-shared'));
    assert.deepEqual(late.details, { reason: 'run_final' });
  });

  test('judge a scenario whose time is over, with nothing said', async () => {
    const partner = await service.partner();
    const { runId } = await start(partner);
    await order(partner, 'sandbox.scenario.start', at(runId, 'nights-taken'));
    await sql(
      service.database,
      'UPDATE conformance_scenarios SET ends_at = now() WHERE run_id = $1',
      [runId],
    );
    const { scenarios } = await order(partner, 'sandbox.run.get', { params: { runId } });
    const judged = scenarios.find(({ scenario }) => scenario === 'nights-taken')!;
    assert.equal(judged.result, 'failed');
    assert.match(judged.findings[0]!.message, /said nothing in time; expected `refused`/);
    const nights = await sql(
      service.database,
      'SELECT FROM sandbox_nights WHERE application_id = $1',
      [partner.credentials.applicationId],
    );
    assert.equal(nights.length, 0);
  });

  test('let the application’s own faults rest meanwhile, and change nothing for another one', async () => {
    const partner = await service.partner();
    const other = await service.partner();
    const rules = [
      { match: { operation: 'distribution.site.get' }, do: { respond: 503 as const } },
    ];
    await order(partner, 'sandbox.faults.put', { body: { rules } });
    const { runId } = await start(partner);
    const search = { checkIn: daysAhead(40), checkOut: daysAhead(43), party: { adults: 2 } };
    await order(partner, 'sandbox.scenario.start', at(runId, 'search-unavailable'));
    await partner.succeed('distribution.site.get');
    const refused = await partner.refused('distribution.listing.search', { body: search });
    assert.equal(refused.code, 'unavailable');
    await other.succeed('distribution.listing.search', { body: search });
    const body = { outcome: { ended: 'error' as const } };
    const judged = await order(partner, 'sandbox.scenario.finish', {
      ...at(runId, 'search-unavailable'),
      body,
    });
    assert.deepEqual(
      judged.findings.map(({ message }) => message),
      ['There were 1 tries, not at least 2.'],
    );
    assert.equal((await partner.refused('distribution.site.get')).code, 'unavailable');
    await partner.succeed('distribution.listing.search', { body: search });
  });

  test('are kept up to a number, and of each scenario so many calls', async () => {
    const partner = await service.partner();
    const { applicationId } = partner.credentials;
    for (let begun = 0; begun < sandboxLimits.runsKept + 3; begun += 1) {
      const { runId } = await start(partner, ['token-shared']);
      if (begun < sandboxLimits.runsKept + 2) {
        await order(partner, 'sandbox.run.delete', { params: { runId } });
      }
    }
    const { items } = await order(partner, 'sandbox.run.list', { query: { limit: '50' } });
    assert.equal(items.length, sandboxLimits.runsKept + 1, 'and the open one');
    const pages = at(items[0]!.runId, 'token-shared');
    await order(partner, 'sandbox.scenario.start', pages);
    await sql(
      service.database,
      `INSERT INTO conformance_calls (attempt_id, request_id, began_at, ended_at, call)
        SELECT attempt_id, gen_random_uuid(), now(), now(), '{"operation": "distribution.site.get"}'
        FROM conformance_scenarios, generate_series(1, $2)
        WHERE application_id = $1 AND state = 'running'`,
      [applicationId, sandboxLimits.callsJudged],
    );
    await partner.succeed('distribution.site.get');
    const [counted] = await sql<{ calls: number }>(
      service.database,
      `SELECT count(*)::integer AS calls FROM conformance_calls c
        JOIN conformance_scenarios s ON s.attempt_id = c.attempt_id WHERE s.application_id = $1`,
      [applicationId],
    );
    assert.equal(counted!.calls, sandboxLimits.callsJudged);
    const judged = await order(partner, 'sandbox.scenario.finish', { ...pages, ...done });
    assert.equal(judged.requestIds.length, sandboxLimits.requestIdsShown);
  });

  test('hold events back from the endpoint for a scenario, and deliver them after it', async () => {
    const partner = await service.partner();
    const receiver = await Receiver.start();
    try {
      await addEndpoint(service.database, partner.credentials.applicationId, receiver.url());
      const { runId } = await start(partner, ['events-missed']);
      const { task } = await order(partner, 'sandbox.scenario.start', at(runId, 'events-missed'));
      const { cursor } = task!.input as { cursor: string };
      let missed: string[] = [];
      await eventually(async () => {
        const { items } = await partner.succeed('reservation.event.list', { query: { cursor } });
        missed = items.map(({ id }) => id);
        return missed.length === 2;
      }, 20_000);
      const arrived = () => new Set(receiver.arrivals.map(({ headers }) => headers['webhook-id']));
      assert.deepEqual(
        missed.filter((id) => arrived().has(id)),
        [],
      );
      await order(partner, 'sandbox.scenario.finish', { ...at(runId, 'events-missed'), ...done });
      await eventually(async () => missed.every((id) => arrived().has(id)), 20_000);
    } finally {
      await receiver.close();
    }
  });

  test('put a scenario back whose events the service itself has not played in time', async () => {
    const partner = await service.partner();
    const { runId } = await start(partner, ['staff-change']);
    const scenario = at(runId, 'staff-change');
    await order(partner, 'sandbox.scenario.start', scenario);
    await sql(
      service.database,
      `UPDATE conformance_scenarios SET plays_at = NULL, started_at = started_at - interval '10 seconds'
        WHERE application_id = $1 AND state = 'running'`,
      [partner.credentials.applicationId],
    );
    const { state, result } = await order(partner, 'sandbox.scenario.finish', {
      ...scenario,
      ...done,
    });
    assert.deepEqual([state, result], ['waiting', null]);
  });

  test('are kept by a restart; the scenario that was running waits again', async () => {
    const partner = await service.partner();
    const { runId } = await start(partner);
    await order(partner, 'sandbox.scenario.start', at(runId, 'sold-out'));
    await service.restart(() => Promise.resolve());
    await eventually(async () => {
      const { scenarios, state } = await order(partner, 'sandbox.run.get', { params: { runId } });
      const stored = scenarios.find(({ scenario }) => scenario === 'sold-out')!;
      return state === 'open' && stored.state === 'waiting' && stored.attempts === 1;
    });
  });
});
