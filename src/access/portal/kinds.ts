import type { Call } from '../../api/call.ts';
import { kindsFor } from '../../api/kinds.ts';
import type { MaybePromise } from '../../api/maybe-promise.ts';
import type { Operation } from '../../api/operation.ts';
import { type AnyWork, boundAct } from '../../api/staff-acts.ts';
import type { Refusal } from '../../contract/errors.ts';
import type { CommonOwnErrorCode } from '../../contract/own-errors.ts';
import {
  type PortalOperationId,
  type portalOperations,
  type PortalReplyOf,
  portalRowOf,
} from '../../contract/portal/operations.ts';
import type { PortalActor, PortalContext } from './context.ts';

type Table = typeof portalOperations;

/** The operations that set or remove the cookie. */
export const { act, enter } = kindsFor<Table, PortalContext, PortalActor, CommonOwnErrorCode>();

/** Returns the body of the reply, or a refusal that the row declares. */
type Work<Id extends PortalOperationId, Context> = (
  call: Call<Id, Table[Id], Context, PortalActor>,
) => MaybePromise<
  PortalReplyOf<Id>['body'] | Refusal<Table[Id]['errors'][number] | CommonOwnErrorCode>
>;

/** Binds rows of the portal's table to functions of a subject that need this context. */
export const portalActs =
  <Context extends PortalContext>() =>
  <Id extends PortalOperationId>(works: { readonly [One in Id]: Work<One, Context> }): {
    readonly [One in Id]: Operation<One, Context>;
  } =>
    Object.fromEntries(
      Object.entries(works).map(([id, work]) => [
        id,
        boundAct(id, portalRowOf(id as PortalOperationId), work as AnyWork),
      ]),
    ) as unknown as { readonly [One in Id]: Operation<One, Context> };
