import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { suite, test } from 'node:test';
import { secretDigest } from '../platform/secret.ts';
import { keyIdOf, mintKey } from './application-key.ts';
import { environments, type Environment } from '../contract/wire.ts';

const names: Record<Environment, string> = { simulation: 'sandbox', test: 'test', live: 'live' };
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_-';

suite('application key', () => {
  for (const environment of environments) {
    // Spec: ACCESS-3.
    test(`${environment} › lk_${names[environment]}_<key id>_<secret>_<checksum>`, () => {
      const { keyId, applicationKey } = mintKey(environment);
      const parts = applicationKey.split('_');
      assert.deepEqual(parts.slice(0, 3), ['lk', names[environment], keyId]);
      assert.equal(parts.length, 5);
      // 256 bits need 43 base62 characters.
      assert.match(parts[3]!, /^[0-9A-Za-z]{43}$/);
      assert.match(parts[4]!, /^[0-9A-Za-z]{6}$/);
      assert.equal(keyIdOf(applicationKey, environment), keyId);
    });

    test(`${environment} › is refused in another environment, also with the environment name replaced`, () => {
      const { applicationKey } = mintKey(environment);
      for (const other of environments.filter((one) => one !== environment)) {
        assert.equal(keyIdOf(applicationKey, other), null);
        const renamed = applicationKey.replace(names[environment], names[other]);
        assert.equal(keyIdOf(renamed, other), null, 'the checksum covers the environment');
      }
    });
  }

  test('the stored digest is the SHA-256 of the whole key', () => {
    const { applicationKey, digest } = mintKey('simulation');
    assert.deepEqual(digest, createHash('sha256').update(applicationKey).digest());
    assert.deepEqual(secretDigest(applicationKey), digest);
    assert.equal(digest.length, 32);
  });

  test('no two keys share their ID or their secret', () => {
    const keys = Array.from({ length: 500 }, () => mintKey('simulation').applicationKey.split('_'));
    assert.equal(new Set(keys.map((parts) => parts[2])).size, keys.length);
    assert.equal(new Set(keys.map((parts) => parts[3])).size, keys.length);
    // All 62 characters occur in the secrets, so the base is 62.
    assert.equal(new Set(keys.flatMap((parts) => [...parts[3]!])).size, 62);
  });

  test('the checksum detects a change of any one character', () => {
    const { applicationKey } = mintKey('simulation');
    for (let at = 0; at < applicationKey.length; at += 1) {
      for (const letter of alphabet) {
        if (letter === applicationKey[at]) continue;
        const changed = applicationKey.slice(0, at) + letter + applicationKey.slice(at + 1);
        assert.equal(keyIdOf(changed, 'simulation'), null, changed);
      }
    }
  });

  test('the checksum detects two swapped neighbouring characters', () => {
    for (let nth = 0; nth < 50; nth += 1) {
      const { applicationKey } = mintKey('simulation');
      for (let at = 0; at + 1 < applicationKey.length; at += 1) {
        const [one, two] = [applicationKey[at]!, applicationKey[at + 1]!];
        if (one === two) continue;
        const changed = applicationKey.slice(0, at) + two + one + applicationKey.slice(at + 2);
        assert.equal(keyIdOf(changed, 'simulation'), null, changed);
      }
    }
  });

  test('refuses any other text without throwing', () => {
    const { applicationKey } = mintKey('simulation');
    const near = [
      '',
      'lk',
      'lk_sandbox',
      applicationKey.slice(0, -1),
      `${applicationKey}0`,
      ` ${applicationKey}`,
      `${applicationKey}\n`,
      applicationKey.toLowerCase(),
      applicationKey.replaceAll('_', '-'),
      applicationKey.replace('lk_', 'LK_'),
    ];
    for (const text of near) assert.equal(keyIdOf(text, 'simulation'), null, text);
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        assert.equal(keyIdOf(text, 'simulation'), null);
        assert.equal(keyIdOf(`lk_sandbox_${text}`, 'simulation'), null);
      }),
    );
  });
});
