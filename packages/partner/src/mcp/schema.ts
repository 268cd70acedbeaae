/** Which members of a resource a tool shows, and the schema that follows from it. */
import { type ContractSchema, namedSchemas } from '../contract/schemas.ts';

/** The members that are shown: all of them, or those named. A list is shown item by item. */
export type Shape = true | { readonly [member: string]: Shape };

interface Schema extends ContractSchema {
  $ref?: string;
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  items?: Schema;
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
}

function resolved(schema: Schema): Schema {
  if (schema.$ref === undefined) return schema;
  const { $ref, ...own } = schema;
  const name = $ref.slice($ref.lastIndexOf('/') + 1);
  return resolved({ ...namedSchemas[name], ...own });
}

const memberOf = (shape: Shape, name: string): Shape | undefined =>
  shape === true ? true : shape[name];

/** The schema of what a shape shows: without references, so that every client reads it. */
export function shownSchema(given: ContractSchema, shape: Shape = true): ContractSchema {
  const schema = resolved(given as Schema);
  const { anyOf, oneOf, items, properties } = schema;
  const branches = anyOf ?? oneOf;
  if (branches) {
    return {
      ...schema,
      [anyOf ? 'anyOf' : 'oneOf']: branches.map((each) => shownSchema(each, shape)),
    };
  }
  if (items) return { ...schema, items: shownSchema(items, shape) };
  if (!properties) return schema;
  const shown = Object.entries(properties).flatMap(([name, member]) => {
    const inner = memberOf(shape, name);
    return inner === undefined ? [] : [[name, shownSchema(member, inner)] as const];
  });
  const names = new Set(shown.map(([name]) => name));
  return {
    ...schema,
    properties: Object.fromEntries(shown),
    required: (schema.required ?? []).filter((name) => names.has(name)),
  };
}

/** The part of a value that a shape shows. */
export function shownPart(value: unknown, shape: Shape): unknown {
  if (shape === true || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => shownPart(item, shape));
  const members = Object.entries(value).flatMap(([name, member]) => {
    const inner = memberOf(shape, name);
    return inner === undefined ? [] : [[name, shownPart(member, inner)] as const];
  });
  return Object.fromEntries(members);
}
