import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import { isReference, referenceFrom } from './reference.ts';

const fiveBytes = () => fc.uint8Array({ minLength: 5, maxLength: 5 });

suite('reference', () => {
  test('reference › an example calculated manually', () => {
    assert.equal(referenceFrom(Uint8Array.of(0, 0, 0, 0, 0)), 'LK-0000-0000');
    assert.equal(referenceFrom(Uint8Array.of(255, 255, 255, 255, 255)), 'LK-ZZZZ-ZZZZ');
    // The bits 00000 00001 00010 00011 00100 00101 00110 00111 are the letters 0 to 7.
    assert.equal(referenceFrom(Uint8Array.of(0x00, 0x44, 0x32, 0x14, 0xc7)), 'LK-0123-4567');
  });

  test('reference › all 32 letters occur, and never I, L, O or U after the prefix', () => {
    // The last byte modulo 32 chooses the last letter.
    const letters = Array.from({ length: 32 }, (_, value) =>
      referenceFrom(Uint8Array.of(0, 0, 0, 0, value)).at(-1),
    );
    assert.equal(letters.join(''), '0123456789ABCDEFGHJKMNPQRSTVWXYZ');
  });

  // Spec: RESERVATION-1.
  test('reference › has the documented form', () => {
    fc.assert(
      fc.property(fiveBytes(), (bytes) => {
        const reference = referenceFrom(bytes);
        assert.match(reference, /^LK-[0-9A-Z]{4}-[0-9A-Z]{4}$/);
        assert.doesNotMatch(reference.slice(3), /[ILOU]/);
        assert.equal(isReference(reference), true);
      }),
    );
  });

  test('reference › can be decoded, so references are unique and letters equally likely', () => {
    const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
    fc.assert(
      fc.property(fiveBytes(), (bytes) => {
        const letters = referenceFrom(bytes).slice(3).replace('-', '');
        const bits = [...letters].reduce(
          (number, letter) => number * 32n + BigInt(alphabet.indexOf(letter)),
          0n,
        );
        assert.equal(
          bits,
          bytes.reduce((number, byte) => number * 256n + BigInt(byte), 0n),
        );
      }),
    );
  });

  test('reference › another number of bytes is an error', () => {
    for (const length of [0, 4, 6]) {
      assert.throws(() => referenceFrom(new Uint8Array(length)), RangeError);
    }
  });

  test('reference › other texts are not references', () => {
    for (const text of [
      '',
      'LK-0000-000',
      'LK-0000-00000',
      'LK-0000-000I',
      'LK-000L-0000',
      'LK-000O-0000',
      'LK-000U-0000',
      'lk-0000-0000',
      'LK-abcd-0000',
      'LK00000000',
      'XX-0000-0000',
      ' LK-0000-0000',
      'LK-0000-0000\n',
    ]) {
      assert.equal(isReference(text), false, JSON.stringify(text));
    }
  });
});
