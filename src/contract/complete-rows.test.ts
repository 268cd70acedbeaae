/** What follows from a row of an operation table. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { completeRows, tagged } from './complete-rows.ts';
import * as Type from './type.ts';

const lampId = Type.Uuid('The lamp.');
const stated = { tag: 'Lamps', summary: 'Dim a lamp', reply: { 204: null } } as const;

describe('a row', () => {
  it('has method, path, the input of its path, and `not_found` of what that names', () => {
    const { dim } = completeRows({ lampId }, { dim: { call: 'POST /lamps/{lampId}', ...stated } });
    assert.equal(dim.method, 'POST');
    assert.equal(dim.path, '/lamps/{lampId}');
    assert.deepEqual(dim.params, Type.Object({ lampId }));
    assert.deepEqual(dim.errors, ['not_found']);
  });

  it('has no errors where its path names nothing', () => {
    const { list } = completeRows({ lampId }, { list: { call: 'GET /lamps', ...stated } });
    assert.deepEqual(list.errors, []);
  });

  it('keeps its errors, and has no input of a path that names nothing', () => {
    const { list } = completeRows(
      { lampId },
      { list: { call: 'GET /lamps', ...stated, errors: ['conflict'] } },
    );
    assert.deepEqual(list.errors, ['conflict']);
    assert.equal('params' in list, false);
  });

  it('cannot name in its path what nothing describes', () => {
    const rows = { dim: { call: 'POST /lamps/{lampID}', ...stated } } as const;
    assert.throws(() => completeRows({ lampId }, rows), /nothing says what lampID is in/);
  });

  it('has the tag of its subject', () => {
    assert.deepEqual(tagged('Lamps', { dim: { summary: 'Dim' } }).dim.tag, 'Lamps');
  });
});
