import { operations } from '../contract/operations.ts';
import type { Operations } from '../contract/types.ts';

/** The ID of an operation, as the contract has it. */
export type OperationId = keyof Operations;

/** What the client knows of an operation. */
export interface OperationRow {
  readonly method: string;
  readonly path: string;
  /** `read`: repeated freely. `create`: repeated by its ID. `command`: repeated by its version. */
  readonly repeat: 'read' | 'create' | 'command';
  /** The member of the body with the ID that the caller chooses. */
  readonly creates?: string;
  /** Whether it needs the session capability; `joined`: if the body names a checkout. */
  readonly session?: 'required' | 'joined';
  /** Takes `X-Booking-Consumer`. */
  readonly provenance?: true;
  /** Makes a reservation. */
  readonly reserves?: true;
}

/** The row of an operation. */
export const rowOf = (id: OperationId): OperationRow => operations[id];

/** A part of an input: absent, optional, or required if one of its members is. */
type Part<Name extends string, Value> = keyof Value extends never
  ? { [Key in Name]?: undefined }
  : Record<never, never> extends Value
    ? { [Key in Name]?: Value }
    : { [Key in Name]: Value };

type BodyPart<Body> = [Body] extends [undefined]
  ? { body?: undefined }
  : undefined extends Body
    ? { body?: Body }
    : { body: Body };

/** The input of an operation. */
export type InputOf<Id extends OperationId> = Part<'params', Operations[Id]['params']> &
  Part<'query', Operations[Id]['query']> &
  BodyPart<Operations[Id]['body']>;

/** The reply of an operation. Members and values that this client does not know are kept. */
export type ReplyOf<Id extends OperationId> = Operations[Id]['reply'];

/** An input without the types of its operation. */
export interface AnyInput {
  params?: Readonly<Record<string, unknown>> | undefined;
  query?: Readonly<Record<string, unknown>> | undefined;
  body?: Readonly<Record<string, unknown>> | undefined;
}

/** The path of a call with its parameters and query. */
export function pathOf(id: OperationId, { params = {}, query = {} }: AnyInput): string {
  const path = rowOf(id).path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name];
    if (value === undefined || value === '') throw new TypeError(`${id} needs params.${name}`);
    return encodeURIComponent(String(value));
  });
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
  return given.length === 0 ? path : `${path}?${search.toString()}`;
}
