import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import Type from 'typebox';
import { deprecationOf } from '../../src/contract/deprecation.ts';
import { createComponents } from '../../src/contract/openapi/components.ts';
import { writeOperation } from '../../src/contract/openapi/operation.ts';
import { operationIds, rowOf, type OperationRow } from '../../src/contract/partner/operations.ts';

const row: OperationRow = {
  method: 'GET',
  path: '/v1/keys',
  tag: 'Keys',
  summary: 'Read a key',
  scope: 'distribution.listing.read',
  tier: 'read',
  reply: { 200: Type.Object({ colour: Type.String() }, { $id: 'Key' }) },
  errors: [],
};

const colour = (deprecatedSince: string) => Type.String({ description: 'Of it.', deprecatedSince });

const written = (made: OperationRow) => {
  const components = createComponents();
  const examples = { request: {}, replies: {} };
  const described = { id: 'key.get', row: made, notes: [], causes: {}, examples };
  return { operation: writeOperation(described, components), components: components.shared() };
};

suite('deprecation', () => {
  test('deprecation › none where nothing is deprecated', () => {
    assert.equal(deprecationOf(row), null);
    assert.equal(written(row).operation.deprecated, undefined);
  });

  // Spec: VERSION-5.
  test('deprecation › an operation: header, mark, words', () => {
    const deprecated: OperationRow = { ...row, deprecatedSince: '2027-01-31' };
    assert.equal(deprecationOf(deprecated), '@1801353600');
    const { operation, components } = written(deprecated);
    assert.equal(operation.deprecated, true);
    assert.match(operation.description, /2027-01-31/);
    const reply = operation.responses['200'];
    assert.ok(reply && 'headers' in reply && 'Deprecation' in reply.headers);
    assert.ok('Deprecation' in components.headers);
  });

  test('deprecation › a member of a response, at any depth', () => {
    const inner = Type.Object({ colour: colour('2027-03-01') }, { $id: 'Inner' });
    const reply = { 200: Type.Object({ items: Type.Array(inner) }, { $id: 'Key' }) };
    assert.equal(deprecationOf({ ...row, reply }), '@1803859200');
    const { operation, components } = written({ ...row, reply });
    assert.equal(operation.deprecated, undefined, 'the operation itself is not');
    assert.deepEqual(components.schemas['Inner'], {
      type: 'object',
      required: ['colour'],
      properties: {
        colour: {
          type: 'string',
          description: 'Of it. Deprecated since 2027-03-01.',
          deprecated: true,
        },
      },
    });
  });

  test('deprecation › a member of a body, a parameter', () => {
    const body = Type.Object({ colour: colour('2027-02-01') }, { $id: 'Paint' });
    assert.equal(deprecationOf({ ...row, method: 'POST', body }), '@1801440000');
    const query = Type.Object({ colour: Type.Optional(colour('2027-02-01')) });
    assert.equal(deprecationOf({ ...row, query }), '@1801440000');
    const [parameter] = written({ ...row, query }).operation.parameters ?? [];
    assert.ok(parameter && 'deprecated' in parameter && parameter.deprecated);
  });

  test('deprecation › the earliest date counts', () => {
    const query = Type.Object({ colour: Type.Optional(colour('2027-02-01')) });
    const reply = { 200: Type.Object({ colour: colour('2027-01-31') }) };
    assert.equal(
      deprecationOf({ ...row, query, reply, deprecatedSince: '2028-01-01' }),
      '@1801353600',
    );
  });

  test('deprecation › a member that is called so is not a date', () => {
    const reply = { 200: Type.Object({ deprecatedSince: Type.String() }) };
    assert.equal(deprecationOf({ ...row, reply }), null);
  });

  test('deprecation › a date that cannot be is our mistake', () => {
    assert.throws(() => deprecationOf({ ...row, deprecatedSince: 'soon' }), RangeError);
    assert.throws(() => deprecationOf({ ...row, deprecatedSince: '2027-02-30' }), RangeError);
  });

  test('deprecation › nothing of this wire version is deprecated', () => {
    assert.deepEqual(
      operationIds.filter((id) => deprecationOf(rowOf(id)) !== null),
      [],
    );
  });
});
