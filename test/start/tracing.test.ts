/** One trace of a booking: from the partner's call through two processes to its webhook and record. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { makeDataFolders, type DataFolders } from '../harness/data-folders.ts';
import { eventually } from '../harness/eventually.ts';
import { guest, type Partner } from '../harness/partner.ts';
import { createTestDatabase, type TestDatabase } from '../harness/postgres.ts';
import { Receiver, respond } from '../harness/receiver.ts';
import { recordsEnv } from '../harness/records.ts';
import { registerPartner } from '../harness/registration.ts';
import { sql } from '../harness/rows.ts';
import { launch, onDatabase, type ServiceProcess } from '../harness/service-process.ts';
import { addEndpoint } from '../harness/webhooks.ts';

/** A span as OTLP has it in JSON. */
interface SentSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  attributes: { key: string; value: Record<string, unknown> }[];
}

interface SentTraces {
  resourceSpans: {
    resource: { attributes: SentSpan['attributes'] };
    scopeSpans: { spans: SentSpan[] }[];
  }[];
}

/** A span and the roles of the process that sent it. */
type Received = SentSpan & { roles: unknown };

const attribute = (attributes: SentSpan['attributes'], key: string): unknown =>
  Object.values(attributes.find((one) => one.key === key)?.value ?? {})[0];

const receivedOf = (body: string): Received[] =>
  (JSON.parse(body) as SentTraces).resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const roles = attribute(resource.attributes, 'latchkey.roles');
    return scopeSpans.flatMap(({ spans }) => spans.map((span) => ({ ...span, roles })));
  });

