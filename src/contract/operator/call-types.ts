/** What a caller of the operator's API sends and gets, by types alone: a wrong path, body or missing parameter does not compile. */
import type {
  OperatorBodyOf,
  OperatorOperationId,
  operatorOperations,
  OperatorParamsOf,
  OperatorQueryOf,
  OperatorReplyOf,
} from './operations.ts';

type Table = typeof operatorOperations;

/** Where the paths of the API begin. */
const prefix = '/operator/v1';

/** The methods of the API. */
export type OperatorMethod = Table[OperatorOperationId]['method'];

/** The paths of a method, without the beginning that all share. */
export type OperatorPath<Method extends OperatorMethod> = {
  [Id in OperatorOperationId]: Table[Id] extends {
    method: Method;
    path: `${typeof prefix}${infer Path}`;
  }
    ? Path
    : never;
}[OperatorOperationId];

/** The operation of a method and path. */
export type OperationAt<Method extends OperatorMethod, Path extends string> = {
  [Id in OperatorOperationId]: Table[Id] extends {
    method: Method;
    path: `${typeof prefix}${Path}`;
  }
    ? Id
    : never;
}[OperatorOperationId];

/** A part of an input: absent, optional, or required if one of its members is. */
type Part<Name extends string, Value> = keyof Value extends never
  ? { [Key in Name]?: never }
  : Record<never, never> extends Value
    ? { [Key in Name]?: Value }
    : { [Key in Name]: Value };

/** A body without members need not be sent. */
type BodyPart<Body> = keyof Body extends never
  ? { body?: Record<string, never> }
  : Part<'body', Body>;

/** A filter may be a text of a form or an address: the service validates it. */
type Filters<Query> = { [Name in keyof Query]: Query[Name] | string | undefined };

/** The input of an operation, as its row declares it. */
export type OperatorInputOf<Id extends OperatorOperationId> = Part<'params', OperatorParamsOf<Id>> &
  Part<'query', Filters<OperatorQueryOf<Id>>> &
  (Table[Id] extends { body: object } ? BodyPart<OperatorBodyOf<Id>> : { body?: never }) &
  (Table[Id] extends { bytes: true } ? { bytes: Blob | Uint8Array } : { bytes?: never });

/** The input as arguments: none is needed where nothing is required. */
export type OperatorArguments<Id extends OperatorOperationId, More = unknown> =
  Record<never, never> extends OperatorInputOf<Id>
    ? [input?: OperatorInputOf<Id> & More]
    : [input: OperatorInputOf<Id> & More];

/** The body of a successful reply. */
export type OperatorReplyBody<Id extends OperatorOperationId> = OperatorReplyOf<Id>['body'];

/** What the address of a call is made from. */
interface AddressInput {
  params?: object | undefined;
  query?: object | undefined;
}

/** The address of a call below the path where the API begins. Members that are absent or empty are not in it. */
export function operatorAddress(path: string, { params = {}, query = {} }: AddressInput): string {
  const values = new Map<string, unknown>(Object.entries(params));
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(values.get(name) ?? '')),
  );
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  if (given.length === 0) return filled;
  return `${filled}?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`;
}
