/** No webhook is lost if the service is killed, its clock is wrong, or PostgreSQL is unavailable. */
import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { findWebhookDelivery } from '../../src/webhooks/store/deliveries.ts';
import { listWebhookDeliveries } from '../../src/webhooks/store/delivery-lists.ts';
import type { WebhookDelivery } from '../../src/webhooks/store/delivery-rows.ts';
import { eventually } from '../harness/eventually.ts';
import type { Partner } from '../harness/partner.ts';
import { respond, Receiver, silence } from '../harness/receiver.ts';
import { sql } from '../harness/rows.ts';
import { addEndpoint, passTime, writeEvents, type OwnEndpoint } from '../harness/webhooks.ts';
import { openTestSystem, type TestSystem } from './test-system.ts';
import { newFolder } from './new-folder.ts';

/** The statements of a delivery before or after which the service can be killed. */
const failpoints = [
  'after:list-active-endpoints:2',
  'before:claim-webhooks',
  'after:claim-webhooks',
  'after:claim-webhooks:2',
  'before:record-webhook-results',
  'after:record-webhook-results',
  'after:record-webhook-results:2',
] as const;

const leaseSeconds = 30;
const hour = 3_600_000;
const soonMs = 15_000;

describe('webhooks', () => {
  let system: TestSystem;
  let receiver: Receiver;
  let own: OwnEndpoint;
  let clockFile: string;

  before(async () => {
    clockFile = path.join(await newFolder(), 'shift');
    await writeFile(clockFile, '0');
    const preload = path.join(import.meta.dirname, 'shifted-clock.ts');
    system = await openTestSystem({
      env: {
        NODE_OPTIONS: `--import=${preload}`,
        LATCHKEY_TEST_CLOCK_FILE: clockFile,
      },
    });
  });
  beforeEach(async () => {
    receiver = await Receiver.start();
    const [partner] = (await system.partners()) as [Partner];
    own = await addEndpoint(system.database, partner.credentials.applicationId, receiver.url());
  });
  afterEach(() => receiver.close());
  after(async () => {
    await system.close();
    await rm(path.dirname(clockFile), { recursive: true, force: true });
  });

  const happen = (count: number): Promise<number> =>
    writeEvents(system.database, own.applicationId, count);

  const deliveries = async (state?: WebhookDelivery['state']): Promise<WebhookDelivery[]> => {
    const question = { atMost: 1_000, state };
    return (await listWebhookDeliveries(system.database, own.applicationId, question)).deliveries;
  };

  /** Ends the leases of stopped processes. */
  const endLeases = () => passTime(system.database, own.endpointId, leaseSeconds + 1);

  /** Waits until everything up to this sequence has arrived at least once and is recorded. */
  async function allDelivered(last: number): Promise<void> {
    await eventually(async () => {
      const { hasEnded, output } = system.service.process;
      assert.ok(!hasEnded, `the service has ended:\n${output}`);
      return (await deliveries('delivered')).length === last;
    }, soonMs);
    assert.equal(new Set(receiver.sequences()).size, last);
    for (const { body, headers } of receiver.arrivals) {
      new Webhook(own.secret).verify(body, headers as Record<string, string>);
    }
  }

  it('are attempted again after the lease when the service is killed between two steps', async () => {
    const { service } = system;
    await service.kill();
    let last = 0;
    for (const failpoint of failpoints) {
      last = await happen(12);
      await service.begin({ LATCHKEY_FAILPOINT: failpoint });
      const reached = await Promise.race([service.process.ended, sleep(20_000, null)]);
      assert.equal(reached?.signal, 'SIGKILL', `${failpoint} was not reached`);
      await endLeases();
    }
    await service.start();
    await allDelivered(last);
  });

  it('are attempted again when the service is killed during requests, but not before the lease ends', async () => {
    receiver.reply = silence;
    const last = await happen(8);
    // Only one attempt, because the endpoint is new.
    await receiver.receives(1, soonMs);
    await system.service.kill();
    receiver.reply = respond(204);
    await system.service.start();
    await eventually(async () => (await deliveries('delivered')).length === last - 1, soonMs);
    const [held] = await deliveries('pending');
    assert.equal(held?.sequence, 1, 'its lease has not ended');
    await endLeases();
    await allDelivered(last);
    const record = await findWebhookDelivery(system.database, own.applicationId, held.deliveryId);
    assert.deepEqual(
      record?.attemptsMade.map(({ error }) => error),
      ['interrupted', null],
    );
  });

  for (const shiftMs of [24 * hour, -24 * hour]) {
    it(`use PostgreSQL's clock if that of the service is ${shiftMs / hour} hours off`, async () => {
      receiver.reply = respond(500);
      await happen(1);
      await receiver.receives(1, soonMs);
      await writeFile(clockFile, String(shiftMs));
      system.service.process.kill('SIGUSR2');
      try {
        await eventually(async () => (await deliveries('retrying'))[0]?.attempts === 1);
        await sleep(2_000);
        assert.equal(receiver.arrivals.length, 1, 'five seconds are not over');
        receiver.reply = respond(204);
        const last = await happen(3);
        await passTime(system.database, own.endpointId, 6);
        await allDelivered(last);
        for (const { headers } of receiver.arrivals) {
          const off = Number(headers['webhook-timestamp']) * 1_000 - Date.now();
          assert.ok(Math.abs(off) < 60_000, `${off} ms off`);
        }
      } finally {
        await writeFile(clockFile, '0');
        system.service.process.kill('SIGUSR2');
      }
    });
  }

  it('continue when a killed PostgreSQL is back', async () => {
    receiver.reply = (response) => setTimeout(() => response.writeHead(204).end(), 20);
    const last = await happen(200);
    await receiver.receives(20, soonMs);
    await system.postgres.kill();
    await sleep(3_000);
    const meanwhile = receiver.arrivals.length;
    assert.ok(meanwhile < last, 'there is something left');
    await system.postgres.restart();
    // Claims or results that were in progress during the kill may be lost.
    await eventually(async () => (await deliveries('delivered')).length >= last - 10, soonMs);
    await endLeases();
    await allDelivered(last);
    assert.ok(receiver.arrivals.length <= last + 10, 'what was recorded is not sent again');
  });

  it('are recorded when the database is available again, and not sent twice', async () => {
    let answerNow = (): void => undefined;
    receiver.reply = (response) => (answerNow = () => response.writeHead(204).end());
    await happen(1);
    await receiver.receives(1, soonMs);
    system.proxy.refuse();
    system.proxy.cut();
    answerNow();
    await sleep(3_000);
    assert.equal((await deliveries('pending')).length, 1, 'nobody could write it down');
    system.proxy.restore();
    await allDelivered(1);
    assert.equal(receiver.arrivals.length, 1);
  });

  it('of a booking are sent at once, and equal the feed', async () => {
    const [, partner] = (await system.partners()) as [Partner, Partner];
    const { applicationId } = partner.credentials;
    own = await addEndpoint(system.database, applicationId, receiver.url());
    const open = await partner.readyCheckout();
    const terms = { termsVersion: open.quote.terms.version, termsAccepted: true as const };
    const body = { expectedVersion: 2, ...terms };
    await partner.succeed('reservation.checkout.submit', { ...open.at, body }, 202);
    await partner.statusOnce(open, ['confirmed']);
    await receiver.receives(2, soonMs);
    const { items } = await partner.succeed('reservation.event.list');
    const arrived = receiver.arrivals.map(
      ({ body: text }) => JSON.parse(text) as { sequence: number },
    );
    assert.deepEqual(
      arrived.toSorted((a, b) => a.sequence - b.sequence),
      items,
    );
    const [row] = await sql<{ count: number }>(
      system.database,
      `SELECT count(*)::integer AS count FROM webhook_attempts a JOIN webhook_deliveries d
        USING (delivery_id) WHERE d.endpoint_id = $1 AND a.error IS NULL`,
      [own.endpointId],
    );
    assert.ok(row!.count <= 2);
  });
});
