import assert from 'node:assert/strict';
import { exampleOf } from '../../src/contract/examples.ts';
import type { InvalidField } from '../../src/contract/errors.ts';
import { rowOf, type OperationId } from '../../src/contract/partner/operations.ts';
import type { CallInput, Partner } from './partner.ts';

type Json = Record<string, unknown>;

/** A well-formed request; its resources need not exist. */
export interface WellFormed {
  params: Record<string, string>;
  query: Record<string, string | number>;
  body: Json | undefined;
  headers: Record<string, string>;
}

/** Optional objects that the examples leave out: a test of every place needs them. */
const optionalObjects: Partial<Record<OperationId, Json>> = {
  'distribution.listing.search': {
    near: { latitude: 38.7, longitude: -9.1, radiusKm: 50 },
    amenities: ['wifi'],
    maxTotal: { amount: 100_000, currency: 'EUR' },
  },
  'reservation.change.request': {
    kind: 'change',
    party: { adults: 2, children: 1, infants: 0, pets: 0 },
  },
};

/** A request of an operation from the document's examples. */
export function wellFormed(id: OperationId): WellFormed {
  const { params, query, body, headers } = exampleOf(id).request as Partial<WellFormed>;
  return structuredClone({
    params: params ?? {},
    query: query ?? {},
    body: body && { ...body, ...optionalObjects[id] },
    headers: { ...headers },
  });
}

/** Input of a call of any operation: its body as text. */
export interface AnyInput {
  params: Record<string, string>;
  query: string;
  rawBody?: string;
  headers: Record<string, string>;
}

/** The same as input of a call. */
export const inputOf = ({ params, query, body, headers }: WellFormed): AnyInput => ({
  params,
  query: Object.entries(query)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&'),
  ...(body !== undefined && { rawBody: JSON.stringify(body) }),
  headers,
});

/** Calls with input that must be refused with 400; the invalid fields, in the reported order. */
export async function invalidFields(
  partner: Partner,
  id: OperationId,
  input: CallInput<OperationId>,
): Promise<InvalidField[]> {
  const error = await partner.refused(id, input);
  const { fields } = (error.details ?? {}) as { fields?: InvalidField[] };
  assert.deepEqual([error.status, error.code], [400, 'invalid_input'], JSON.stringify(error));
  assert.ok(fields && fields.length > 0, 'the fields are named');
  return fields;
}

/** The paths of the invalid fields, sorted. */
export const invalidPaths = async (
  partner: Partner,
  id: OperationId,
  input: CallInput<OperationId>,
): Promise<string[]> =>
  (await invalidFields(partner, id, input)).map(({ path }) => path).toSorted();

/** Whether an operation takes a body. */
export const takesBody = (id: OperationId): boolean => rowOf(id).body !== undefined;

interface Shape {
  type?: string;
  enum?: unknown[];
  format?: string;
  properties?: Record<string, Shape>;
}

/** A place in the body of an operation, as a JSON Pointer, with its schema. */
export interface Place {
  pointer: string;
  shape: Shape;
}

const offsetsIn = (shape: Shape, pointer: string): Place[] => [
  { pointer, shape },
  ...Object.entries(shape.properties ?? {}).flatMap(([name, inner]) =>
    offsetsIn(inner, `${pointer}/${name}`),
  ),
];

/** Every place in the body of an operation, the body itself first. */
export const placesOf = (id: OperationId): Place[] => {
  const { body } = rowOf(id);
  return body ? offsetsIn(body as Shape, '') : [];
};

/** Whether a place holds a text. */
export const isText = ({ shape }: Place): boolean =>
  shape.type === 'string' || (shape.enum ?? []).some((value) => typeof value === 'string');

/** Whether a place holds members. */
export const isObject = ({ shape }: Place): boolean => shape.properties !== undefined;

/** A copy of a body with another value at a place; objects on the way there are made. */
export function withAt(body: Json, pointer: string, value: unknown): Json {
  const [, first = '', ...rest] = pointer.split('/');
  if (rest.length === 0) return { ...body, [first]: value };
  const inner = (body[first] ?? {}) as Json;
  return { ...body, [first]: withAt(inner, `/${rest.join('/')}`, value) };
}

/** The value at a place in a body. */
export const at = (body: Json, pointer: string): unknown =>
  pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((inner, name) => (inner as Json | undefined)?.[name], body);
