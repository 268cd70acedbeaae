import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Stripe } from 'stripe';
import { type FailureKind, failureOf } from './failure.ts';

const { errors } = Stripe;
type Raw = ConstructorParameters<typeof errors.StripeError>[0];

const errorOf = (raw: object): Error => errors.StripeError.generate(raw as NonNullable<Raw>);

const cases: readonly (readonly [name: string, error: Error, kind: FailureKind, code?: string])[] =
  [
    [
      'a declined card',
      errorOf({
        statusCode: 402,
        type: 'card_error',
        code: 'card_declined',
        decline_code: 'lost_card',
      }),
      'declined',
      'lost_card',
    ],
    [
      'an expired card',
      errorOf({ statusCode: 402, type: 'card_error', code: 'expired_card' }),
      'declined',
      'expired_card',
    ],
    [
      'a wrong request',
      errorOf({ statusCode: 400, type: 'invalid_request_error', code: 'amount_too_small' }),
      'invalid',
      'amount_too_small',
    ],
    [
      'an unknown object',
      errorOf({ statusCode: 404, type: 'invalid_request_error', code: 'resource_missing' }),
      'invalid',
      'resource_missing',
    ],
    ['a wrong key', errorOf({ statusCode: 401, type: 'invalid_request_error' }), 'not_authorized'],
    [
      'a missing permission',
      errorOf({ statusCode: 403, type: 'invalid_request_error' }),
      'not_authorized',
    ],
    ['too many calls', errorOf({ statusCode: 429, type: 'invalid_request_error' }), 'busy'],
    [
      'a lock that another call holds',
      errorOf({ statusCode: 409, type: 'invalid_request_error', code: 'lock_timeout' }),
      'busy',
      'lock_timeout',
    ],
    [
      'a key in use',
      errorOf({ statusCode: 409, type: 'idempotency_error', code: 'idempotency_key_in_use' }),
      'busy',
      'idempotency_key_in_use',
    ],
    [
      'a key with other parameters',
      errorOf({ statusCode: 400, type: 'idempotency_error' }),
      'kept',
    ],
    ['a 500', errorOf({ statusCode: 500, type: 'api_error' }), 'kept'],
    ['a 503', errorOf({ statusCode: 503, type: 'api_error' }), 'unavailable'],
    [
      'a 503 that the provider keeps under the key',
      errorOf({
        statusCode: 503,
        type: 'api_error',
        headers: { 'idempotent-replayed': 'true' },
      }),
      'kept',
    ],
    [
      'an answer that is no JSON',
      new errors.StripeAPIError({ message: 'Invalid JSON' } as Raw),
      'lost',
    ],
    ['a cut connection', new errors.StripeConnectionError({ message: 'cut' } as Raw), 'lost'],
    ['an error of a later class', errorOf({ statusCode: 418, type: 'teapot_error' }), 'lost'],
  ];

describe('errors of the card provider', () => {
  for (const [name, error, kind, code = null] of cases) {
    test(`${name}: ${kind}`, () => {
      assert.deepEqual(failureOf(error), { kind, code, payment: null });
    });
  }

  test('an error of our own code is thrown again', () => {
    assert.throws(() => failureOf(new TypeError('wrong code')), TypeError);
  });
});
