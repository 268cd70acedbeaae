/** What is damaged at one endpoint, or about one delivery, stops no other. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { Webhook } from 'standardwebhooks';
import {
  readWebhookSecrets,
  rotateWebhookSecret,
} from '../../src/webhooks/store/endpoint-secrets.ts';
import { newWebhookSecret } from '../../src/platform/sending/signature.ts';
import { eventually } from '../harness/eventually.ts';
import { respond, Receiver } from '../harness/receiver.ts';
import { sql } from '../harness/rows.ts';
import type { OwnEndpoint } from '../harness/webhooks.ts';
import { openWebhookSystem, type WebhookSystem } from './webhook-system.ts';

interface Line {
  message: string;
  details: Record<string, unknown>;
}

function keepErrors() {
  const lines: Line[] = [];
  const none = () => undefined;
  const error = (details: object, message: string) =>
    void lines.push({ message, details: details as Line['details'] });
  const of = (message: string) => lines.filter((line) => line.message === message);
  return { of, log: { info: none, warn: none, error } };
}

let webhookSystem: WebhookSystem;
let receiver: Receiver;
let errors: ReturnType<typeof keepErrors>;
/** Responds with the status that the test below makes PostgreSQL refuse. */
let teapot: Receiver;

beforeEach(async () => {
  webhookSystem = await openWebhookSystem();
  receiver = await Receiver.start();
  teapot = await Receiver.start(respond(418));
  errors = keepErrors();
});
afterEach(async () => {
  await webhookSystem.close();
  await receiver.close();
  await teapot.close();
});

describe('a webhook secret that cannot be decrypted', () => {
  const damage = ({ endpointId }: OwnEndpoint) =>
    sql(
      webhookSystem.database,
      `UPDATE webhook_endpoints SET secret_sealed = set_byte(secret_sealed, 20,
        get_byte(secret_sealed, 20) # 1) WHERE endpoint_id = $1`,
      [endpointId],
    );

  it('fails only the attempts of its endpoint', async () => {
    const broken = await webhookSystem.endpoint(receiver.url('/broken'));
    const healthy = await webhookSystem.endpoint(receiver.url('/healthy'));
    await damage(broken);
    await webhookSystem.happen(broken.applicationId, 3);
    await webhookSystem.happen(healthy.applicationId, 20);
    webhookSystem.start({ log: errors.log });
    await webhookSystem.reaches(healthy.applicationId, 'delivered', 20);
    await eventually(async () => errors.of('webhook secret cannot be read').length > 0);
    const { err, ...named } = errors.of('webhook secret cannot be read')[0]!.details;
    assert.ok(err instanceof Error);
    assert.deepEqual(named, {
      endpointId: broken.endpointId,
      applicationId: broken.applicationId,
    });
    await eventually(async () => (await webhookSystem.read(broken)).failingSince !== null);
    const [delivery] = await webhookSystem.deliveries(broken.applicationId);
    assert.equal(delivery!.lastError, 'secret_unreadable');
    assert.ok(delivery!.nextAttemptAt !== null, 'it is retried, and holds no lease meanwhile');
    assert.equal(receiver.sequences('/broken').length, 0);
  });

  it('is repaired by a rotation: the retries are signed only with the new secret', async () => {
    const broken = await webhookSystem.endpoint(receiver.url());
    const { applicationId, endpointId } = broken;
    await damage(broken);
    await webhookSystem.happen(applicationId, 2);
    webhookSystem.start({ log: errors.log });
    await eventually(async () => (await webhookSystem.read(broken)).failingSince !== null);
    const fresh = newWebhookSecret();
    const rotated = await rotateWebhookSecret(
      webhookSystem.database,
      applicationId,
      endpointId,
      fresh,
    );
    assert.deepEqual(rotated, { secret: fresh, previous: null });
    assert.deepEqual(
      await readWebhookSecrets(webhookSystem.database, applicationId, endpointId),
      rotated,
    );
    await webhookSystem.pass(broken, 3_600);
    await webhookSystem.reaches(applicationId, 'delivered', 2);
    const [{ headers, body }] = receiver.arrivals as [(typeof receiver.arrivals)[0]];
    assert.equal(String(headers['webhook-signature']).split(' ').length, 1);
    new Webhook(fresh).verify(body, headers as Record<string, string>);
  });
});

describe('the result of an attempt that PostgreSQL refuses', () => {
  it('exhausts only its delivery; the others are recorded', async () => {
    // Any permanent error does: here a row that a constraint does not take.
    await sql(
      webhookSystem.database,
      'ALTER TABLE webhook_attempts ADD CHECK (status IS DISTINCT FROM 418)',
    );
    const odd = await webhookSystem.endpoint(teapot.url());
    const healthy = await webhookSystem.endpoint(receiver.url());
    await webhookSystem.happen(odd.applicationId, 1);
    await webhookSystem.happen(healthy.applicationId, 60);
    webhookSystem.start({ log: errors.log });
    await webhookSystem.reaches(healthy.applicationId, 'delivered', 60);
    await webhookSystem.reaches(odd.applicationId, 'exhausted', 1);
    const [delivery] = await webhookSystem.deliveries(odd.applicationId);
    assert.equal(delivery!.lastError, 'unrecorded');
    assert.equal(delivery!.nextAttemptAt, null);
    const [line, ...more] = errors.of('webhook result cannot be recorded');
    assert.equal(line!.details['deliveryId'], delivery!.deliveryId);
    assert.match(String(line!.details['err']), /webhook_attempts/);
    assert.deepEqual(more, []);
    assert.equal(teapot.arrivals.length, 1);
    assert.equal(receiver.arrivals.length, 60);
    // What comes after it is served as before.
    await webhookSystem.happen(healthy.applicationId, 10);
    await webhookSystem.reaches(healthy.applicationId, 'delivered', 70);
  });
});
