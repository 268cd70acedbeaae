import type { TSchema } from 'typebox';
import type { Components } from './components.ts';
import type { JsonObject } from './document.ts';

type Schema = Readonly<Record<string, unknown>>;
type Write = (schema: Schema) => JsonObject;

const each = (schemas: Record<string, Schema>, write: Write) =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, write(schema)]));
const all = (schemas: Schema[], write: Write) => schemas.map(write);

/** Keywords that contain schemas, and how to write those. Every other keyword is copied. */
const nested: Record<string, (held: never, write: Write) => unknown> = {
  properties: each,
  patternProperties: each,
  items: (held: Schema, write) => write(held),
  allOf: all,
  anyOf: all,
};

const isEnumOfTexts = (schema: Schema): boolean =>
  schema['type'] === undefined &&
  Array.isArray(schema['enum']) &&
  schema['enum'].every((value) => typeof value === 'string');

function deprecation({ deprecatedSince, description }: Schema): JsonObject {
  if (typeof deprecatedSince !== 'string') return {};
  const notice = `Deprecated since ${deprecatedSince}.`;
  return {
    description: typeof description === 'string' ? `${description} ${notice}` : notice,
    deprecated: true,
  };
}

/** Internal keywords that are left out of the document. */
const ours = new Set(['$id', '$schema', 'here', 'deprecatedSince']);

function written(schema: Schema, write: Write): JsonObject {
  const keywords = Object.entries(schema)
    .filter(([keyword]) => !ours.has(keyword) && !keyword.startsWith('~'))
    .map(([keyword, value]) => [keyword, nested[keyword]?.(value as never, write) ?? value]);
  return {
    ...(isEnumOfTexts(schema) && { type: 'string' }),
    ...Object.fromEntries(keywords),
    ...deprecation(schema),
  };
}

/**
 * Writes a schema for the document. Each schema with an `$id`, at any depth, becomes a component and
 * a `$ref` to it, with the description of `Described`. TypeBox's internal keywords are left out.
 */
export function writeSchema(schema: TSchema, components: Components): JsonObject {
  const write: Write = (inner) => {
    const body = written(inner, write);
    const { $id, here } = inner;
    if (typeof $id !== 'string') return body;
    const reference = components.share('schemas', $id, body);
    return { ...reference, ...(typeof here === 'string' && { description: here }) };
  };
  return write(schema as Schema);
}
