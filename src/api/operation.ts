import type { Refusal } from '../contract/errors.ts';
import type { AnyResponse } from './response.ts';
import type { AnyCall } from './call.ts';
import type { MaybePromise } from './maybe-promise.ts';

/** Another call was faster: load and decide again. */
export const again: unique symbol = Symbol('again');
export type Again = typeof again;

/** The members of handlers of all kinds; the type of each kind says which are required. */
export interface AnyHandler {
  notFound?: string;
  inputOf?(call: AnyCall): unknown;
  remembered?(call: AnyCall): unknown;
  load?(call: AnyCall): MaybePromise<unknown>;
  repeated?(found: unknown): unknown;
  versionOf?(found: unknown): number;
  alive?(call: AnyCall, found: unknown): MaybePromise<Refusal | Again | null>;
  stateAllows?(call: AnyCall, found: unknown): Refusal | null;
  decide?(call: AnyCall, found: unknown): MaybePromise<unknown>;
  write?(call: AnyCall, decided: unknown, found: unknown): MaybePromise<unknown>;
  findExisting?(call: AnyCall): MaybePromise<unknown>;
  repeat?(call: AnyCall, found: unknown): MaybePromise<AnyResponse>;
  reply(call: AnyCall, result: unknown): MaybePromise<AnyResponse | Refusal>;
}

/** The kinds of operation; `kinds.ts` has their steps. */
export type Kind = 'read' | 'create' | 'createFirst' | 'command' | 'act' | 'enter';

/** Operations by the ID of their row. */
export const byId = <Each extends Operation<string>>(
  operations: Readonly<Record<string, Each>>,
): { readonly [One in Each as One['id']]: One } =>
  Object.fromEntries(Object.values(operations).map((operation) => [operation.id, operation])) as {
    readonly [One in Each as One['id']]: One;
  };

/** Any operation, without the types of its row and context. */
export type AnyOperation = Pick<Operation<string>, 'id' | 'kind' | 'handler'>;

/**
 * A row bound to its handler. `Id` ties it to its entry in the table of operations; `Context` is what its
 * surface must provide.
 */
export interface Operation<Id extends string = string, Context = never> {
  /** Only for the type: a surface with a smaller context does not compile. */
  readonly worksWith?: (context: Context) => void;
  readonly id: Id;
  readonly kind: Kind;
  readonly handler: AnyHandler;
}
