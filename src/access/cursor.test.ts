import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { suite, test } from 'node:test';
import { type CursorOwner, readCursor, writeCursor } from './cursor.ts';
import { isRefusal } from '../contract/errors.ts';
import { operationIds } from '../contract/partner/operations.ts';
import { openVault } from '../platform/vault.ts';
import { testMasterKey } from '../../test/harness/postgres.ts';

const vault = openVault(testMasterKey);
const path = 'query/cursor';

const filterValues = fc.option(fc.oneof(fc.string({ unit: 'binary' }), fc.integer()), {
  nil: undefined,
});
const owners: fc.Arbitrary<CursorOwner> = fc.record({
  operation: fc.constantFrom(...operationIds),
  applicationId: fc.uuid(),
  filters: fc.dictionary(fc.string({ maxLength: 8 }), filterValues, { maxKeys: 3 }),
});
// The positions that lists use: an index, a sequence, an instant with an ID.
const positions = fc.oneof(
  fc.nat().map(String),
  fc.tuple(fc.nat(), fc.uuid()).map(([at, id]) => `${at} ${id}`),
  fc.string({ unit: fc.constantFrom(...'0123456789abcdef- '), maxLength: 100 }),
);

const isRefused = (cursor: string, owner: CursorOwner, by = vault): boolean => {
  const read = readCursor(by, owner, cursor, path);
  if (!isRefusal(read)) return false;
  const message = 'is not a cursor of this list with these filters';
  assert.deepEqual(read, { refused: 'invalid_input', details: { fields: [{ path, message }] } });
  return true;
};

suite('cursor', () => {
  test('returns its position, and has the format of the contract', () => {
    fc.assert(
      fc.property(owners, positions, (owner, position) => {
        const cursor = writeCursor(vault, owner, position);
        assert.match(cursor, /^[A-Za-z0-9_-]{1,1024}$/);
        assert.equal(readCursor(vault, owner, cursor, path), position);
      }),
    );
  });

  // Spec: CALL-14.
  test('is refused for another operation, application, filter or server key', () => {
    fc.assert(
      fc.property(
        owners,
        positions,
        fc.constantFrom(...operationIds),
        (owner, position, operation) => {
          const cursor = writeCursor(vault, owner, position);
          if (operation !== owner.operation) assert.ok(isRefused(cursor, { ...owner, operation }));
          assert.ok(isRefused(cursor, { ...owner, applicationId: randomUUID() }));
          assert.ok(isRefused(cursor, { ...owner, filters: { ...owner.filters, more: 1 } }));
          assert.ok(isRefused(cursor, owner, openVault(Buffer.alloc(32, 9))));
        },
      ),
    );
  });

  test('a filter that is absent differs from any value, and values differ by their type', () => {
    const owner = (filters: Record<string, unknown>): CursorOwner => ({
      operation: 'reservation.event.list',
      applicationId: randomUUID(),
      filters,
    });
    const base = owner({ type: undefined });
    const cursor = writeCursor(vault, base, '1');
    for (const type of ['', 'undefined', 'null', null, 0]) {
      assert.ok(isRefused(cursor, { ...base, filters: { type } }));
    }
    assert.ok(!isRefused(cursor, { ...base, filters: {} }));
  });

  test('any flipped, removed or appended bit is refused', () => {
    fc.assert(
      fc.property(owners, positions, fc.nat(), (owner, position, nth) => {
        const cursor = writeCursor(vault, owner, position);
        const bytes = Buffer.from(cursor, 'base64url');
        const bit = nth % (bytes.length * 8);
        bytes[bit >> 3]! ^= 1 << (bit & 7);
        assert.ok(isRefused(bytes.toString('base64url'), owner));
        assert.ok(isRefused(cursor.slice(0, -1), owner));
        assert.ok(isRefused(`${cursor}A`, owner));
        assert.ok(isRefused(`${cursor}=`, owner));
      }),
      { numRuns: 500 },
    );
  });

  test('other encodings of the last character are refused', () => {
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    fc.assert(
      fc.property(owners, positions, (owner, position) => {
        const cursor = writeCursor(vault, owner, position);
        for (const letter of letters) {
          if (letter !== cursor.at(-1)) assert.ok(isRefused(cursor.slice(0, -1) + letter, owner));
        }
      }),
      { numRuns: 30 },
    );
  });

  test('other texts are refused, and throw nothing else', () => {
    fc.assert(
      fc.property(owners, fc.string({ unit: 'binary' }), (owner, text) => {
        assert.ok(isRefused(text, owner));
        assert.ok(isRefused(Buffer.from(text).toString('base64url'), owner));
      }),
    );
  });
});
