import { kindsFor } from '../../api/kinds.ts';
import type { operatorOperations } from '../../contract/operator/operations.ts';
import type { CommonOwnErrorCode } from '../../contract/own-errors.ts';
import type { Environment } from '../../contract/wire.ts';
import type { MemberActor, OperatorActor } from '../actor.ts';
import type { SignInContext } from '../context.ts';

/** The dependencies of signing in, and of what members do with their own account. */
interface OwnAccountContext {
  environment: Environment;
  baseUrl: string;
  signIn: SignInContext;
}

type Table = typeof operatorOperations;
type CommonCode = CommonOwnErrorCode | 'forbidden';

/** The rows that only a session can call, so that their actor has one. */
type RowsOfMembers = {
  [Id in keyof Table as Table[Id] extends { membersOnly: true } ? Id : never]: Table[Id];
};

/** The operations that sign in. */
export const { enter } = kindsFor<Table, OwnAccountContext, OperatorActor, CommonCode>();

/** The operations on the caller's own account. */
export const { act: actAsMember } = kindsFor<
  RowsOfMembers,
  OwnAccountContext,
  MemberActor,
  CommonCode
>();
