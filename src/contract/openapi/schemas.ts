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
  not: (held: Schema, write) => write(held),
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
const ours = new Set([
  '$id',
  '$schema',
  'here',
  'deprecatedSince',
  'open',
  'discriminatedBy',
  'otherwise',
]);

/** An enum to which values may be added: a value that nobody knows yet is valid, too. */
function openEnum({ enum: values, description }: Schema): JsonObject {
  return { description, anyOf: [{ type: 'string', enum: values }, { type: 'string' }] };
}

/** The values of the member by which a union is told apart, in one of its schemas. */
function valuesOf(schema: Schema, member: string): readonly unknown[] {
  const properties = schema['properties'] as Record<string, Schema>;
  const { const: only, enum: several } = properties[member] ?? {};
  return Array.isArray(several) ? several : [only];
}

/** A union whose schemas differ by the value of a member. */
function discriminated(schema: Schema, member: string, write: Write): JsonObject {
  const known = schema['anyOf'] as Schema[];
  const references = known.map((one) => [one, write(one)['$ref']] as const);
  const mapping = references.flatMap(([one, reference]) =>
    valuesOf(one, member).map((value) => [value, reference]),
  );
  return {
    description: schema['description'],
    oneOf: references.map(([, reference]) => ({ $ref: reference })),
    discriminator: { propertyName: member, mapping: Object.fromEntries(mapping) },
  };
}

function written(schema: Schema, write: Write): JsonObject {
  if (schema['open'] === true) return openEnum(schema);
  const { discriminatedBy } = schema;
  if (typeof discriminatedBy === 'string') return discriminated(schema, discriminatedBy, write);
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
    const described = { ...reference, ...(typeof here === 'string' && { description: here }) };
    const { otherwise } = inner;
    return otherwise ? { anyOf: [described, write(otherwise as Schema)] } : described;
  };
  return write(schema as Schema);
}
