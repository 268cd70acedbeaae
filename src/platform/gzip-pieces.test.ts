import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { gzipped, writtenFrom } from './gzip-pieces.ts';

const bytes = fc
  .array(fc.string({ unit: 'binary', maxLength: 600 }), { maxLength: 8 })
  .map((texts) => texts.map((text) => Buffer.from(text)));

suite('gzip of pieces', () => {
  test('unpacks to the pieces, one after the other, also when they are sent again', () => {
    fc.assert(
      fc.property(bytes, (pieces) => {
        const whole = Buffer.concat(pieces);
        assert.deepEqual(gunzipSync(gzipped(pieces)), whole);
        const turned = pieces.toReversed();
        assert.deepEqual(gunzipSync(gzipped(turned)), Buffer.concat(turned));
      }),
    );
  });

  test('bytes that were written from pieces are made of the parts of these', () => {
    fc.assert(
      fc.property(bytes, fc.string({ unit: 'binary' }), (pieces, between) => {
        const all = pieces.flatMap((piece) => [Buffer.from(between), piece]);
        const whole = Buffer.concat(all);
        const end = Buffer.from('end');
        assert.deepEqual(
          gunzipSync(gzipped([writtenFrom(whole, () => all), end])),
          Buffer.concat([whole, end]),
        );
      }),
    );
  });

  test('more bytes than a stored block can have, and bytes that do not get smaller', () => {
    for (const length of [0, 1, 255, 256, 65_535, 65_536, 200_000]) {
      const noise = Buffer.alloc(length);
      for (let at = 0; at < length; at += 1) noise[at] = (at * 2_654_435_761) >>> 13;
      assert.deepEqual(gunzipSync(gzipped([noise, noise])), Buffer.concat([noise, noise]));
    }
  });

  test('compresses what repeats itself within a piece', () => {
    const text = Buffer.from('{"label":"Wi-Fi"},'.repeat(200));
    assert.ok(gzipped([text, text]).length < text.length / 5);
  });
});
