import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RefusalError } from '../contract/errors.ts';
import { hashPassword, isPassword } from './password.ts';

test('a password › is found by its hash, which has its parameters and never repeats', async () => {
  const [one, two] = await Promise.all([hashPassword('Schlüssel'), hashPassword('Schlüssel')]);
  assert.match(one, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  assert.notEqual(one, two);
  assert.equal(await isPassword('Schlüssel'.normalize('NFD'), one, 'stranger'), true);
  assert.equal(await isPassword('schlüssel', one, 'stranger'), false);
  assert.equal(await isPassword('', null, 'stranger'), false);
});

test('a password › many at once of strangers are refused, and keep nobody else out', async () => {
  const results = Promise.allSettled(
    Array.from({ length: 40 }, () => isPassword('x', null, 'stranger')),
  );
  assert.equal(await isPassword('x', null, 'known'), false);
  const refused = (await results).flatMap((result) =>
    'reason' in result ? [result.reason as unknown] : [],
  );
  assert.equal(refused.length, 7);
  assert.ok(refused.every((reason) => reason instanceof RefusalError));
});
