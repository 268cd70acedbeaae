/** Killed between the receiver's 2xx and the mark: the reservation is sent again, with the same webhook-id. */
import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { makeDataFolders } from '../harness/data-folders.ts';
import { withDatabaseOf } from '../harness/embedded.ts';
import { eventually } from '../harness/eventually.ts';
import { Receiver } from '../harness/receiver.ts';
import { idsOf, recordsEnv, verifiedRecord, versionsOf } from '../harness/records.ts';
import { registerPartner } from '../harness/registration.ts';
import { sql } from '../harness/rows.ts';
import { serve } from '../harness/service-process.ts';

const dataFolders = await makeDataFolders();
const receiver = await Receiver.start();
after(async () => {
  await dataFolders.clear();
  await receiver.close();
});

it('is sent again with the same webhook-id, and is ready then', async () => {
  const dataDir = await dataFolders.usedFolder();
  const env = recordsEnv(receiver);
  const killed = await serve({
    dataDir,
    env: { ...env, LATCHKEY_FAILPOINT: 'before:write-record-results' },
  });
  await withDatabaseOf(dataDir, async (database) => {
    const partner = await registerPartner(database, killed.origin);
    await partner.submittedCheckout();
  });
  assert.deepEqual(await killed.ended, { code: null, signal: 'SIGKILL' });
  assert.equal(receiver.arrivals.length, 1);

  const service = await serve({ dataDir, env });
  await withDatabaseOf(dataDir, async (database) => {
    const rows = () =>
      sql<{ materialized_at: number | null; records_attempts: number; is_leased: boolean }>(
        database,
        `SELECT materialized_at, records_attempts, records_due_at > now() AS is_leased
          FROM reservations`,
      );
    assert.deepEqual(await rows(), [
      { materialized_at: null, records_attempts: 1, is_leased: true },
    ]);
    // The lease of the killed process would end by itself, 30 seconds after its claim.
    await sql(database, 'UPDATE reservations SET records_due_at = now()');
    await eventually(async () => (await rows())[0]!.materialized_at !== null, 10_000);
    assert.equal((await rows())[0]!.records_attempts, 2);
  });
  const [first, second, ...more] = receiver.arrivals;
  assert.deepEqual(more, []);
  const record = verifiedRecord(first!);
  assert.deepEqual(verifiedRecord(second!), record);
  assert.deepEqual(versionsOf(receiver.arrivals), [
    `${record.reference}-1`,
    `${record.reference}-1`,
  ]);
  await service.stop();
});

it('a record of a payment is sent again with the same webhook-id', async () => {
  receiver.arrivals.length = 0;
  const dataDir = await dataFolders.usedFolder();
  const env = recordsEnv(receiver);
  const first = await serve({ dataDir, env });
  await withDatabaseOf(dataDir, async (database) => {
    const partner = await registerPartner(database, first.origin);
    const open = await partner.submittedCheckout();
    await partner.statusOnce(open, ['confirmed']);
  });
  await first.stop();
  const killed = await serve({
    dataDir,
    env: { ...env, LATCHKEY_FAILPOINT: 'before:write-payment-record-result' },
  });
  await withDatabaseOf(dataDir, (database) =>
    sql(
      database,
      `INSERT INTO payment_records (application_id, checkout_id, kind, name, amount_minor, currency, happened_at)
        SELECT application_id, booking_id, 'collected', 'captured pi_1', 18000, 'EUR', now() FROM reservations LIMIT 1`,
    ),
  ).catch(() => undefined);
  assert.deepEqual(await killed.ended, { code: null, signal: 'SIGKILL' });
  const service = await serve({ dataDir, env });
  const payments = () =>
    receiver.arrivals.filter(({ body }) => body.includes('"latchkey-payment/1"'));
  await withDatabaseOf(dataDir, async (database) => {
    await sql(database, 'UPDATE payment_records SET due_at = now() WHERE due_at IS NOT NULL');
    const waiting = () => sql(database, 'SELECT FROM payment_records WHERE due_at IS NOT NULL');
    await eventually(async () => (await waiting()).length === 0, 10_000);
  });
  const [one, two, ...more] = payments();
  assert.deepEqual(more, []);
  assert.equal(one!.body, two!.body);
  assert.match(one!.body, /"sequence":1,/);
  const [id, again] = idsOf(payments());
  assert.equal(id, again);
  await service.stop();
});
