/** Webhooks in the partner's package: verified from raw bytes, and signed for tests. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { signWebhook, verifyWebhook, WebhookError } from '../../packages/partner/src/index.ts';
import { testWebhook } from '../../packages/partner/src/testing.ts';
import { newWebhookSecret } from '../../src/platform/sending/signature.ts';
import { webhookMessage } from '../../src/webhooks/index.ts';

const secret = newWebhookSecret();
const data = { checkoutId: '019a', state: 'confirmed', version: 2 } as never;
const now = Date.parse('2027-05-01T10:00:00Z');

const reasonOf = async (promise: Promise<unknown>): Promise<string> => {
  try {
    await promise;
    return 'genuine';
  } catch (error) {
    assert.ok(error instanceof WebhookError);
    return error.reason;
  }
};

suite('webhooks of the partner package', () => {
  test('a test event is genuine, as text and as bytes, by either secret of a rotation', async () => {
    const { body, headers } = await testWebhook({ type: 'checkout.resolved', data }, secret, now);
    const event = await verifyWebhook({ ...headers }, body, secret, now);
    assert.equal(event.id, headers['webhook-id']);
    const bytes = new TextEncoder().encode(body);
    await verifyWebhook(new Headers({ ...headers }), bytes, [newWebhookSecret(), secret], now);
  });

  test('a delivery of the service is genuine', async () => {
    const event = {
      eventId: '019ae2c1-0000-7000-8000-000000000000',
      type: 'reservation.confirmed',
      sequence: 3,
      createdAt: now,
      data: { reference: 'LK-1' },
    } as never;
    const { headers, body } = webhookMessage(event, [newWebhookSecret(), secret], now);
    await verifyWebhook(headers as never, body as string, secret, now);
  });

  test('refused: another secret, another body, an old or future time, missing headers', async () => {
    const { body, headers } = await testWebhook({ type: 'checkout.resolved', data }, secret, now);
    const verify = (changed: object, at = now, text = body, by = secret) =>
      reasonOf(verifyWebhook({ ...headers, ...changed }, text, by, at));
    assert.equal(await verify({}), 'genuine');
    assert.equal(await verify({}, now, body, newWebhookSecret()), 'signature');
    assert.equal(await verify({}, now, `${body} `), 'signature');
    assert.equal(await verify({}, now + 301_000), 'timestamp');
    assert.equal(await verify({}, now - 301_000), 'timestamp');
    assert.equal(await verify({ 'webhook-id': undefined }), 'headers');
    assert.equal(await verify({ 'webhook-id': 'evt_2' }), 'signature');
    assert.equal(await verify({ 'webhook-timestamp': 'now' }), 'timestamp');
    assert.equal(await verify({ 'webhook-signature': 'v1,%%% v2,abc' }), 'signature');
  });

  test('a signed body that is no JSON is refused', async () => {
    const headers = await signWebhook('no json', { id: 'evt_1', secret, now });
    assert.equal(await reasonOf(verifyWebhook({ ...headers }, 'no json', secret, now)), 'body');
  });
});
