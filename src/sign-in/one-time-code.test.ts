import assert from 'node:assert/strict';
import { test } from 'node:test';
import { base32, codeOf, factorUrl, stepAt, stepOfCode } from './one-time-code.ts';

const secret = Buffer.from('12345678901234567890');

// RFC 6238, appendix B: the last six of its eight digits.
const vectors: [seconds: number, code: string][] = [
  [59, '287082'],
  [1111111109, '081804'],
  [1111111111, '050471'],
  [1234567890, '005924'],
  [2000000000, '279037'],
  [20000000000, '353130'],
];
for (const [seconds, code] of vectors) {
  test(`a one-time code › of second ${seconds}`, () => {
    assert.equal(codeOf(secret, stepAt(seconds * 1_000)), code);
  });
}

test('a one-time code › counts in its step and the steps beside it', () => {
  const now = 1_234_567_890_000;
  const steps = [-2, -1, 0, 1, 2].map((away) => {
    const found = stepOfCode(secret, codeOf(secret, stepAt(now) + away), now);
    return found === null ? null : found - stepAt(now);
  });
  assert.deepEqual(steps, [null, -1, 0, 1, null]);
});

test('a secret › in base32 (RFC 4648), and as address for an app', () => {
  assert.equal(base32(Buffer.from('foobar')), 'MZXW6YTBOI');
  assert.equal(
    factorUrl(Buffer.from('foobar'), 'ada@staff.example'),
    'otpauth://totp/Latchkey:ada%40staff.example?secret=MZXW6YTBOI&issuer=Latchkey',
  );
});
