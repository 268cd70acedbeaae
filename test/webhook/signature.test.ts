/** Signatures after the Standard Webhooks scheme, held against its published vector and others' libraries. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { newWebhookSecret, signWebhook } from '../../src/platform/sending/signature.ts';
import { webhookMessage } from '../../src/webhooks/message.ts';

const event = {
  eventId: '0190a5e0-d3f1-7a1b-b0f2-a1c2d3e4f506',
  type: 'reservation.confirmed',
  sequence: 7,
  data: { reference: 'LK-7Q2M8KPD', note: 'Zoë — 山田' },
  createdAt: Date.now(),
} as const;

/** What receivers verify with: the scheme's own library, and the one of its first author. */
const verifiers = [
  { name: 'standardwebhooks', verify: (secret: string) => new StandardWebhook(secret) },
  { name: 'svix', verify: (secret: string) => new SvixWebhook(secret) },
] as const;

const flipped = (text: string): string => text.replace(/.$/, (last) => (last === '}' ? ']' : '}'));

describe('a signature', () => {
  // Spec: WEBHOOK-1.
  it('equals the published test vector', () => {
    const signature = signWebhook(
      ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
      'msg_p5jXN8AQM9LWM0D4loKWxJek',
      1_614_265_330,
      '{"test": 2432232314}',
    );
    assert.equal(signature, 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
  });

  it('is made once per secret, in their order', () => {
    const secrets = [newWebhookSecret(), newWebhookSecret()];
    const alone = secrets.map((secret) => signWebhook([secret], 'evt_1', 1, '{}'));
    assert.equal(signWebhook(secrets, 'evt_1', 1, '{}'), alone.join(' '));
  });

  it('uses a secret of full entropy', () => {
    const made = new Set(Array.from({ length: 100 }, newWebhookSecret));
    assert.equal(made.size, 100);
    for (const secret of made) {
      assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
    }
  });

  for (const { name, verify } of verifiers) {
    describe(`verified with ${name}`, () => {
      it('is accepted', () => {
        const secret = newWebhookSecret();
        const { headers, body } = webhookMessage(event, [secret], Date.now());
        assert.doesNotThrow(() => verify(secret).verify(body, headers));
        const read = JSON.parse(body) as { id: string; sequence: number };
        assert.deepEqual([read.id, read.sequence], [headers['webhook-id'], 7]);
      });

      it('is accepted with both secrets during a rotation, and with no other', () => {
        const [now, previous, foreign] = [1, 2, 3].map(newWebhookSecret) as [
          string,
          string,
          string,
        ];
        const { headers, body } = webhookMessage(event, [now, previous], Date.now());
        verify(now).verify(body, headers);
        verify(previous).verify(body, headers);
        assert.throws(() => verify(foreign).verify(body, headers));
      });

      it('is refused with another body, another ID, another time, or six minutes late', () => {
        const secret = newWebhookSecret();
        const { headers, body } = webhookMessage(event, [secret], Date.now());
        const webhook = verify(secret);
        const later = String(Number(headers['webhook-timestamp']) + 1);
        assert.throws(() => webhook.verify(flipped(body), headers));
        assert.throws(() => webhook.verify(body, { ...headers, 'webhook-id': 'evt_2' }));
        assert.throws(() => webhook.verify(body, { ...headers, 'webhook-timestamp': later }));
        const late = webhookMessage(event, [secret], Date.now() - 6 * 60_000);
        assert.throws(() => webhook.verify(late.body, late.headers));
      });

      it('is accepted for any event content', () => {
        const secret = newWebhookSecret();
        fc.assert(
          fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (data) => {
            const { headers, body } = webhookMessage({ ...event, data }, [secret], Date.now());
            verify(secret).verify(body, headers);
          }),
          { numRuns: 100 },
        );
      });
    });
  }
});
