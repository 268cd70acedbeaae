import assert from 'node:assert/strict';
import { test } from 'node:test';
import Type from 'typebox';
import { schemaCheck } from './schema-check.ts';

test('schema check › of a value that is much too large, only that is said', () => {
  const check = schemaCheck(Type.Object({ dates: Type.Array(Type.String(), { maxItems: 5 }) }));
  const dates = Array.from({ length: 10_001 }, () => 0);
  const message = 'must not have more than 10000 items';
  assert.deepEqual(check({ dates }), [{ pointer: '/dates', message }]);
  const members = Object.fromEntries(Object.entries(dates));
  assert.deepEqual(check({ x: [members] }), [
    { pointer: '/x/0', message: 'must not have more than 200 members' },
  ]);
  const unknown = check(members);
  assert.equal(unknown.length, 100);
  assert.deepEqual(unknown[99], { pointer: '/99', message: 'is not known here' });
  const wrong = check({ dates: dates.slice(1) });
  assert.equal(wrong.length, 1_001);
  const further = { pointer: '', message: 'has more problems than are looked for at once' };
  assert.deepEqual(wrong.at(-1), further);
  const deep = JSON.parse(`{"dates":${'['.repeat(50_000)}${']'.repeat(50_000)}}`) as unknown;
  assert.deepEqual(check(deep), [{ pointer: '/dates/0', message: 'must be a string' }]);
});

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
