/** Endpoints over time: changed, paused, resumed, replayed, their secrets rotated, their traces swept. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { findWebhookDelivery } from '../../src/webhooks/store/deliveries.ts';
import { listWebhookDeliveries } from '../../src/webhooks/store/delivery-lists.ts';
import {
  replayFailed,
  replayMissed,
  replayWebhookDelivery,
} from '../../src/webhooks/store/replays.ts';
import type { WebhookDelivery } from '../../src/webhooks/store/delivery-rows.ts';
import {
  deleteWebhookEndpoint,
  findWebhookEndpoint,
  listWebhookEndpoints,
  pauseWebhookEndpoint,
  resumeWebhookEndpoint,
  updateWebhookEndpoint,
} from '../../src/webhooks/store/endpoints.ts';
import {
  readWebhookSecrets,
  rotateWebhookSecret,
} from '../../src/webhooks/store/endpoint-secrets.ts';
import {
  exhaustEventless,
  sweepDeletedEndpoints,
  sweepDeliveries,
} from '../../src/webhooks/store/sweeps.ts';
import { portalLimits } from '../../src/contract/portal/limits.ts';
import { newWebhookSecret } from '../../src/platform/sending/signature.ts';
import { webhookMessage } from '../../src/webhooks/message.ts';
import { eventually } from '../harness/eventually.ts';
import { respond, Receiver } from '../harness/receiver.ts';
import { sql } from '../harness/rows.ts';
import type { OwnEndpoint } from '../harness/webhooks.ts';
import { openWebhookSystem, type WebhookSystem } from './webhook-system.ts';

describe('an endpoint', () => {
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

  const pause = ({ applicationId, endpointId }: OwnEndpoint) =>
    pauseWebhookEndpoint(webhookSystem.database, applicationId, endpointId);
  const resume = ({ applicationId, endpointId }: OwnEndpoint, missed: 'replay' | 'skip') =>
    resumeWebhookEndpoint(webhookSystem.database, applicationId, endpointId, missed);

  /** Waits until everything that could be sent has been: another endpoint has been served since. */
  async function settled(): Promise<void> {
    const other = await webhookSystem.endpoint(receiver.url('/other'));
    await webhookSystem.happen(other.applicationId);
    await webhookSystem.reaches(other.applicationId, 'delivered', 1);
  }

  it('is read as it was added, only by its own application', async () => {
    const own = await webhookSystem.endpoint(receiver.url(), { eventTypes: ['checkout.resolved'] });
    const stranger = await webhookSystem.application();
    const read = await webhookSystem.read(own);
    assert.equal(read.url, receiver.url());
    assert.deepEqual(read.eventTypes, ['checkout.resolved']);
    assert.deepEqual([read.state, read.stateReason, read.missed], ['active', null, 0]);
    const { database } = webhookSystem;
    assert.deepEqual(await listWebhookEndpoints(database, own.applicationId), [read]);
    assert.deepEqual(await listWebhookEndpoints(database, stranger), []);
    const { endpointId } = own;
    assert.equal(await findWebhookEndpoint(database, stranger, endpointId), undefined);
    assert.equal(await updateWebhookEndpoint(database, stranger, endpointId, {}), undefined);
    assert.equal(await pauseWebhookEndpoint(database, stranger, endpointId), undefined);
    assert.equal(await resumeWebhookEndpoint(database, stranger, endpointId, 'skip'), undefined);
    assert.equal(await readWebhookSecrets(database, stranger, endpointId), undefined);
    assert.equal(await rotateWebhookSecret(database, stranger, endpointId, 'x'), undefined);
    assert.equal(await replayMissed(database, stranger, endpointId), 0);
    assert.equal(await replayFailed(database, stranger, endpointId, 0), 0);
    assert.equal(await deleteWebhookEndpoint(database, stranger, endpointId), false);
  });

  it('changes only the given fields', async () => {
    const own = await webhookSystem.endpoint(receiver.url(), { eventTypes: ['checkout.resolved'] });
    const change = (named: Parameters<typeof updateWebhookEndpoint>[3]) =>
      updateWebhookEndpoint(webhookSystem.database, own.applicationId, own.endpointId, named);
    const described = await change({ description: 'ours' });
    assert.deepEqual(described?.eventTypes, ['checkout.resolved']);
    assert.equal(described?.url, receiver.url());
    const all = await change({ eventTypes: null });
    assert.equal(all?.eventTypes, null);
    assert.equal(all?.description, 'ours');
    const moved = await change({ url: receiver.url('/moved') });
    assert.equal(moved?.url, receiver.url('/moved'));
    await webhookSystem.happen(own.applicationId);
    await webhookSystem.reaches(own.applicationId, 'delivered', 1);
    assert.deepEqual(receiver.sequences('/moved'), [1]);
  });

  it('gets nothing while paused, and everything in order when resumed with replay', async () => {
    receiver.reply = (response) => setTimeout(() => response.writeHead(204).end(), 5);
    const own = await webhookSystem.endpoint(receiver.url());
    const paused = await pause(own);
    assert.deepEqual([paused?.state, paused?.stateReason], ['paused', 'by_hand']);
    await webhookSystem.happen(own.applicationId, 30);
    await settled();
    assert.deepEqual(receiver.sequences(), []);
    assert.equal((await webhookSystem.read(own)).missed, 30);
    const resumed = await resume(own, 'replay');
    assert.deepEqual([resumed?.state, resumed?.stateReason], ['active', null]);
    await webhookSystem.happen(own.applicationId, 1);
    await webhookSystem.reaches(own.applicationId, 'delivered', 31);
    receiver.sequences().forEach((sequence, index) => {
      assert.ok(Math.abs(sequence - 1 - index) < 5, `${sequence} came at index ${index}`);
    });
    assert.equal((await webhookSystem.read(own)).missed, 0);
  });

  // Spec: WEBHOOK-7.
  it('gets only new events when resumed without replay; the missed ones can be replayed', async () => {
    const own = await webhookSystem.endpoint(receiver.url());
    await webhookSystem.happen(own.applicationId, 2);
    await webhookSystem.reaches(own.applicationId, 'delivered', 2);
    await pause(own);
    await webhookSystem.happen(own.applicationId, 3);
    assert.equal((await resume(own, 'skip'))?.missed, 3);
    await webhookSystem.happen(own.applicationId, 1);
    await webhookSystem.reaches(own.applicationId, 'delivered', 3);
    // Once more: what was delivered in between is not sent again.
    await pause(own);
    await webhookSystem.happen(own.applicationId, 2);
    assert.equal((await resume(own, 'skip'))?.missed, 5);
    const { database } = webhookSystem;
    assert.equal(await replayMissed(database, own.applicationId, own.endpointId), 5);
    assert.equal((await webhookSystem.read(own)).missed, 0);
    await webhookSystem.reaches(own.applicationId, 'delivered', 8);
    assert.deepEqual(receiver.sequences().toSorted(), [1, 2, 3, 4, 5, 6, 7, 8]);
    assert.equal(await replayMissed(database, own.applicationId, own.endpointId), 0);
  });

  it('gets thousands of missed events, only of its types', async () => {
    const own = await webhookSystem.endpoint('http://127.0.0.1:1/', {
      eventTypes: ['checkout.resolved'],
    });
    await pause(own);
    await webhookSystem.happen(own.applicationId, 4_500, 'checkout.resolved');
    await webhookSystem.happen(own.applicationId, 100, 'reservation.changed');
    await resume(own, 'skip');
    await pause(own);
    const { database } = webhookSystem;
    assert.equal(await replayMissed(database, own.applicationId, own.endpointId), 4_500);
  });

  it('keeps its state when it is paused or resumed again', async () => {
    const own = await webhookSystem.endpoint(receiver.url());
    const first = await pause(own);
    const second = await pause(own);
    assert.equal(second?.stateSince, first?.stateSince);
    await resume(own, 'replay');
    const active = await webhookSystem.read(own);
    assert.deepEqual(await resume(own, 'skip'), active);
  });

  it('replays a failed delivery with a new series of attempts', async () => {
    receiver.reply = respond(500);
    const own = await webhookSystem.endpoint(receiver.url());
    await webhookSystem.happen(own.applicationId);
    await eventually(
      async () => (await webhookSystem.deliveries(own.applicationId))[0]?.attempts === 1,
    );
    const [delivery] = (await webhookSystem.deliveries(own.applicationId)) as [WebhookDelivery];
    await sql(
      webhookSystem.database,
      `UPDATE webhook_deliveries SET state = 'exhausted', attempts = 10, due_at = NULL
        WHERE delivery_id = $1`,
      [delivery.deliveryId],
    );
    receiver.reply = respond(204);
    const { applicationId } = own;
    const again = await replayWebhookDelivery(
      webhookSystem.database,
      applicationId,
      delivery.deliveryId,
    );
    assert.deepEqual([again?.state, again?.attempts], ['pending', 0]);
    await webhookSystem.reaches(applicationId, 'delivered', 1);
    // What was delivered can be sent again, too.
    await replayWebhookDelivery(webhookSystem.database, applicationId, delivery.deliveryId);
    await receiver.receives(3);
    await webhookSystem.reaches(applicationId, 'delivered', 1);
    const found = await findWebhookDelivery(
      webhookSystem.database,
      applicationId,
      delivery.deliveryId,
    );
    assert.deepEqual(
      found?.attemptsMade.map(({ number, error }) => [number, error]),
      [
        [1, 'status'],
        [2, null],
        [3, null],
      ],
    );
    const ids = new Set(receiver.arrivals.map(({ headers }) => headers['webhook-id']));
    assert.equal(ids.size, 1);
    assert.equal(
      await replayWebhookDelivery(
        webhookSystem.database,
        await webhookSystem.application(),
        delivery.deliveryId,
      ),
      undefined,
    );
  });

  it('replays all deliveries that failed since a time', async () => {
    receiver.reply = respond(500);
    const own = await webhookSystem.endpoint(receiver.url());
    await webhookSystem.happen(own.applicationId, 6);
    const failed = async () =>
      (await webhookSystem.deliveries(own.applicationId)).filter(
        ({ lastError }) => lastError !== null,
      );
    await eventually(async () => (await failed()).length === 6);
    await sql(
      webhookSystem.database,
      `UPDATE webhook_deliveries SET last_attempt_at = last_attempt_at - interval '1 day'
        WHERE endpoint_id = $1 AND sequence <= 2`,
      [own.endpointId],
    );
    await sql(
      webhookSystem.database,
      `UPDATE webhook_deliveries SET state = 'exhausted', due_at = NULL
        WHERE endpoint_id = $1 AND sequence > 3`,
      [own.endpointId],
    );
    receiver.reply = respond(204);
    const since = Date.now() - 3_600_000;
    const { applicationId, endpointId } = own;
    assert.equal(await replayFailed(webhookSystem.database, applicationId, endpointId, since), 4);
    await webhookSystem.reaches(applicationId, 'delivered', 4);
    assert.deepEqual(receiver.sequences().slice(-4).toSorted(), [3, 4, 5, 6]);
  });

  // Spec: WEBHOOK-2.
  it('signs with both secrets for a day after a rotation, then only with the new one', async () => {
    const own = await webhookSystem.endpoint(receiver.url());
    const { applicationId, endpointId } = own;
    const renewed = newWebhookSecret();
    const rotated = await rotateWebhookSecret(
      webhookSystem.database,
      applicationId,
      endpointId,
      renewed,
    );
    assert.equal(rotated?.secret, renewed);
    assert.equal(rotated?.previous?.secret, own.secret);
    const inHours = (rotated!.previous!.expiresAt - Date.now()) / 3_600_000;
    assert.ok(Math.abs(inHours - 24) < 0.1);
    await webhookSystem.happen(applicationId);
    const [first] = (await receiver.receives(1)) as [(typeof receiver.arrivals)[0]];
    for (const secret of [renewed, own.secret]) {
      new Webhook(secret).verify(first.body, first.headers as Record<string, string>);
    }
    await sql(
      webhookSystem.database,
      `UPDATE webhook_endpoints SET previous_secret_until = now() WHERE endpoint_id = $1`,
      [endpointId],
    );
    await webhookSystem.reaches(applicationId, 'delivered', 1);
    await webhookSystem.happen(applicationId);
    const [, second] = await receiver.receives(2);
    const headers = second!.headers as Record<string, string>;
    new Webhook(renewed).verify(second!.body, headers);
    assert.throws(() => new Webhook(own.secret).verify(second!.body, headers));
    const read = await readWebhookSecrets(webhookSystem.database, applicationId, endpointId);
    assert.deepEqual(read, { secret: renewed, previous: null });
    assert.equal((await webhookSystem.read(own)).previousSecretUntil, null);
  });

  it('stores its secret encrypted', async () => {
    const own = await webhookSystem.endpoint(receiver.url());
    const [row] = await sql<{ row: string }>(
      webhookSystem.database,
      `SELECT encode(secret_sealed, 'escape') || e::text AS row FROM webhook_endpoints e
        WHERE endpoint_id = $1`,
      [own.endpointId],
    );
    assert.ok(!row?.row.includes(own.secret.slice('whsec_'.length)));
  });

  it('can show a sent request again from the stored data', async () => {
    const own = await webhookSystem.endpoint(receiver.url());
    await webhookSystem.happen(own.applicationId);
    await webhookSystem.reaches(own.applicationId, 'delivered', 1);
    const [delivery] = (await webhookSystem.deliveries(own.applicationId)) as [WebhookDelivery];
    const { applicationId, endpointId } = own;
    const found = await findWebhookDelivery(
      webhookSystem.database,
      applicationId,
      delivery.deliveryId,
    );
    const secrets = await readWebhookSecrets(webhookSystem.database, applicationId, endpointId);
    const { eventId, type, sequence, event, lastAttemptAt } = found!;
    const kept = { eventId, type, sequence, ...event! };
    const again = webhookMessage(kept, [secrets!.secret], lastAttemptAt!);
    const [arrival] = receiver.arrivals;
    assert.equal(again.body, arrival?.body);
    for (const [name, value] of Object.entries(again.headers)) {
      assert.equal(arrival?.headers[name], value);
    }
  });

  it('lists its deliveries newest first, in pages, by endpoint, state and type', async () => {
    const own = await webhookSystem.endpoint(receiver.url());
    await webhookSystem.happen(own.applicationId, 5, 'checkout.resolved');
    await webhookSystem.happen(own.applicationId, 6, 'reservation.confirmed');
    await webhookSystem.reaches(own.applicationId, 'delivered', 11);
    const seen: WebhookDelivery[] = [];
    for (;;) {
      const last = seen.at(-1);
      const { deliveries: page } = await listWebhookDeliveries(
        webhookSystem.database,
        own.applicationId,
        {
          atMost: 4,
          before: last && { createdAt: last.createdAt, deliveryId: last.deliveryId },
        },
      );
      if (page.length === 0) break;
      seen.push(...page);
    }
    assert.equal(new Set(seen.map(({ deliveryId }) => deliveryId)).size, 11);
    const times = seen.map(({ createdAt }) => createdAt);
    assert.deepEqual(
      times,
      times.toSorted((a, b) => b - a),
    );
    const count = async (page: object) =>
      (await webhookSystem.deliveries(own.applicationId, page)).length;
    assert.equal(await count({ type: 'checkout.resolved' }), 5);
    assert.equal(await count({ state: 'exhausted' }), 0);
    assert.equal(await count({ endpointId: own.endpointId, state: 'delivered' }), 11);
  });

  it('scans 20,000 deliveries for a rare one, then returns a cursor to continue', async () => {
    const apart = await openWebhookSystem();
    const { applicationId, endpointId } = await apart.endpoint(receiver.url());
    // In parts, each of which a slow machine writes within the time of a statement.
    const part = 4_001;
    for (let from = 1; from < 20_005; from += part) {
      await sql(
        apart.database,
        `INSERT INTO webhook_deliveries (endpoint_id, application_id, event_type, sequence, state, due_at,
            created_at, delivered_at)
          SELECT $1, $2, CASE n WHEN 20005 THEN 'reservation.cancelled' ELSE 'checkout.resolved' END, n,
            'delivered', NULL, now() - make_interval(secs => n), now() FROM generate_series($3::integer, $4) n`,
        [endpointId, applicationId, from, from + part - 1],
      );
    }
    const question = { type: 'reservation.cancelled' as const, atMost: 1 };
    const first = await listWebhookDeliveries(apart.database, applicationId, question);
    assert.deepEqual(first.deliveries, []);
    const second = await listWebhookDeliveries(apart.database, applicationId, {
      ...question,
      atMost: 2,
      before: first.lookedUntil!,
    });
    assert.deepEqual(
      [second.deliveries.map(({ sequence }) => sequence), second.lookedUntil],
      [[20_005], null],
    );
    await apart.close();
  });

  it('counts a bounded number of missed events, and at least one if there may be more', async () => {
    const apart = await openWebhookSystem();
    const all = await apart.endpoint(receiver.url());
    const few = await apart.endpoint(receiver.url(), { eventTypes: ['reservation.cancelled'] });
    const atMost = portalLimits.missedCountedAtMost;
    for (const { applicationId, endpointId } of [all, few]) {
      await sql(
        apart.database,
        `INSERT INTO events (application_id, sequence, type, data, created_at)
          SELECT $1, n, 'checkout.resolved', '{}', now() FROM generate_series(1, $2::integer) n`,
        [applicationId, atMost + 5],
      );
      await sql(
        apart.database,
        'UPDATE event_counters SET last_sequence = $2 WHERE application_id = $1',
        [applicationId, atMost + 5],
      );
      await pauseWebhookEndpoint(apart.database, applicationId, endpointId);
    }
    assert.deepEqual([(await apart.read(all)).missed, (await apart.read(few)).missed], [atMost, 1]);
    await apart.close();
  });

  it('is removed in batches that read each delivery of its application once', async () => {
    const apart = await openWebhookSystem();
    const { database } = apart;
    const deleted = await apart.endpoint(receiver.url());
    const other = randomUUID();
    // Two of three deliveries are of another endpoint of the application.
    await sql(
      database,
      `INSERT INTO webhook_deliveries (application_id, endpoint_id, event_type, sequence, created_at)
        SELECT $1, CASE n % 3 WHEN 0 THEN $2::uuid ELSE $3::uuid END, 'checkout.resolved', n,
          date_trunc('milliseconds', now()) + make_interval(secs => n)
        FROM generate_series(1, 30) n`,
      [deleted.applicationId, deleted.endpointId, other],
    );
    await deleteWebhookEndpoint(database, deleted.applicationId, deleted.endpointId);
    const left = async () => {
      const [row] = await sql<{ own: number; others: number }>(
        database,
        `SELECT count(*) FILTER (WHERE endpoint_id = $1)::integer AS own,
          count(*) FILTER (WHERE endpoint_id = $2)::integer AS others FROM webhook_deliveries`,
        [deleted.endpointId, other],
      );
      return row;
    };
    assert.equal(await sweepDeletedEndpoints(database, 9), 9);
    assert.deepEqual(await left(), { own: 7, others: 20 }, 'nine were looked at');
    for (let round = 2; round <= 4; round += 1) await sweepDeletedEndpoints(database, 9);
    assert.deepEqual(await left(), { own: 0, others: 20 });
    assert.equal(await sweepDeletedEndpoints(database, 9), 0, 'the endpoint is gone');
    await apart.close();
  });

  it('leaves no rows thirty days later or after it was deleted', async () => {
    const apart = await openWebhookSystem();
    const count = async (table: string): Promise<number> => {
      const [row] = await sql<{ count: number }>(
        apart.database,
        `SELECT count(*)::integer AS count FROM ${table}`,
      );
      return row!.count;
    };
    const old = await apart.endpoint(receiver.url());
    const deleted = await apart.endpoint(receiver.url());
    const deliverer = apart.start();
    await apart.happen(old.applicationId, 4);
    await apart.happen(deleted.applicationId, 2);
    await apart.reaches(old.applicationId, 'delivered', 4);
    await apart.reaches(deleted.applicationId, 'delivered', 2);
    await deliverer.stop();
    const sweep = async () => {
      await exhaustEventless(apart.database, 30, 100);
      await sweepDeliveries(apart.database, 30, 100);
      await sweepDeletedEndpoints(apart.database, 100);
    };
    await sweep();
    assert.equal(await count('webhook_deliveries'), 6, 'young ones stay');
    // IDs carry the time at which they were made. One still waits, one waits for an event that is gone.
    await sql(
      apart.database,
      `WITH aged AS (
          UPDATE webhook_deliveries SET delivery_id = uuidv7(interval '-31 days'),
            created_at = now() - interval '31 days'
          WHERE endpoint_id = $1 RETURNING delivery_id
        )
        INSERT INTO webhook_attempts (delivery_id, number, started_at, duration_ms)
        SELECT delivery_id, 1, now(), 0 FROM aged`,
      [old.endpointId],
    );
    await sql(
      apart.database,
      `UPDATE webhook_deliveries SET state = 'pending', due_at = now(), delivered_at = NULL
        WHERE endpoint_id = $1 AND sequence <= 2`,
      [old.endpointId],
    );
    await sql(apart.database, `DELETE FROM events WHERE application_id = $1 AND sequence = 2`, [
      old.applicationId,
    ]);
    await deleteWebhookEndpoint(apart.database, deleted.applicationId, deleted.endpointId);
    await sweep();
    await sweep();
    const left = await apart.deliveries(old.applicationId);
    assert.deepEqual(
      left.map(({ sequence, state }) => [sequence, state]),
      [[1, 'retrying']],
    );
    assert.equal(await count('webhook_deliveries'), 1);
    assert.equal(await count('webhook_endpoints'), 1);
    await apart.close();
  });
});
