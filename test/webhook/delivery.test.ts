/** Events arrive at the endpoints of their application, signed, in order, and what came of it is kept. */
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { findWebhookDelivery, insertTestDelivery } from '../../src/webhooks/store/deliveries.ts';
import type { WebhookDelivery } from '../../src/webhooks/store/delivery-rows.ts';
import { deleteWebhookEndpoint } from '../../src/webhooks/store/endpoints.ts';
import { respond, Receiver } from '../harness/receiver.ts';
import { sql } from '../harness/rows.ts';
import { openWebhookSystem, type WebhookSystem } from './webhook-system.ts';

describe('delivery', () => {
  let webhookSystem: WebhookSystem;
  let receiver: Receiver;

  before(async () => {
    webhookSystem = await openWebhookSystem();
    webhookSystem.start();
  });
  beforeEach(async () => {
    receiver = await Receiver.start();
  });
  afterEach(() => receiver.close());
  after(() => webhookSystem.close());

  it('posts each event once to each endpoint, equal to the feed', async () => {
    const { applicationId } = await webhookSystem.endpoint(receiver.url('/one'));
    await webhookSystem.endpoint(receiver.url('/two'), { applicationId });
    await webhookSystem.happen(applicationId, 7);
    await webhookSystem.reaches(applicationId, 'delivered', 14);
    assert.deepEqual(receiver.sequences('/one').toSorted(), [1, 2, 3, 4, 5, 6, 7]);
    assert.deepEqual(receiver.sequences('/two').toSorted(), [1, 2, 3, 4, 5, 6, 7]);
    const [{ headers, body }] = receiver.arrivals as [(typeof receiver.arrivals)[0]];
    const event = JSON.parse(body) as Record<string, unknown>;
    assert.deepEqual(Object.keys(event), [
      'id',
      'type',
      'schemaVersion',
      'timestamp',
      'sequence',
      'data',
    ]);
    assert.equal(headers['webhook-id'], event['id']);
    assert.match(String(event['id']), /^evt_[0-9a-f]{32}$/);
    assert.equal(headers['content-type'], 'application/json');
    assert.equal(headers['user-agent'], 'Latchkey-Webhooks');
    assert.ok(Math.abs(Number(headers['webhook-timestamp']) - Date.now() / 1_000) < 60);
  });

  // Spec: WEBHOOK-9.
  it('begins with the first event after the endpoint was added', async () => {
    const applicationId = await webhookSystem.application();
    await webhookSystem.happen(applicationId, 3);
    await webhookSystem.endpoint(receiver.url(), { applicationId });
    await webhookSystem.happen(applicationId, 1);
    await webhookSystem.reaches(applicationId, 'delivered', 1);
    assert.deepEqual(receiver.sequences(), [4]);
  });

  it('sends only the chosen types', async () => {
    const { applicationId } = await webhookSystem.endpoint(receiver.url(), {
      eventTypes: ['checkout.resolved'],
    });
    await webhookSystem.happen(applicationId, 3, 'reservation.confirmed');
    await webhookSystem.happen(applicationId, 2, 'checkout.resolved');
    await webhookSystem.happen(applicationId, 3, 'reservation.confirmed');
    await webhookSystem.reaches(applicationId, 'delivered', 2);
    assert.deepEqual(receiver.sequences().toSorted(), [4, 5]);
  });

  it('skips thousands of events of other types', async () => {
    const { applicationId } = await webhookSystem.endpoint(receiver.url(), {
      eventTypes: ['checkout.resolved'],
    });
    await webhookSystem.happen(applicationId, 3_500, 'reservation.confirmed');
    await webhookSystem.happen(applicationId, 1, 'checkout.resolved');
    await webhookSystem.reaches(applicationId, 'delivered', 1);
    assert.deepEqual(receiver.sequences(), [3_501]);
  });

  it('starts attempts in the order of events, at most five in flight', async () => {
    receiver.reply = (response) => setTimeout(() => response.writeHead(204).end(), 5);
    const { applicationId } = await webhookSystem.endpoint(receiver.url());
    await webhookSystem.happen(applicationId, 200);
    await webhookSystem.reaches(applicationId, 'delivered', 200);
    assert.equal(receiver.mostOpen.get('/hook'), 5);
    // What is in flight together may overtake on its way; nothing overtakes by more.
    receiver.sequences().forEach((sequence, index) => {
      assert.ok(Math.abs(sequence - 1 - index) < 5, `${sequence} came at index ${index}`);
    });
  });

  it('stores the result of an attempt and two kilobytes of the response', async () => {
    receiver.reply = respond(200, { 'content-type': 'text/plain' }, 'x'.repeat(5_000));
    const { applicationId, endpointId } = await webhookSystem.endpoint(receiver.url());
    await webhookSystem.happen(applicationId);
    await webhookSystem.reaches(applicationId, 'delivered', 1);
    const [{ deliveryId }] = (await webhookSystem.deliveries(applicationId)) as [WebhookDelivery];
    const found = await findWebhookDelivery(webhookSystem.database, applicationId, deliveryId);
    assert.ok(found?.event);
    assert.equal(found.endpointId, endpointId);
    assert.equal(found.attempts, 1);
    assert.equal(found.nextAttemptAt, null);
    assert.ok(found.deliveredAt !== null);
    const [attempt, ...others] = found.attemptsMade;
    assert.deepEqual(others, []);
    assert.equal(attempt?.status, 200);
    assert.equal(attempt.error, null);
    assert.equal(attempt.response, 'x'.repeat(2_048));
    assert.equal(attempt.startedAt, found.lastAttemptAt);
    const sent = Number(receiver.arrivals[0]?.headers['webhook-timestamp']);
    assert.equal(Math.floor(attempt.startedAt / 1_000), sent);
  });

  // Spec: WEBHOOK-8.
  it('sends a test event without sequence, which is not in the feed', async () => {
    const { applicationId, endpointId } = await webhookSystem.endpoint(receiver.url());
    const data = { reference: 'LK-TEST' };
    const type = 'reservation.cancelled';
    const made = await insertTestDelivery(
      webhookSystem.database,
      applicationId,
      endpointId,
      type,
      data,
    );
    assert.equal(made?.test, true);
    await webhookSystem.reaches(applicationId, 'delivered', 1);
    const event = JSON.parse(receiver.arrivals[0]!.body) as Record<string, unknown>;
    assert.deepEqual(Object.keys(event), ['id', 'type', 'schemaVersion', 'timestamp', 'data']);
    assert.deepEqual(event['data'], data);
    assert.equal(event['type'], type);
    const events = await sql(
      webhookSystem.database,
      'SELECT FROM events WHERE application_id = $1',
      [applicationId],
    );
    assert.equal(events.length, 0);
  });

  // Spec: WEBHOOK-9.
  it('sends nothing for a suspended application until it is resumed', async () => {
    const { applicationId } = await webhookSystem.endpoint(receiver.url());
    const suspend = (at: string) =>
      sql(
        webhookSystem.database,
        `UPDATE applications SET suspended_at = ${at} WHERE application_id = $1`,
        [applicationId],
      );
    await suspend('now()');
    await webhookSystem.happen(applicationId, 2);
    const other = await webhookSystem.endpoint(receiver.url('/other'));
    await webhookSystem.happen(other.applicationId);
    await webhookSystem.reaches(other.applicationId, 'delivered', 1);
    assert.deepEqual(receiver.sequences(), []);
    await suspend('NULL');
    await webhookSystem.reaches(applicationId, 'delivered', 2);
  });

  it('removes a deleted endpoint and its deliveries at once', async () => {
    const { applicationId, endpointId } = await webhookSystem.endpoint(receiver.url());
    await webhookSystem.happen(applicationId);
    await webhookSystem.reaches(applicationId, 'delivered', 1);
    assert.ok(await deleteWebhookEndpoint(webhookSystem.database, applicationId, endpointId));
    assert.deepEqual(await webhookSystem.deliveries(applicationId), []);
    await webhookSystem.happen(applicationId);
    const other = await webhookSystem.endpoint(receiver.url('/other'));
    await webhookSystem.happen(other.applicationId);
    await webhookSystem.reaches(other.applicationId, 'delivered', 1);
    assert.deepEqual(receiver.sequences(), [1]);
  });

  it('finds events of another process within one poll', async () => {
    const apart = await openWebhookSystem();
    apart.start();
    const endpoint = await apart.endpoint(receiver.url());
    await sql(
      apart.database,
      `WITH counter AS (UPDATE event_counters SET last_sequence = 1 WHERE application_id = $1)
        INSERT INTO events (application_id, sequence, type, data, created_at)
        VALUES ($1, 1, 'reservation.confirmed', '{}', now())`,
      [endpoint.applicationId],
    );
    await receiver.receives(1);
    await apart.close();
  });
});
