/** A stop during many calls: each sent call gets a response, and acknowledged data is stored. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startLoad } from '../faults/load.ts';
import { eventually } from '../harness/eventually.ts';
import type { OpenCheckout, Partner } from '../harness/partner.ts';
import { createTestDatabase, type TestDatabase } from '../harness/postgres.ts';
import { registerPartner } from '../harness/registration.ts';
import { sql } from '../harness/rows.ts';
import { freePort } from '../harness/free-port.ts';
import { launch, onDatabase, type ServiceProcess } from '../harness/service-process.ts';
import { makeDataFolders } from '../harness/data-folders.ts';

const stoppedWithinMs = 10_000;
const callers = 200;
/** For how long after the signal the slow submit is held up. */
const heldUpMs = 1_500;

const dataFolders = await makeDataFolders();

describe('a stop under load', () => {
  let database: TestDatabase;
  let port: number;
  let partner: Partner;
  let service: ServiceProcess;

  const start = async (): Promise<ServiceProcess> => {
    const env = { ...onDatabase(database), LATCHKEY_LOG_LEVEL: 'warn' };
    const started = await launch({ dataDir: dataFolders.folder(), env, port });
    return started.ready();
  };

  before(async () => {
    database = await createTestDatabase();
    port = await freePort();
    service = await start();
    partner = await registerPartner(database.database, service.origin);
  });
  after(async () => {
    await service.stop();
    await database.drop();
    await dataFolders.clear();
  });

  /** Submits a checkout whose row is locked; resolves when the submit waits for the lock. */
  async function heldSubmit({ quote, created, at }: OpenCheckout) {
    const held = Promise.withResolvers<void>();
    const locked = Promise.withResolvers<void>();
    const lock = 'SELECT 1 FROM bookings WHERE booking_id = $1 FOR UPDATE';
    const holding = database.database.transaction(async (executor) => {
      await sql(executor, lock, [created.checkoutId]);
      locked.resolve();
      await held.promise;
    });
    await locked.promise;
    const termsVersion = quote.terms.version;
    const body = { expectedVersion: 2, termsVersion, termsAccepted: true as const };
    const response = partner.call('reservation.checkout.submit', { ...at, body });
    await eventually(async () => {
      const waiting = `SELECT 1 FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      return (await sql(database.database, waiting)).length > 0;
    }, 20_000);
    return {
      response,
      async letGo() {
        held.resolve();
        await holding;
      },
    };
  }

  /** Those that are not stored as confirmed. */
  async function unresolvedOf(checkoutIds: readonly string[]): Promise<string[]> {
    const text = `SELECT booking_id AS id FROM bookings
      WHERE booking_id = ANY($1::uuid[]) AND state = 'confirmed'`;
    const rows = await sql<{ id: string }>(database.database, text, [checkoutIds]);
    const confirmed = new Set(rows.map(({ id }) => id));
    return checkoutIds.filter((id) => !confirmed.has(id));
  }

  /** The booking, if it has no outcome and nobody but the process that has ended may work on it. */
  const leasedOf = (checkoutId: string) =>
    sql(
      database.database,
      `SELECT state, due_at FROM bookings WHERE booking_id = $1 AND state <> 'confirmed' AND due_at > now()`,
      [checkoutId],
    );

  it('responds to every call, slow ones too, ends in time, and loses nothing', async (t) => {
    const stay = await partner.freeStay();
    const known = await partner.submittedCheckout();
    const slow = await partner.readyCheckout();
    const idle = connect(port, '127.0.0.1').on('error', () => undefined);
    await once(idle, 'connect');
    const idleIsClosed = once(idle, 'close');
    const load = await startLoad({ partner, stay, known, callers });
    await eventually(async () => load.accepted.length > callers / 4, 60_000);

    const submit = await heldSubmit(slow);
    const toldAt = performance.now();
    service.kill('SIGTERM');
    await sleep(heldUpMs);
    await submit.letGo();
    assert.equal((await submit.response).status, 202);
    assert.deepEqual(await service.ended, { code: 0, signal: null });
    const ms = performance.now() - toldAt;
    assert.ok(ms < stoppedWithinMs, `it took ${ms} ms`);
    await load.stop();
    await idleIsClosed;
    // Not left to the next start with a lease, for whose end it would have to wait.
    assert.deepEqual(await leasedOf(slow.created.checkoutId), []);

    assert.deepEqual(load.withoutResponse, []);
    const odd = load.responses.filter(({ status }) => status >= 300);
    assert.deepEqual(odd, []);
    const last = load.responses.filter(({ headers }) => headers.get('connection') === 'close');
    assert.equal(load.refusedConnections, last.length);
    t.diagnostic(
      `${load.responses.length} responses, ${last.length} of them the last of their connection, in ${ms} ms`,
    );

    service = await start();
    const accepted = [...load.accepted, slow.created.checkoutId];
    await eventually(async () => (await unresolvedOf(accepted)).length === 0, 20_000);
  });
});