describe('traces', () => {
  let folders: DataFolders;
  let database: TestDatabase;
  let collector: Receiver;
  let hooks: Receiver;
  let records: Receiver;
  let partner: Partner;
  const processes: Record<'api' | 'worker', ServiceProcess> = {} as never;

  before(async () => {
    folders = await makeDataFolders();
    database = await createTestDatabase();
    [collector, hooks, records] = await Promise.all([
      Receiver.start(respond(200, { 'content-type': 'application/json' }, '{}')),
      Receiver.start(),
      Receiver.start(),
    ]);
    for (const role of ['api', 'worker'] as const) {
      const env = {
        ...onDatabase(database),
        ...recordsEnv(records),
        LATCHKEY_ROLES: role,
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url(''),
      };
      processes[role] = await launch({ dataDir: folders.folder(), env });
    }
    await processes.api.ready();
    partner = await registerPartner(database.database, processes.api.origin);
    await addEndpoint(database.database, partner.credentials.applicationId, hooks.url());
  });
  after(async () => {
    await Promise.all(Object.values(processes).map((service) => service.stop()));
    await Promise.all([collector.close(), hooks.close(), records.close()]);
    await database.drop();
    await folders.clear();
  });

  const spans = (): Received[] => collector.arrivals.flatMap(({ body }) => receivedOf(body));
  const spansOf = (traceId: string): Received[] =>
    spans().filter((span) => span.traceId === traceId);
  /** A trace that the caller records (01) or not (00). */
  const newTrace = (flags: string) => {
    const traceId = randomBytes(16).toString('hex');
    const spanId = randomBytes(8).toString('hex');
    return { traceId, spanId, headers: { traceparent: `00-${traceId}-${spanId}-${flags}` } };
  };

  async function submitted(headers: Record<string, string>): Promise<void> {
    const { at, quote } = await partner.readyCheckout();
    const { checkoutId } = at.params;
    const termsVersion = quote.terms.version;
    const body = { expectedVersion: 2, termsVersion, termsAccepted: true as const };
    await partner.succeed('reservation.checkout.submit', { ...at, headers, body }, 202);
    await eventually(
      async () => hooks.arrivals.some((one) => one.body.includes(checkoutId)),
      20_000,
    );
    await eventually(
      async () => records.arrivals.some((one) => one.body.includes(checkoutId)),
      20_000,
    );
  }

  it('of a booking go through two processes, its supplier, its webhooks and its record', async () => {
    const { traceId, spanId, headers } = newTrace('01');
    await submitted(headers);
    const expected = [
      ['reservation.checkout.submit', 'api'],
      ['booking pending', 'worker'],
      ['supply.hold', 'worker'],
      ['supply.confirm', 'worker'],
      ['webhook.send', 'worker'],
      ['records.post', 'worker'],
    ];
    await eventually(async () => {
      const found = spansOf(traceId);
      return expected.every(([name, roles]) =>
        found.some((span) => span.name === name && span.roles === roles),
      );
    }, 20_000);
    const found = spansOf(traceId);
    const named = (name: string) => found.find((span) => span.name === name)!;
    const call = named('reservation.checkout.submit');
    assert.equal(call.parentSpanId, spanId, 'it continues the trace of the caller');
    assert.equal(attribute(call.attributes, 'http.response.status_code'), 202);
    assert.equal(attribute(call.attributes, 'http.route'), '/v1/checkouts/:checkoutId/submit');
    for (const name of ['booking pending', 'webhook.send', 'records.post']) {
      assert.equal(named(name).parentSpanId, call.spanId, name);
    }
    assert.equal(named('supply.hold').parentSpanId, named('booking pending').spanId);
    assert.equal(attribute(named('supply.hold').attributes, 'latchkey.outcome'), 'done');
    assert.equal(attribute(named('webhook.send').attributes, 'http.response.status_code'), 204);

    const sent = (name: string) =>
      found.filter((span) => span.name === name).map((span) => `00-${traceId}-${span.spanId}-01`);
    const traced = ({ arrivals }: Receiver) =>
      arrivals.flatMap((one) => one.headers['traceparent'] ?? []);
    assert.deepEqual(traced(hooks).toSorted(), sent('webhook.send').toSorted());
    assert.deepEqual(traced(records), sent('records.post'));
  });

  it('show nothing of the guest', () => {
    const sent = collector.arrivals.map(({ body }) => body).join();
    assert.ok(sent.length > 1_000);
    for (const detail of Object.values(guest())) {
      assert.ok(!sent.includes(String(detail)), String(detail));
    }
    assert.ok(!sent.includes(partner.credentials.applicationKey));
  });

  it('that the caller does not record are not recorded', async () => {
    const rows = async () =>
      (
        await sql<{ rows: number }>(
          database.database,
          'SELECT count(*) AS rows FROM booking_traces',
        )
      )[0]!.rows;
    hooks.arrivals.length = 0;
    const rowsBefore = await rows();
    const { traceId, headers } = newTrace('00');
    await submitted(headers);
    assert.ok(hooks.arrivals.length > 0);
    // Its earlier calls began traces of their own, the last of which it keeps.
    assert.equal(await rows(), rowsBefore + 1);
    assert.deepEqual(spansOf(traceId), []);
  });

  // Spec: CALL-18.
  it('a header that is not valid counts as none', async () => {
    const response = await fetch(`${processes.api.origin}/v1/site`, {
      headers: { traceparent: `00-${'0'.repeat(32)}-zz-01` },
    });
    assert.equal(response.status, 401);
    await eventually(async () => spans().some(({ name }) => name === 'distribution.site.get'));
    const span = spans().find(({ name }) => name === 'distribution.site.get');
    assert.equal(span!.parentSpanId ?? '', '');
    assert.equal(attribute(span!.attributes, 'latchkey.code'), 'unauthenticated');
  });

  it('that cannot be sent are lost, and calls go on', async () => {
    collector.reply = respond(400);
    assert.equal((await fetch(`${processes.api.origin}/v1/site`)).status, 401);
    await processes.api.says('traces cannot be sent');
    collector.reply = respond(200, { 'content-type': 'application/json' }, '{}');
    assert.equal((await fetch(`${processes.api.origin}/v1/site`)).status, 401);
    await processes.api.says('traces are sent again');
  });
});
