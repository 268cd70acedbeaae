/** Ten times the callers that the service can serve: quick refusals, finished work, bounded resources, quick recovery. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { errors } from '../../src/contract/errors.ts';
import { eventually } from '../harness/eventually.ts';
import type { Partner } from '../harness/partner.ts';
import { createTestDatabase, type TestDatabase } from '../harness/postgres.ts';
import { registerPartner } from '../harness/registration.ts';
import { sql } from '../harness/rows.ts';
import { onDatabase, serve, type ServiceProcess } from '../harness/service-process.ts';
import { makeDataFolders } from '../harness/data-folders.ts';
import { startLoad, type LoadResponse, type Kind } from './load.ts';
import { newSeed } from './seed.ts';
import { bookingPartners, outcomesOf } from './test-system.ts';

const connections = 4;
const callers = 900;
// Longer if a busy machine has no result by then.
const overloadMs = { least: 6_000, most: 25_000 };
const bookingsAtLeast = 20;
// Two seconds in the queue, plus a margin for a busy machine.
const refusedWithinMs = 4_500;
const respondedWithinMs = 10_000;
const recoveredWithinMs = 5_000;
const mayGrowMiB = 700;

const dataFolders = await makeDataFolders();

/** Resident memory; null where the operating system does not report it. */
async function residentMiB({ pid }: ServiceProcess): Promise<number | null> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const [, kiB] = /VmRSS:\s+(\d+) kB/.exec(status) ?? [];
  return kiB === undefined ? null : Number(kiB) / 1_024;
}

/** A percentile of the durations. */
function percentile(responses: readonly LoadResponse[], hundredth: number): number {
  const sorted = responses.map(({ ms }) => ms).toSorted((a, b) => a - b);
  return sorted[Math.floor(((sorted.length - 1) * hundredth) / 100)] ?? 0;
}

function assertRefusal({ status, text, headers }: LoadResponse): void {
  assert.equal(status, errors.unavailable.status, text);
  const { error } = JSON.parse(text) as { error: { code: string; retryAfterSeconds: number } };
  assert.equal(error.code, 'unavailable');
  assert.ok(error.retryAfterSeconds >= 1);
  assert.equal(headers.get('retry-after'), String(error.retryAfterSeconds));
}

describe('a service with ten times the callers that it can serve', () => {
  let database: TestDatabase;
  let service: ServiceProcess;
  let partner: Partner;

  before(async () => {
    // One connection is the test's; all others are the service's.
    database = await createTestDatabase(1);
    const env = {
      ...onDatabase(database),
      LATCHKEY_LOG_LEVEL: 'silent',
      LATCHKEY_DATABASE_CONNECTIONS: String(connections),
    };
    service = await serve({ dataDir: dataFolders.folder(), env });
    partner = await registerPartner(database.database, service.origin);
  });
  after(async () => {
    await service.stop();
    await database.drop();
    await dataFolders.clear();
  });

  const connectionsInUse = async (): Promise<number> => {
    const [row] = await sql<{ count: number }>(
      database.database,
      `SELECT count(*)::int AS count FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid()
          AND application_name = 'latchkey'`,
    );
    return row!.count;
  };

  const unresolved = async (checkoutIds: readonly string[]): Promise<number> => {
    const [row] = await sql<{ confirmed: number }>(
      database.database,
      `SELECT count(*)::int AS confirmed FROM bookings
        WHERE booking_id = ANY($1::uuid[]) AND state = 'confirmed'`,
      [checkoutIds],
    );
    return checkoutIds.length - row!.confirmed;
  };

  it('refuses at once, finishes what it accepts, keeps its bounds and recovers', async (t) => {
    const stay = await partner.freeStay();
    const known = await partner.submittedCheckout();
    const workload = await bookingPartners(database.database, service.origin, newSeed(t), 2);
    // Guests who go on when the test has failed keep its process running for ever.
    t.after(() => workload.abandon());
    const fromMiB = await residentMiB(service);
    const load = await startLoad({ partner, stay, known, callers });
    const begin = performance.now();
    const isEnough = (): boolean => {
      const ms = performance.now() - begin;
      const booked = load.accepted.length >= bookingsAtLeast;
      return ms > (booked ? overloadMs.least : overloadMs.most);
    };
    let mostConnections = 0;
    let mostMiB = fromMiB ?? 0;
    while (!isEnough()) {
      mostConnections = Math.max(mostConnections, await connectionsInUse());
      mostMiB = Math.max(mostMiB, (await residentMiB(service)) ?? 0);
      assert.equal(await service.readiness(), 200, 'overload is no reason not to be ready');
      await sleep(100);
    }
    await load.stop();

    const overSince = performance.now();
    const booked = await partner.submittedCheckout();
    await partner.statusOnce(booked, ['confirmed'], recoveredWithinMs);
    const recoveredMs = performance.now() - overSince;
    assert.ok(recoveredMs < recoveredWithinMs, `recovered after ${recoveredMs} ms`);
    await eventually(async () => (await unresolved(load.accepted)) === 0, recoveredWithinMs);
    assert.deepEqual(await outcomesOf(database.database, workload), []);

    assert.deepEqual(load.withoutResponse, []);
    assert.equal(load.refusedConnections, 0);
    const refused = load.responses.filter(({ status }) => status >= 300);
    const served = load.responses.filter(({ status }) => status < 300);
    for (const response of refused) assertRefusal(response);
    assert.ok(refused.length > callers / 4, `only ${refused.length} were refused: no overload`);
    assert.ok(load.accepted.length >= bookingsAtLeast, `${load.accepted.length} bookings`);
    const kinds: readonly Kind[] = [
      'list',
      'search',
      'status',
      'quote',
      'create',
      'guest',
      'submit',
    ];
    for (const kind of kinds)
      assert.ok(
        served.some((response) => response.kind === kind),
        kind,
      );
    assert.ok(percentile(refused, 99) < refusedWithinMs, `${percentile(refused, 99)} ms`);
    assert.ok(percentile(served, 100) < respondedWithinMs, `${percentile(served, 100)} ms`);
    assert.ok(mostConnections > 0 && mostConnections <= connections, `${mostConnections}`);
    assert.ok(mostMiB - (fromMiB ?? 0) < mayGrowMiB, `from ${fromMiB} to ${mostMiB} MiB`);
    t.diagnostic(
      JSON.stringify({
        served: served.length,
        refused: refused.length,
        accepted: load.accepted.length,
        refusedMs: [50, 99, 100].map((hundredth) => Math.round(percentile(refused, hundredth))),
        servedMs: [50, 99, 100].map((hundredth) => Math.round(percentile(served, hundredth))),
        recoveredMs: Math.round(recoveredMs),
        mostConnections,
        fromMiB: Math.round(fromMiB ?? 0),
        mostMiB: Math.round(mostMiB),
      }),
    );
  });
});
