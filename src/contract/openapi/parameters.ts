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

/** The input of a row, with its session. */
type DescribedInput = RowInput & { session?: string };

// Also a security scheme: generators create a typed argument only for parameters.
const sessionDescription =
  'The `sessionCapability` of the checkout; see the security scheme `SessionCapability`.';

/**
 * Request headers, and the rows to which each applies. A header that can replace a body member has no
 * example, so that a pasted call does not send both.
 */
const requestHeaders: {
  appliesTo: (row: DescribedInput) => boolean;
  parameter: ParameterObject;
  /** The component name, if it differs from the name of the header. */
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
      description: `For callers that cannot send the ID in the body: 1 to ${limits.idempotencyKeyLength} visible ASCII characters. The ID is then derived from application, operation and key (a UUIDv8 over SHA-256), so the same key always identifies the same resource. An ID in the body takes precedence. A call with neither is \`invalid_input\`.`,
      schema: { type: 'string', pattern: `^[\\x21-\\x7e]{1,${limits.idempotencyKeyLength}}$` },
    },
  },
  {
    appliesTo: (row) => row.repeatHides !== undefined,
    component: 'IdempotencyKeyOfCreate',
    parameter: {
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      description: `1 to ${limits.idempotencyKeyLength} visible ASCII characters. The same call with the same key within 24 hours creates nothing: it returns 200 with what the first one has created, without a secret that was shown once. With another input it is \`conflict\` with reason \`different_input\`. A call that is refused does not use the key.`,
      schema: { type: 'string', pattern: `^[\\x21-\\x7e]{1,${limits.idempotencyKeyLength}}$` },
    },
  },
  {
    appliesTo: (row) => row.versioned === true && row.body !== undefined,
    parameter: {
      name: 'If-Match',
      in: 'header',
      required: false,
      description:
        'The version that you last read, as one strong entity tag (`"3"`). It can replace `expectedVersion`. `invalid_input`: weak tags, `*`, lists, a tag that differs from `expectedVersion`, or neither of the two.',
      schema: { type: 'string', pattern: '^"[1-9][0-9]*"$' },
    },
  },
  {
    appliesTo: (row) => row.versioned === true && row.body === undefined,
    component: 'IfMatchRequired',
    parameter: {
      name: 'If-Match',
      in: 'header',
      required: true,
      description:
        'The version that you last read, as one strong entity tag (`"3"`). `invalid_input`: absent, weak tags, `*`, lists.',
      schema: { type: 'string', pattern: '^"[1-9][0-9]*"$' },
    },
  },
  {
    appliesTo: (row) => row.etag === 'revalidate',
    parameter: {
      name: 'If-None-Match',
      in: 'header',
      required: false,
      description: 'The `ETag` of an earlier response. Returns 304 if the content has not changed.',
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
        'On whose behalf you read. Used only for measurement; it grants nothing. Absent: recorded as unknown. Other values are `invalid_input`.',
      schema: { type: 'string', enum: [...consumers] },
    },
  },
];

/** Query parameters with the same meaning in every operation. */
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
    description: typeof description === 'string' ? description : name,
    required: (object.required ?? []).includes(name),
    ...(deprecated === true && { deprecated }),
    schema: rest,
  };
}

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
    // One of another size is written at its operation.
    const sharable = sharedQuery.has(name) && !('here' in schema);
    return sharable ? components.share('parameters', pascalCase(name), shown) : shown;
  });
}

/** Writes the parameters of a call: path, query, headers. */
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
