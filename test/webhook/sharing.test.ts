/** Several workers at the same endpoints, and workers that are gone: leases, fences, and never more than five. */
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { claimWebhooks, type ClaimRules } from '../../src/webhooks/store/claims.ts';
import { findWebhookDelivery } from '../../src/webhooks/store/deliveries.ts';
import { recordWebhookResults, type WebhookResult } from '../../src/webhooks/store/results.ts';
import { eventually } from '../harness/eventually.ts';
import { Receiver } from '../harness/receiver.ts';
import { sql } from '../harness/rows.ts';
import type { OwnEndpoint } from '../harness/webhooks.ts';
import { openWebhookSystem, type WebhookSystem } from './webhook-system.ts';

const rules: ClaimRules = { inFlight: 5, inFlightFailing: 1, leaseSeconds: 30, windowDays: 30 };
const atUrl = 'http://127.0.0.1:1/';

describe('several workers', () => {
  let webhookSystem: WebhookSystem;
  let receiver: Receiver;

  before(async () => {
    webhookSystem = await openWebhookSystem();
  });
  beforeEach(async () => {
    receiver = await Receiver.start();
  });
  afterEach(() => receiver.close());
  after(() => webhookSystem.close());

  const claim = ({ endpointId }: OwnEndpoint, atMost = 5) =>
    claimWebhooks(webhookSystem.database, new Map([[endpointId, atMost]]), rules);

  const delivered = (deliveryId: string, fence: number): WebhookResult => ({
    deliveryId,
    fence,
    state: 'delivered',
    retryInSeconds: null,
    durationMs: 7,
    status: 200,
    error: null,
    response: null,
  });

  it('claim at most five deliveries of an endpoint, however many claim concurrently', async () => {
    const own = await webhookSystem.endpoint(atUrl);
    await webhookSystem.happen(own.applicationId, 100);
    for (let round = 0; round < 20; round += 1) {
      const claimed = await Promise.all(Array.from({ length: 8 }, () => claim(own)));
      const claims = claimed.flatMap((one) => one.claims);
      const [row] = await sql<{ count: number }>(
        webhookSystem.database,
        `SELECT count(*)::integer AS count FROM webhook_deliveries WHERE endpoint_id = $1 AND leased`,
        [own.endpointId],
      );
      assert.ok(row!.count <= 5, `${row!.count} at once`);
      const results = claims.map(({ deliveryId, fence }) => delivered(deliveryId, fence));
      await recordWebhookResults(webhookSystem.database, results, 5);
    }
    const sent = await webhookSystem.deliveries(own.applicationId, { state: 'delivered' });
    assert.ok(sent.length >= 20, 'every round has got somewhere');
    assert.equal(new Set(sent.map(({ eventId }) => eventId)).size, sent.length);
  });

  it('together have five in flight, and send each delivery once and in order', async () => {
    receiver.reply = (response) => setTimeout(() => response.writeHead(204).end(), 10);
    const own = await webhookSystem.endpoint(receiver.url());
    const workers = [webhookSystem.start(), webhookSystem.start(), webhookSystem.start()];
    const last = await webhookSystem.happen(own.applicationId, 150);
    await webhookSystem.reaches(own.applicationId, 'delivered', last);
    assert.equal(receiver.mostOpen.get('/hook'), 5);
    assert.deepEqual(
      receiver.sequences().toSorted((a, b) => a - b),
      Array.from({ length: last }, (_, n) => n + 1),
    );
    receiver.sequences().forEach((sequence, index) => {
      assert.ok(Math.abs(sequence - 1 - index) < 10, `${sequence} came at index ${index}`);
    });
    await Promise.all(workers.map((worker) => worker.stop()));
  });

  it('claim a leased delivery only after the lease has ended', async () => {
    const own = await webhookSystem.endpoint(atUrl);
    await webhookSystem.happen(own.applicationId, 2);
    const first = await claim(own);
    assert.equal(first.claims.length, 2);
    assert.deepEqual((await claim(own)).claims, []);
    await webhookSystem.pass(own, 31);
    const second = await claim(own);
    assert.deepEqual(
      second.claims.map(({ deliveryId }) => deliveryId).toSorted(),
      first.claims.map(({ deliveryId }) => deliveryId).toSorted(),
    );
    const [lost] = second.claims;
    const { applicationId } = own;
    const found = await findWebhookDelivery(
      webhookSystem.database,
      applicationId,
      lost!.deliveryId,
    );
    assert.deepEqual(
      found?.attemptsMade.map(({ number, error }) => [number, error]),
      [[1, 'interrupted']],
    );
    assert.equal(lost!.failedAttempts, 0, 'a crash is not held against the endpoint');
  });

  it('write nothing after losing the lease', async () => {
    const own = await webhookSystem.endpoint(atUrl);
    await webhookSystem.happen(own.applicationId);
    const [early] = (await claim(own)).claims;
    await webhookSystem.pass(own, 31);
    const [late] = (await claim(own)).claims;
    await recordWebhookResults(
      webhookSystem.database,
      [delivered(early!.deliveryId, early!.fence)],
      5,
    );
    assert.equal((await webhookSystem.deliveries(own.applicationId))[0]?.state, 'pending');
    await recordWebhookResults(
      webhookSystem.database,
      [delivered(late!.deliveryId, late!.fence)],
      5,
    );
    assert.equal((await webhookSystem.deliveries(own.applicationId))[0]?.state, 'delivered');
    await recordWebhookResults(
      webhookSystem.database,
      [delivered(late!.deliveryId, late!.fence)],
      5,
    );
    const { deliveryId } = late!;
    const found = await findWebhookDelivery(webhookSystem.database, own.applicationId, deliveryId);
    assert.deepEqual(
      found?.attemptsMade.map(({ number, error }) => [number, error]),
      [
        [1, 'interrupted'],
        [2, null],
      ],
    );
  });

  it('take over the deliveries of a stopped worker', async () => {
    receiver.reply = () => undefined;
    const own = await webhookSystem.endpoint(receiver.url());
    const first = webhookSystem.start();
    await webhookSystem.happen(own.applicationId);
    await receiver.receives(1);
    await first.stop();
    receiver.reply = (response) => response.writeHead(204).end();
    webhookSystem.start();
    await webhookSystem.pass(own, 31);
    await eventually(async () => receiver.arrivals.length === 2, 10_000);
    await webhookSystem.reaches(own.applicationId, 'delivered', 1);
  });
});
