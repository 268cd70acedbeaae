import { kindsFor } from '../api/kinds.ts';
import type { operatorOperations } from '../contract/operator/operations.ts';
import type { CommonOwnErrorCode } from '../contract/own-errors.ts';
import type { MemberActor, OperatorActor } from '../staff/index.ts';
import type { OperatorContext } from './context.ts';

type Table = typeof operatorOperations;
type CommonCode = CommonOwnErrorCode | 'forbidden';

/** The rows that only a session can call, so that their actor has one. */
type RowsOfMembers = {
  [Id in keyof Table as Table[Id] extends { membersOnly: true } ? Id : never]: Table[Id];
};

/**
 * The kinds of operation, bound to the operator's table. A handler may also throw an `OperatorRefusal`; its
 * row must declare the code, or the call is logged as a defect.
 */
export const { act, enter } = kindsFor<Table, OperatorContext, OperatorActor, CommonCode>();

/** The operations on the caller's own account. */
export const { act: actAsMember } = kindsFor<
  RowsOfMembers,
  OperatorContext,
  MemberActor,
  CommonCode
>();
