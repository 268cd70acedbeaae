import assert from 'node:assert/strict';
import { test } from 'node:test';
import Type from 'typebox';
import { schemaCheck } from './schema-check.ts';

test('schema check › a schema costs nothing until there is a value to check', () => {
  let reads = 0;
  const schema = new Proxy(Type.String(), {
    get(target, member) {
      reads += 1;
      return Reflect.get(target, member) as unknown;
    },
  });
  const check = schemaCheck(schema);
  assert.equal(reads, 0);
  assert.deepEqual(check('text'), []);
  const compiled = reads;
  assert.ok(compiled > 0);
  assert.deepEqual(check('more text'), []);
  assert.equal(reads, compiled, 'it is compiled once');
  assert.deepEqual(check(1), [{ pointer: '', message: 'must be a string' }]);
});
