/** Enums of the documents: one name for each, so that a generated client has one type. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { suite, test } from 'node:test';
import { createComponents } from '../../src/contract/openapi/components.ts';
import { writeSchema } from '../../src/contract/openapi/schemas.ts';
import * as Type from '../../src/contract/type.ts';

const root = new URL('../../', import.meta.url);

/** Every enum below a value, with the JSON Pointer to it. */
function* enums(value: unknown, pointer = ''): Generator<{ pointer: string; values: string }> {
  if (typeof value !== 'object' || value === null) return;
  if ('enum' in value && Array.isArray(value.enum)) {
    yield { pointer, values: value.enum.toSorted().join() };
  }
  for (const [key, inner] of Object.entries(value)) yield* enums(inner, `${pointer}/${key}`);
}

const isNamed = ({ pointer }: { pointer: string }): boolean =>
  /^\/components\/schemas\/[^/]+(\/anyOf\/0)?$/.test(pointer);

suite('enums of the documents', () => {
  for (const file of [
    'openapi.json',
    'portal-openapi.json',
    'sandbox-openapi.json',
    'operator-openapi.json',
  ]) {
    test(`${file} › what is used twice has a name, and is used by it`, async () => {
      const all = [...enums(JSON.parse(await readFile(new URL(file, root), 'utf8')))];
      const repeated = all.filter(
        (one) => !isNamed(one) && all.some((other) => other !== one && other.values === one.values),
      );
      assert.deepEqual(repeated, []);
    });
  }

  test('a description of the place stands beside the name', () => {
    const components = createComponents();
    const Colour = Type.Enum(['red'], { $id: 'Colour', description: 'A colour.' });
    const described = Type.Described(Colour, 'The colour of the door.');
    const reference = { $ref: '#/components/schemas/Colour' };
    assert.deepEqual(writeSchema(Colour, components), reference);
    assert.deepEqual(writeSchema(described, components), {
      ...reference,
      description: 'The colour of the door.',
    });
    assert.deepEqual(components.shared().schemas, {
      Colour: { type: 'string', description: 'A colour.', enum: ['red'] },
    });
  });
});
