/** Metrics and health of processes with one role each, on a port of their own. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { serveMetrics, type Watched } from '../../src/program/metrics-server.ts';
import { makeDataFolders } from '../harness/data-folders.ts';
import { eventually } from '../harness/eventually.ts';
import type { Partner } from '../harness/partner.ts';
import { createTestDatabase, type TestDatabase } from '../harness/postgres.ts';
import { registerPartner } from '../harness/registration.ts';
import { freePort } from '../harness/free-port.ts';
import {
  launch,
  onDatabase,
  projectRoot,
  type ServiceProcess,
} from '../harness/service-process.ts';

const guide = readFileSync(path.join(projectRoot, 'docs/operators/metrics.md'), 'utf8');

/** A metric as Prometheus reads it: the value of each set of labels. */
type Samples = Map<string, number>;

const line = /^(?<name>[a-z][a-z0-9_]*)(?<labels>\{.*\})? (?<value>[^ ]+)$/;

function samplesOf(text: string): Samples {
  const samples: Samples = new Map();
  for (const row of text.split('\n')) {
    if (row === '' || row.startsWith('#')) continue;
    const { name, labels = '', value } = line.exec(row)?.groups ?? {};
    assert.ok(name, `not a sample: ${row}`);
    assert.ok(!samples.has(name + labels), `twice: ${row}`);
    samples.set(name + labels, Number(value));
  }
  return samples;
}

const count = 'latchkey_request_duration_seconds_count';

describe('metrics', () => {
  const folders: { clear(): Promise<void>; folder(): string }[] = [];
  let database: TestDatabase;
  let partner: Partner;
  const processes: Record<'api' | 'worker', ServiceProcess> = {} as never;
  const ports = { api: 0, worker: 0 };

  const get = (role: 'api' | 'worker', file: string): Promise<Response> =>
    fetch(`http://127.0.0.1:${ports[role]}${file}`);
  const read = async (role: 'api' | 'worker'): Promise<Samples> => {
    const response = await get(role, '/metrics');
    assert.equal(response.status, 200);
    assert.match(response.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/);
    return samplesOf(await response.text());
  };

  before(async () => {
    database = await createTestDatabase();
    for (const role of ['api', 'worker'] as const) {
      ports[role] = await freePort();
      const dataFolders = await makeDataFolders();
      folders.push(dataFolders);
      const env = {
        ...onDatabase(database),
        LATCHKEY_ROLES: role,
        LATCHKEY_METRICS_PORT: String(ports[role]),
      };
      processes[role] = await launch({ dataDir: dataFolders.folder(), env });
    }
    // A worker prints its welcome text, and listens on no port but that of the metrics.
    await processes.api.ready();
    await eventually(async () => (await get('worker', '/readyz').catch(() => null))?.ok ?? false);
    partner = await registerPartner(database.database, processes.api.origin);
  });
  after(async () => {
    await Promise.all(Object.values(processes).map((service) => service.stop()));
    await database.drop();
    for (const folder of folders) await folder.clear();
  });

  for (const role of ['api', 'worker'] as const) {
    it(`${role} › /healthz and /readyz respond, other paths are 404`, async () => {
      assert.deepEqual(await (await get(role, '/healthz')).json(), { status: 'alive' });
      assert.deepEqual(await (await get(role, '/readyz')).json(), { status: 'ready' });
      assert.equal((await get(role, '/v1/site')).status, 404);
    });
  }

  it('a process that starts is alive and not ready', async () => {
    let watched: Watched | null = null;
    const port = await freePort();
    const end = await serveMetrics({ host: '127.0.0.1', port, watched: () => watched });
    const statusOf = async (file: string): Promise<number> =>
      (await fetch(`http://127.0.0.1:${port}${file}`)).status;
    const all = () => Promise.all(['/healthz', '/readyz', '/metrics'].map(statusOf));
    try {
      assert.deepEqual(await all(), [200, 503, 503]);
      watched = {
        metrics: { contentType: 'text/plain', text: async () => '', stop: () => undefined },
        health: { readyCheck: async () => undefined, isStopping: () => false },
      };
      assert.deepEqual(await all(), [200, 200, 200]);
    } finally {
      await end();
    }
  });

  it('each process counts its own requests and tasks; both show the installation', async () => {
    const open = await partner.submittedCheckout();
    await partner.statusOnce(open, ['confirmed']);
    const api = await read('api');
    const submitted = 'operation="reservation.checkout.submit",status="202",code=""';
    assert.equal(api.get(`${count}{${submitted}}`), 1);
    const claimed = 'latchkey_task_duration_seconds_count{task="claim"}';
    assert.equal(api.get(claimed), undefined);
    assert.equal(api.get('latchkey_worker_slots'), 0);
    assert.equal(api.get('latchkey_events_total'), 2);
    assert.ok(api.get('latchkey_catalog_age_seconds')! < 60);

    const worker = await read('worker');
    assert.ok(worker.get(claimed)! > 0);
    const failed = processes.worker.log().filter(({ msg }) => msg.includes('task failed'));
    assert.equal(
      worker.get('latchkey_task_failures_total{task="claim"}'),
      0,
      JSON.stringify(failed),
    );
    assert.ok(worker.get('latchkey_task_last_success_timestamp_seconds{task="claim"}')! > 1e9);
    assert.equal(worker.get('latchkey_worker_slots'), 64);
    assert.equal(worker.get('latchkey_catalog_revision'), NaN, 'it has no homes in memory');
    assert.equal(worker.get('latchkey_events_total'), 2);
    assert.equal(worker.get(`${count}{${submitted}}`), undefined);
  });

  it('an outcome that is not known is counted, with its age', async () => {
    const open = await partner.submittedCheckout('uncertain');
    await partner.statusOnce(open, ['uncertain']);
    const worker = await read('worker');
    assert.equal(worker.get('latchkey_bookings_waiting{state="uncertain"}'), 1);
    assert.ok(worker.get('latchkey_bookings_oldest_seconds{state="uncertain"}')! > 0);
    assert.equal(worker.get('latchkey_bookings_waiting{state="pending"}'), 0);
  });

  it('a refused call is counted by its code', async () => {
    const response = await fetch(`${processes.api.origin}/v1/site`);
    assert.equal(response.status, 401);
    const labels = 'operation="distribution.site.get",status="401",code="unauthenticated"';
    assert.equal((await read('api')).get(`${count}{${labels}}`), 1);
    assert.equal(response.status, 401);
  });

  it('the guide explains each metric', async () => {
    const names = [...(await read('api')).keys(), ...(await read('worker')).keys()]
      .map((name) => name.replace(/\{.*/, '').replace(/_(bucket|sum|count)$/, ''))
      .filter((name) => name.startsWith('latchkey_'));
    const missing = [...new Set(names)].filter((name) => !guide.includes(`\`${name}\``));
    assert.deepEqual(missing, []);
  });
});
