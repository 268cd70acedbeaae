import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { macWith } from './vault.ts';

suite('macWith', () => {
  test('is HMAC-SHA256 as OpenSSL computes it', () => {
    const keys = fc.uint8Array({ maxLength: 64 }).map((bytes) => Buffer.from(bytes));
    fc.assert(
      fc.property(keys, fc.string({ unit: 'grapheme', maxLength: 300 }), (key, text) => {
        assert.deepEqual(macWith(key)(text), createHmac('sha256', key).update(text).digest());
      }),
    );
  });
});
