import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { copiedKey, createCopyReader, listingIdOf } from './copied-nights.ts';

/** What PostgreSQL sends for these rows: signature, flags, extension, rows, trailer. */
function copyOf(rows: readonly [id: string, from: number, to: number, lead: number][]): Buffer {
  const field = (bytes: Buffer): Buffer => {
    const length = Buffer.alloc(4);
    length.writeInt32BE(bytes.length);
    return Buffer.concat([length, bytes]);
  };
  const integer = (value: number): Buffer => {
    const bytes = Buffer.alloc(4);
    bytes.writeInt32BE(value);
    return field(bytes);
  };
  const head = Buffer.concat([Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1'), Buffer.alloc(8)]);
  const written = rows.map(([id, from, to, lead]) => {
    const uuid = field(Buffer.from(id.replaceAll('-', ''), 'hex'));
    return Buffer.concat([Buffer.from([0, 4]), uuid, integer(from), integer(to), integer(lead)]);
  });
  return Buffer.concat([head, ...written, Buffer.from([255, 255])]);
}

suite('a binary copy', () => {
  test('all rows are read, wherever the pieces are cut', () => {
    const row = fc.tuple(
      fc.uuid(),
      fc.integer({ min: -99, max: 99_999 }),
      fc.nat(99_999),
      fc.nat(7),
    );
    fc.assert(
      fc.property(
        fc.array(row, { maxLength: 8 }),
        fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1 }),
        (rows, sizes) => {
          const bytes = copyOf(rows);
          const read: unknown[] = [];
          const take = createCopyReader((key, from, to, lead) => {
            assert.equal(copiedKey(listingIdOf(key)), key);
            read.push([listingIdOf(key), from, to, lead]);
          });
          for (let at = 0, piece = 0; at < bytes.length; piece += 1) {
            const next = at + sizes[piece % sizes.length]!;
            take(bytes.subarray(at, next));
            at = next;
          }
          assert.deepEqual(read, rows);
        },
      ),
    );
  });
});
