import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { codingFor, codingsOf, compressed } from './content-coding.ts';

const row = { method: 'GET', path: '/', tag: '', summary: '', reply: {}, errors: [] } as const;

suite('content coding', () => {
  const choices: [accepted: string | undefined, chosen: 'br' | 'gzip' | null][] = [
    [undefined, null],
    ['', null],
    ['identity', null],
    ['gzip', 'gzip'],
    ['GZIP', 'gzip'],
    ['br', 'br'],
    ['gzip, deflate, br', 'br'],
    ['gzip;q=1, br;q=0.5', 'gzip'],
    ['gzip;q=0.2;x=1', null],
    ['br;q=0, gzip;q=0.001', 'gzip'],
    ['br;q=0, *', 'gzip'],
    ['*', 'br'],
    ['*;q=0', null],
    ['gzip;q=2', null],
    ['deflate', null],
    [',,gzip ; q=0.5 ,', 'gzip'],
  ];
  for (const [accepted, chosen] of choices) {
    test(`of Accept-Encoding ${JSON.stringify(accepted)}: ${chosen}`, () => {
      assert.equal(codingFor(accepted, codingsOf({ ...row, etag: 'revalidate' })), chosen);
    });
  }

  test('live responses are offered gzip only, and those with a tag for If-Match none', () => {
    assert.deepEqual(codingsOf(row), ['gzip']);
    assert.deepEqual(codingsOf({ ...row, etag: 'show' }), []);
    assert.equal(codingFor('br', codingsOf(row)), null);
    assert.equal(codingFor('gzip', codingsOf({ ...row, etag: 'show' })), null);
  });

  test('a text and pieces unpack to themselves, and whole bytes are compressed once', () => {
    const text = '{"name":"Casa Ñandú"}'.repeat(300);
    const pieces = [Buffer.from(text), Buffer.from('end')];
    const whole = `${text}end`;
    assert.equal(gunzipSync(compressed('gzip', text)).toString(), text);
    assert.equal(gunzipSync(compressed('gzip', pieces)).toString(), whole);
    assert.equal(brotliDecompressSync(compressed('br', text)).toString(), text);
    assert.equal(brotliDecompressSync(compressed('br', pieces)).toString(), whole);
    const one = [Buffer.from(text)];
    assert.equal(compressed('br', one), compressed('br', one));
  });
});
