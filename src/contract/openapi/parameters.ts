import type { TObject, TSchema } from 'typebox';
import { limits } from '../limits.ts';
import type { RowInput } from '../rows.ts';
import { consumers } from '../wire.ts';
import type { Components } from './components.ts';
import type { ParameterObject, Reference } from './document.ts';
import { writeSchema } from './schemas.ts';
import { pascalCase } from './names.ts';

/** Example values of an operation's parameters. */
export interface ParameterExamples {
  params?: object;
  query?: object;
  headers?: object;
}

/** A row, with what it says of sessions. */
type DescribedInput = RowInput & { session?: string };

// Generators make a typed argument of a parameter, and not of a security scheme; it is both.
const sessionDescription =
  'The `sessionCapability` of the checkout; see the security scheme `SessionCapability`.';

/**
 * Headers of a request, and the rows that take them. Those that can stand in for a member have no
 * example, so that a pasted call names the thing only once.
 */
const requestHeaders: {
  appliesTo: (row: DescribedInput) => boolean;
  parameter: ParameterObject;
  /** Its name among the components, where that of the header is not enough. */
  component?: string;
}[] = [
  {
    appliesTo: (row) => row.session === 'required',
    parameter: {
      name: 'Session-Capability',
      in: 'header',
      required: true,
      description: sessionDescription,
      schema: { type: 'string' },
    },
  },
  {
    appliesTo: (row) => row.session === 'joined',
    component: 'SessionCapabilityOfJoin',
    parameter: {
      name: 'Session-Capability',
      in: 'header',
      required: false,
      description: `${sessionDescription} Only where the body names a checkout.`,
      schema: { type: 'string' },
    },
  },
  {
    appliesTo: (row) => row.creates !== undefined,
    parameter: {
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      description: `For callers that cannot name the new resource in the body: 1 to ${limits.idempotencyKeyLength} visible ASCII characters. The ID is then derived from application, operation and key (a UUIDv8 over SHA-256), so that the same key names the same resource again. An ID in the body counts more; with neither, the call is \`invalid_input\`.`,
      schema: { type: 'string', pattern: `^[\\x21-\\x7e]{1,${limits.idempotencyKeyLength}}$` },
    },
  },
  {
    appliesTo: (row) => row.versioned === true,
    parameter: {
      name: 'If-Match',
      in: 'header',
      required: false,
      description:
        'The version last read, as one strong entity tag (`"3"`); it can stand in for `expectedVersion`. Weak tags, `*` and lists are `invalid_input`, and so are a tag and an `expectedVersion` that differ, or neither of the two.',
      schema: { type: 'string', pattern: '^"[1-9][0-9]*"$' },
    },
  },
  {
    appliesTo: (row) => row.etag === 'revalidate',
    parameter: {
      name: 'If-None-Match',
      in: 'header',
      required: false,
      description: 'An `ETag` read earlier. Is the content still the same, the answer is 304.',
      schema: { type: 'string' },
    },
  },
  {
    appliesTo: (row) => row.provenance === true,
    parameter: {
      name: 'X-Booking-Consumer',
      in: 'header',
      required: false,
      description:
        'On whose behalf you read, for measurement alone: it proves nothing and grants nothing. Left out, it is recorded as unknown; another value is `invalid_input`.',
      schema: { type: 'string', enum: [...consumers] },
    },
  },
];

/** Query parameters that mean the same wherever they stand. */
const sharedQuery: ReadonlySet<string> = new Set(['limit', 'cursor']);

function writeParameter(
  place: 'path' | 'query',
  name: string,
  schema: TSchema,
  object: TObject,
  components: Components,
): ParameterObject {
  const { description, deprecated, ...rest } = writeSchema(schema, components);
  return {
    name,
    in: place,
    description: typeof description === 'string' ? description : (sharedDescriptions[name] ?? name),
    required: (object.required ?? []).includes(name),
    ...(deprecated === true && { deprecated }),
    schema: rest,
  };
}

/** Of parameters whose schema is a component, which keeps its own description. */
const sharedDescriptions: Record<string, string> = {
  cursor: '`nextCursor` of the page before; left out, the list begins.',
};

function withExample(parameter: ParameterObject, examples: object = {}): ParameterObject {
  const [, example] = Object.entries(examples).find(([name]) => name === parameter.name) ?? [];
  return example === undefined ? parameter : { ...parameter, example };
}

function pathParameters(
  row: RowInput,
  examples: ParameterExamples,
  components: Components,
): Reference[] {
  const object = row.params;
  if (!object) return [];
  return Object.entries(object.properties).map(([name, schema]) => {
    const parameter = writeParameter('path', name, schema, object, components);
    const shown = withExample(parameter, examples.params);
    return components.share('parameters', pascalCase(name), shown);
  });
}

const emptiable = (parameter: ParameterObject): ParameterObject => ({
  ...parameter,
  allowEmptyValue: true,
});

function queryParameters(
  row: RowInput,
  examples: ParameterExamples,
  components: Components,
): (ParameterObject | Reference)[] {
  const object = row.query;
  if (!object) return [];
  return Object.entries(object.properties).map(([name, schema]) => {
    const parameter = writeParameter('query', name, schema, object, components);
    const shown = withExample(parameter, examples.query);
    if (row.emptyQueryAllowed) return emptiable(shown);
    const sharable = sharedQuery.has(name);
    return sharable ? components.share('parameters', pascalCase(name), shown) : shown;
  });
}

/** All that a call can carry beside body and credentials: path, query, headers. */
export function writeParameters(
  row: DescribedInput,
  examples: ParameterExamples,
  components: Components,
): (ParameterObject | Reference)[] {
  const headers = requestHeaders
    .filter(({ appliesTo }) => appliesTo(row))
    .map(({ parameter, component = pascalCase(parameter.name) }) =>
      components.share('parameters', component, withExample(parameter, examples.headers)),
    );
  return [
    ...pathParameters(row, examples, components),
    ...queryParameters(row, examples, components),
    ...headers,
  ];
}
