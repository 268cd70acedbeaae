import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { commonPassword } from './common-password.ts';

const email = 'ines.carvalho@harbour.example';

suite('common passwords', () => {
  for (const password of [
    'password12345',
    'Passw0rd1234!',
    'passwordpassword',
    'P@$$w0rd2026!!',
    'mypassword2026',
    'qwertyuiop12',
    '1q2w3e4r5t6y'.replaceAll(/[a-z]/g, '0'),
    '123456789012',
    '111111111111',
    'abcabcabcabc',
    'abcdefghijkl',
    'Welcome2Latchkey',
    'Summer2026!!!',
    'ines.carvalho@harbour.example',
    'Ines.Carvalho1',
    'ines.carvalho2026',
  ]) {
    test(`${password} › is refused`, () => {
      assert.notEqual(commonPassword(password, email), null);
    });
  }

  for (const password of [
    'a long enough password',
    'quite another password',
    'correct horse battery staple',
    'm8Kd-27x!qPzr',
    'tide under the weir',
    'Schlüssel zum Häuschen',
    'пароль от домика у моря',
    'ines and the four lighthouses',
  ]) {
    test(`${password} › is taken`, () => {
      assert.equal(commonPassword(password, email), null);
    });
  }
});
